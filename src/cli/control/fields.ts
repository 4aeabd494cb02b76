import { inputsOf } from '../../control-api/inputs.ts'
import type { JsonSchema } from '../../control-api/schema.ts'
import type { OptionSpec } from '../command.ts'
import { createKind, type Reader } from '../option-values.ts'
import type { Phrase } from './words.ts'

/** A value that a control operation takes, as an option or a word of a command. */
export interface Field extends OptionSpec {
  /** Path in what is sent, such as `then.status`. */
  name: string
  option: string
  values: readonly string[]
  /** True if the values are pairs of a name and a text, which make one object. */
  isMap?: true
}

type Properties = Readonly<Record<string, JsonSchema>>

/** The fields that can be typed with a phrase: as its words, then as options. */
export function fieldsOf({ operation, words, sends }: Phrase): {
  asWord: Field[]
  asOption: Field[]
} {
  // The fixed fields of a phrase choose the member of a union.
  const input = inputsOf(operation).find(({ properties }) =>
    Object.entries(sends).every(([name, value]) => (properties[name]?.const ?? value) === value),
  )
  const all = readFields(input?.properties ?? {})
  const asWord = words.flatMap((word) => all.filter(({ name }) => name === word.field))
  const left = [
    ...asWord.map(({ name }) => name),
    ...Object.keys(sends),
    ...(operation.hides ?? []),
  ]
  return { asWord, asOption: all.filter(({ name }) => !left.includes(name)) }
}

function readFields(properties: Properties, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([own, schema]) => {
    const name = prefix + own
    if (schema.properties) return readFields(schema.properties as Properties, `${name}.`)
    const plain = toPlain(schema)
    if (plain === undefined) return []
    return [toField(name, plain, String(plain.description ?? ''))]
  })
}

/** The variant of a field that fits in one word; undefined if only JSON can hold it. */
function toPlain({ anyOf, ...rest }: JsonSchema): JsonSchema | undefined {
  if (!Array.isArray(anyOf)) return rest
  const said = anyOf.find(({ type }: JsonSchema) => type !== 'null' && type !== 'object')
  return said && { ...rest, ...said }
}

const VALUES_SHOWN_MAX = 12

function toField(name: string, schema: JsonSchema, text: string): Field {
  const isMap = schema.type === 'object'
  const isMany = schema.type === 'array' || isMap
  const one = schema.type === 'array' ? (schema.items as JsonSchema) : schema
  const known = one.enum ?? (one.const === undefined ? schema.examples : [one.const])
  const values = ((known ?? []) as unknown[]).map(String)
  const full = toOption(name)
  const option = isMany ? full.replace(/s$/, '') : full
  const [first = ''] = text.replaceAll('`', '').split(/\.(?: |$)/)
  if (one.type === 'boolean') return { name, option, values, help: first }
  const isSaid = values.length > VALUES_SHOWN_MAX || values.every((each) => first.includes(each))
  const help = isSaid ? first : `${first} (${values.join(', ')})`
  const last = option.split('-').at(-1) ?? ''
  const value = one.typeName === 'Duration' ? 'LENGTH' : last.toUpperCase()
  const mayBeEmpty = one.minLength === 0
  const field = { name, option, values, help, value, mayBeEmpty, ...READERS[String(one.type)] }
  return { ...field, ...(isMany && { many: true }), ...(isMap && { isMap }) }
}

const NUMBER = {
  value: 'N',
  /** Passes text that is not a number on, so that the sandbox rejects it. */
  read: ((_, text) => (Number.isFinite(Number(text)) ? Number(text) : text)) as Reader<unknown>,
}

const READERS: Readonly<Record<string, Pick<OptionSpec, 'value' | 'read'>>> = {
  integer: NUMBER,
  number: NUMBER,
  object: createKind('NAME:VALUE', 'a name and a value, such as retry-after:30', (text) =>
    /^([^:]+): *(.*)$/s.exec(text)?.slice(1),
  ),
}

/** Turns `then.beforeResponse` into `--before-response`; deeper fields keep their parent's name. */
function toOption(name: string): string {
  const parts = name.split('.')
  const last = parts.slice(parts.length > 2 ? -2 : -1).join('-')
  return last.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}
