import * as z from 'zod'
import { EVENTS } from '../world/event-types.ts'
import { MESSAGE_KINDS } from '../world/state.ts'
import {
  EVENT_TYPES,
  TRANSACTION_STATUSES,
  USER_STATUSES,
  type UserStatus,
} from '../world/words.ts'
import { DeliveryRecord } from './deliveries.ts'
import { Filter, FilterText, PolledOf, Ref, TOO_MANY_WAIT, Wait } from './pages.ts'
import { named, notForAgents, record } from './schema.ts'
import { CauseRecord, EventKind, Position, type TransactionStatus, WorldTime } from './shapes.ts'

export const EventRecord = () =>
  named('Event', {
    id: z.string().describe('Id of the event, as in its webhook.'),
    cursor: Position(),
    at: WorldTime('When it happened.'),
    type: EventKind(),
    ref: z.string(),
    status: z.string().describe('Status in the payload.'),
    integrator: z.string().describe('Name of the integrator it is for.'),
    payload: notForAgents(
      z
        .union(EVENT_TYPES.map((type) => EVENTS[type].payload()))
        .describe('What the event is about.'),
    ),
    cause: notForAgents(CauseRecord()),
  }).describe('A fact in the world, whether or not a webhook was sent about it.')
export type EventRecord = z.output<ReturnType<typeof EventRecord>>

export const eventCells = ({ at, type, ref, status }: EventRecord) => [at, type, ref, status]

export const EventPage = () => PolledOf('events', EventRecord())
export type EventPage = z.output<ReturnType<typeof EventPage>>

export const MessageRecord = () =>
  named('Message', {
    id: z.string().describe('Id of the message.'),
    cursor: Position(),
    to: z.string().describe("The user's e-mail address."),
    kind: z.enum(MESSAGE_KINDS).describe('What it is about.'),
    subject: z.string().describe('Subject of the e-mail.'),
    text: z.string().describe('Text of the e-mail.'),
    code: z
      .string()
      .optional()
      .describe(
        'What the user has to enter: the four digits of a login code, the reference of a money request, the security answer of a payout.',
      ),
    url: z.url().optional().describe('For a money request: where to post the bank’s decision.'),
    ref: z.string().nullable().describe('Id of the transaction it is about, if any.'),
    sentAt: WorldTime('When it was sent.'),
    cause: notForAgents(CauseRecord()),
  }).describe('A message that the service or the bank sent to a user.')
export type MessageRecord = z.output<ReturnType<typeof MessageRecord>>

export const MessagePage = () => PolledOf('messages', MessageRecord())
export type MessagePage = z.output<ReturnType<typeof MessagePage>>

/** Waits for the deliveries of a change before the response is sent. */
export const Deliver = () =>
  notForAgents(
    z
      .enum(['wait', 'async'])
      .optional()
      .describe(
        'Wait until the resulting webhooks are delivered (`wait`, the default), or respond at once (`async`).',
      ),
  )

export interface Delivering {
  deliver?: 'wait' | 'async' | undefined
}

export const Happened = () =>
  record({
    events: z
      .array(EventRecord())
      .describe('At most 1,000; `eventCount` says how many there were.'),
    eventCount: z.int().describe('How many events there were.'),
    deliveries: z.array(DeliveryRecord()).describe('At most 1,000.'),
    deliveryCount: z.int().describe('How many deliveries there were.'),
    pending: z.int().describe('Deliveries still in flight when the wait for them ended.'),
  })
export type Happened = z.output<ReturnType<typeof Happened>>

const AnyStatus = () =>
  FilterText().meta({
    examples: [...TRANSACTION_STATUSES, ...USER_STATUSES],
    'x-closed': true,
  }) as z.ZodType<TransactionStatus | UserStatus, TransactionStatus | UserStatus>

const ENOUGH =
  'Without `after` the list begins with the first one. With `timeout` the call waits until enough rows match.'

export const events = {
  'events.read': {
    id: 'readEvents',
    method: 'GET',
    path: '/events',
    summary: 'Read events, or wait for the next match',
    about: `Events are listed whether or not a webhook was sent about them. ${ENOUGH}`,
    success: 'The events; `matched` says whether there were enough.',
    words: ['events'],
    hides: ['count'],
    sendsWith: { timeout: { after: 'end' } },
    columns: eventCells,
    example: 'events --status complete --timeout 10s',
    tool: true,
    query: () => ({
      id: Filter().describe('Id of the event, as in its webhook.'),
      type: EventKind().optional(),
      ref: Ref(),
      status: AnyStatus().optional().describe('Only events that report this status.'),
      integrator: notForAgents(Filter()),
      ...Wait(),
    }),
    response: EventPage,
    errors: TOO_MANY_WAIT,
  },
  'inbox.read': {
    id: 'readInbox',
    method: 'GET',
    path: '/inbox',
    summary: 'Read the messages sent to users: login codes, money requests, payouts',
    about: ENOUGH,
    success: 'The messages; `matched` says whether there were enough.',
    words: ['inbox', { field: 'email', isOptional: true }],
    columns: ({ sentAt, to, text }: MessageRecord) => [sentAt, to, text],
    flags: {
      code: {
        help: 'print the newest login code, and nothing else',
        sends: { kind: 'login-code' },
        prints: ({ messages }: MessagePage) => messages.at(-1)?.code,
        none: 'No login code was sent.',
      },
    },
    example: 'inbox ana@example.com --code',
    tool: true,
    query: () => {
      const { count: _, ...wait } = Wait()
      const kind = z.enum(MESSAGE_KINDS).optional().describe('Only messages of this kind.')
      return record({
        email: Filter().describe('Only messages to this address.'),
        kind,
        ref: Ref(),
        ...wait,
      })
    },
    response: MessagePage,
    errors: TOO_MANY_WAIT,
  },
} as const
