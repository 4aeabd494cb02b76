import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry } from '../../world/transaction-status.ts'
import type { World } from '../../world/world.ts'

export const TransactionRecord = () =>
  z
    .strictObject({
      id: z.uuid(),
      side: z.enum(['buy', 'sell']),
      status: z.string(),
      integrator: z.string(),
      userId: z.uuid(),
      email: z.string(),
      createdAt: z.iso.datetime(),
      closedAt: z.iso.datetime().nullable(),
      expiresAt: z.iso.datetime().nullable(),
      coin: z.string(),
      leftSideLabel: z.string(),
      leftSideValue: z.number(),
      rightSideLabel: z.string(),
      rightSideValue: z.number(),
      quoteId: z.int(),
      rate: z.number(),
      breakdown: z.strictObject({
        fee: z.number(),
        gas: z.number(),
        spread: z.number(),
        total: z.number(),
      }),
      wallet: z.string(),
      depositAddress: z.string(),
      paymentType: z.string(),
      paymentId: z.string().nullable(),
      rmtId: z.string(),
      externalSessionId: z.string().nullable(),
      securityAnswer: z.string().nullable(),
      allowed: z.array(z.string()),
      history: z.array(z.strictObject({ status: z.string(), at: z.iso.datetime() })),
    })
    .meta({ title: 'TransactionRecord' })

/** All there is to know of a transaction, with where it may go from here. */
export function showTransaction(
  world: World,
  transaction: Transaction,
): z.input<ReturnType<typeof TransactionRecord>> {
  const { id, userId, status, closedAt, fee, gas, spread } = transaction
  const shown = (known: string) => shownStatus(world, known)
  return {
    id,
    side: transaction.side,
    status: shown(status),
    integrator: transaction.integrator,
    userId,
    email: world.usersById.get(userId)?.email ?? '',
    createdAt: formatInstant(transaction.createdAt),
    closedAt: closedAt === null ? null : formatInstant(closedAt),
    expiresAt: showExpiry(world, transaction),
    coin: transaction.coin,
    leftSideLabel: transaction.leftSideLabel,
    leftSideValue: fromMicros(transaction.leftSide),
    rightSideLabel: transaction.rightSideLabel,
    rightSideValue: fromMicros(transaction.rightSide),
    quoteId: transaction.quoteId,
    rate: fromMicros(transaction.rate),
    breakdown: {
      fee: fromMicros(fee),
      gas: fromMicros(gas),
      spread: fromMicros(spread),
      total: fromMicros(fee + gas + spread),
    },
    wallet: transaction.wallet,
    depositAddress: transaction.depositAddress,
    paymentType: transaction.paymentType,
    paymentId: transaction.paymentId,
    rmtId: transaction.rmtId,
    externalSessionId: transaction.externalSessionId,
    securityAnswer: transaction.securityAnswer,
    allowed: allowedFrom(world, status).map(shown),
    history: transaction.history.map((change) => ({
      status: shown(change.status),
      at: formatInstant(change.at),
    })),
  }
}

/** When it will expire; null where that is not scheduled. */
function showExpiry(world: World, transaction: Transaction): string | null {
  const task = findExpiry(world, transaction)
  return task ? formatInstant(task.at) : null
}
