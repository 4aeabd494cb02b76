import * as z from 'zod'
import type { ControlOperation } from './index.ts'
import type { JsonSchema } from './schema.ts'

/**
 * Returns the input of a control operation as the schema of one object: the names in its path, and the fields
 * of its query or body. A body that is a union gives one schema per member.
 */
export function inputsOf({ method, params = {}, query, body }: ControlOperation): InputSchema[] {
  const schema = (method === 'GET' ? query : body)?.()
  const { oneOf, ...whole }: Partial<InputSchema> = schema ? toInputSchema(schema) : {}
  const names = Object.keys(params)
  const inPath = Object.fromEntries(
    names.map((name) => [name, { type: 'string', description: params[name] }]),
  )
  const members = (oneOf ?? [whole]) as Partial<InputSchema>[]
  return members.map(({ properties, required = [], ...rest }) => ({
    ...rest,
    properties: { ...inPath, ...properties },
    required: [...names, ...required],
  }))
}

export interface InputSchema extends JsonSchema {
  properties: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
}

/** A schema of what a caller sends, with each value in the form that it has on the wire. */
export function toInputSchema(schema: z.ZodType): InputSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { wire } = jsonSchema as JsonSchema
      if (typeof wire === 'object') Object.assign(jsonSchema, wire)
    },
  }) as unknown as InputSchema
}
