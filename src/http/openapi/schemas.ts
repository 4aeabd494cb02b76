import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { JsonSchema } from '../../control-api/schema.ts'
import type { Dialect } from '../dialect.ts'

export type Components = ReturnType<typeof createComponents>

/** The schemas that several operations share: each that has a title is described once. */
export function createComponents() {
  const schemas = new Map<string, JsonSchema>()
  const errors = new Map<Dialect, JsonSchema>()
  return {
    toSchema,
    errorOf(dialect: Dialect): JsonSchema {
      const known = errors.get(dialect) ?? toSchema(dialect.describe.error(), 'output')
      errors.set(dialect, known)
      return known
    },
    /** Every shared schema. The fields get examples from the recorded calls in `parts`. */
    all(...parts: JsonSchema[]) {
      illustrate(parts, schemas)
      return { schemas: Object.fromEntries([...schemas].sort(byName)) }
    },
  }

  /**
   * A schema of requests (`input`) or of responses (`output`), with references to what is shared.
   */
  function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...plain } = z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
    })
    return share(plain as JsonSchema)
  }

  /** Moves named schemas out, from the innermost outwards. */
  function share(schema: JsonSchema): JsonSchema {
    const { inField, ...inner } = mapParts(schema, share)
    const { title } = inner
    if (typeof title !== 'string') return inner
    const known = schemas.get(title)
    if (known !== undefined && !isDeepStrictEqual(known, inner)) {
      throw new Error(`Two schemas are called ${title}.`)
    }
    schemas.set(title, inner)
    const description = inField === undefined ? {} : { description: inField }
    return { $ref: `#/components/schemas/${title}`, ...description }
  }
}

const nameIn = ($ref: string) => $ref.split('/').at(-1) ?? ''

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** Removes redundant keywords and replaces a value by its form on the wire. */
function tidy(schema: JsonSchema): void {
  const { wire, description } = schema
  if (wire !== undefined) {
    for (const key of Object.keys(schema)) delete schema[key]
    if (description !== undefined) schema.description = description
    Object.assign(schema, typeof wire === 'function' ? wire() : wire)
  }
  // Used only to generate the types of the library.
  delete schema.typeName
  delete schema.forAgents
  if (schema.format !== undefined) delete schema.pattern
  // A record lists its keys in `propertyNames`.
  if (schema.properties === undefined) delete schema.required
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

type Share = (part: JsonSchema) => JsonSchema

/** Shares the schemas inside a schema, and adds an example to each field whose value is known. */
function mapParts(schema: JsonSchema, share: Share): JsonSchema {
  const mapped: JsonSchema = { ...schema }
  if (isObject(schema.properties)) {
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>).filter(
      ([, field]) => !field.hidden,
    )
    mapped.properties = Object.fromEntries(
      fields.map(([field, part]) => [field, withExample(share(part))]),
    )
  }
  for (const key of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const part = schema[key]
    if (isObject(part)) mapped[key] = share(part)
  }
  for (const key of CHOICES) {
    const parts = schema[key]
    if (!Array.isArray(parts)) continue
    const shown = (parts as JsonSchema[]).filter(({ hidden }) => !hidden)
    const [only = {}, ...others] = shown.map((part) => share(part))
    if (others.length > 0 || shown.length === parts.length) mapped[key] = [only, ...others]
    else {
      delete mapped[key]
      Object.assign(mapped, only)
    }
  }
  return mapped
}

const CHOICES = ['anyOf', 'oneOf', 'allOf'] as const

const isObject = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object'

function withExample(field: JsonSchema): JsonSchema {
  const [known] = Array.isArray(field.enum) ? field.enum : [field.const ?? field.default]
  const isShown = field.examples === undefined && known !== undefined
  return isShown ? { ...field, examples: [known] } : field
}

/** Gives each plain field without an example the first value that a recorded call had there. */
function illustrate(value: unknown, schemas: ReadonlyMap<string, JsonSchema>): void {
  if (!isObject(value)) return
  if (isObject(value.schema) && 'example' in value) show(value.schema, value.example)
  for (const part of Object.values(value)) illustrate(part, schemas)

  function show(schema: JsonSchema, example: unknown): void {
    const { $ref, properties, items } = schema
    const shared = typeof $ref === 'string' && schemas.get(nameIn($ref))
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

/** Returns true for a field without inner fields, so that one value can be its example. */
function isPlain({ $ref, properties, ...schema }: JsonSchema): boolean {
  const parts = [schema.items, schema.additionalProperties, ...CHOICES.map((key) => schema[key])]
  const inner = parts.flat().filter(isObject)
  return $ref === undefined && properties === undefined && inner.every(isPlain)
}

/** Accepts null for each optional field, at any depth: it leaves the field out. */
export function withNulls(schema: JsonSchema): JsonSchema {
  const { anyOf, items, properties, required = [] } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(withNulls) }
  if (isObject(items)) return { ...schema, items: withNulls(items) }
  if (!isObject(properties)) return schema
  const isRequired = (name: string) => (required as string[]).includes(name)
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const inner = withNulls(field)
    return [name, isRequired(name) ? inner : orNull(inner)]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}

/** Accepts null too. A field without a type does so already. */
function orNull(field: JsonSchema): JsonSchema {
  const { type, anyOf } = field
  if (Array.isArray(anyOf)) return { ...field, anyOf: [...anyOf, { type: 'null' }] }
  return type === undefined ? field : { ...field, type: [type, 'null'] }
}
