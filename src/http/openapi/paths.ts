import { credentialsOf } from '../auth.ts'
import { settingsOn } from '../concerns.ts'
import type { JsonSchema } from '../dialect.ts'
import type { Method, OperationDescription } from '../operation-description.ts'
import { describeAssumption } from './assumptions.ts'
import { followSettings } from './bodies.ts'
import { exampleOf } from './examples.ts'
import { OPERATION_NOTES } from './operations/index.ts'
import { toParameters } from './parameters.ts'
import { tagOf } from './prose.ts'
import { ANY_MEDIA, type DocumentContext, toResponses } from './responses.ts'
import { toSecurity } from './security.ts'

const ANY_METHOD: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The operations as OpenAPI groups them: by path, then by method. */
export function toPathItems(
  operations: readonly OperationDescription[],
  context: DocumentContext,
): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const item = paths[path] ?? {}
    paths[path] = item
    if (operation.method !== 'ALL') {
      item[operation.method.toLowerCase()] = toOperation(operation, context)
      continue
    }
    for (const method of ANY_METHOD) {
      const id = `${operation.id}${method[0]}${method.slice(1).toLowerCase()}`
      item[method.toLowerCase()] = { ...toOperation(operation, context), operationId: id }
    }
  }
  return paths
}

function toOperation(operation: OperationDescription, context: DocumentContext): JsonSchema {
  const { id, summary, successor, dialect } = operation
  const assumptions = dialect.journalled ? settingsOn(operation) : []
  const { settings } = context
  const parameters = toParameters(operation, context)
  const requestBody = toRequestBody(operation, context)
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    ...describe(operation),
    ...(successor !== undefined && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: toResponses(operation, context),
    security: toSecurity(credentialsOf(operation, settings)),
    ...(assumptions.length > 0 && {
      'x-assumptions': assumptions.map((assumption) => describeAssumption(settings, assumption)),
    }),
  }
}

function describe({
  id,
  about = OPERATION_NOTES[id]?.about,
  ref,
  successor,
}: OperationDescription) {
  const instead = successor && `Use ${successor} instead.`
  const place = ref && `In the contract: ${ref}.`
  const description = [about?.replaceAll('\n', ' '), instead, place].filter(Boolean).join('\n\n')
  return description === '' ? {} : { description }
}

function toRequestBody(operation: OperationDescription, { components, settings }: DocumentContext) {
  const { id, body, media } = operation
  if (media === ANY_MEDIA) return { content: { [ANY_MEDIA]: { schema: {} } } }
  if (body === undefined) return undefined
  const schema = followSettings(operation, components.toSchema(body(), 'input', id), settings)
  const example = exampleOf(id)?.request?.body
  const isRequired = operation.dialect.journalled || !isEmptyAllowed(schema)
  const content = { schema, ...(example !== undefined && { example }) }
  return { required: isRequired, content: { 'application/json': content } }
}

/** The control API takes no body for an empty object; the contract wants its bodies. */
function isEmptyAllowed(schema: JsonSchema): boolean {
  return schema.additionalProperties === false && schema.required === undefined
}
