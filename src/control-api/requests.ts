import * as z from 'zod'
import { LeftSideLabel, leftSideValue, RightSideLabel, RightSideValue } from '../world/fields.ts'
import type { ContractOperationId } from '../world/settings/operations.ts'
import { ACTION_KINDS } from '../world/state.ts'
import { DeliveryRecord } from './deliveries.ts'
import { EventRecord, MessageRecord } from './events.ts'
import { Filter, FilterText, Flag, Page, RowsOf, toNumber } from './pages.ts'
import { named, record } from './schema.ts'
import { Position, WorldTime } from './shapes.ts'

/** The id of a contract operation, such as `createTransaction`. */
export const OperationId = (text = FilterText()) =>
  text.meta({ typeName: 'ContractOperationId' }) as z.ZodType<
    ContractOperationId,
    ContractOperationId
  >

const Status = () =>
  toNumber(z.string().regex(/^[1-5]\d\d$/, { error: 'must be an HTTP status' }), 100, 599)

const Caused = () =>
  record({
    events: z.array(EventRecord()).describe('The events.'),
    messages: z.array(MessageRecord()).describe('The messages to users.'),
    deliveries: z.array(DeliveryRecord()).describe('The webhooks, including later resends.'),
  })
    .describe('What it caused, at most 1,000 of each. Lists other than the timeline leave it out.')
    .optional()

const About = () =>
  record({
    user: record({
      id: z.uuid().describe('Id of that user.'),
      email: z.string().describe('E-mail address of that user.'),
      name: z.string().describe('First and last name; empty until they are known.'),
    })
      .nullable()
      .describe('The user it is about; null for none, or for several.'),
    transaction: record({
      id: z.uuid().describe('Id of that transaction.'),
      leftSideLabel: LeftSideLabel(),
      leftSideValue: leftSideValue(z.number()),
      rightSideLabel: RightSideLabel(),
      rightSideValue: RightSideValue(),
    })
      .nullable()
      .describe('The transaction it is about; null for none, or for several users.'),
  })
    .describe('What it is about. Lists other than the timeline leave it out.')
    .optional()

export const RequestRecord = () =>
  named('ContractCall', {
    id: z.string().describe('Id of the call, as in `x-sandbox-request`.'),
    cursor: Position(),
    at: WorldTime('When it arrived.'),
    method: z.string(),
    url: z.string().describe('URL of the call, without credentials.'),
    operation: z
      .string()
      .nullable()
      .describe('Operation as the contract names it; null for an unknown path.'),
    integrator: z.string().nullable().describe('Name of the integrator; null without a valid key.'),
    userId: z.string().nullable().describe('Id of the user it was for; null for none.'),
    email: z.string().nullable().describe('E-mail address of that user; null for none.'),
    status: z.int().describe('Status code of the response.'),
    failed: z.boolean().describe('True if it was refused, or its client got no response.'),
    durationMs: z.number().nullable().describe('Duration in ms; null while it is under way.'),
    request: record({
      headers: z
        .record(z.string(), z.string())
        .describe('As received, with keys and tokens masked.'),
      body: z.unknown(),
    }).describe('What was sent.'),
    response: record({ body: z.unknown().describe('The body.') }).describe('The response.'),
    reason: record({
      code: z.string().describe('Stable code, as in the `x-sandbox-error` header.'),
      field: z.string(),
      message: z.string().describe('What is wrong with it.'),
      rule: z.string().nullable().describe('Place in the contract.'),
      hint: z.string().nullable().describe('What would work, in a sentence.'),
      nearest: z.string().nullable(),
    })
      .nullable()
      .describe('Why it was rejected, with the place in the contract and what would work.'),
    problems: z
      .array(
        record({
          field: z.string(),
          message: z.string(),
          nearest: z.string().nullable(),
        }),
      )
      .describe('Everything that is wrong with the call.'),
    notes: z
      .array(z.string())
      .describe(
        'Why the accepted call might be a mistake, and which settings decided where the contract says nothing.',
      ),
    about: About(),
    caused: Caused(),
  }).describe('An API call: what was sent, what came back, and why it was rejected.')
export type RequestRecord = z.output<ReturnType<typeof RequestRecord>>

export const ActionRecord = () =>
  named('Action', {
    id: z.string().describe('Id of the action.'),
    cursor: Position(),
    kind: z.enum(ACTION_KINDS).describe('Kind of the action.'),
    operation: z.string().describe('The control operation, or what the task did.'),
    title: z.string().describe('What was done, in a few words for people.'),
    subject: z.string().nullable().describe('The transaction or user, as the caller named it.'),
    input: z.string().nullable().describe('The body as JSON: its first 1,000 characters.'),
    at: WorldTime('When it began.'),
    until: WorldTime().describe(
      'World time when it ended; for an advance, the instant that it reached.',
    ),
    status: z.int().describe('HTTP status of its response; 0 while it is under way.'),
    problem: z.string().nullable().describe('Why it was refused.'),
    about: About(),
    caused: Caused(),
  }).describe(
    'A change to the world that no API call made: a simulation, a move of the clock, a changed setting, rate or fault, or a scheduled task.',
  )
export type ActionRecord = z.output<ReturnType<typeof ActionRecord>>

export const Explanation = () =>
  named('Explanation', {
    id: z.string().describe('Full id of what is explained.'),
    text: z.string().describe('What happened to it, as text for people.'),
    hint: z.string().nullable().describe('What would work; null if nothing is wrong.'),
    links: z
      .array(
        record({
          name: z.string().describe('Name of the link.'),
          url: z.url().describe('Where to read it as JSON.'),
        }),
      )
      .describe('The record itself, and related records.')
      .meta({ forAgents: false }),
  }).describe('What happened to a call, webhook, event or transaction, in words.')
