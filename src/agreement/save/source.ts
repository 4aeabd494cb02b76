import type { Json } from '../../client/http.ts'

/** Code that stands where a value would. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Texts and code, joined into one text. */
export function join(parts: readonly (string | Code)[]): string | Code {
  if (!parts.some((part) => part instanceof Code)) return parts.join('')
  const text = parts.map((part) => (part instanceof Code ? `\${${part.text}}` : part)).join('')
  return new Code(`\`${text}\``)
}

const WIDTH = 96
const NAME = /^[A-Za-z_$][\w$]*$/

/** Writes a value as a person would in JavaScript. */
export function toSource(value: Json, indent = 0): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return toText(value)
  if (value === null || typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const fields = Object.entries<Json>(value).filter(([, part]) => part !== undefined)
  const parts = fields.map(([name, part]) => {
    const key = NAME.test(name) ? name : toText(name)
    return `${isList ? '' : `${key}: `}${toSource(part, indent + 2)}`
  })
  const line = parts.join(', ')
  if (parts.length === 0) return isList ? '[]' : '{}'
  if (indent + line.length <= WIDTH && !line.includes('\n'))
    return isList ? `[${line}]` : `{ ${line} }`
  const rows = parts.map((part) => `${' '.repeat(indent + 2)}${part},\n`).join('')
  return `${isList ? '[' : '{'}\n${rows}${' '.repeat(indent)}${isList ? ']' : '}'}`
}

export function toText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}
