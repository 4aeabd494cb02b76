import * as z from 'zod'
import type { Effects } from '../../engine/watch.ts'
import { presentDelivery } from '../../webhooks/delivery.ts'
import type { Services } from '../services.ts'
import { EventRecord, presentEvent } from './events.ts'
import { presentRows } from './page.ts'
import { DeliveryRecord } from './webhooks.ts'

/** Whether the answer waits for the deliveries that a change causes. */
export const Deliver = () =>
  z
    .enum(['wait', 'async'])
    .optional()
    .describe(
      '`wait`, the default, answers once the webhooks of the change are delivered; `async` at once.',
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
    deliveries: presentRows(deliveries, presentDelivery, { lists: 2 }),
    deliveryCount,
    pending,
  }
}
