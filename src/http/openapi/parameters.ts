import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'
import { type Example, exampleOf } from './examples.ts'
import { FIELD_NOTES } from './field-notes.ts'
import type { DocumentContext } from './responses.ts'

const SUBJECT = {
  name: 'userId',
  in: 'query',
  required: false,
  description: 'The user for whom a caller without a token acts (the setting `access.subject`).',
  schema: { type: 'string' },
}

/** What an operation takes in its path and in its query. */
export function toParameters(
  operation: OperationDescription,
  context: DocumentContext,
): JsonSchema[] {
  const { id, path, auth } = operation
  const sent = exampleOf(id)?.request
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...noteOf(name),
    schema: { type: 'string', minLength: 1 },
    ...sampleOf(sent?.path, name),
  }))
  const inQuery = toQueryParameters(operation, context, sent)
  const isNamed = inQuery.some(({ name }) => name === SUBJECT.name)
  return [...inPath, ...inQuery, ...(auth.namesUser && !isNamed ? [SUBJECT] : [])]
}

function toQueryParameters(
  { query }: OperationDescription,
  { components }: DocumentContext,
  sent: Example['request'],
): (JsonSchema & { name: string })[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = components.toSchema(query(), 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    ...sampleOf(sent?.query, name, schema.type),
  }))
}

function noteOf(name: string) {
  const description = FIELD_NOTES.get(name)
  return description === undefined ? {} : { description }
}

/** A number is text in a path or query, and a number in a document. */
function sampleOf(sent: Record<string, string> | undefined, name: string, type?: unknown) {
  const text = sent?.[name]
  if (text === undefined) return {}
  return { example: type === 'number' || type === 'integer' ? Number(text) : text }
}
