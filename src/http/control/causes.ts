import * as z from 'zod'
import type { Origin } from '../../engine/timeline.ts'
import { ROWS_MAX } from '../../engine/watch.ts'
import { presentDelivery } from '../../webhooks/delivery.ts'
import { EventRecord, presentEvent } from './events.ts'
import { MessageRecord, presentMessage } from './inbox.ts'
import { presentRows } from './page.ts'
import type { Seen } from './shapes.ts'
import { DeliveryRecord } from './webhooks.ts'

export const Caused = () =>
  z
    .strictObject({
      events: z.array(EventRecord()),
      messages: z.array(MessageRecord()),
      deliveries: z.array(DeliveryRecord()),
    })
    .describe('What came of it, at most 1,000 of each; only where one alone is read.')
    .optional()

export function presentCaused(origin: Origin, { services, baseUrl }: Seen) {
  const { timeline } = services
  const events = timeline.eventsOf(origin).slice(0, ROWS_MAX)
  const messages = timeline.messagesOf(origin).slice(0, ROWS_MAX)
  const deliveries = timeline.deliveriesOf(origin).slice(0, ROWS_MAX)
  const part = { lists: 3 }
  return {
    events: presentRows(events, (event) => presentEvent(event, services), part),
    messages: presentRows(messages, (row) => presentMessage(row, { services, baseUrl }), part),
    deliveries: presentRows(deliveries, presentDelivery, part),
  }
}
