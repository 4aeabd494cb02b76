import { ERRORS } from '../../world/settings/errors.ts'
import type { Settings } from '../../world/settings/index.ts'
import { errorsOn } from '../concerns.ts'
import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'
import { BODY_MAX } from '../request-body.ts'
import { successOf } from '../status.ts'
import type { Components } from './components.ts'
import { exampleOf } from './examples.ts'
import { toHeaders } from './headers.ts'
import { OPERATION_NOTES } from './operations/index.ts'

export interface DocumentContext {
  settings: Settings
  components: Components
}

export function toResponses(operation: OperationDescription, context: DocumentContext): JsonSchema {
  return { ...toSuccess(operation, context), ...toErrors(operation, context) }
}

function toSuccess(
  operation: OperationDescription,
  { settings, components }: DocumentContext,
): JsonSchema {
  const { id, answer, media, alsoMedia, dialect } = operation
  const code = successOf(operation, settings)
  const description = operation.success ?? OPERATION_NOTES[id]?.success ?? ''
  const bare = { description, ...toHeaders(operation, code) }
  if (media === ANY_MEDIA) return { 200: { description }, default: CAUGHT }
  if (media !== undefined) {
    return { [code]: { ...bare, content: { [media]: { schema: { type: 'string' } } } } }
  }
  if (answer === undefined) return { [code]: bare }
  const schema = dialect.describe.success(components.toSchema(answer(), 'output', operation.id))
  const also = alsoMedia && { [alsoMedia]: { schema: { type: 'string' } } }
  const content = { ...toContent('application/json', schema, operation, code), ...also }
  return { [code]: { ...bare, content }, ...toAccepted(operation) }
}

function toAccepted(operation: OperationDescription): JsonSchema {
  const { accepted } = operation
  return accepted ? { 202: { description: accepted, ...toHeaders(operation, 202) } } : {}
}

/** The media type of an operation that takes and answers anything a test wants. */
export const ANY_MEDIA = '*/*'
const CAUGHT = { description: 'Kept, and answered with what was set by `setCatchAnswer`.' }

function toErrors(
  operation: OperationDescription,
  { settings, components }: DocumentContext,
): JsonSchema {
  const { dialect } = operation
  const schema = components.toSchema(dialect.describe.error(), 'output', operation.id)
  const reasons = findReasons(operation, settings)
  const entries = [...reasons].sort(([a], [b]) => a - b)
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
