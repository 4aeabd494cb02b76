import type { TransactionResponse } from '../../http/v2/shapes.ts'
import { coinLabel, isBuy, isDone, isOver } from './transactions.ts'

/** Coins that came from another wallet; the provider knows nothing of them. */
export interface Received {
  id: string
  label: string
  amount: number
  date: string
}

const MICRO = 1_000_000

/**
 * Coins of a customer by label, as each network has its own: those received, plus those bought once
 * the order is complete, minus those sold from the moment the order is placed, unless it was
 * cancelled or expired.
 */
export function holdingsOf(
  orders: readonly TransactionResponse[],
  received: readonly Received[],
): ReadonlyMap<string, number> {
  const micros = new Map<string, number>()
  const add = (label: string, amount: number) =>
    micros.set(label, (micros.get(label) ?? 0) + Math.round(amount * MICRO))
  for (const { label, amount } of received) add(label, amount)
  for (const order of orders) {
    if (isBuy(order)) {
      if (isDone(order)) add(coinLabel(order), order.rightSideValue)
    } else if (!isOver(order)) {
      add(coinLabel(order), -order.leftSideValue)
    }
  }
  return new Map([...micros].map(([label, amount]) => [label, amount / MICRO]))
}
