import * as z from 'zod'
import type { Lever } from '../../http/control/dialect.ts'
import type { JsonSchema } from '../../http/dialect.ts'
import { describe } from '../../http/openapi/schemas.ts'

/** A value that a lever takes, as an option or a word of a command. */
export interface Field {
  /** Where it is in what is sent, such as `then.status`. */
  name: string
  in: 'path' | 'input'
  option: string
  type: 'text' | 'number' | 'flag' | 'json'
  /** What help calls the value. */
  label: string
  isMany: boolean
  /** Those there are, or some of those that it may have. */
  values: readonly string[]
  help: string
}

/** What a lever takes; where its body is one of several, each has the value of the field that tells. */
export function fieldsOf(lever: Lever, kind?: string): Field[] {
  const inPath = Array.from(lever.path.matchAll(/:(\w+)/g), ([, name = '']): Field => {
    const help = describe(lever.id, name) ?? ''
    const one = { option: toOption(name), type: 'text', isMany: false, values: [] } as const
    const label = name.toUpperCase()
    return { ...one, label, name, in: 'path', help }
  })
  const schema = lever.method === 'GET' ? lever.query?.() : lever.body?.()
  if (schema === undefined) return inPath
  const { oneOf, ...whole } = toJson(schema)
  const members = (oneOf as JsonSchema[] | undefined) ?? [whole]
  const fields = members
    .filter((member) => kind === undefined || kindsOf(member).includes(kind))
    .flatMap((member) => readObject(member, lever.id))
  return [...inPath, ...mergeSame(fields)]
}

/** The values of the field that tells the members of a union apart. */
function kindsOf({ properties }: JsonSchema): string[] {
  const { on } = (properties ?? {}) as Record<string, JsonSchema>
  return [String(on?.const)]
}

function toJson(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { wire } = jsonSchema as JsonSchema
      if (typeof wire === 'object') Object.assign(jsonSchema, wire)
    },
  }) as JsonSchema
}

function readObject(schema: JsonSchema, owner: string, prefix = ''): Field[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  return Object.entries(properties).flatMap(([own, field]) => {
    const name = prefix + own
    if (field.properties !== undefined) return readObject(field, own, `${name}.`)
    const plain = toPlain(field)
    if (plain === undefined) return []
    const help = describe(owner, own, plain.description as string | undefined) ?? ''
    return [toField(name, plain, help)]
  })
}

/** The part of a field that a word can say; none for one that only a document can hold. */
function toPlain(field: JsonSchema): JsonSchema | undefined {
  const { anyOf, ...rest } = field
  if (!Array.isArray(anyOf)) return field
  const said = anyOf.filter((part: JsonSchema) => part.type !== 'null' && part.type !== 'object')
  return said.length === 0 ? undefined : { ...rest, ...said[0] }
}

function toField(name: string, schema: JsonSchema, help: string): Field {
  const { type, items, examples } = schema
  const isMany = type === 'array'
  const one = isMany ? (items as JsonSchema) : schema
  const known = (one.enum ?? (one.const === true ? undefined : one.const && [one.const])) as
    | unknown[]
    | undefined
  const isFlag = one.type === 'boolean' || one.const === true
  const option = toOption(name)
  const kind = TYPES[String(one.type)] ?? 'text'
  return {
    name,
    in: 'input',
    option: isMany ? option.replace(/s$/, '') : option,
    type: isFlag ? 'flag' : kind,
    label: LABELS[kind] ?? (one.typeName === 'Duration' ? 'LENGTH' : toLabel(option)),
    isMany,
    values: (known ?? (examples as unknown[] | undefined) ?? []).map(String),
    help,
  }
}

const LABELS: Readonly<Record<string, string>> = { json: 'JSON', number: 'N' }
const toLabel = (option: string) => (option.split('-').at(-1) ?? '').toUpperCase()

const TYPES: Readonly<Record<string, Field['type']>> = {
  integer: 'number',
  number: 'number',
  object: 'json',
}

/** `then.beforeResponse` is `--before-response`; what lies deeper has the name around it, too. */
function toOption(name: string): string {
  const parts = name.split('.')
  const last = parts.slice(parts.length > 2 ? -2 : -1).join('-')
  return last.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

/** Fields of the members of a union that say the same are one. */
function mergeSame(fields: readonly Field[]): Field[] {
  const byName = new Map<string, Field>()
  for (const field of fields) {
    const known = byName.get(field.name)
    const values = [...new Set([...(known?.values ?? []), ...field.values])]
    byName.set(field.name, known ? { ...known, values } : field)
  }
  return [...byName.values()]
}
