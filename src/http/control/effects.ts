import * as z from 'zod'
import type { Effects } from '../../engine/watch.ts'
import { presentDelivery } from '../../webhooks/delivery.ts'
import { shownStatus } from '../../world/events.ts'
import { simulateKyc } from '../../world/kyc.ts'
import { type Transaction, USER_STATUSES, type User, type UserStatus } from '../../world/state.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import type { Services } from '../services.ts'
import { EventRecord, presentEvent } from './events.ts'
import { presentRows } from './page.ts'
import { TransactionStatus } from './shapes.ts'
import { DeliveryRecord } from './webhooks.ts'

/** Whether the answer waits for the deliveries that a change causes. */
export const Deliver = () =>
  z
    .enum(['wait', 'async'])
    .optional()
    .describe(
      '`wait`, the default, answers once the webhooks of the change are delivered; `async` at once.',
    )

export const waits = ({ deliver }: { deliver?: 'wait' | 'async' | undefined }) => ({
  wait: deliver !== 'async',
})

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

export const KycChanged = () =>
  z.strictObject({
    userId: z.uuid(),
    from: z.enum(USER_STATUSES),
    to: z.enum(USER_STATUSES),
    due: z.iso
      .datetime()
      .optional()
      .describe('When a delayed decision is scheduled; world time, ISO 8601.'),
    ...Happened().shape,
  })
export type KycChanged = z.output<ReturnType<typeof KycChanged>>

export const TransactionMoved = () =>
  z.strictObject({
    transactionId: z.uuid(),
    from: TransactionStatus(),
    to: TransactionStatus(),
    ...Happened().shape,
  })
export type TransactionMoved = z.output<ReturnType<typeof TransactionMoved>>

export type TransactionChange = (world: World, transaction: Transaction) => void

/** Moves the transaction in the path and answers what followed. */
export async function moveIn(
  services: Services,
  id: string,
  { wait, change }: { wait: boolean; change: TransactionChange },
) {
  const { world, timekeeper } = services
  const transaction = getAnyTransaction(world, id)
  const shown = () => shownStatus(world, transaction.status) as TransactionStatus
  const from = shown()
  // The status now: a receiver of the webhook may move the transaction on before the answer.
  const move = () => {
    change(world, transaction)
    return shown()
  }
  const { result: to, ...effects } = await timekeeper.observe(move, { wait })
  return { transactionId: id, from, to, ...presentEffects(effects, services) }
}

/** Lets a reviewer decide about a user, and answers what followed. */
export async function decideKyc(
  services: Services,
  user: User,
  {
    wait,
    status,
    reasons = [],
  }: { wait: boolean; status: UserStatus; reasons?: string[] | undefined },
) {
  const { world, timekeeper } = services
  const [userId, from] = [user.id, user.status]
  const change = () => simulateKyc(world, user, { status, reasons })
  const { result: _, ...effects } = await timekeeper.observe(change, { wait })
  return { userId, from, to: status, ...presentEffects(effects, services) }
}

export const NO_EFFECTS: Effects = {
  events: [],
  eventCount: 0,
  deliveries: [],
  deliveryCount: 0,
  pending: 0,
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
