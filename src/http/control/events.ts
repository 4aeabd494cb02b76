import * as z from 'zod'
import type { Effects } from '../../engine/watch.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { toBankLink } from '../../world/links.ts'
import {
  MESSAGE_KINDS,
  type Message,
  USER_STATUSES,
  type UserStatus,
  type WorldEvent,
} from '../../world/state.ts'
import { TRANSACTION_STATUSES } from '../../world/transaction-status.ts'
import type { World } from '../../world/world.ts'
import { TransactionPayload, UserPayload } from '../contract.ts'
import { named } from '../named.ts'
import type { Services } from '../services.ts'
import { lever } from './dialect.ts'
import { Filter, FilterText, PolledOf, pollRows, presentRows, TOO_MANY_WAIT, Wait } from './page.ts'
import {
  CauseRecord,
  EventKind,
  presentAs,
  type RequestContext,
  requestContext,
  type TransactionStatus,
  WorldTime,
} from './shapes.ts'
import { DeliveryRecord, presentDelivery } from './webhooks.ts'

export const UserUpdate = UserPayload
export type UserUpdate = z.output<ReturnType<typeof UserUpdate>>
export const TransactionUpdate = TransactionPayload
export type TransactionUpdate = z.output<ReturnType<typeof TransactionUpdate>>

export const EventRecord = () =>
  named('Event', {
    id: z.string().describe('Id of the event, as in its webhook.'),
    cursor: z.string().describe('Position among the events of the world; opaque.'),
    at: WorldTime('When it happened.'),
    type: EventKind(),
    ref: z.string().describe('Id of the transaction or user it is about.'),
    status: z.string().describe('As in the payload.'),
    integrator: z.string().describe('Name of the integrator that it is for.'),
    payload: z.union([UserUpdate(), TransactionUpdate()]),
    cause: CauseRecord(),
  }).describe('A fact in the world, whether or not a webhook was sent about it.')
export type EventRecord = z.output<ReturnType<typeof EventRecord>>

export const EventPage = () => PolledOf('events', EventRecord())
export type EventPage = z.output<ReturnType<typeof EventPage>>

export const MessageRecord = () =>
  named('Message', {
    id: z.string().describe('Id of the message.'),
    to: z.string().describe("The user's e-mail address."),
    kind: z.enum(MESSAGE_KINDS).describe('What it is about.'),
    subject: z.string(),
    text: z.string().describe('Text of the e-mail.'),
    code: z
      .string()
      .optional()
      .describe(
        'What the user has to enter: the four digits of a login code, the reference of a money request, the security answer of a payout.',
      ),
    url: z.url().optional().describe('Of a money request: where the bank takes a decision.'),
    ref: z.string().nullable().describe('Id of the transaction it is about, if any.'),
    sentAt: WorldTime('When it was sent.'),
    cause: CauseRecord(),
  }).describe('What the service, or the bank, sent to a user.')
export type MessageRecord = z.output<ReturnType<typeof MessageRecord>>

export const MessagePage = () => PolledOf('messages', MessageRecord())
export type MessagePage = z.output<ReturnType<typeof MessagePage>>

/** Whether the response waits for the deliveries that a change causes. */
export const Deliver = () =>
  z
    .enum(['wait', 'async'])
    .optional()
    .describe(
      'Respond after the resulting webhooks were delivered (`wait`, the default) or at once (`async`).',
    )

export interface Delivering {
  deliver?: 'wait' | 'async' | undefined
}

export const waits = ({ deliver }: Delivering) => ({ wait: deliver !== 'async' })

export const Happened = () =>
  z.strictObject({
    events: z
      .array(EventRecord())
      .describe('At most 1,000; `eventCount` says how many there were.'),
    eventCount: z.int(),
    deliveries: z.array(DeliveryRecord()).describe('At most 1,000.'),
    deliveryCount: z.int(),
    pending: z.int().describe('Deliveries that had not ended when the wait for them did.'),
  })
export type Happened = z.output<ReturnType<typeof Happened>>

/** The status of a user or of a transaction. */
const AnyStatus = () =>
  FilterText().meta({
    examples: [...TRANSACTION_STATUSES, ...USER_STATUSES],
    'x-closed': true,
  }) as z.ZodType<TransactionStatus | UserStatus, TransactionStatus | UserStatus>

const ENOUGH =
  'Without `after` it begins with the first one. With `timeout` it waits until enough match, and responds at once when they do.'

