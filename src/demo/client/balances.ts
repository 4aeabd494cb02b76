import { note } from './session.ts'
import { change, state } from './store.ts'
import { isDone, isOpen, isPending } from './transactions.ts'
import { coinOf } from './words.ts'

const RECEIVED_USDC = 120

/** Coins come from somewhere else: only this wallet knows of them. */
export async function receiveCoins(): Promise<void> {
  const date = new Date(state.now).toISOString()
  const received = { id: `received-${state.received.length + 1}`, amount: RECEIVED_USDC, date }
  change({ received: [...state.received, received] })
  await note({ received })
}

/** Coins that the wallet holds: those it received, and what was bought and sold since. */
export function balanceOf(coin: string): number {
  let balance = coin === 'USDC' ? state.received.length * RECEIVED_USDC : 0
  for (const row of state.transactions) {
    if (coinOf(row.rightSideLabel) === coin && isDone(row)) balance += row.rightSideValue
    const hasLeft = isDone(row) || (isOpen(row) && !isPending(row))
    if (coinOf(row.leftSideLabel) === coin && hasLeft) balance -= row.leftSideValue
  }
  // Coins were sold that came from somewhere this wallet knows nothing of.
  return Math.max(0, Math.round(balance * 1e6) / 1e6)
}

/** Coins that the wallet can sell under a label. */
export const heldOf = (label: string): number => balanceOf(coinOf(label))

/** CAD for one coin, from the two maximums that the limits give. */
export function rateOf(coin: string): number {
  const { CAD, [coin]: bounds } = state.limits ?? {}
  return bounds?.maximum > 0 ? CAD.maximum / bounds.maximum : 0
}
