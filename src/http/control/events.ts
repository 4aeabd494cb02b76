import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { USER_STATUSES, type UserStatus, type WorldEvent } from '../../world/state.ts'
import { TRANSACTION_STATUSES } from '../../world/transaction-status.ts'
import type { World } from '../../world/world.ts'
import { TransactionPayload, UserPayload } from '../contract.ts'
import type { Services } from '../services.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import {
  type Condition,
  Count,
  Cursor,
  Filter,
  FilterText,
  Timeout,
  when,
  whenEqual,
} from './page.ts'
import { poll, TOO_MANY_WAIT } from './poll.ts'
import {
  CauseRecord,
  EventKind,
  presentCause,
  type TransactionStatus,
  WorldTime,
} from './shapes.ts'

export const UserUpdate = UserPayload
export type UserUpdate = z.output<ReturnType<typeof UserUpdate>>
export const TransactionUpdate = TransactionPayload
export type TransactionUpdate = z.output<ReturnType<typeof TransactionUpdate>>

export const EventRecord = () =>
  titled('Event', {
    id: z.string(),
    cursor: z.string().describe('Position among the events of the world; opaque.'),
    at: WorldTime(),
    type: EventKind(),
    ref: z.string().describe('Id of the transaction or user it is about.'),
    status: z.string().describe('As in the payload.'),
    integrator: z.string().describe('Name of the integrator that it is for.'),
    payload: z.union([UserUpdate(), TransactionUpdate()]),
    cause: CauseRecord(),
  }).describe('A fact in the world, whether or not a webhook was sent about it.')
export type EventRecord = z.output<ReturnType<typeof EventRecord>>

export const EventPage = () =>
  z.strictObject({
    matched: z.boolean(),
    events: z.array(EventRecord()),
    cursor: z.string(),
    nearest: z.string().optional().describe('When nothing matched: what came nearest.'),
  })
export type EventPage = z.output<ReturnType<typeof EventPage>>

/** The status of a user or of a transaction. */
const AnyStatus = () =>
  FilterText().meta({
    examples: [...TRANSACTION_STATUSES, ...USER_STATUSES],
    'x-closed': true,
  }) as z.ZodType<TransactionStatus | UserStatus, TransactionStatus | UserStatus>

const ReadEvents = () =>
  z.strictObject({
    type: EventKind().optional(),
    ref: Filter(),
    status: AnyStatus().optional(),
    integrator: Filter(),
    after: Cursor(),
    count: Count(),
    timeout: Timeout(),
  })
type EventQuery = z.output<ReturnType<typeof ReadEvents>>

export const events = [
  lever('events.read', {
    id: 'readEvents',
    summary: 'Read events, or wait for the next that matches',
    about:
      'Reads the events of this world, whether or not a webhook was sent about them. Without `after` it begins with the first event. With `timeout` it waits until enough match, and answers at once when they do.',
    success: 'The events, whether or not there were enough: see `matched`.',
    words: 'events',
    example: 'events --status complete --timeout 10s',
    tool: true,
    query: ReadEvents,
    answer: EventPage,
    errors: TOO_MANY_WAIT,
    async handle(call) {
      const { query } = call.input
      const { world } = call.services
      const { matched, rows, cursor, nearest } = await poll(call, query, {
        kind: 'event',
        noun: 'event',
        journal: world.events,
        conditions: conditionsOf(world, query),
        format: ({ type, ref, status }) => `${type} of ${ref} with status ${status}`,
        present: (event) => presentEvent(event, call.services),
      })
      const page = { matched, events: rows, cursor }
      if (nearest === undefined) return page
      return { ...page, nearest: nearest + describeUnknown(world, query) + describeFrozen(world) }
    },
  }),
]

export function presentEvent(event: WorldEvent, { timeline }: Services): EventRecord {
  const { id, cursor, at, type, ref, status, integrator, payload } = event
  return {
    id,
    cursor: String(cursor),
    at: formatInstant(at),
    type,
    ref,
    status,
    integrator,
    payload,
    cause: presentCause(timeline.causeOf('events', cursor)),
  }
}

function conditionsOf(world: World, query: EventQuery): Condition<WorldEvent>[] {
  const { type, ref, status, integrator } = query
  return [
    ...whenEqual<WorldEvent>({ type, ref }),
    // Both spellings of the cancelled status match, whichever the event was created with.
    ...when('status', status, (event: WorldEvent, asked) =>
      [asked, shownStatus(world, asked)].includes(event.status),
    ),
    ...whenEqual<WorldEvent>({ integrator }),
  ]
}

function describeUnknown(world: World, { ref, integrator }: EventQuery): string {
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
