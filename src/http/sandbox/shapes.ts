import * as z from 'zod'
import type { Advanced, Happened } from '../../timekeeper.ts'
import { showDelivery } from '../../webhooks/delivery.ts'
import {
  DURATION_HELP,
  formatInstant,
  INSTANT_HELP,
  parseDuration,
  parseInstant,
} from '../../world/duration.ts'
import type { WorldEvent } from '../../world/facts.ts'

/** A length of time, read as ms. */
export const Duration = () =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const ms = parseDuration(value)
    if (ms !== undefined) return ms
    context.addIssue({ code: 'custom', message: `must be ${DURATION_HELP}` })
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

export function showHappened({ events, eventCount, deliveries, deliveryCount, pending }: Happened) {
  return {
    events: events.map(showEvent),
    eventCount,
    deliveries: deliveries.map(showDelivery),
    deliveryCount,
    pending,
  }
}

export function showAdvanced({ from, to, fired, firedCount, ...happened }: Advanced) {
  return {
    from: formatInstant(from),
    to: formatInstant(to),
    fired: fired.map(({ at, kind, ref }) => ({ at: formatInstant(at), kind, ref })),
    firedCount,
    ...showHappened(happened),
  }
}