export type Explanation = z.output<ReturnType<typeof Explanation>>

/** Kinds of entries that a log shows. An event has no line: its webhooks, or their absence, have one. */
export const LOG_KINDS = ['request', 'action', 'message', 'delivery'] as const

export const JournalEntry = () =>
  named('JournalEntry', {
    kind: z
      .enum(LOG_KINDS)
      .describe('Kind of the entry; `row` has the same shape as in the list of that kind.'),
    cursor: z.string().describe('Position in the journal; opaque.'),
    failed: z
      .boolean()
      .describe('Whether it is a refused call or action, or a webhook with a problem.'),
    row: z
      .union([RequestRecord(), ActionRecord(), MessageRecord(), DeliveryRecord()])
      .describe('The call, action, message or delivery.'),
  })

export const TimelineEntry = () =>
  named('TimelineEntry', {
    kind: z
      .enum(['request', 'action'])
      .describe('Kind of the entry; `row` has the same shape as in the list of that kind.'),
    cursor: Position(),
    row: z.union([RequestRecord(), ActionRecord()]).describe('The call or the action.'),
  })
export type TimelineEntry = z.output<ReturnType<typeof TimelineEntry>>

const TIMELINE_CHOICES = ['calls', 'errors', 'webhooks'] as const

export const requests = {
  'timeline.read': {
    id: 'readTimeline',
    method: 'GET',
    path: '/timeline',
    result: 'entries',
    isPaged: true,
    summary: 'List calls and actions, each with the events, messages and webhooks that it caused',
    about:
      'Oldest first. `q` searches calls and actions, and what they caused. The inspector’s first page shows this list.',
    query: () => ({
      only: z
        .enum(TIMELINE_CHOICES)
        .optional()
        .describe('Only calls, only what failed, or only what caused webhooks.'),
      ...Page(),
    }),
    response: () => RowsOf('entries', TimelineEntry()),
  },
  'journal.read': {
    id: 'readJournal',
    method: 'GET',
    path: '/journal',
    result: 'entries',
    isPaged: true,
    summary:
      'List calls, actions, messages and webhooks in one sequence, in the order in which they ended',
    about:
      'This is what `logs` prints. To continue after cursor `N`, call `streamEvents` with `Last-Event-ID: fN`.',
    query: () => ({
      kind: z.enum(LOG_KINDS).optional().describe('Only entries of this kind.'),
      failed: Flag().optional().describe('Only what failed. `false`: only what did not.'),
      ...Page(),
    }),
    response: () => RowsOf('entries', JournalEntry()),
  },
  explain: {
    id: 'explain',
    method: 'GET',
    path: '/explain/:id',
    params: {
      id: 'Id of a call (`req_7`), webhook (`dlv_7`), event (`evt_…`), action (`act_7`) or transaction; `last` is the last refusal or, if there was none, the last call with a note.',
    },
    summary: 'Explain what happened to a call, webhook, event or transaction',
    about:
      'For a call, says what would have worked and what it caused; for a webhook, what the receiver did with it. The first 8 characters of a transaction id are enough.',
    words: ['explain', { field: 'id', isOptional: true, otherwise: 'last' }],
    tool: true,
    example: 'explain',
    response: Explanation,
    errors: { 'not-found': 'Nothing has this id, or it is no longer kept.' },
  },
  'requests.list': {
    id: 'listRequests',
    method: 'GET',
    path: '/requests',
    result: 'requests',
    isPaged: true,
    summary: 'List API calls, with the reason for each refusal',
    about:
      'Oldest first; the reason says what would have worked. Calls to the control API are not listed.',
    query: () => ({
      status: Status().optional().describe('Only calls with this status code.'),
      operation: OperationId().optional().describe('Only calls to this operation.'),
      version: z.enum(['v1', 'v2']).optional().describe('Only calls to this version.'),
      refused: Flag()
        .optional()
        .describe('Only calls that were rejected. `false`: only the others.'),
      failed: Flag()
        .optional()
        .describe('Only calls that were rejected or got no response. `false`: only the others.'),
      ...Page(),
    }),
    response: () => RowsOf('requests', RequestRecord()),
  },
  'requests.get': {
    id: 'getRequest',
    method: 'GET',
    path: '/requests/:id',
    params: { id: 'Id of the call, as in `x-sandbox-request`.' },
    summary: 'Read an API call: why it was refused, what would work, what it caused',
    about:
      'The id is in the `x-sandbox-request` header of its response. The last 1,000 calls are kept.',
    response: RequestRecord,
    errors: { 'not-found': 'There is no such request, or it is no longer kept.' },
  },
  'actions.list': {
    id: 'listActions',
    method: 'GET',
    path: '/actions',
    result: 'actions',
    isPaged: true,
    summary: 'List simulations, clock moves, changes and scheduled tasks',
    about:
      'Oldest first. Changes are to settings, rates and faults; a task is listed once it has run.',
    query: () => ({
      kind: z.enum(ACTION_KINDS).optional().describe('Only actions of this kind.'),
      subject: Filter().describe(
        'Only actions on this transaction or user, as the caller named it.',
      ),
      ...Page(),
    }),
    response: () => RowsOf('actions', ActionRecord()),
  },
  'actions.get': {
    id: 'getAction',
    method: 'GET',
    path: '/actions/:id',
    params: { id: 'Id of the action.' },
    summary: 'Read an action and what it caused',
    about: 'Events and messages name their action in `cause`. The last 1,000 actions are kept.',
    response: ActionRecord,
    errors: { 'not-found': 'There is no such action, or it is no longer kept.' },
  },
} as const
