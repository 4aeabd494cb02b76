import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Settings } from '../../world/settings/index.ts'
import type { JsonSchema } from '../dialect.ts'
import { describeField } from './fields/index.ts'

export type Components = ReturnType<typeof createComponents>

/** The schemas that several operations share: each that has a title is described once. */
export function createComponents(settings: Settings) {
  const schemas = new Map<string, JsonSchema>()
  return {
    /**
     * A schema of requests (`input`) or of answers (`output`), with references to what is shared.
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
    all: () => ({ schemas: Object.fromEntries([...schemas].sort(byName)) }),
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
  const { wire } = schema
  if (wire !== undefined) {
    for (const key of Object.keys(schema)) delete schema[key]
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
  if (isSchema(schema.properties)) {
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>).filter(
      ([, field]) => !field.hidden,
    )
    mapped.properties = Object.fromEntries(
      fields.map(([field, part]) => [field, describeField(name, field, share(part, field))]),
    )
  }
  for (const key of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const part = schema[key]
    if (isSchema(part)) mapped[key] = share(part, name)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const parts = schema[key]
    if (Array.isArray(parts)) mapped[key] = parts.map((part: JsonSchema) => share(part, name))
  }
  return mapped
}

const isSchema = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object'
