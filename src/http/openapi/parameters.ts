import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'
import { type Example, exampleOf } from './examples.ts'
import { findNote } from './fields/index.ts'
import type { DocumentContext } from './responses.ts'

const SUBJECT = {
  name: 'userId',
  in: 'query',
  required: false,
  description: 'The user for whom a caller without a token acts (the setting `access.subject`).',
  schema: { type: 'string' },
  example: '4f1d2c3b-5a69-4788-96a5-b4c3d2e1f001',
}

export function toParameters(
  operation: OperationDescription,
  context: DocumentContext,
): JsonSchema[] {
  const { id, path, auth } = operation
  const isSubject = auth.namesUser && context.settings['access.subject'] !== 'refuse'
  const sent = exampleOf(id)?.request
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...noteOf(id, name, sent?.path?.[name]),
    schema: { type: 'string', minLength: 1 },
  }))
  const inQuery = toQueryParameters(operation, context, sent)
  const isNamed = inQuery.some(({ name }) => name === SUBJECT.name)
  if (!isSubject) return [...inPath, ...inQuery.filter(({ name }) => name !== SUBJECT.name)]
  return [...inPath, ...inQuery, ...(isNamed ? [] : [SUBJECT])]
}

function toQueryParameters(
  { id, query }: OperationDescription,
  { components }: DocumentContext,
  sent: Example['request'],
): (JsonSchema & { name: string })[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = components.toSchema(query(), 'input', id) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => {
    const [example] = Array.isArray(examples) ? examples : []
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      ...(schema.type === 'array' && { explode: false }),
      schema,
      example: toValue(sent?.query?.[name], schema) ?? example,
    }
  })
}

function noteOf(id: string, name: string, sent: string | undefined) {
  const [description, example] = findNote(id, name) ?? []
  return { description, example: sent ?? example }
}

/** What is text in a query is a number or a list in a document. */
function toValue(text: string | undefined, { type }: JsonSchema): unknown {
  if (type === 'number' || type === 'integer') return text === undefined ? text : Number(text)
  if (type === 'boolean') return text && text === 'true'
  return type === 'array' ? text?.split(',') : text
}
