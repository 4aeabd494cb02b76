type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

interface Json {
  [name: string]: unknown
}

/** Reads a form as JSON: `a.b` is nested unless the form is flat, and empty fields are left out. */
export function readFields(form: HTMLFormElement, isFlat = false): Json {
  const body: Json = {}
  for (const control of form.elements) {
    const field = control as Field
    const value = field.name ? readField(field) : undefined
    if (value !== undefined) put(body, isFlat ? [field.name] : field.name.split('.'), value)
  }
  return body
}

function readField(field: Field): unknown {
  const { type, value } = field
  if (type === 'checkbox' && !(field as HTMLInputElement).checked) return undefined
  if (type === 'textarea') return value
  const text = value.trim()
  if (text === '') return undefined
  if (field.dataset.list) return [text]
  if (type === 'checkbox') return true
  if (type === 'number') return Number(text)
  return field.inputMode === 'url' ? withScheme(text) : text
}

const ON_LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\]):\d+(\/|$)/i
/** `localhost:3000/hooks`, as people type it, is `http://localhost:3000/hooks`. */
const withScheme = (url: string): string => (ON_LOOPBACK.test(url) ? `http://${url}` : url)

function put(body: Json, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    body[name] = value
    return
  }
  body[name] ??= {}
  put(body[name] as Json, rest, value)
}
