import { ERRORS } from '../../world/settings/errors.ts'
import { type SettingId, type Settings, settingOf } from '../../world/settings/index.ts'
import { errorsOn, settingsOn } from '../concerns.ts'
import type { JsonSchema } from '../dialect.ts'
import { BODY_MAX } from '../input.ts'
import type { OperationDescription } from '../operation-description.ts'
import { successOf } from '../status.ts'
import { exampleOf } from './examples.ts'
import type { Components } from './schemas.ts'

export interface DocumentContext {
  settings: Settings
  components: Components
}

/** The media type of an operation that takes and answers anything a test wants. */
export const ANY_MEDIA = '*/*'
const CAUGHT = { description: 'Kept, and answered with what was set by `setCatchAnswer`.' }

export function toResponses(operation: OperationDescription, context: DocumentContext): JsonSchema {
  return { ...toSuccess(operation, context), ...toErrors(operation, context) }
}

function toSuccess(
  operation: OperationDescription,
  { settings, components }: DocumentContext,
): JsonSchema {
  const { id, answer, media, accepted, dialect, success: description = '' } = operation
  const code = successOf(operation, settings)
  const bare = { description, ...toHeaders(operation, code) }
  if (media === ANY_MEDIA) return { 200: { description }, default: CAUGHT }
  if (media !== undefined) {
    return { [code]: { ...bare, content: { [media]: { schema: { type: 'string' } } } } }
  }
  if (answer === undefined) return { [code]: bare }
  const schema = dialect.describe.success(components.toSchema(answer(), 'output', id))
  const content = toContent('application/json', schema, operation, code)
  return {
    [code]: { ...bare, content },
    ...(accepted && { 202: { description: accepted, ...toHeaders(operation, 202) } }),
  }
}

function toErrors(
  operation: OperationDescription,
  { settings, components }: DocumentContext,
): JsonSchema {
  const { id, dialect } = operation
  const schema = components.toSchema(dialect.describe.error(), 'output', id)
  const entries = [...findReasons(operation, settings)].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([code, sentences]) => [
      code,
      {
        description: [...new Set(sentences)].join(' '),
        ...(dialect.journalled &&
          !isShown(operation, code, settings) && { 'x-sandbox-only': true }),
        ...toHeaders(operation, code),
        content: toContent(dialect.errorType, schema, operation, code),
      },
    ]),
  )
}

function toContent(
  type: string,
  schema: JsonSchema,
  { id }: OperationDescription,
  code: number,
): JsonSchema {
  const example = exampleOf(id)?.answers[code]
  return { [type]: { schema, ...(example !== undefined && { example }) } }
}

/** Whether the contract shows the status of an error of an operation; others are the sandbox's choice. */
const isShown = (operation: OperationDescription, status: number, settings: Settings): boolean =>
  errorsOn(operation, settings).some(
    (code) => ERRORS[code].stated && settings[`status.${code}`] === status,
  )

/** Why a call can fail, by the status of the response. */
export function findReasons(
  operation: OperationDescription,
  settings: Settings,
): Map<number, string[]> {
  const { dialect } = operation
  const sentences = dialect.journalled
    ? errorsOn(operation, settings).map((code) => [code, `\`${code}\`: ${ERRORS[code].says}`])
    : sourcesOf(operation).flatMap((source) => Object.entries(source ?? {}))
  const reasons = new Map<number, string[]>()
  for (const [code = '', sentence = ''] of sentences) {
    const status = /^\d+$/.test(code) ? Number(code) : dialect.statusOf(code, settings)
    if (status === undefined) throw new Error(`The error ${code} has no status.`)
    reasons.set(status, [...(reasons.get(status) ?? []), sentence])
  }
  return reasons
}

/** Errors of the control API, whose operations name their own. */
const sourcesOf = ({ auth, errors, query, body, bodyMax = BODY_MAX }: OperationDescription) => [
  auth.errors,
  (query || body) && { invalid: 'Something that was sent has the wrong form or value.' },
  body && {
    413: `The body is longer than ${bodyMax} bytes.`,
    415: 'The body is not `application/json`, or it is compressed.',
  },
  errors,
]

/** A gap of the contract that an operation depends on, with its value in this world. */
export function describeAssumption(settings: Settings, id: SettingId): JsonSchema {
  const { ref, question, format } = settingOf(id)
  const href = `/_sandbox/assumptions/${id}`
  return { id, question, value: format(settings[id]), contractRef: ref, href }
}

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
  'x-sandbox-assumption': text(
    'The assumptions that this answer, or a webhook that it caused, depends on, if there is one to point out.',
    'auth.updateUser',
  ),
  'x-sandbox-error': text(
    'Stable code of the error; the setting `status.<code>` has its status.',
    'invalid-body',
  ),
  deprecation: text('Since when v1 is deprecated (RFC 9745).', '@1784851200'),
  sunset: text('When v1 is shut down (RFC 8594).', 'Sat, 22 Aug 2026 00:00:00 GMT'),
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 30 },
}

/** Headers of a response with this status; the control API has none. */
function toHeaders(operation: OperationDescription, code: number) {
  const { dialect } = operation
  if (!dialect.journalled) return {}
  const names = [
    'x-sandbox-request',
    ...(mayAssume(operation) ? ['x-sandbox-assumption'] : []),
    ...(code >= 400 ? ['x-sandbox-error'] : []),
    ...(dialect.describe.headers ?? []),
    ...(code === 429 ? ['retry-after'] : []),
  ]
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return { headers: Object.fromEntries(refs) as JsonSchema }
}

/** Settings that decide what the contract leaves open or excludes, and that a read may depend on. */
const POINTED_OUT: readonly string[] = [
  'access.subject',
  'auth.updateUser',
  'auth.createKycLink',
  'auth.v1PriceQuote',
  'status.too-many-decimals',
  'v1.sunset',
]

/** A call that changes anything may cause a webhook, whose assumptions its answer names, too. */
const mayAssume = (operation: OperationDescription) =>
  operation.method !== 'GET' || settingsOn(operation).some((id) => POINTED_OUT.includes(id))

export function headersIn(paths: JsonSchema): JsonSchema {
  const text = JSON.stringify(paths)
  const used = Object.entries(HEADERS).filter(([name]) => text.includes(`headers/${name}"`))
  return Object.fromEntries(used)
}
