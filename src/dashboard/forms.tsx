import type { Child, JSX } from 'hono/jsx'

/** A call that a button or a form makes. */
export interface ButtonCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the world's base URL; `{name}` is replaced with a field, which the body then lacks. */
  path: string
  body?: unknown
  /** The message after success. */
  done?: string | undefined
  /** The page to open after success, with fields of the answer such as `{data.id}`. */
  go?: string
  /** The field of the answer that holds a URL to open. */
  open?: string
  /** For calls of the emulated API. */
  apiKey?: string | undefined
}

const toData = ({ method = 'POST', path, body = {}, ...call }: ButtonCall) => ({
  'data-call': method,
  'data-path': path,
  'data-body': JSON.stringify(body),
  'data-done': call.done,
  'data-go': call.go,
  'data-open': call.open,
  'data-key': call.apiKey,
})

interface ActProps extends ButtonCall {
  children: Child
  /** The question that a second press confirms. */
  sure?: string
  kind?: 'primary' | 'danger' | 'plain'
  disabled?: boolean
  title?: string | undefined
}

/** A button that makes one call and shows the result. */
export const Act = ({ children, kind = 'plain', sure, disabled, title, ...call }: ActProps) => (
  <button
    type="button"
    class={`button ${kind}`}
    data-sure={sure}
    disabled={disabled}
    title={title}
    {...toData(call)}
  >
    {children}
  </button>
)

interface CallFormProps extends ButtonCall {
  children: Child
  class?: string
  label?: string
  /** Submits as soon as something is chosen. */
  instant?: boolean
  /** Field names with dots are not nested. */
  flat?: boolean
}

/** A form whose fields are sent as JSON. */
export const CallForm = ({ children, label, instant, flat, ...rest }: CallFormProps) => {
  const { class: name = 'row', ...call } = rest
  return (
    <form
      class={name}
      aria-label={label}
      data-instant={instant ? '' : undefined}
      data-flat={flat ? '' : undefined}
      {...toData(call)}
    >
      {children}
    </form>
  )
}

/** `hint` says the format before it is missed. */
type FieldProps = InputProps & { hint?: string | undefined }
type InputProps = JSX.IntrinsicElements['input'] & { label: string }

/** An input whose label only screen readers need. */
export const Input = ({ label, ...input }: InputProps) => (
  <input aria-label={label} autocomplete="off" {...input} />
)

/** An input below its label. */
export const Field = ({ label, hint, ...input }: FieldProps) => (
  <label class="field">
    {label}
    <input autocomplete="off" {...input} />
    {hint && <span class="hint">{hint}</span>}
  </label>
)

/** A field whose value is sent as a number. */
export const NumberField = (props: FieldProps) => (
  <Field type="number" min="0" step="any" data-type="number" {...props} />
)

export const Check = ({ label, ...input }: InputProps) => (
  <label class="check">
    <input type="checkbox" {...input} />
    {label}
  </label>
)

/** A select below its label; options are values, or pairs of value and text. */
export const SelectField = (props: {
  name: string
  label: string
  options: readonly (string | readonly [value: string, text: string])[]
}) => (
  <label class="field">
    {props.label}
    <select name={props.name}>
      {props.options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option
        return <option value={value}>{text}</option>
      })}
    </select>
  </label>
)

export const Submit = (props: { text: string; kind?: string; sure?: string }) => (
  <button type="submit" class={`button ${props.kind ?? ''}`} data-sure={props.sure}>
    {props.text}
  </button>
)
