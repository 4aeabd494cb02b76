import * as z from 'zod'
import type { CallProblem } from '../../engine/request-journal.ts'
import { type CallRecord, withoutSecrets } from '../../engine/request-journal.ts'
import type { Problem } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import type { ContractOperationId } from '../operation.ts'
import { titled } from '../titled.ts'
import { Caused, presentCaused } from './causes.ts'
import { lever } from './dialect.ts'
import {
  Count,
  Cursor,
  FilterText,
  Flag,
  getFromJournal,
  searchPage,
  toNumber,
  when,
  whenEqual,
} from './page.ts'
import { seenBy, WorldTime } from './shapes.ts'

/** The id of a contract operation, such as `createTransaction`. */
const OperationId = () =>
  FilterText().meta({ typeName: 'ContractOperationId' }) as z.ZodType<
    ContractOperationId,
    ContractOperationId
  >

const ListRequests = () =>
  z.strictObject({
    status: toNumber(
      z.string().regex(/^[1-5]\d\d$/, { error: 'must be an HTTP status' }),
      100,
      599,
    ).optional(),
    operation: OperationId().optional(),
    refused: Flag().optional(),
    after: Cursor(),
    limit: Count(),
  })

export const RequestRecord = () =>
  titled('ContractCall', {
    id: z.string(),
    at: WorldTime(),
    method: z.string(),
    url: z.string(),
    operation: z
      .string()
      .nullable()
      .describe('As the contract names it, such as `createTransaction`; null for an unknown path.'),
    integrator: z.string().nullable(),
    userId: z.string().nullable(),
    status: z.int(),
    durationMs: z
      .number()
      .nullable()
      .describe('Wall time from receipt to answer in ms; null while it is under way.'),
    request: z.strictObject({
      headers: z.record(z.string(), z.string()).describe('As they came, keys and tokens masked.'),
      body: z.unknown(),
    }),
    response: z.strictObject({ body: z.unknown() }),
    reason: z
      .strictObject({
        code: z.string().describe('Stable, as in the header `x-sandbox-error`.'),
        field: z.string(),
        message: z.string(),
        rule: z.string().nullable(),
        hint: z.string().nullable(),
        nearest: z
          .string()
          .nullable()
          .describe('What would work: a value, the name of a field, or a route.'),
      })
      .nullable()
      .describe('Why it was rejected, with the place in the contract and what would work.'),
    problems: z.array(
      z.strictObject({ field: z.string(), message: z.string(), nearest: z.string().nullable() }),
    ),
    notes: z
      .array(z.string())
      .describe('Assumptions the answer rests on, ignored fields and the like.'),
    caused: Caused(),
  }).describe('One contract call: what was sent, what was answered, and why it was rejected.')
export type RequestRecord = z.output<ReturnType<typeof RequestRecord>>

export const requests = [
  lever('requests.list', {
    id: 'listRequests',
    summary: 'List contract calls after a cursor, with the reason of each refusal',
    about:
      'Lists calls of the contract after a cursor, the oldest first, with the reason why one was rejected and what would have worked. Calls of the control API are not listed.',
    success: 'The calls.',
    query: ListRequests,
    answer: () => z.strictObject({ requests: z.array(RequestRecord()), cursor: z.string() }),
    handle({ services, input }) {
      const { status, refused, operation: id } = input.query
      const conditions = [
        ...whenEqual<CallRecord>({ status, operation: id }),
        ...when('refused', refused, (row: CallRecord, is) => isRefused(row) === is),
      ]
      const page = { conditions, present: presentRequest }
      const { rows, cursor } = searchPage(services.requests, input.query, page)
      return { requests: rows, cursor }
    },
  }),
  lever('requests.get', {
    id: 'getRequest',
    summary: 'Explain one contract call: why it was refused, what would work, what it caused',
    about:
      'Reads one call of the contract, and what it caused. Its id was in the header `x-sandbox-request` of the answer. The last 1,000 calls are kept.',
    success: 'The call.',
    words: 'explain [REQUEST=id]',
    tool: true,
    example: 'explain',
    answer: RequestRecord,
    errors: { 'not-found': 'There is no such request, or it is kept no longer.' },
    handle({ c, services, param }) {
      const asked = { prefix: 'req', noun: 'request', id: param('id') }
      const found = getFromJournal(services.requests, asked)
      return { ...presentRequest(found), caused: presentCaused(found, seenBy(c)) }
    },
  }),
]

const isRefused = ({ problem }: CallRecord) => problem !== null

export function presentRequest(record: CallRecord): RequestRecord {
  const { problem } = record
  return {
    id: record.id,
    at: formatInstant(record.at),
    method: record.method,
    url: withoutCredentials(record.url),
    operation: record.operation,
    integrator: record.integrator,
    userId: record.userId,
    status: record.status,
    durationMs: record.durationMs === null ? null : Math.round(record.durationMs * 100) / 100,
    request: { headers: presentHeaders(record.headers), body: record.body },
    response: { body: parseAnswer(record.answer) },
    reason: problem && presentReason(problem),
    problems: (problem?.problems ?? []).map(presentProblem),
    notes: [...record.notes],
  }
}

const CREDENTIAL =
  /([?&](?:x-)?(?:api[-_]?(?:key|token)|key|(?:access[-_]?)?token|authorization|(?:signing[-_]?)?secret)=)[^&#]*/gi

/** Keys and tokens do not belong in a query, so they come there by mistake. */
export const withoutCredentials = (url: string) => url.replace(CREDENTIAL, '$1(not-kept)')

const SECRET_HEADER = /auth|cookie|key|secret|token/
const SHOWN_LENGTH = 4

/** Of keys and tokens only the end is shown, to know one from another. */
export function presentHeaders(headers: CallRecord['headers']): Record<string, string> {
  const shown: Record<string, string> = {}
  const add = (value: string, name: string) => {
    const known = name.toLowerCase()
    const masked = SECRET_HEADER.test(known) ? mask(value) : value
    shown[known] = known in shown ? `${shown[known]}, ${masked}` : masked
  }
  if (headers instanceof Headers) headers.forEach(add)
  else {
    const lines = headers.split('\n')
    for (let at = 0; at + 1 < lines.length; at += 2) add(lines[at + 1] ?? '', lines[at] ?? '')
  }
  return shown
}

/** Any other first word may be the secret, or a cookie of several. */
const SCHEME = /^(basic|bearer|digest|hmac|negotiate) +/i

function mask(value: string): string {
  const [scheme = ''] = SCHEME.exec(value) ?? []
  const secret = value.slice(scheme.length)
  const end = secret.length > 2 * SHOWN_LENGTH ? secret.slice(-SHOWN_LENGTH) : ''
  return `${scheme}…${end}`
}

function presentReason({ code, problems, message, detail }: CallProblem) {
  const { rule = null, hint = null, nearest = null } = detail
  return { code, field: problems[0]?.field ?? '', message, rule, hint, nearest }
}

function presentProblem({ field, message, nearest }: Problem) {
  return { field, message, nearest: nearest ?? null }
}

/** An answer that was too long to keep whole is text. */
function parseAnswer(answer: string | null): unknown {
  if (answer === null) return null
  const shown = withoutSecrets(answer)
  try {
    return JSON.parse(shown)
  } catch {
    return shown
  }
}
