import { credentialsOf } from '../auth.ts'
import { settingsOn } from '../concerns.ts'
import type { JsonSchema, WebhookDescription } from '../dialect.ts'
import type { Method, OperationDescription } from '../operation-description.ts'
import { followSettings } from './bodies.ts'
import { type Example, exampleOf } from './examples.ts'
import { ANY_MEDIA, type DocumentContext, describeAssumption, toResponses } from './responses.ts'
import { describe } from './schemas.ts'
import { tagOf } from './tags.ts'

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
  const { id, summary, about = '', ref, successor, dialect } = operation
  const { settings } = context
  const assumptions = dialect.journalled ? settingsOn(operation) : []
  const parameters = toParameters(operation, context)
  const requestBody = toRequestBody(operation, context)
  const instead = successor && `Use ${successor} instead.`
  const description = joined(about, instead, ref && `In the contract: ${ref}.`)
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    ...(description !== '' && { description }),
    ...(successor !== undefined && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: toResponses(operation, context),
    security: credentialsOf(operation, settings).map((set) =>
      Object.fromEntries(set.map((name) => [name, []])),
    ),
    ...(assumptions.length > 0 && {
      'x-assumptions': assumptions.map((assumption) => describeAssumption(settings, assumption)),
    }),
  }
}

const joined = (...paragraphs: (string | undefined)[]) => paragraphs.filter(Boolean).join('\n\n')

function toRequestBody(operation: OperationDescription, { components, settings }: DocumentContext) {
  const { id, body, media, dialect } = operation
  if (media === ANY_MEDIA) return { content: { [ANY_MEDIA]: { schema: {} } } }
  if (body === undefined) return undefined
  const schema = followSettings(operation, components.toSchema(body(), 'input', id), settings)
  const example = exampleOf(id)?.request?.body
  // The control API takes no body for an empty object; the contract wants its bodies.
  const isEmptyAllowed = schema.additionalProperties === false && schema.required === undefined
  const content = { schema, ...exampleIn(example) }
  return {
    required: dialect.journalled || !isEmptyAllowed,
    content: { 'application/json': content },
  }
}

const SUBJECT = {
  name: 'userId',
  in: 'query',
  required: false,
  description: describe('listTransactions', 'userId'),
  schema: { type: 'string' },
  example: '4f1d2c3b-5a69-4788-96a5-b4c3d2e1f001',
}

function toParameters(operation: OperationDescription, context: DocumentContext): JsonSchema[] {
  const { id, path, auth } = operation
  const isSubject = auth.namesUser && context.settings['access.subject'] !== 'refuse'
  const sent = exampleOf(id)?.request
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: describe(id, name),
    schema: { type: 'string', minLength: 1 },
    ...exampleIn(sent?.path?.[name]),
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
      ...exampleIn(toValue(sent?.query?.[name], schema) ?? example),
    }
  })
}

const exampleIn = (example: unknown) => (example === undefined ? {} : { example })

/** What is text in a query is a number or a list in a document. */
function toValue(text: string | undefined, { type }: JsonSchema): unknown {
  if (type === 'number' || type === 'integer') return text === undefined ? text : Number(text)
  if (type === 'boolean') return text && text === 'true'
  return type === 'array' ? text?.split(',') : text
}

/** What the versions of the contract post to an integrator, as this world posts it. */
export function toWebhooks(
  operations: readonly OperationDescription[],
  context: DocumentContext,
): JsonSchema {
  const dialects = [...new Set(operations.map(({ dialect }) => dialect))]
  const webhooks = dialects.flatMap(({ describe }) => Object.entries(describe.webhooks ?? {}))
  return Object.fromEntries(
    webhooks.map(([name, webhook]) => [name, { post: toWebhook(webhook, context) }]),
  )
}

const SENT = 'It is sent once and not retried, after the change has happened.'
const ACKNOWLEDGED = 'Acknowledged; anything else counts as rejected.'

function toWebhook(webhook: WebhookDescription, { settings, components }: DocumentContext) {
  const { id, summary, about, ref, deprecated, body } = webhook
  const example = exampleOf(id)?.request?.body
  const content = { schema: components.toSchema(body(settings), 'output', id) }
  return {
    operationId: id,
    tags: ['Webhooks'],
    summary,
    description: joined(`${about} ${SENT}`, `In the contract: ${ref}.`),
    ...(deprecated && { deprecated }),
    parameters: signatureHeaders(
      settings['names.headerPrefix'],
      !deprecated || settings['webhooks.withoutSecret'] === 'suppressed',
    ),
    requestBody: {
      required: true,
      content: { 'application/json': { ...content, ...exampleIn(example) } },
    },
    'x-assumptions': settingsOn(webhook).map((assumption) =>
      describeAssumption(settings, assumption),
    ),
    // The signature stands for credentials.
    security: [],
    responses: { '2XX': { description: ACKNOWLEDGED } },
  }
}

const SIGNATURE = 'v1=f97e4e01863318e000a8c9ab2113b2454589af59bf5305c192b78694aa5c422e'

function signatureHeaders(prefix: string, isSigned: boolean) {
  return [
    {
      name: `${prefix}-Timestamp`,
      in: 'header',
      required: true,
      description: 'Unix time in seconds when sent; reject one more than 300 seconds away.',
      schema: { type: 'string', pattern: '^\\d+$' },
      example: '1782907200',
    },
    {
      name: `${prefix}-Signature`,
      in: 'header',
      required: isSigned,
      description:
        '`v1=` and the lowercase hex HMAC-SHA256 of `<timestamp>.<raw request body>`, keyed with the ' +
        `signing secret.${isSigned ? '' : ' Missing as long as there is no secret.'}`,
      schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
      example: SIGNATURE,
    },
  ]
}
