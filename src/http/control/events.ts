import {
  type Delivering,
  EventRecord,
  type Happened,
  type MessageRecord,
} from '../../control-api/events.ts'
import type { Effects } from '../../engine/watch.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { toBankLink } from '../../world/links.ts'
import type { Message, WorldEvent } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import type { Services } from '../services.ts'
import { type RequestContext, requestContext } from './context.ts'
import { implement } from './dialect.ts'
import { assertStatus, contains, createRefTest, describeUnknown, equals } from './filters.ts'
import { pollRows, presentRows } from './page.ts'
import { presentAs } from './present-as.ts'
import { presentDelivery } from './webhooks.ts'

export const waits = ({ deliver }: Delivering) => ({ wait: deliver !== 'async' })

export const events = [
  implement('events.read', async (call) => {
    const { query } = call.input
    const { world } = call.services
    assertStatus(world, query.status)
    const page = await pollRows('events', call, {
      rows: world.events,
      end: world.position,
      noun: 'event',
      query,
      filters: {
        id: equals('id'),
        type: equals('type'),
        ref: createRefTest(world),
        // Both spellings of the cancelled status match, whichever the event was created with.
        status: ({ status }, asked: string) => [asked, shownStatus(world, asked)].includes(status),
        integrator: equals('integrator'),
        q: contains(textsOfEvent),
      },
      format: ({ type, ref, status }) => `${type} of ${ref} with status ${status}`,
      present: (event) => presentEvent(event, call.services),
    })
    if (!('nearest' in page)) return page
    // A reset replaces the world while a call waits.
    const { world: current } = call.services
    return explainMiss(page, current, { query, more: describeFrozen(current) })
  }),
  implement('inbox.read', async (call) => {
    const context = requestContext(call.c)
    const { query } = call.input
    const page = await pollRows('messages', call, {
      rows: call.services.world.messages,
      end: call.services.world.position,
      noun: 'message',
      query,
      filters: {
        email: ({ to }, asked: string) => to.toLowerCase() === asked.toLowerCase(),
        kind: equals('kind'),
        ref: createRefTest(call.services.world),
        q: contains(textsOfMessage),
      },
      format: ({ kind, to }) => `${kind} to ${to}`,
      present: (message) => presentMessage(message, context),
    })
    return explainMiss(page, call.services.world, { query })
  }),
]

/** Text of an event that `q` searches. */
export const textsOfEvent = (row: WorldEvent): readonly unknown[] => [
  ...[row.id, row.type, row.ref, row.status, row.integrator],
  ...Object.values(row.payload),
]

export const textsOfMessage = (row: Message): readonly unknown[] => [
  ...[row.id, row.to, row.kind, row.subject, row.text, row.ref],
]

interface Missed {
  query: Parameters<typeof describeUnknown>[1]
  more?: string
}

/** Says of a page without a match what its filter names that does not exist. */
function explainMiss<Page extends object>(
  page: Page | (Page & { nearest: string }),
  world: World,
  { query, more = '' }: Missed,
) {
  if (!('nearest' in page)) return page
  const unknown = describeUnknown(world, query)
  const nearest = page.nearest + unknown + more
  return { ...page, nearest, ...(unknown && { unknown: unknown.trim() }) }
}

/** Makes a change and adds the events and deliveries that followed to its result. */
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

export function presentEvent(event: WorldEvent, { journal }: Services): EventRecord {
  const cause = journal.causeOf(event)
  return presentAs(EventRecord, event, { cursor: String(event.pos), cause })
}

/** A message, with the page of the user's bank where there is a request to answer. */
export function presentMessage(
  message: Message,
  { services, baseUrl }: RequestContext,
): MessageRecord {
  const { pos, to, id, kind, subject, text, code, ref, sentAt } = message
  const cause = services.journal.causeOf(message)
  return {
    id,
    cursor: String(pos),
    to,
    kind,
    subject,
    text,
    ref,
    sentAt: formatInstant(sentAt),
    cause: cause && { kind: cause.kind, id: cause.id, name: cause.name },
    ...(code !== null && { code }),
    ...(kind === 'money-request' && {
      url: `${baseUrl}/_sandbox/bank/${toBankLink(services.world, ref ?? '')}`,
    }),
  }
}

function describeFrozen({ mode, tasks }: World): string {
  const next = tasks.next()
  if (mode === 'running' || next === undefined) return ''
  return ` The clock is frozen; the next task due is ${next.kind} at ${formatInstant(next.at)}.`
}
