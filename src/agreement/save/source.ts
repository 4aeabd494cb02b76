import type { Json } from '../../client/http.ts'

/** A result that gets a name once something refers to it. */
export interface Named {
  stem: string
  isUsed: boolean
  name?: string
}

/** A place in a named result, where a value would stand. */
export class Ref {
  readonly named: Named
  readonly place: string

  constructor(named: Named, place = '') {
    this.named = named
    this.place = place
  }
}

/** Code with values in it: texts stand as they are, and between them values as they are written. */
export class Code {
  readonly texts: readonly string[]
  readonly values: readonly Json[]

  constructor(texts: readonly string[], values: readonly Json[] = []) {
    this.texts = texts
    this.values = values
  }
}

export const code = (texts: TemplateStringsArray, ...values: Json[]) => new Code(texts, values)

/** A text with references in it. */
export function join(parts: readonly (string | Ref)[]): string | Code {
  if (!parts.some((part) => part instanceof Ref)) return parts.join('')
  const texts = ['`']
  for (const part of parts) {
    if (part instanceof Ref) texts.push(`${texts.pop()}\${`, '}')
    else texts.push(texts.pop() + part)
  }
  texts.push(`${texts.pop()}\``)
  return new Code(
    texts,
    parts.filter((part) => part instanceof Ref),
  )
}

const WIDTH = 100
const NAME = /^[A-Za-z_$][\w$]*$/

/** Writes values as a person would in JavaScript, and names results: `order`, `order2`. */
export function createWriter(taken: readonly string[]) {
  const used = new Set(taken)
  return { nameOf, toCode, toSource }

  function nameOf(named: Named): string {
    // `user12` would read as another user than `user1`, so that becomes `user1_2`.
    const separator = /\d$/.test(named.stem) ? '_' : ''
    for (let n = 1; named.name === undefined; n++) {
      const name = n === 1 ? named.stem : `${named.stem}${separator}${n}`
      if (!used.has(name)) named.name = name
    }
    used.add(named.name)
    return named.name
  }

  function toCode({ texts, values }: Code, column: number): string {
    return texts.reduce((written, text, i) => {
      const place = column + written.length
      return written + (i === 0 ? '' : toSource(values[i - 1], 0, place)) + text
    }, '')
  }

  /** `column` is where it begins. */
  function toSource(value: Json, indent: number, column = indent): string {
    const line = toLine(value)
    const isBranch = typeof value === 'object' && line.length > 2 && /^[[{]/.test(line)
    if (column + line.length <= WIDTH || !isBranch) return line
    const inner = ' '.repeat(indent + 2)
    const parts = Array.isArray(value)
      ? value.map((entry) => `${inner}${toSource(entry, indent + 2)},`)
      : fieldsOf(value).map(([name, entry]) => {
          const key = toKey(name)
          return `${inner}${key}: ${toSource(entry, indent + 2, indent + 4 + key.length)},`
        })
    return [line[0], ...parts, ' '.repeat(indent) + line.at(-1)].join('\n')
  }

  function toLine(value: Json): string {
    if (value instanceof Ref) return nameOf(value.named) + value.place
    if (value instanceof Code) return toCode(value, 0)
    if (typeof value === 'string') return toText(value)
    if (Array.isArray(value)) return `[${value.map(toLine).join(', ')}]`
    if (value === null || typeof value !== 'object') return String(value)
    const fields = fieldsOf(value).map(([name, entry]) => `${toKey(name)}: ${toLine(entry)}`)
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
  }
}

const fieldsOf = (value: object): [string, Json][] =>
  Object.entries(value).filter(([, entry]) => entry !== undefined)

const toKey = (name: string) => (NAME.test(name) ? name : toText(name))

export function toText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}
