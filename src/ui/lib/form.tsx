import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import type { FieldError } from '../../http/v2/shapes.ts'
import { act, type ButtonCall } from './act.ts'
import { readFields } from './fields.ts'
import { shortStatus } from './format.ts'

const SURE_MS = 4_000

/** Asks before something is deleted: the first press changes the text, a second one confirms. */
function useSure(sure: string | undefined): [text: string | undefined, confirm: () => boolean] {
  const [isAsking, setAsking] = useState(false)
  const timer = useRef<number | undefined>(undefined)
  const confirm = () => {
    clearTimeout(timer.current)
    if (!sure || isAsking) {
      setAsking(false)
      return true
    }
    setAsking(true)
    timer.current = window.setTimeout(() => setAsking(false), SURE_MS)
    return false
  }
  return [isAsking ? sure : undefined, confirm]
}

type Kind = 'primary' | 'danger' | 'plain'

interface ActProps extends ButtonCall {
  children: ComponentChildren
  sure?: string
  kind?: Kind
  disabled?: boolean
  title?: string | undefined
}

/** A button that makes a call. */
export const Act = ({ children, kind, sure, disabled, title, ...of }: ActProps) => {
  const [asking, confirm] = useSure(sure)
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    if (isBusy || !confirm()) return
    setBusy(true)
    await act(of)
    setBusy(false)
  }
  const look = kind ?? (of.call.startsWith('DELETE') ? 'danger' : 'plain')
  return (
    <button
      type="button"
      class={`button ${look}${asking ? ' asking' : ''}`}
      disabled={disabled}
      // A button that is disabled loses the focus.
      aria-disabled={isBusy || undefined}
      title={title}
      onClick={press}
    >
      {asking ?? children}
    </button>
  )
}

const Problems = createContext<readonly FieldError[]>([])

interface FormProps {
  children: ComponentChildren
  class?: string
  label?: string
  /** Text of the button. A form without one is sent with Enter. */
  submit?: string
  /** Sends the form as soon as an option is chosen. */
  instant?: boolean
  kind?: Kind
  sure?: string
  /** Keeps dots in field names, which otherwise make nested objects. */
  flat?: boolean
  /** Takes the fields of the form; returns what is wrong with them. */
  onSend(fields: Record<string, unknown>): Promise<readonly FieldError[] | undefined>
}

/** A form whose fields show what is wrong with them. */
export const Form = (props: FormProps) => {
  const { children, class: name = 'row', label, submit, kind = 'plain', sure, instant } = props
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const [asking, confirm] = useSure(sure)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problems])
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const { current } = form
    // Each option that is chosen is sent, and each text without a button.
    const isAgain = isBusy && event.submitter
    if (!current || isAgain || !confirm()) return
    setBusy(true)
    const found = await props.onSend(readFields(current, props.flat))
    setBusy(false)
    setProblems(found ?? [])
    if (found !== undefined) return
    current.closest('details.menu')?.removeAttribute('open')
    current.reset()
  }
  const choose = ({ target }: Event) => {
    if (target instanceof HTMLSelectElement) form.current?.requestSubmit()
  }
  return (
    <form
      ref={form}
      class={name}
      aria-label={label}
      onSubmit={send}
      onChange={instant ? choose : undefined}
    >
      <Problems.Provider value={problems}>{children}</Problems.Provider>
      {submit && (
        <button
          type="submit"
          class={`button ${kind}${asking ? ' asking' : ''}`}
          aria-disabled={isBusy || undefined}
        >
          {asking ?? submit}
        </button>
      )}
    </form>
  )
}

type CallFormProps = Omit<FormProps, 'onSend'> &
  Pick<ButtonCall, 'call' | 'done' | 'after' | 'apiKey'>

/** A form whose fields are the body of a call. */
export const CallForm = ({ call, done, after, apiKey, ...form }: CallFormProps) => (
  <Form {...form} onSend={(fields) => act({ call, done, after, apiKey }, fields)} />
)

export type Option = string | readonly [value: string, text: string]

/** An option as its value and its text. */
export const toOption = (option: Option): readonly [value: string, text: string] =>
  typeof option === 'string' ? [option, shortStatus(option)] : option

interface ControlProps {
  name?: string | undefined
  type?: 'text' | 'number' | 'checkbox'
  value?: string | undefined
  options?: readonly Option[]
  /** Makes it a field of several lines. */
  rows?: number
  placeholder?: string | undefined
  required?: boolean | undefined
  /** Initial state of a checkbox. */
  defaultChecked?: boolean
  inputMode?: 'url'
  /** The id of a list of proposals. */
  list?: string
  /** Sends the value as a list of one. */
  'data-list'?: boolean
  'aria-label'?: string | undefined
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** The options of a select, of which one may be chosen at first. */
export const Options = ({ of, chosen }: { of: readonly Option[]; chosen?: string }) => (
  <>
    {of.map(toOption).map(([value, text]) => (
      <option key={value} value={value} {...{ defaultSelected: value === chosen }}>
        {text}
      </option>
    ))}
  </>
)

/** What is typed stays when the page is drawn again. */
const Control = ({ options, value = '', ...input }: ControlProps) => {
  if (input.rows) return <textarea spellcheck={false} defaultValue={value} {...input} />
  if (!options) {
    const number = input.type === 'number' && { min: '0', step: 'any' }
    const given = input.type === 'checkbox' ? value && { value } : { defaultValue: value }
    const all = { autocomplete: 'off', ...number, ...given, ...input }
    return <input {...(all as JSX.IntrinsicElements['input'])} />
  }
  const { placeholder: _, ...select } = input
  return (
    <select {...(select as JSX.IntrinsicElements['select'])}>
      <Options of={options} chosen={value} />
    </select>
  )
}

interface FieldProps extends ControlProps {
  label: string
  hint?: string | undefined
  /** Shows no label, which then is only heard. */
  isBare?: boolean
}

/** An input, a select if there are options, or a text area; with what is wrong with it. */
export const Field = ({ label, hint, isBare, ...input }: FieldProps) => {
  const id = useId()
  const { name, type } = input
  const isOf = ({ field }: FieldError) => field === name || field.startsWith(`${name}.`)
  // A problem with `then.delay` may be shown at `then`.
  const problem = useContext(Problems).find(isOf)
  const marks = problem && { 'aria-invalid': true, 'aria-describedby': id }
  const control = <Control {...input} {...(isBare && { 'aria-label': label })} {...marks} />
  const labelled = (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in Control
    <label class={type === 'checkbox' ? 'check' : 'field'}>
      {label}
      {control}
      {hint && <span class="hint">{hint}</span>}
    </label>
  )
  return (
    <>
      {isBare ? control : labelled}
      {problem && (
        <p class="field-error" id={id}>
          {problem.message}
        </p>
      )}
    </>
  )
}

interface UserFieldProps {
  label: string
  /** Proposed users; the first one is filled in. */
  emails: readonly string[]
  required?: boolean
}

/** A field for a user, by e-mail address or id. */
export const UserField = ({ label, emails, required }: UserFieldProps) => (
  <>
    <Field
      label={label}
      name="user"
      list="proposed-users"
      required={required}
      placeholder="ana@example.com"
      value={emails[0]}
    />
    <datalist id="proposed-users">
      {emails.map((email) => (
        <option key={email} value={email} />
      ))}
    </datalist>
  </>
)
