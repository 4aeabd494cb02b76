import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

/** Descriptions by field name, unless a schema says more. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  baseUrl: 'Base URL of the provider’s API in this world.',
  body: 'The body.',
  bodyEncoding: 'Encoding of the body’s bytes.',
  error: 'What went wrong, if there was no response.',
  eventId: 'Id of the event.',
  field: 'What is wrong: a field, header or parameter.',
  fixture: 'Name of the starting world; `inline` for one that was sent whole.',
  generation: 'Whether it is a v2 or a legacy v1 webhook.',
  headers: 'Headers by name.',
  hint: 'How to fix it.',
  integrator: 'Name of the integrator.',
  message: 'What is wrong.',
  method: 'HTTP method.',
  nearest: 'What would work: a value, the name of a field, or a route.',
  ref: 'Id of the transaction or user it is about.',
  request: 'What was sent.',
  response: 'The response; null for none.',
  seed: 'Seed for generated ids.',
  taskCount: 'Number of scheduled tasks.',
  total: 'Total number of rows on all pages.',
  transactionId: 'Id of the transaction.',
  type: 'Type of the event.',
  userId: 'Id of the user.',
  version: 'Version of the sandbox.',
  world: 'Name of the world; `default` without `/w/{name}`.',
}

/** An object with these fields alone, each with a description. */
export function record<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const about = DESCRIPTIONS[name]
    return [name, about === undefined || isDescribed(schema) ? schema : schema.describe(about)]
  })
  return z.strictObject(Object.fromEntries(fields) as Shape)
}

/** Finds the description of a schema, or of what it makes optional. */
function isDescribed(schema: z.ZodType): boolean {
  if (schema.description !== undefined) return true
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
  return isWrapper && isDescribed(schema.unwrap() as z.ZodType)
}

/** An object with these fields alone, which the documents describe once, under its title. */
export const named = <Shape extends z.core.$ZodLooseShape>(title: string, shape: Shape) =>
  record(shape).meta({ title })

/** A field that agents neither send nor are shown. Each one would cost tokens in every context. */
export const notForAgents = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ forAgents: false })

/** A schema that has a title, with what it holds in one field. */
export const inField = <Schema extends z.ZodType>(schema: Schema, about: string): Schema =>
  schema.meta({ inField: about })
