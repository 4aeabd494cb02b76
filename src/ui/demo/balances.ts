import type { QuoteResponse } from '../../http/v2/shapes.ts'
import { api } from './api.ts'
import { COINS } from './coins.ts'
import { customer, note } from './customer.ts'
import { coinOf } from './format.ts'
import { holdingsOf, type Received } from './holdings.ts'
import { change, state } from './store.ts'

const RECEIVED_USDC = 120
/** Amount of a quote that is only asked for its rate. */
const QUOTED_COINS = 100

/** Receives coins from another wallet, on the chosen network. */
export async function receiveCoins(): Promise<void> {
  const { received } = customer()
  const coins: Received = {
    id: `received-${received.length + 1}`,
    label: coinOf(state.coin) === 'USDC' ? state.coin : 'USDC-ETH',
    amount: RECEIVED_USDC,
    date: new Date(state.now).toISOString(),
  }
  note({ received: [...received, coins] })
  await askRates()
}

/** Coins under a label; below zero where a program sold coins that this wallet never had. */
export const balanceOf = (label: string): number =>
  holdingsOf(state.transactions, customer().received).get(label) ?? 0

/** Coins that the wallet can sell under a label. */
export const heldOf = (label: string): number => Math.max(0, balanceOf(label))

/** Labels of the coins that the wallet holds. */
export const heldLabels = (): string[] =>
  COINS.map(({ label }) => label).filter((label) => heldOf(label) > 0)

/** CAD for one coin, by the last quote. */
export const rateOf = (label: string): number => state.rates[coinOf(label)] ?? 0

/** Asks for the present rate of each coin that is held. */
export async function askRates(): Promise<void> {
  const labels = new Map(heldLabels().map((label) => [coinOf(label), label]))
  for (const [coin, label] of labels) {
    const query = new URLSearchParams({
      leftSideLabel: label,
      leftSideValue: String(QUOTED_COINS),
      rightSideLabel: 'CAD',
    })
    const { rate = 0 } = await api<QuoteResponse>('GET', `/quotes?${query}`)
    change({ rates: { ...state.rates, [coin]: rate } })
  }
}
