import type { JsonSchema } from '../../levers/schema.ts'
import { readPackageFile } from '../../package-folder.ts'
import { toReadError } from '../open-files.ts'

export interface ExampleRequest {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** A call with the responses that a sandbox really gave; the build records them (`test/openapi`). */
export interface Example {
  request?: ExampleRequest
  responses: Record<string, unknown>
}

let byOperation: Map<string, Example> | undefined

export function exampleOf(operationId: string): Example | undefined {
  byOperation ??= readExamples()
  return byOperation.get(operationId)
}

/** Empty while the build records the examples. */
function readExamples(): Map<string, Example> {
  try {
    const file = readPackageFile('dist/examples.json')
    return new Map(file ? Object.entries(JSON.parse(String(file))) : [])
  } catch (error) {
    throw toReadError(error)
  }
}

type Resolve = ($ref: string) => JsonSchema

/**
 * Adapts a recorded body to a world's schemas; undefined if the response has another form there.
 */
export function adaptExample(schema: JsonSchema, value: unknown, resolve: Resolve): unknown {
  const { $ref, anyOf, items, properties } = schema
  if (typeof $ref === 'string') return adaptExample(resolve($ref), value, resolve)
  if (Array.isArray(anyOf)) {
    const ways = anyOf.map((choice) => adaptExample(choice, value, resolve))
    return ways.find((adapted) => adapted !== undefined)
  }
  if (items !== undefined) return adaptItems(items as JsonSchema, value, resolve)
  return properties === undefined ? value : adaptFields(schema, value, resolve)
}

function adaptItems(items: JsonSchema, value: unknown, resolve: Resolve): unknown {
  if (!Array.isArray(value)) return undefined
  const adapted = value.map((item) => adaptExample(items, item, resolve))
  return adapted.includes(undefined) ? undefined : adapted
}

/** Drops fields that the schema lacks. Undefined if a required field is missing from the value. */
function adaptFields(schema: JsonSchema, value: unknown, resolve: Resolve): unknown {
  const { properties, required = [], additionalProperties } = schema
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const fields = properties as Record<string, JsonSchema>
  const adapted = Object.entries(value)
    .filter(([name]) => name in fields || additionalProperties !== false)
    .map(([name, inner]) => [name, adaptExample(fields[name] ?? {}, inner, resolve)] as const)
  const isWhole = (required as string[]).every((name) => name in value)
  const isRight = isWhole && adapted.every(([, inner]) => inner !== undefined)
  return isRight ? Object.fromEntries(adapted) : undefined
}
