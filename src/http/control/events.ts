import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import type { WorldEvent } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { type Condition, when } from './near-miss.ts'
import { Count, Cursor, Filter, Timeout } from './page.ts'
import { poll } from './poll.ts'
import { EVENT_TYPES, EventAnswer, showEvent } from './shapes.ts'
import { TOO_MANY_WAIT } from './wait.ts'

const ReadEvents = () =>
  z.strictObject({
    type: z.enum(EVENT_TYPES).optional(),
    ref: Filter(),
    status: Filter(),
    integrator: Filter(),
    after: Cursor(),
    count: Count(),
    timeout: Timeout(),
  })
type EventQuery = z.output<ReturnType<typeof ReadEvents>>

export const events = [
  operation({
    id: 'readEvents',
    method: 'GET',
    path: '/_sandbox/events',
    summary: 'Read events after a cursor, the moment enough of them match',
    auth: requireControl,
    query: ReadEvents,
    answer: () =>
      z.strictObject({
        matched: z.boolean(),
        events: z.array(EventAnswer()),
        cursor: z.string(),
        nearest: z.string().optional(),
      }),
    errors: TOO_MANY_WAIT,
    async handle(call) {
      const { query } = call.input
      const { world } = call.services
      const { matched, rows, cursor, nearest } = await poll(call, query, {
        kind: 'event',
        noun: 'event',
        journal: world.events,
        conditions: conditionsOf(world, query),
        tell: ({ type, ref, status }) => `${type} of ${ref} with status ${status}`,
      })
      const shown = { matched, events: rows.map(showEvent), cursor }
      if (nearest === undefined) return shown
      return { ...shown, nearest: nearest + tellUnknown(world, query) + tellFrozen(world) }
    },
  }),
]

function conditionsOf(world: World, query: EventQuery): Condition<WorldEvent>[] {
  return [
    ...when('type', query.type, (event: WorldEvent, type) => event.type === type),
    ...when('ref', query.ref, (event: WorldEvent, ref) => event.ref === ref),
    // Both spellings of the cancelled state find it, whichever was told when it happened.
    ...when(
      'status',
      query.status,
      (event: WorldEvent, status) =>
        event.status === status || event.status === shownStatus(world, status),
    ),
    ...when('integrator', query.integrator, (event: WorldEvent, name) => event.integrator === name),
  ]
}

function tellUnknown(world: World, { ref, integrator }: EventQuery): string {
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
function tellFrozen({ mode, tasks }: World): string {
  const next = tasks.next()
  if (mode === 'running' || next === undefined) return ''
  return ` The clock is frozen; next due is ${next.kind} at ${formatInstant(next.at)}.`
}
