import type { Lever } from '../../http/control/dialect.ts'
import { inputsOf } from '../../http/control/inputs.ts'
import type { JsonSchema } from '../../http/dialect.ts'
import { describe } from '../../http/openapi/schemas.ts'
import type { OptionSpec } from '../command.ts'
import { invalid, type Reader } from '../option-values.ts'

/** A value that a lever takes, as an option or a word of a command. */
export interface Field extends OptionSpec {
  /** Path in what is sent, such as `then.status`. */
  name: string
  option: string
  /** Those there are, or some of those that it may have. */
  values: readonly string[]
}

type Properties = Readonly<Record<string, JsonSchema>>

/** Fields of a lever beside a preset, which chooses where its body is one of several. */
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

const VALUES_SHOWN_MAX = 12

function toField(name: string, schema: JsonSchema, text: string): Field {
  const isMany = schema.type === 'array'
  const one = isMany ? (schema.items as JsonSchema) : schema
  const known = one.enum ?? (one.const === undefined ? schema.examples : [one.const])
  const values = ((known ?? []) as unknown[]).map(String)
  const option = toOption(name)
  // The first sentence, as help is read in a terminal.
  const [help = ''] = text.replaceAll('`', '').split(/\.(?: |$)/)
  if (one.type === 'boolean') return { name, option, values, help }
  const isListed = values.length > 0 && values.length <= VALUES_SHOWN_MAX
  return {
    name,
    option: isMany ? option.replace(/s$/, '') : option,
    values,
    help: isListed ? `${help} (${values.join(', ')})` : help,
    value: one.typeName === 'Duration' ? 'LENGTH' : (option.split('-').at(-1) ?? '').toUpperCase(),
    ...KINDS[String(one.type)],
    ...(isMany && { many: true }),
  }
}

/** Keeps what is no number as it is, for the sandbox to say so. */
const NUMBER = {
  value: 'N',
  read: ((_, text) => (Number.isFinite(Number(text)) ? Number(text) : text)) as Reader<unknown>,
}

const KINDS: Readonly<Record<string, Pick<OptionSpec, 'value' | 'read'>>> = {
  integer: NUMBER,
  number: NUMBER,
  object: {
    value: 'JSON',
    read(option, text): unknown {
      try {
        return JSON.parse(text)
      } catch {
        const example = 'JSON such as {"retry-after":"30"}'
        throw invalid(option, `${option} must be ${example}, not ${text}.`)
      }
    },
  },
}

/** `then.beforeResponse` is `--before-response`; what lies deeper has the name around it, too. */
function toOption(name: string): string {
  const parts = name.split('.')
  const last = parts.slice(parts.length > 2 ? -2 : -1).join('-')
  return last.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}
