import type { Child, JSX } from 'hono/jsx'

/** A call that a button or a form makes. */
export interface ButtonCall {
  /** For example `PUT /v2/users/{id}`; the method is `POST` by default, and `{id}` takes a field. */
  call: string
  body?: unknown
  done?: string | undefined
  /** The page to open after success; `{data.id}` takes a field of the response. */
  go?: string | undefined
  /** The field of the response that holds a URL to open. */
  open?: string
  apiKey?: string | undefined
  /** How client code shows the response on the page, in place of a message. */
  shows?: 'explanation'
}

const toData = ({ call, body = {}, done, go, open, apiKey, shows }: ButtonCall) => ({
  'data-call': call,
  'data-body': JSON.stringify(body),
  'data-done': done,
  'data-go': go,
  'data-open': open,
  'data-key': apiKey,
  'data-shows': shows,
})

type Kind = 'primary' | 'danger' | 'plain'

interface ActProps extends ButtonCall {
  children: Child
  sure?: string
  kind?: Kind
  disabled?: boolean
  title?: string | undefined
  /** Accessible name, where the text alone does not say which one it is. */
  label?: string
}

export const Act = ({ children, kind, sure, disabled, title, label, ...call }: ActProps) => (
  <button
    type="button"
    class={`button ${kind ?? (call.call.startsWith('DELETE') ? 'danger' : 'plain')}`}
    data-sure={sure}
    disabled={disabled}
    title={title}
    aria-label={label}
    {...toData(call)}
  >
    {children}
  </button>
)

interface CallFormProps extends ButtonCall {
  children: Child
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
}

export const CallForm = (props: CallFormProps) => {
  const { children, class: name = 'row', label, submit, kind = 'plain', sure } = props
  return (
    <form
      class={name}
      aria-label={label}
      data-instant={props.instant ? '' : undefined}
      data-flat={props.flat ? '' : undefined}
      {...toData(props)}
    >
      {children}
      {submit && (
        <button type="submit" class={`button ${kind}`} data-sure={sure}>
          {submit}
        </button>
      )}
    </form>
  )
}

type InputProps = JSX.IntrinsicElements['input'] & {
  options?: readonly (string | readonly [value: string, text: string])[]
}

/** An input, or a select if there are options, with a label for screen readers only. */
export const Input = ({ label, options, ...input }: InputProps & { label?: string }) => {
  if (!options) {
    const number = input.type === 'number' && { min: '0', step: 'any', 'data-type': 'number' }
    return <input aria-label={label} autocomplete="off" {...number} {...input} />
  }
  return (
    <select name={input.name} aria-label={label}>
      {options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option
        return (
          <option value={value} selected={value === input.value}>
            {text}
          </option>
        )
      })}
    </select>
  )
}

type TextAreaProps = JSX.IntrinsicElements['textarea'] & { label: string; value?: string }

/** A field for several lines with a visible label. Its text is sent as it is. */
export const TextArea = ({ label, value, ...area }: TextAreaProps) => (
  <label class="field">
    {label}
    {/* A browser drops the first line break. */}
    <textarea spellcheck={false} autocomplete="off" {...area}>
      {`\n${value ?? ''}`}
    </textarea>
  </label>
)

interface FieldProps extends InputProps {
  label: string
  hint?: string
}

/** An input with a visible label. */
export const Field = ({ label, hint, ...input }: FieldProps) => {
  const box = input.type === 'checkbox'
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in Input
    <label class={box ? 'check' : 'field'}>
      {!box && label}
      <Input {...input} />
      {box && label}
      {hint && <span class="hint">{hint}</span>}
    </label>
  )
}
