import * as z from 'zod'
import type { CallProblem } from '../../engine/request-journal.ts'
import { type CallRecord, withoutSecrets } from '../../engine/request-journal.ts'
import { ACTION_KINDS, type Action, type Origin } from '../../engine/timeline.ts'
import { ROWS_MAX } from '../../engine/watch.ts'
import type { Problem } from '../../world/domain-error.ts'
import type { ContractOperationId } from '../../world/settings/operations.ts'
import { named } from '../named.ts'
import { lever } from './dialect.ts'
import { EventRecord, MessageRecord, presentEvent, presentMessage } from './events.ts'
import {
  Filter,
  FilterText,
  getFromJournal,
  listRows,
  Page,
  presentRows,
  RowsOf,
  toNumber,
} from './page.ts'
import { presentAs, type RequestContext, requestContext, WorldTime } from './shapes.ts'
import { DeliveryRecord, presentDelivery } from './webhooks.ts'

/** The id of a contract operation, such as `createTransaction`. */
export const OperationId = (text = FilterText()) =>
  text.meta({ typeName: 'ContractOperationId' }) as z.ZodType<
    ContractOperationId,
    ContractOperationId
  >

/** A boolean as a query has it, as text. */
const Flag = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ wire: { type: 'boolean' } }) as unknown as z.ZodType<boolean, boolean>

const Status = () =>
  toNumber(z.string().regex(/^[1-5]\d\d$/, { error: 'must be an HTTP status' }), 100, 599)

const Caused = () =>
  z
    .strictObject({
      events: z.array(EventRecord()).describe('The events.'),
      messages: z.array(MessageRecord()).describe('The messages to users.'),
      deliveries: z.array(DeliveryRecord()).describe('The webhooks.'),
    })
    .describe('What came of it, at most 1,000 of each; only where one alone is read.')
    .optional()

