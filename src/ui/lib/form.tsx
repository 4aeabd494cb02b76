import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { act, type ButtonCall } from './act.ts'
import type { FieldProblem } from './api.ts'
import { readFields } from './fields.ts'

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
    if (!confirm()) return
    setBusy(true)
    await act(of)
    setBusy(false)
  }
  const look = kind ?? (of.call.startsWith('DELETE') ? 'danger' : 'plain')
  return (
    <button
      type="button"
      class={`button ${look}${asking ? ' asking' : ''}`}
      disabled={disabled || isBusy}
      title={title}
      onClick={press}
    >
      {asking ?? children}
    </button>
  )
}

const Problems = createContext<readonly FieldProblem[]>([])

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
  onSend(fields: Record<string, unknown>): Promise<readonly FieldProblem[] | undefined>
}

/** A form whose fields show what is wrong with them. */
export const Form = (props: FormProps) => {
  const { children, class: name = 'row', label, submit, kind = 'plain', sure, instant } = props
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [asking, confirm] = useSure(sure)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problems])
  const send = async (event: Event) => {
    event.preventDefault()
    const { current } = form
    if (!current || !confirm()) return
    const found = await props.onSend(readFields(current, props.flat))
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
        <button type="submit" class={`button ${kind}${asking ? ' asking' : ''}`}>
          {asking ?? submit}
        </button>
      )}
    </form>
  )
}

type CallFormProps = Omit<FormProps, 'onSend'> &
  Pick<ButtonCall, 'call' | 'done' | 'after' | 'apiKey'> & {
    /** Makes the body out of the fields, where they are not the body themselves. */
    toBody?(fields: Record<string, unknown>): object
  }

/** A form whose fields are the body of a call. */
export const CallForm = ({ toBody, call, done, after, apiKey, ...form }: CallFormProps) => (
  <Form
    {...form}
    onSend={(fields) => act({ call, done, after, apiKey }, toBody ? toBody(fields) : fields)}
  />
)

type Option = string | readonly [value: string, text: string]

interface InputProps {
  name?: string | undefined
  type?: 'text' | 'number' | 'checkbox'
  label?: string
  value?: string | undefined
  options?: readonly Option[]
  placeholder?: string | undefined
  required?: boolean | undefined
  /** Whether a box is checked at first. */
  defaultChecked?: boolean
  inputMode?: 'url'
  /** The id of a list of proposals. */
  list?: string
  /** How the value is sent: as it is typed, as a list of one, or as a number. */
  'data-type'?: 'text' | 'list' | 'number'
}

/** An input, or a select if there are options. What is typed stays when the page is drawn again. */
export const Input = (input: InputProps) => {
  const problem = useProblem(input.name)
  return (
    <>
      <Control {...input} {...problem?.marks} />
      {problem?.shown}
    </>
  )
}

interface Marks {
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

const Control = ({ label, options, value, ...input }: InputProps & Marks) => {
  if (!options) {
    const number = input.type === 'number' && { min: '0', step: 'any', 'data-type': 'number' }
    const given = input.type === 'checkbox' ? value && { value } : { defaultValue: value ?? '' }
    const all = { 'aria-label': label, autocomplete: 'off', ...number, ...given, ...input }
    return <input {...(all as JSX.IntrinsicElements['input'])} />
  }
  const { name, 'aria-invalid': isInvalid, 'aria-describedby': reason } = input
  return (
    <select name={name} aria-label={label} aria-invalid={isInvalid} aria-describedby={reason}>
      {options.map((option) => {
        const [of, text] = typeof option === 'string' ? [option, option] : option
        return (
          <option key={of} value={of} {...{ defaultSelected: of === value }}>
            {text}
          </option>
        )
      })}
    </select>
  )
}

/** What is wrong with a field; a problem with `then.delay` may be shown at `then`. */
function useProblem(name: unknown) {
  const id = useId()
  const problems = useContext(Problems)
  const isOf = ({ field }: FieldProblem) => field === name || field.startsWith(`${name}.`)
  const found = name ? problems.find(isOf) : undefined
  if (!found) return undefined
  const shown = (
    <p class="field-error" id={id}>
      {found.message}
    </p>
  )
  return { shown, marks: { 'aria-invalid': true, 'aria-describedby': id } }
}

interface TextAreaProps extends Omit<JSX.IntrinsicElements['textarea'], 'value'> {
  label: string
  value?: string
}

/** A field for several lines with a visible label. */
export const TextArea = ({ label, value = '', ...area }: TextAreaProps) => {
  const problem = useProblem(area.name)
  return (
    <>
      <label class="field">
        {label}
        <textarea
          spellcheck={false}
          autocomplete="off"
          defaultValue={value}
          {...area}
          {...problem?.marks}
        />
      </label>
      {problem?.shown}
    </>
  )
}

interface FieldProps extends InputProps {
  label: string
  hint?: string | undefined
}

/** An input with a visible label. */
export const Field = ({ label, hint, ...input }: FieldProps) => {
  const problem = useProblem(input.name)
  const isBox = input.type === 'checkbox'
  return (
    <>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is in Control */}
      <label class={isBox ? 'check' : 'field'}>
        {!isBox && label}
        <Control {...input} {...problem?.marks} />
        {isBox && label}
        {hint && <span class="hint">{hint}</span>}
      </label>
      {problem?.shown}
    </>
  )
}
