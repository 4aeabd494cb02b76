import type { JsonSchema } from '../../control-api/schema.ts'
import { ERRORS, type ErrorCode, errorsOn, findError } from '../../world/settings/errors.ts'
import { type SettingId, settingsOn, toSettings } from '../../world/settings/index.ts'
import type { WebhookDescription } from '../dialect.ts'
import { VALUES_MAX } from '../json-size.ts'
import { type Method, type OperationDescription, schemasOf } from '../operation-description.ts'
import { BODY_MAX } from '../request.ts'
import { successOf } from '../status.ts'
import { type Example, exampleOf } from './examples.ts'
import { type Components, withNulls } from './schemas.ts'
import { tagOf } from './tags.ts'

/** Documents describe what a world does whose settings nobody has changed. */
const DEFAULTS = toSettings({})

const ANY_METHOD: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The operations as OpenAPI groups them: by path, then by method. */
export function toPathItems(
  operations: readonly OperationDescription[],
  components: Components,
): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const item = paths[path] ?? {}
    paths[path] = item
    if (operation.method !== 'ALL') {
      item[operation.method.toLowerCase()] = toOperation(operation, components)
      continue
    }
    for (const method of ANY_METHOD) {
      const id = `${operation.id}${method[0]}${method.slice(1).toLowerCase()}`
      item[method.toLowerCase()] = { ...toOperation(operation, components), operationId: id }
    }
  }
  return paths
}

function toOperation(operation: OperationDescription, components: Components): JsonSchema {
  const { id, summary, about = '', contract, successor, auth } = operation
  const parameters = toParameters(operation, components)
  const requestBody = toRequestBody(operation, components)
  const instead = successor && `Use ${successor} instead.`
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description: joined(about, instead, ...(contract ? toSources(id, contract.ref) : [])),
    ...(successor !== undefined && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...toSuccess(operation, components), ...toErrors(operation, components) },
    security: auth.takes.map((set) => Object.fromEntries(set.map((name) => [name, []]))),
  }
}

const joined = (...paragraphs: (string | undefined)[]) => paragraphs.filter(Boolean).join('\n\n')

/** Adds the place in the contract, and the settings that change what is described. */
function toSources(id: string, ref: string): string[] {
  const settings = settingsOn(id).filter((setting) => !isOfDescribedError(setting))
  const named = settings.map((setting) => `\`${setting}\``).join(', ')
  return [`In the contract: ${ref}.`, ...(named ? [`Settings that change it: ${named}.`] : [])]
}

/** An error whose default status is 200 is described nowhere else. */
function isOfDescribedError(setting: SettingId): boolean {
  const error = findError(setting.replace('status.', ''))
  return error !== undefined && error.status >= 400
}

function toRequestBody(operation: OperationDescription, components: Components) {
  const { id, media, dialect } = operation
  const { body } = schemasOf(operation)
  if (media === ANY_MEDIA) return { content: { [ANY_MEDIA]: { schema: {} } } }
  if (body === undefined) return undefined
  const own = components.toSchema(body, 'input')
  const schema = dialect.isContract ? withNulls(own) : own
  // The control API accepts a missing body for an empty object; the contract does not.
  const isEmptyAllowed = schema.additionalProperties === false && schema.required === undefined
  const content = { schema, ...exampleIn(exampleOf(id)?.request?.body) }
  return {
    required: dialect.isContract || !isEmptyAllowed,
    content: { 'application/json': content },
  }
}

const SUBJECT = {
  name: 'userId',
  in: 'query',
  required: false,
  description: 'The user to act for, if the call has no token (the setting `access.subject`).',
  schema: { type: 'string' },
  example: '4f1d2c3b-5a69-4788-96a5-b4c3d2e1f001',
}

function toParameters(operation: OperationDescription, components: Components): JsonSchema[] {
  const { id, path, params = {}, contract } = operation
  const sent = exampleOf(id)?.request
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: params[name],
    schema: { type: 'string', minLength: 1 },
    ...exampleIn(sent?.path?.[name]),
  }))
  const inQuery = toQueryParameters(operation, components, sent)
  const isNamed = inQuery.some(({ name }) => name === SUBJECT.name)
  return [...inPath, ...inQuery, ...(contract?.user === 'query' && !isNamed ? [SUBJECT] : [])]
}