export const events = [
  lever('events.read', 'readEvents', {
    summary: 'Read events, or wait for the next that matches',
    about: `They are listed whether or not a webhook was sent about them. ${ENOUGH}`,
    success: 'The events, whether or not there were enough: see `matched`.',
    words: ['events'],
    hides: ['count'],
    example: 'events --status complete --timeout 10s',
    tool: true,
    query: () => ({
      type: EventKind().optional(),
      ref: Filter(),
      status: AnyStatus().optional().describe('Only events that report this status.'),
      integrator: Filter(),
      ...Wait(),
    }),
    response: EventPage,
    errors: TOO_MANY_WAIT,
    async handle(call) {
      const { query } = call.input
      const { world } = call.services
      const page = await pollRows('events', call, {
        rows: world.events,
        noun: 'event',
        query,
        tests: {
          // Both spellings of the cancelled status match, whichever the event was created with.
          status: ({ status }, asked: string) =>
            [asked, shownStatus(world, asked)].includes(status),
        },
        format: ({ type, ref, status }) => `${type} of ${ref} with status ${status}`,
        present: (event) => presentEvent(event, call.services),
      })
      if (!('nearest' in page)) return page
      const why = describeUnknown(world, query) + describeFrozen(world)
      return { ...page, nearest: page.nearest + why }
    },
  }),
  lever('inbox.read', 'readInbox', {
    summary: 'Read what users were sent: login codes, money requests, payouts',
    about: ENOUGH,
    success: 'The messages, whether or not there were enough: see `matched`.',
    words: ['inbox [EMAIL]'],
    example: 'inbox ana@example.com --code',
    tool: true,
    query: () => {
      const { after, timeout } = Wait()
      const kind = z.enum(MESSAGE_KINDS).optional()
      return z.strictObject({ email: Filter(), kind, ref: Filter(), after, timeout })
    },
    response: MessagePage,
    errors: TOO_MANY_WAIT,
    handle(call) {
      const seen = requestContext(call.c)
      return pollRows('messages', call, {
        rows: call.services.world.messages,
        noun: 'message',
        query: call.input.query,
        tests: { email: ({ to }, asked: string) => to.toLowerCase() === asked.toLowerCase() },
        format: ({ kind, to }) => `${kind} to ${to}`,
        present: (message) => presentMessage(message, seen),
      })
    },
  }),
]

/** Makes a change, and presents what it returned with what followed. */
export async function observe<Result extends object>(
  services: Services,
  body: Delivering,
  change: () => Result,
): Promise<Result & Happened> {
  const { result, ...effects } = await services.timekeeper.observe(change, waits(body))
  return { ...result, ...presentEffects(effects, services) }
}

export function presentEffects(effects: Effects, services: Services): Happened {
  const { events, eventCount, deliveries, deliveryCount, pending } = effects
  return {
    events: presentRows(events, (event) => presentEvent(event, services), { lists: 2 }),
    eventCount,
    deliveries: presentRows(deliveries, (row) => presentDelivery(row, services), { lists: 2 }),
    deliveryCount,
    pending,
  }
}

export function presentEvent(event: WorldEvent, { timeline }: Services): EventRecord {
  const cause = timeline.causeOf('events', event.cursor) ?? null
  return presentAs(EventRecord, event, { cursor: String(event.cursor), cause })
}

/** A message, with the page of the user's bank where there is a request to answer. */
export function presentMessage(
  message: Message,
  { services, baseUrl }: RequestContext,
): MessageRecord {
  const { cursor, to, id, kind, subject, text, code, ref, sentAt } = message
  const cause = services.timeline.causeOf('messages', cursor) ?? null
  return {
    ...{ id, to, kind, subject, text, ref, sentAt: formatInstant(sentAt), cause },
    ...(code !== null && { code }),
    ...(kind === 'money-request' && {
      url: `${baseUrl}/_sandbox/bank/${toBankLink(services.world, ref ?? '')}`,
    }),
  }
}

type Named = { ref?: string | undefined; integrator?: string | undefined }

function describeUnknown(world: World, { ref, integrator }: Named): string {
  const unknown = []
  if (ref !== undefined && !world.transactionsById.has(ref) && !world.usersById.has(ref)) {
    unknown.push(` There is no transaction or user ${ref}.`)
  }
  if (integrator !== undefined && !world.integratorsByName.has(integrator)) {
    unknown.push(` There is no integrator ${integrator}.`)
  }
  return unknown.join('')
}

/** The usual reason why nothing happens. */
function describeFrozen({ mode, tasks }: World): string {
  const next = tasks.next()
  if (mode === 'running' || next === undefined) return ''
  return ` The clock is frozen; next due is ${next.kind} at ${formatInstant(next.at)}.`
}
