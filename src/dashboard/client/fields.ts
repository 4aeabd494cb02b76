import type { FieldProblem } from '../../client/error.ts'
import type { Json } from '../../client/http.ts'
import { withScheme } from '../../client/local-url.ts'
import { element } from './element.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Reads a form as JSON: `a.b` is nested, and empty fields are left out. */
export function readFields(form: HTMLFormElement): Json {
  const body: Json = {}
  const { side } = Object.fromEntries(new FormData(form))
  for (const control of form.elements) {
    const field = control as Field
    const { names } = field.dataset
    // A buy takes an amount in CAD, a sell an amount in coins.
    if (names) field.name = new RegExp(`${side}:(\\w+)`).exec(names)?.[1] ?? field.name
    if (!field.name || field.disabled || control instanceof HTMLButtonElement) continue
    const value = readField(field)
    const path = form.dataset.flat === undefined ? field.name.split('.') : [field.name]
    if (value !== undefined) put(body, path, value)
  }
  return body
}

function readField(field: Field): Json {
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

/** Reads lines such as `Name: value`. */
function readHeaders(text: string): Json {
  const lines = text.split('\n').filter((line) => line.includes(':'))
  const pairs = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return [name.trim(), value.join(':').trim()]
  })
  return Object.fromEntries(pairs)
}

/** Shows at each refused field what is wrong with it. */
export function markProblems(form: HTMLElement, problems: readonly FieldProblem[]): void {
  clearProblems(form)
  for (const { field, message } of problems) {
    const input = findField(form, field)
    if (!input || input.hasAttribute('aria-invalid')) continue
    const reason = element('p', 'field-error', message)
    reason.id = `problem-${++problemCount}`
    input.setAttribute('aria-invalid', 'true')
    input.setAttribute('aria-describedby', reason.id)
    const place = input.closest('label') ?? input
    place.after(reason)
  }
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
}

let problemCount = 0

export function clearProblems(form: HTMLElement): void {
  for (const reason of form.querySelectorAll('.field-error')) reason.remove()
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid')
    field.removeAttribute('aria-describedby')
  }
}

/** Finds a field by name; a problem with `then.delay` may be shown at `then`. */
function findField(form: HTMLElement, name: string): Element | undefined {
  const fields = [...form.querySelectorAll<HTMLInputElement>('[name]')]
  const exact = fields.find((field) => field.name === name)
  return exact ?? fields.find((field) => name.startsWith(`${field.name}.`))
}

function put(body: Json, [name = '', ...rest]: string[], value: Json): void {
  if (rest.length === 0) {
    body[name] = value
    return
  }
  body[name] ??= {}
  put(body[name], rest, value)
}
