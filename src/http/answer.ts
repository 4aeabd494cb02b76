import type { Context } from 'hono'
import { CallRecord } from '../engine/request-journal.ts'
import { DomainError } from '../world/domain-error.ts'
import { corsHeaders } from './cors.ts'
import type { Dialect } from './dialect.ts'
import { headerOf } from './headers.ts'
import { explainError } from './hints/index.ts'
import type { OperationDescription } from './operation-description.ts'
import type { Env } from './services.ts'
import { contractCodeOf, HttpError, headersOf } from './status.ts'

/** The journal's row for this call, named in its headers; control calls are not journalled. */
export function openRecord(
  dialect: Dialect,
  c: Context<Env>,
  headers: Record<string, string>,
): CallRecord {
  const { services } = c.env
  const { method, url } = c.req
  if (!dialect.journalled) return new CallRecord()
  const record = services.requests.open(method, url, services.world.now)
  record.headers = c.env.socket?.incoming.rawHeaders.join('\n') ?? c.req.raw.headers
  headers['x-sandbox-request'] = record.id
  if (dialect.headers) Object.assign(headers, dialect.headers(services.world))
  const { cors } = services.world.settings
  if (cors !== 'none') Object.assign(headers, corsHeaders(cors, headerOf(c, 'origin')))
  return record
}

interface Answer {
  record: CallRecord
  headers: Record<string, string>
  code: number
  data: unknown
}

/** Plain strings and plain header objects: anything else leaves the server's fast path. */
export function toResponse(
  success: Dialect['success'],
  { record, headers, code, data }: Answer,
): Response {
  record.status = code
  if (code === 204) {
    delete headers['content-type']
    return new Response(null, { status: code, headers })
  }
  const text = JSON.stringify(success(data))
  record.answer = text
  return new Response(text, { status: code, headers })
}

interface FailedCall {
  dialect: Dialect
  /** None where no operation has the path. */
  operation: OperationDescription | undefined
  c: Context<Env>
  record: CallRecord
  headers: Record<string, string>
  error: unknown
}

/** Answers a call that failed, and closes its row of the journal with what would have worked. */
export function answerWithError(failed: FailedCall): Response {
  const { dialect, operation, c, record, headers } = failed
  const { requests, world } = c.env.services
  const error = failed.error instanceof DomainError ? failed.error : toBug(failed.error)
  const own = error instanceof HttpError ? error.status : undefined
  const { journalled } = dialect
  const name = journalled ? contractCodeOf(error, operation) : error.code
  const listed = dialect.statusOf(name, world.settings)
  const code = (journalled ? (listed ?? own) : (own ?? listed)) ?? 500
  const text = JSON.stringify(dialect.error(error, code))
  Object.assign(headers, headersOf(error))
  if (journalled) headers['x-sandbox-error'] = name
  headers['content-type'] = dialect.errorType
  record.status = code
  record.answer = text
  if (journalled) {
    record.problem = explainError(error, name, { operation, c, record, body: record.body })
    requests.close(record)
  }
  return new Response(text, { status: code, headers })
}

/** Anything else thrown is a bug of the sandbox: it is logged with its stack. */
function toBug(error: unknown): DomainError {
  console.error(error)
  const message = 'The sandbox failed; its log has the stack.'
  return new HttpError(500, 'sandbox', message, { code: 'bug', rule: 'None: it is a bug' })
}
