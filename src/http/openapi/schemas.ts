import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Settings } from '../../world/settings/index.ts'
import type { JsonSchema } from '../dialect.ts'
import { GLOSSARY } from './glossary.ts'

export type Components = ReturnType<typeof createComponents>

/** The schemas that several operations share: each that has a title is described once. */
export function createComponents(settings: Settings) {
  const schemas = new Map<string, JsonSchema>()
  return {
    /**
     * A schema of requests (`input`) or of responses (`output`), with references to what is shared.
     * Fields without a title above them are described as those of `owner`, an operation.
     */
    toSchema(schema: z.ZodType, io: 'input' | 'output', owner: string): JsonSchema {
      const { $schema: _, ...plain } = z.toJSONSchema(schema, {
        io,
        target: 'draft-2020-12',
        override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, settings),
      })
      return share(plain as JsonSchema, owner)
    },
    /** Every shared schema. The fields get examples from the recorded calls in `parts`. */
    all(...parts: JsonSchema[]) {
      illustrate(parts, schemas)
      return { schemas: Object.fromEntries([...schemas].sort(byName)) }
    },
  }

  /** Moves titled schemas out, from the innermost outwards. */
  function share(schema: JsonSchema, owner: string): JsonSchema {
    const inner = mapParts(schema, owner, share)
    const { title } = inner
    if (typeof title !== 'string') return inner
    const known = schemas.get(title)
    if (known !== undefined && !isDeepStrictEqual(known, inner)) {
      throw new Error(`Two schemas are called ${title}.`)
    }
    schemas.set(title, inner)
    return { $ref: `#/components/schemas/${title}` }
  }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** Leaves out what only repeats itself, and puts in the form that a value has on the wire. */
function tidy(schema: JsonSchema, settings: Settings): void {
  const { wire, description } = schema
  if (wire !== undefined) {
    for (const key of Object.keys(schema)) delete schema[key]
    if (description !== undefined) schema.description = description
    Object.assign(schema, typeof wire === 'function' ? wire(settings) : wire)
  }
  // For the types of the library alone.
  delete schema.typeName
  if (schema.format !== undefined) delete schema.pattern
  // Of a record, whose keys are in `propertyNames`.
  if (schema.properties === undefined) delete schema.required
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

type Share = (part: JsonSchema, owner: string) => JsonSchema

/** A schema with the schemas inside it shared, and its fields described. */
function mapParts(schema: JsonSchema, owner: string, share: Share): JsonSchema {
  const mapped: JsonSchema = { ...schema }
  const name = typeof schema.title === 'string' ? schema.title : owner
  if (isObject(schema.properties)) {
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>).filter(
      ([, field]) => !field.hidden,
    )
    mapped.properties = Object.fromEntries(
      fields.map(([field, part]) => [field, describeField(name, field, share(part, field))]),
    )
  }
  for (const key of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const part = schema[key]
    if (isObject(part)) mapped[key] = share(part, name)
  }
  for (const key of CHOICES) {
    const parts = schema[key]
    if (Array.isArray(parts)) mapped[key] = parts.map((part: JsonSchema) => share(part, name))
  }
  return mapped
}

const CHOICES = ['anyOf', 'oneOf', 'allOf'] as const

const isObject = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object'

const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(GLOSSARY).flatMap(([names, text]) =>
    names.split(', ').map((name) => [name, text]),
  ),
)

/** What a field or parameter holds. What its schema says about itself counts before its name. */
export function describe(owner: string, name: string, own?: string): string | undefined {
  const text = WORDS[`${owner}.${name}`]
  if (text === undefined) return own ?? WORDS[name]
  return own === undefined ? text : `${text} ${own}`
}

function describeField(owner: string, name: string, field: JsonSchema): JsonSchema {
  const description = describe(owner, name, field.description as string | undefined)
  const [known] = Array.isArray(field.enum) ? field.enum : [field.const ?? field.default]
  const isShown = field.examples === undefined && known !== undefined
  return {
    ...field,
    ...(description !== undefined && { description }),
    ...(isShown && { examples: [known] }),
  }
}

/** Gives each plain field without an example the first value that a recorded call had there. */
function illustrate(value: unknown, schemas: ReadonlyMap<string, JsonSchema>): void {
  if (!isObject(value)) return
  if (isObject(value.schema) && 'example' in value) show(value.schema, value.example)
  for (const part of Object.values(value)) illustrate(part, schemas)

  function show(schema: JsonSchema, example: unknown): void {
    const { $ref, properties, items } = schema
    const shared = typeof $ref === 'string' && schemas.get($ref.split('/').at(-1) ?? '')
    if (shared) show(shared, example)
    const choices = CHOICES.flatMap((key) => (schema[key] as JsonSchema[] | undefined) ?? [])
    for (const choice of choices) show(choice, example)
    if (Array.isArray(example) && isObject(items)) for (const one of example) show(items, one)
    if (!isObject(example) || !isObject(properties)) return
    for (const [name, field] of Object.entries(properties as Record<string, JsonSchema>)) {
      const known = example[name]
      if (known === undefined || known === null) continue
      if (isPlain(field)) field.examples ??= [known]
      show(field, known)
    }
  }
}

/** Whether a field has no fields of its own, whose examples are enough. */
function isPlain({ $ref, properties, ...schema }: JsonSchema): boolean {
  const parts = [schema.items, schema.additionalProperties, ...CHOICES.map((key) => schema[key])]
  const inner = parts.flat().filter(isObject)
  return $ref === undefined && properties === undefined && inner.every(isPlain)
}
