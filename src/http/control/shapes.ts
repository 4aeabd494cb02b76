import * as z from 'zod'
import type { AdvanceResult } from '../../engine/timekeeper.ts'
import type { Effects } from '../../engine/watch.ts'
import { OUTCOMES, presentDelivery } from '../../webhooks/delivery.ts'
import {
  describeDuration,
  formatInstant,
  INSTANT_HELP,
  parseDuration,
  parseInstant,
} from '../../world/duration.ts'
import type { EventType, WorldEvent } from '../../world/state.ts'
import { USER_STATUSES } from '../../world/state.ts'
import { TransactionPayload, UserPayload } from '../payloads.ts'

/** A length of time, read as ms. */
export const Duration = () =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const ms = parseDuration(value)
    if (ms !== undefined) return ms
    context.addIssue({ code: 'custom', message: `must be ${describeDuration(value)}` })
    return z.NEVER
  })

/** An instant, read as ms since 1970. */
export const Instant = () =>
  z.string().transform((value, context) => {
    const instant = parseInstant(value)
    if (instant !== undefined) return instant
    context.addIssue({ code: 'custom', message: `must be ${INSTANT_HELP}` })
    return z.NEVER
  })

/** Whether the answer waits for the deliveries that a change causes. */
export const Deliver = () => z.enum(['wait', 'async']).optional()

export const waits = ({ deliver }: { deliver?: 'wait' | 'async' | undefined }) => ({
  wait: deliver !== 'async',
})

export const EVENT_TYPES = ['user.update', 'transaction.update'] as const satisfies EventType[]

const EventPayload = () => z.union([UserPayload(), TransactionPayload()])

export const EventAnswer = () =>
  z
    .strictObject({
      id: z.string(),
      cursor: z.string(),
      at: z.iso.datetime(),
      type: z.enum(EVENT_TYPES),
      ref: z.string(),
      status: z.string(),
      integrator: z.string(),
      payload: EventPayload(),
    })
    .meta({ title: 'Event' })

const Headers = () => z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export const DeliveryAnswer = () =>
  z
    .strictObject({
      id: z.string(),
      eventId: z.string(),
      type: z.enum(EVENT_TYPES),
      ref: z.string(),
      generation: z.enum(['v2', 'v1']),
      hook: z.string().nullable(),
      integrator: z.string(),
      url: z.string().nullable(),
      outcome: z.enum(OUTCOMES),
      reason: z.string().nullable(),
      request: z.strictObject({ headers: z.record(z.string(), z.string()), body: z.string() }),
      response: z
        .strictObject({
          status: z.int(),
          statusText: z.string(),
          headers: Headers(),
          body: z.string(),
        })
        .nullable(),
      error: z.string().nullable(),
      occurredAt: z.iso.datetime(),
      sentAt: z.iso.datetime().nullable(),
      durationMs: z.number().nullable(),
    })
    .meta({ title: 'Delivery' })

export function showEvent(event: WorldEvent) {
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
  }
}

/** What followed from a change: rows up to a bound, and how many there were. */
const happened = () => ({
  events: z.array(EventAnswer()),
  eventCount: z.int(),
  deliveries: z.array(DeliveryAnswer()),
  deliveryCount: z.int(),
  pending: z.int(),
})

/** Some fields and what followed. */
const HappenedAnswer = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...shape, ...happened() })

export const KycAnswer = () =>
  HappenedAnswer({
    userId: z.uuid(),
    from: z.enum(USER_STATUSES),
    to: z.enum(USER_STATUSES),
    due: z.iso.datetime().optional(),
  })
export const MoveAnswer = () =>
  HappenedAnswer({ transactionId: z.uuid(), from: z.string(), to: z.string() })

export const NOTHING_HAPPENED: Effects = {
  events: [],
  eventCount: 0,
  deliveries: [],
  deliveryCount: 0,
  pending: 0,
}

export function showHappened({ events, eventCount, deliveries, deliveryCount, pending }: Effects) {
  return {
    events: events.map(showEvent),
    eventCount,
    deliveries: deliveries.map(presentDelivery),
    deliveryCount,
    pending,
  }
}

export const DueTask = () =>
  z
    .strictObject({ at: z.iso.datetime(), kind: z.string(), ref: z.string() })
    .meta({ title: 'DueTask' })

export const AdvancedAnswer = () =>
  HappenedAnswer({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    fired: z.array(DueTask()),
    firedCount: z.int(),
  })

export function showAdvanced({ from, to, fired, firedCount, ...happened }: AdvanceResult) {
  return {
    from: formatInstant(from),
    to: formatInstant(to),
    fired: fired.map(({ at, kind, ref }) => ({ at: formatInstant(at), kind, ref })),
    firedCount,
    ...showHappened(happened),
  }
}
