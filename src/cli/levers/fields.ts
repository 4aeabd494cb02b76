import type { Lever } from '../../http/control/dialect.ts'
import { inputsOf } from '../../http/control/inputs.ts'
import type { JsonSchema } from '../../http/dialect.ts'
import { describe } from '../../http/openapi/schemas.ts'

/** A value that a lever takes, as an option or a word of a command. */
export interface Field {
  /** Where it is in what is sent, such as `then.status`. */
  name: string
  option: string
  type: 'text' | 'number' | 'flag' | 'json'
  /** What help calls the value. */
  label: string
  isMany: boolean
  /** Those there are, or some of those that it may have. */
  values: readonly string[]
  help: string
}

type Properties = Readonly<Record<string, JsonSchema>>

/** What a lever takes beside a preset, which chooses where its body is one of several. */
export function fieldsOf(lever: Lever, preset: object = {}): Field[] {
  const allows = (properties: Properties) =>
    Object.entries(preset).every(([name, value]) => {
      const only = properties[name]?.const
      return only === undefined || only === value
    })
  return inputsOf(lever)
    .filter(({ properties }) => allows(properties))
    .flatMap(({ properties }) => readFields(properties, lever.id))
}

function readFields(properties: Properties, owner: string, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([own, schema]) => {
    const name = prefix + own
    if (schema.properties) return readFields(schema.properties as Properties, own, `${name}.`)
    const plain = toPlain(schema)
    if (plain === undefined) return []
    const help = describe(owner, own, plain.description as string | undefined) ?? ''
    return [toField(name, plain, help)]
  })
}

/** The part of a field that a word can say; none for one that only a document can hold. */
function toPlain({ anyOf, ...rest }: JsonSchema): JsonSchema | undefined {
  if (!Array.isArray(anyOf)) return rest
  const said = anyOf.find(({ type }: JsonSchema) => type !== 'null' && type !== 'object')
  return said && { ...rest, ...said }
}

function toField(name: string, schema: JsonSchema, help: string): Field {
  const isMany = schema.type === 'array'
  const one = isMany ? (schema.items as JsonSchema) : schema
  const type = TYPES[String(one.type)] ?? 'text'
  const option = toOption(name)
  const values = one.enum ?? (one.const === undefined ? schema.examples : [one.const])
  return {
    name,
    option: isMany ? option.replace(/s$/, '') : option,
    type,
    label: one.typeName === 'Duration' ? 'LENGTH' : (LABELS[type] ?? toLabel(option)),
    isMany,
    values: ((values ?? []) as unknown[]).map(String),
    help,
  }
}

const TYPES: Readonly<Record<string, Field['type']>> = {
  boolean: 'flag',
  integer: 'number',
  number: 'number',
  object: 'json',
}

const LABELS: Readonly<Record<string, string>> = { json: 'JSON', number: 'N' }
const toLabel = (option: string) => (option.split('-').at(-1) ?? '').toUpperCase()

/** `then.beforeResponse` is `--before-response`; what lies deeper has the name around it, too. */
function toOption(name: string): string {
  const parts = name.split('.')
  const last = parts.slice(parts.length > 2 ? -2 : -1).join('-')
  return last.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}
