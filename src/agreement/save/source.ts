import type { Json } from '../../client/http.ts'

/** Code in the place of a value. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const WIDTH = 100
const NAME = /^[A-Za-z_$][\w$]*$/

/** A value as a person would write it in JavaScript; `column` is where it begins. */
export function toSource(value: Json | Code, indent: number, column = indent): string {
  const line = toLine(value)
  if (column + line.length <= WIDTH || !isBranch(value)) return line
  const inner = ' '.repeat(indent + 2)
  const parts = Array.isArray(value)
    ? value.map((entry) => `${inner}${toSource(entry, indent + 2)},`)
    : fieldsOf(value).map(([name, entry]) => {
        const key = toKey(name)
        const isShort = entry instanceof Code && entry.text === key
        if (isShort) return `${inner}${key},`
        return `${inner}${key}: ${toSource(entry, indent + 2, indent + 4 + key.length)},`
      })
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return [open, ...parts, ' '.repeat(indent) + close].join('\n')
}

function toLine(value: Json | Code): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return toText(value)
  if (Array.isArray(value)) return `[${value.map(toLine).join(', ')}]`
  if (value === null || typeof value !== 'object') return String(value)
  const fields = fieldsOf(value).map(([name, entry]) => {
    const [key, code] = [toKey(name), toLine(entry)]
    return key === code && entry instanceof Code ? key : `${key}: ${code}`
  })
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

const fieldsOf = (value: object): [string, Json][] =>
  Object.entries(value).filter(([, entry]) => entry !== undefined)

const isBranch = (value: Json | Code): boolean =>
  value !== null && typeof value === 'object' && !(value instanceof Code)

const toKey = (name: string) => (NAME.test(name) ? name : toText(name))

export function toText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

/** A path with code in it, as a template where there is any. */
export function toPath(parts: readonly (string | Code)[]): string {
  if (parts.every((part) => typeof part === 'string')) return toText(`/${parts.join('/')}`)
  const filled = parts.map((part) => (part instanceof Code ? `\${${part.text}}` : part))
  return `\`/${filled.join('/')}\``
}
