import type { JsonSchema, Method, Operation } from '../operation.ts'
import { describeAssumption } from './assumptions.ts'
import { exampleOf } from './examples.ts'
import { toParameters } from './parameters.ts'
import { tagOf } from './prose.ts'
import { ANY_MEDIA, type Described, toResponses } from './responses.ts'
import { toSecurity } from './security.ts'

const ANY_METHOD: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The operations as OpenAPI groups them: by path, then by method. */
export function toPathItems(operations: readonly Operation[], described: Described): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const item = paths[path] ?? {}
    paths[path] = item
    if (operation.method !== 'ALL') {
      item[operation.method.toLowerCase()] = toOperation(operation, described)
      continue
    }
    for (const method of ANY_METHOD) {
      const id = `${operation.id}${method[0]}${method.slice(1).toLowerCase()}`
      item[method.toLowerCase()] = { ...toOperation(operation, described), operationId: id }
    }
  }
  return paths
}

function toOperation(operation: Operation, described: Described): JsonSchema {
  const { id, summary, auth, successor, dialect } = operation
  const assumptions = [...(operation.assumptions ?? []), ...(dialect.describe.assumptions ?? [])]
  const { settings } = described
  const parameters = toParameters(operation, described)
  const requestBody = toRequestBody(operation, described)
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    ...describe(operation),
    ...(successor !== undefined && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: toResponses(operation, described),
    security: toSecurity(auth.takes),
    ...(assumptions.length > 0 && {
      'x-assumptions': assumptions.map((assumption) => describeAssumption(settings, assumption)),
    }),
  }
}

function describe({ ref, successor }: Operation) {
  const sentences = [
    successor === undefined ? '' : `Use ${successor} instead.`,
    ref === undefined ? '' : `In the contract: ${ref}.`,
  ].filter(Boolean)
  return sentences.length > 0 ? { description: sentences.join(' ') } : {}
}

function toRequestBody({ id, body, media }: Operation, { components }: Described) {
  if (media === ANY_MEDIA) return { content: { [ANY_MEDIA]: { schema: {} } } }
  if (body === undefined) return undefined
  const schema = components.toSchema(body(), 'input')
  const example = exampleOf(id)?.request?.body
  const isRequired = !isEmptyAllowed(schema)
  const content = { schema, ...(example !== undefined && { example }) }
  return { required: isRequired, content: { 'application/json': content } }
}

/** The control API takes no body for an empty object; the contract wants its bodies. */
function isEmptyAllowed(schema: JsonSchema): boolean {
  return schema.additionalProperties === false && schema.required === undefined
}
