import type { Json } from '../../client/http.ts'

type Field = HTMLInputElement | HTMLSelectElement

/** The fields of a form as JSON: `a.b` is nested, and empty fields are left out. */
export function readFields(form: HTMLFormElement): Json {
  const body: Json = {}
  for (const element of form.elements) {
    const field = element as Field
    if (!field.name || field.disabled || element instanceof HTMLButtonElement) continue
    if (isUnchecked(field)) continue
    const value = readField(field)
    const path = form.dataset.flat === undefined ? field.name.split('.') : [field.name]
    if (value !== undefined) put(body, path, value)
  }
  return body
}

const isUnchecked = (field: Field) =>
  field instanceof HTMLInputElement && field.type === 'radio' && !field.checked

function readField(field: Field): Json {
  const { type, empty } = field.dataset
  if (field instanceof HTMLInputElement && field.type === 'checkbox') {
    if (type === 'flag-text') return field.checked ? field.value : undefined
    return type === 'flag' ? field.checked || undefined : field.checked
  }
  const text = field.value.trim()
  if (text === '') return empty === 'null' ? null : undefined
  if (type === 'number') return Number(text)
  if (type === 'list') return [text]
  if (type === 'either') return Number.isFinite(Number(text)) ? Number(text) : text
  return text
}

function put(body: Json, [name = '', ...rest]: string[], value: Json): void {
  if (rest.length === 0) {
    body[name] = value
    return
  }
  body[name] ??= {}
  put(body[name], rest, value)
}
