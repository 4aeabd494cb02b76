import * as z from 'zod'
import type { CallProblem } from '../../engine/request-journal.ts'
import { type CallRecord, withoutSecrets } from '../../engine/request-journal.ts'
import { DomainError, type Problem } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { matchesAll, when } from './near-miss.ts'
import { Count, Cursor, createSearch, Filter, LIMIT_DEFAULT } from './page.ts'

const ListRequests = () =>
  z.strictObject({
    status: z
      .string()
      .regex(/^[1-5]\d\d$/, { error: 'must be an HTTP status' })
      .transform(Number)
      .meta({ wire: { type: 'integer', minimum: 100, maximum: 599 } })
      .optional(),
    operation: Filter(),
    refused: z.enum(['true', 'false']).optional(),
    after: Cursor(),
    limit: Count(),
  })

const ProblemAnswer = () =>
  z.strictObject({ field: z.string(), message: z.string(), nearest: z.string().nullable() })
const RequestAnswer = () =>
  z
    .strictObject({
      id: z.string(),
      at: z.iso.datetime(),
      method: z.string(),
      url: z.string(),
      operation: z.string().nullable(),
      integrator: z.string().nullable(),
      userId: z.string().nullable(),
      status: z.int(),
      request: z.strictObject({ body: z.unknown() }),
      response: z.strictObject({ body: z.unknown() }),
      reason: z
        .strictObject({
          kind: z.string(),
          field: z.string(),
          message: z.string(),
          rule: z.string().nullable(),
          hint: z.string().nullable(),
          nearest: z.string().nullable(),
          code: z.string().nullable(),
        })
        .nullable(),
      problems: z.array(ProblemAnswer()),
      notes: z.array(z.string()),
    })
    .meta({ title: 'ContractCall' })

export const requests = [
  operation({
    id: 'listRequests',
    method: 'GET',
    path: '/_sandbox/requests',
    summary: 'List contract calls after a cursor, with the reason of each refusal',
    auth: requireControl,
    query: ListRequests,
    answer: () => z.strictObject({ requests: z.array(RequestAnswer()), cursor: z.string() }),
    handle({ services, input }) {
      const { after, limit = LIMIT_DEFAULT, status, refused, operation: id } = input.query
      const matches = matchesAll([
        ...when('status', status, (row: CallRecord, wanted) => row.status === wanted),
        ...when('operation', id, (row: CallRecord, wanted) => row.operation === wanted),
        ...when('refused', refused, (row: CallRecord, is) => isRefused(row) === (is === 'true')),
      ])
      const search = createSearch({ journal: services.requests, after, most: limit, matches })
      search.readOn()
      return { requests: search.found.map(showRequest), cursor: search.cursor }
    },
  }),
  operation({
    id: 'getRequest',
    method: 'GET',
    path: '/_sandbox/requests/:id',
    summary: 'Read one contract call; its answer carried the id in x-sandbox-request',
    auth: requireControl,
    answer: RequestAnswer,
    errors: { 'not-found': 'There is no such request, or it is kept no longer.' },
    handle({ services, param }) {
      const id = param('id')
      const [, position] = /^req_(\d{1,15})$/.exec(id) ?? []
      const found = position === undefined ? undefined : services.requests.at(Number(position))
      if (found) return showRequest(found)
      const { max } = services.requests
      throw new DomainError(
        'not-found',
        'id',
        `There is no request ${id}; the last ${max} are kept.`,
      )
    },
  }),
]

const isRefused = ({ refusal }: CallRecord) => refusal !== null

/** One contract call, with why it was refused. Headers, and with them keys and tokens, are not kept. */
export function showRequest(record: CallRecord): z.input<ReturnType<typeof RequestAnswer>> {
  const { refusal } = record
  return {
    id: record.id,
    at: formatInstant(record.at),
    method: record.method,
    url: withoutCredentials(record.url),
    operation: record.operation,
    integrator: record.integrator,
    userId: record.userId,
    status: record.status,
    request: { body: record.body },
    response: { body: parseAnswer(record.answer) },
    reason: refusal && showReason(refusal),
    problems: (refusal?.problems ?? []).map(showProblem),
    notes: [...record.notes],
  }
}

const CREDENTIAL =
  /([?&](?:x-)?(?:api[-_]?(?:key|token)|key|(?:access[-_]?)?token|authorization|(?:signing[-_]?)?secret)=)[^&#]*/gi

/** Keys and tokens do not belong in a query, so they come there by mistake. */
const withoutCredentials = (url: string) => url.replace(CREDENTIAL, '$1(not-kept)')

function showReason({ kind, problems, message, detail }: CallProblem) {
  const { rule = null, hint = null, nearest = null, code = null } = detail
  return { kind, field: problems[0]?.field ?? '', message, rule, hint, nearest, code }
}

function showProblem({ field, message, nearest }: Problem) {
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
