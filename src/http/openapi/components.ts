import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { JsonSchema } from '../dialect.ts'
import { FIELD_NOTES } from './field-notes.ts'

/** The schemas that several operations share: each that has a title is described once. */
export interface Components {
  /** A schema of requests (`input`) or of answers (`output`), with references to what is shared. */
  toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  all(): { schemas: JsonSchema }
}

export function createComponents(): Components {
  const schemas = new Map<string, JsonSchema>()
  return {
    toSchema(schema, io) {
      const { $schema: _, ...plain } = z.toJSONSchema(schema, {
        io,
        target: 'draft-2020-12',
        override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
      })
      return share(plain as JsonSchema)
    },
    all: () => ({ schemas: Object.fromEntries([...schemas].sort(byName)) }),
  }

  /** Moves titled schemas out, from the innermost outwards. */
  function share(schema: JsonSchema): JsonSchema {
    const inner = mapParts(schema, share)
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
function tidy(schema: JsonSchema): void {
  const { wire } = schema
  if (wire !== undefined) {
    for (const key of Object.keys(schema)) delete schema[key]
    Object.assign(schema, wire)
  }
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** A schema with the schemas inside it replaced; fields get the note that their name has. */
function mapParts(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapped: JsonSchema = { ...schema }
  if (isSchema(schema.properties)) {
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>).filter(
      ([, field]) => !field.hidden,
    )
    mapped.properties = Object.fromEntries(
      fields.map(([name, field]) => [name, withNote(name, map(field))]),
    )
  }
  for (const key of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const part = schema[key]
    if (isSchema(part)) mapped[key] = map(part)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const parts = schema[key]
    if (Array.isArray(parts)) mapped[key] = parts.map((part: JsonSchema) => map(part))
  }
  return mapped
}

function withNote(name: string, field: JsonSchema): JsonSchema {
  const note = FIELD_NOTES.get(name)
  return note === undefined || field.description !== undefined
    ? field
    : { ...field, description: note }
}

const isSchema = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object'
