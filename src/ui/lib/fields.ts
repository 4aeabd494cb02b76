type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

interface Json {
  [name: string]: unknown
}

/** Reads a form as JSON: `a.b` is nested unless the form is flat, and empty fields are left out. */
export function readFields(form: HTMLFormElement, isFlat = false): Json {
  const body: Json = {}
  for (const control of form.elements) {
    const field = control as Field
    if (!field.name || field.disabled || control instanceof HTMLButtonElement) continue
    const value = readField(field)
    if (value !== undefined) put(body, isFlat ? [field.name] : field.name.split('.'), value)
  }
  return body
}

function readField(field: Field): unknown {
  const { type } = field.dataset
  if (field instanceof HTMLInputElement && field.type === 'checkbox') {
    if (!field.checked) return undefined
    return type === 'list' ? [field.value] : true
  }
  if (type === 'text') return field.value
  if (type === 'headers') return readHeaders(field.value)
  const text = field.value.trim()
  if (text === '') return undefined
  if (type === 'number') return Number(text)
  if (type === 'list') return [text]
  return field.inputMode === 'url' ? withScheme(text) : text
}

const ON_LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\]):\d+(\/|$)/i
/** `localhost:3000/hooks`, as people type it, is `http://localhost:3000/hooks`. */
const withScheme = (url: string): string => (ON_LOOPBACK.test(url) ? `http://${url}` : url)

/** Reads lines such as `Name: value`. */
function readHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.includes(':'))
  const pairs = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return [name.trim(), value.join(':').trim()]
  })
  return Object.fromEntries(pairs)
}

function put(body: Json, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    body[name] = value
    return
  }
  body[name] ??= {}
  put(body[name] as Json, rest, value)
}