export const RequestRecord = () =>
  named('ContractCall', {
    id: z.string(),
    at: WorldTime('When it came.'),
    method: z.string(),
    url: z.string().describe('URL of the call, without credentials.'),
    operation: z
      .string()
      .nullable()
      .describe('As the contract names it; null for an unknown path.'),
    integrator: z.string().nullable().describe('Name of the integrator; null without a valid key.'),
    userId: z.string().nullable().describe('Id of the user it was for; null for none.'),
    status: z.int(),
    durationMs: z.number().nullable().describe('Wall time in ms; null while it is under way.'),
    request: z.strictObject({
      headers: z.record(z.string(), z.string()).describe('As they came, keys and tokens masked.'),
      body: z.unknown(),
    }),
    response: z.strictObject({ body: z.unknown() }).describe('The response.'),
    reason: z
      .strictObject({
        code: z.string().describe('Stable, as in the header `x-sandbox-error`.'),
        field: z.string(),
        message: z.string().describe('What is wrong with it.'),
        rule: z.string().nullable().describe('Place in the contract.'),
        hint: z.string().nullable().describe('What would work, in a sentence.'),
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
    notes: z.array(z.string()).describe('Assumptions, ignored fields and the like.'),
    caused: Caused(),
  }).describe('One contract call: what was sent, what came back, and why it was rejected.')
export type RequestRecord = z.output<ReturnType<typeof RequestRecord>>

export const ActionRecord = () =>
  named('Action', {
    id: z.string(),
    kind: z.enum(ACTION_KINDS),
    operation: z.string().describe('The control operation; of a task, what it did.'),
    subject: z.string().nullable().describe('The transaction or user, as it was named.'),
    input: z.string().nullable().describe('The body as JSON: its first 1,000 characters.'),
    at: WorldTime('When it began.'),
    until: WorldTime().describe('World time when it ended; of an advance, where it led.'),
    status: z.int().describe('HTTP status of its response; 0 while it is under way.'),
    problem: z.string().nullable().describe('Why it was refused.'),
    callsBefore: z.int().describe('How many contract calls the world had seen before it.'),
    caused: Caused(),
  }).describe(
    'What changed the world other than a contract call: a simulation, a move of the clock, a changed setting, rate or fault, a scheduled task.',
  )
export type ActionRecord = z.output<ReturnType<typeof ActionRecord>>

/** Levers that show what was done to the world: calls of the contract, and everything else. */
export const requests = [
  lever('requests.list', 'listRequests', {
    summary: 'List contract calls after a cursor, with the reason of each refusal',
    about:
      'The oldest comes first; the reason says what would have worked. Calls of the control API are not listed.',
    query: () => ({
      status: Status().optional().describe('Only calls with this status code.'),
      operation: OperationId().optional().describe('Only calls of this operation.'),
      refused: Flag().optional(),
      ...Page(),
    }),
    response: () => RowsOf('requests', RequestRecord()),
    handle({ services, input: { query } }) {
      const tests = { refused: ({ problem }: CallRecord, is: boolean) => (problem !== null) === is }
      const listing = { rows: services.requests, query, tests, present: presentRequest }
      return listRows('requests', listing)
    },
  }),
  lever('requests.get', 'getRequest', {
    summary: 'Explain one contract call: why it was refused, what would work, what it caused',
    about:
      'Its id was in the header `x-sandbox-request` of the response. The last 1,000 calls are kept.',
    words: ['explain [REQUEST=id]'],
    tool: true,
    example: 'explain',
    response: RequestRecord,
    errors: { 'not-found': 'There is no such request, or it is kept no longer.' },
    handle({ c, services, param }) {
      const found = getFromJournal(services.requests, 'req', param('id'))
      return { ...presentRequest(found), caused: presentCaused(found, requestContext(c)) }
    },
  }),
  lever('actions.list', 'listActions', {
    summary: 'List simulations, moves of the clock, changes and scheduled tasks after a cursor',
    about:
      'The oldest comes first. Changes are those of settings, rates and faults; tasks are listed when they ran.',
    query: () => ({ kind: z.enum(ACTION_KINDS).optional(), subject: Filter(), ...Page() }),
    response: () => RowsOf('actions', ActionRecord()),
    handle({ services, input: { query } }) {
      const rows = services.timeline.actions
      return listRows('actions', { rows, query, present: presentAction })
    },
  }),
  lever('actions.get', 'getAction', {
    summary: 'Read one action and what it caused',
    about: 'Events and messages name theirs in `cause`. The last 1,000 actions are kept.',
    response: ActionRecord,
    errors: { 'not-found': 'There is no such action, or it is kept no longer.' },
    handle({ c, services, param }) {
      const found = getFromJournal(services.timeline.actions, 'act', param('id'))
      return { ...presentAction(found), caused: presentCaused(found, requestContext(c)) }
    },
  }),
]

export const presentAction = (action: Action): ActionRecord => presentAs(ActionRecord, action)

function presentCaused(origin: Origin, seen: RequestContext) {
  const { timeline } = seen.services
  const part = { lists: 3 }
  const events = timeline.eventsOf(origin).slice(0, ROWS_MAX)
  const messages = timeline.messagesOf(origin).slice(0, ROWS_MAX)
  const deliveries = timeline.deliveriesOf(origin).slice(0, ROWS_MAX)
  return {
    events: presentRows(events, (event) => presentEvent(event, seen.services), part),
    messages: presentRows(messages, (row) => presentMessage(row, seen), part),
    deliveries: presentRows(deliveries, (row) => presentDelivery(row, seen.services), part),
  }
}

export function presentRequest(record: CallRecord): RequestRecord {
  const { problem, durationMs } = record
  return presentAs(RequestRecord, record, {
    url: withoutCredentials(record.url),
    durationMs: durationMs === null ? null : Math.round(durationMs * 100) / 100,
    request: { headers: presentHeaders(record.headers), body: record.body },
    response: { body: parseResponse(record.response) },
    reason: problem && presentReason(problem),
    problems: (problem?.problems ?? []).map(presentProblem),
    notes: [...record.notes],
  })
}

const CREDENTIAL =
  /([?&](?:x-)?(?:api[-_]?(?:key|token)|key|(?:access[-_]?)?token|authorization|(?:signing[-_]?)?secret)=)[^&#]*/gi

/** Keys and tokens do not belong in a query, so they come there by mistake. */
export const withoutCredentials = (url: string) => url.replace(CREDENTIAL, '$1(not-kept)')

const SECRET_HEADER = /auth|cookie|key|secret|token/
const SHOWN_LENGTH = 4

/** Shows only the end of keys and tokens, to know one from another. */
export function presentHeaders(headers: CallRecord['headers']): Record<string, string> {
  const shown: Record<string, string> = {}
  const lines = headers instanceof Headers ? [...headers].flat() : headers.split('\n')
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = '', value = ''] = lines.slice(at, at + 2)
    const known = name.toLowerCase()
    const masked = SECRET_HEADER.test(known) ? mask(value) : value
    shown[known] = known in shown ? `${shown[known]}, ${masked}` : masked
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

/** A response that was too long to keep whole is text. */
function parseResponse(response: string | null): unknown {
  if (response === null) return null
  const shown = withoutSecrets(response)
  try {
    return JSON.parse(shown)
  } catch {
    return shown
  }
}