function toQueryParameters(
  operation: OperationDescription,
  components: Components,
  sent: Example['request'],
): (JsonSchema & { name: string })[] {
  const { query } = schemasOf(operation)
  if (query === undefined) return []
  const { properties = {}, required = [] } = components.toSchema(query, 'input') as {
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

/** Converts a query text to the number or list that a document shows. */
function toValue(text: string | undefined, { type }: JsonSchema): unknown {
  if (type === 'number' || type === 'integer') return text === undefined ? text : Number(text)
  if (type === 'boolean') return text && text === 'true'
  return type === 'array' ? text?.split(',') : text
}

/** Webhooks that the versions of the contract post to an integrator. */
export function toWebhooks(
  operations: readonly OperationDescription[],
  components: Components,
): JsonSchema {
  const dialects = [...new Set(operations.map(({ dialect }) => dialect))]
  const webhooks = dialects.flatMap(({ describe }) => Object.entries(describe.webhooks ?? {}))
  return Object.fromEntries(
    webhooks.map(([name, webhook]) => [name, { post: toWebhook(webhook, components) }]),
  )
}

const SENT = 'Each event is sent once, after the change has happened, and is not retried.'
const ACKNOWLEDGED = 'Acknowledged; anything else counts as rejected.'

function toWebhook(webhook: WebhookDescription, components: Components) {
  const { id, summary, about, ref, deprecated, body } = webhook
  const schema = components.toSchema(body(), 'output')
  const content = { schema, ...exampleIn(exampleOf(id)?.request?.body) }
  return {
    operationId: id,
    tags: ['Webhooks'],
    summary,
    description: joined(`${about} ${SENT}`, ...toSources(id, ref)),
    ...(deprecated && { deprecated }),
    parameters: signatureHeaders(!deprecated),
    requestBody: {
      required: true,
      content: { 'application/json': content },
    },
    // Webhooks have a signature instead of credentials.
    security: [],
    responses: { '2XX': { description: ACKNOWLEDGED } },
  }
}

const SIGNATURE = 'v1=f97e4e01863318e000a8c9ab2113b2454589af59bf5305c192b78694aa5c422e'

function signatureHeaders(isSigned: boolean) {
  return [
    {
      name: 'X-Service-Timestamp',
      in: 'header',
      required: true,
      description:
        'Unix time in seconds when it was sent; reject it if it is more than 300 seconds off.',
      schema: { type: 'string', pattern: '^\\d+$' },
      example: '1782907200',
    },
    {
      name: 'X-Service-Signature',
      in: 'header',
      required: isSigned,
      description:
        '`v1=` and the lowercase hex HMAC-SHA256 of `<timestamp>.<raw request body>`, keyed with the ' +
        `signing secret.${isSigned ? '' : ' Missing while there is no secret.'}`,
      schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
      example: SIGNATURE,
    },
  ]
}

/** Media type of an operation that takes and returns anything. */
const ANY_MEDIA = '*/*'
const CAUGHT = { description: 'The request is kept; the response is what `setCatchResponse` set.' }

function toSuccess(operation: OperationDescription, components: Components): JsonSchema {
  const { response, media, alsoMedia, accepted, dialect, success: description = '' } = operation
  const status = successOf(operation, DEFAULTS)
  const bare = { description, ...toHeaders(operation, status) }
  if (media === ANY_MEDIA) return { 200: { description }, default: CAUGHT }
  if (media !== undefined) {
    return { [status]: { ...bare, content: { [media]: { schema: { type: 'string' } } } } }
  }
  if (status === 204) return { [status]: bare }
  const data = response && components.toSchema(response(), 'output')
  const schema = dialect.describe.success(data)
  const also = alsoMedia && { [alsoMedia]: { schema: { type: 'string' } } }
  const example = exampleOf(operation.id)?.responses[status]
  const content = { 'application/json': { schema, ...exampleIn(example) }, ...also }
  return {
    [status]: { ...bare, content },
    ...(accepted && { 202: { description: accepted, ...toHeaders(operation, 202) } }),
  }
}

function toErrors(operation: OperationDescription, components: Components): JsonSchema {
  const reasons = [...findReasons(operation)].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    reasons.map(([status, sentences]) => {
      // Those of the contract begin with their codes; two others would read as one fact.
      const between = operation.dialect.isContract ? ' ' : ' Or: '
      const description = [...new Set(sentences)].join(between)
      return [status, { description, ...toErrorResponse(operation, status, components) }]
    }),
  )
}

function toErrorResponse(operation: OperationDescription, status: number, components: Components) {
  const { id, dialect } = operation
  const isOnlyHere = dialect.isContract && !isShown(operation, status)
  const schema = components.errorOf(dialect)
  const content = { schema, ...exampleIn(exampleOf(id)?.responses[status]) }
  return {
    ...(isOnlyHere && { 'x-sandbox-only': true }),
    ...toHeaders(operation, status),
    content: { [dialect.errorType]: content },
  }
}

/** Returns true if the contract shows the status of an error; otherwise the sandbox chose it. */
const isShown = ({ id }: OperationDescription, status: number): boolean =>
  errorsOn(id).some((code) => ERRORS[code].stated && ERRORS[code].status === status)

/** Errors that an operation responds with by default. */
const describedErrors = (id: string): ErrorCode[] =>
  errorsOn(id).filter((code) => ERRORS[code].status >= 400 && ERRORS[code].needs === undefined)

/** Why a call can fail, by the status of the response. */
export function findReasons(operation: OperationDescription): Map<number, string[]> {
  const { id, dialect } = operation
  const sentences = dialect.isContract
    ? describedErrors(id).map((code) => [code, `\`${code}\`: ${ERRORS[code].says}`])
    : sourcesOf(operation).flatMap((source) => Object.entries(source ?? {}))
  const reasons = new Map<number, string[]>()
  for (const [code = '', sentence = ''] of sentences) {
    const status = /^\d+$/.test(code) ? Number(code) : dialect.statusOf(code, DEFAULTS)
    if (status === undefined) throw new Error(`The error ${code} has no status.`)
    reasons.set(status, [...(reasons.get(status) ?? []), sentence])
  }
  return reasons
}

/** Errors of the control API, whose operations name their own. */
const sourcesOf = ({ auth, errors, query, body, ...limits }: OperationDescription) => [
  auth.errors,
  (query || body) && { invalid: 'The request has a malformed or invalid value.' },
  body && {
    413: describeBodyLimits(limits),
    415: 'The body is not `application/json`, or it is compressed.',
  },
  errors,
]

const describeBodyLimits = ({
  bodyMax = BODY_MAX,
  valuesMax = VALUES_MAX,
}: Pick<OperationDescription, 'bodyMax' | 'valuesMax'>) =>
  `The body is longer than ${bodyMax} bytes, or holds more than ${valuesMax} JSON values.`

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
})

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'x-sandbox-request': text(
    'Id of the call in the journal, at `/_sandbox/requests/{id}`.',
    'req_12',
  ),
  'x-sandbox-error': text(
    'Stable code of the error; the setting `status.<code>` is its status.',
    'invalid-body',
  ),
  deprecation: text('When v1 was deprecated (RFC 9745).', '@1784851200'),
  sunset: text('When v1 is shut down (RFC 8594).', 'Fri, 21 Aug 2026 00:00:00 GMT'),
  'retry-after': {
    description: 'Seconds to wait; left out while the clock is frozen.',
    schema: { type: 'integer' },
    example: 30,
  },
}

/** Headers of a response with this status. The control API has none. */
function toHeaders(operation: OperationDescription, status: number) {
  const { dialect } = operation
  if (!dialect.isContract) return {}
  const names = [
    'x-sandbox-request',
    ...(status >= 400 ? ['x-sandbox-error'] : []),
    ...(dialect.describe.headers ?? []),
    ...(status === 429 ? ['retry-after'] : []),
  ]
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return { headers: Object.fromEntries(refs) as JsonSchema }
}

export function headersIn(paths: JsonSchema): JsonSchema {
  const text = JSON.stringify(paths)
  const used = Object.entries(HEADERS).filter(([name]) => text.includes(`headers/${name}"`))
  return Object.fromEntries(used)
}
