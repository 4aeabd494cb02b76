import * as z from 'zod'
import { type Effects, joinEffects } from '../../engine/watch.ts'
import { findCustody } from '../../world/coins.ts'
import { DomainError } from '../../world/domain-error.ts'
import { shownStatus } from '../../world/events.ts'
import { fromMicros } from '../../world/money.ts'
import { receiveFunds, settleTransaction } from '../../world/simulate.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, assertCanMove, PROCESSING } from '../../world/transaction-status.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import type { Services } from '../services.ts'
import { EventRecord, presentEvent } from './events.ts'
import { presentRows } from './page.ts'
import { TransactionStatus } from './shapes.ts'
import { DeliveryRecord, presentDelivery } from './webhooks.ts'

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

export const TransactionMoved = () =>
  z.strictObject({
    transactionId: z.uuid(),
    from: TransactionStatus(),
    to: TransactionStatus(),
    ...Happened().shape,
  })
export type TransactionMoved = z.output<ReturnType<typeof TransactionMoved>>

export type TransactionChange = (world: World, transaction: Transaction) => void

/** Moves a transaction and returns what followed. */
export async function moveIn(
  services: Services,
  id: string,
  body: Delivering,
  change: TransactionChange,
): Promise<TransactionMoved> {
  const { world } = services
  const transaction = getAnyTransaction(world, id)
  const shown = () => shownStatus(world, transaction.status) as TransactionStatus
  const from = shown()
  return await observe(services, body, () => {
    change(world, transaction)
    // The status now: a receiver of the webhook may move the transaction on before the response.
    return { transactionId: id, from, to: shown() }
  })
}

/** Whether the coins of a transaction are sent by the one who holds them. */
export const isPaidOutside = (world: World, { rightSideLabel }: Transaction): boolean =>
  findCustody(world, rightSideLabel) !== undefined

/**
 * Receives the funds of a buy, has its coins sent, and settles it with their hash. A buy whose coins
 * could not be sent stays in processing. With `through` a pending one may receive its funds first.
 */
export async function settleOutside(
  services: Services,
  buy: Transaction,
  body: Delivering & { through?: boolean | undefined },
): Promise<Effects> {
  const { world, timekeeper, timeline } = services
  const origin = timeline.current
  const { id, wallet, coin, rightSide, rightSideLabel } = buy
  const receive = () => {
    const isPending = allowedFrom(world, buy.status).includes(PROCESSING)
    if (body.through && isPending) receiveFunds(world, buy)
    assertCanMove(world, buy, 'complete')
  }
  const received = await timekeeper.observe(receive, waits(body))
  const paymentId = await services.coins?.pay({
    ...{ id, wallet, coin, amount: fromMicros(rightSide) },
    network: findCustody(world, rightSideLabel) ?? '',
  })
  const settle = () => {
    assertNotReset(services, world)
    settleTransaction(world, buy, { paymentId })
  }
  const settleAsCaller = () => (origin ? timeline.run(origin, settle) : settle())
  assertNotReset(services, world)
  return joinEffects(received, await timekeeper.observe(settleAsCaller, waits(body)))
}

/** The transaction is gone with its world, though the coins are with the user. */
function assertNotReset(services: Services, world: World): void {
  if (services.world === world) return
  const message = 'The world was reset while the coins were sent.'
  throw new DomainError('reset', message, { field: 'id' })
}
