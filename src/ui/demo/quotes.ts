import type { QuoteResponse } from '../../http/v2/shapes.ts'
import { api } from './api.ts'
import { heldLabels, heldOf } from './balances.ts'
import { coinOf, decimalsOf, formatAmount, parseAmount } from './format.ts'
import { change, type Side, state } from './store.ts'

/** State of the wallet while no order is open or being made. */
export const NOTHING_OPEN = { transaction: null, quote: null, isChoosing: false }

/** Opens the amount screen; a sell begins with a coin that is held. */
export async function startOrder(side: Side): Promise<void> {
  const [held] = heldLabels()
  if (side === 'sell' && held === undefined)
    return change({ notice: 'You have no coins to sell. Buy some first, or receive some.' })
  if (side === 'sell' && held && heldOf(state.coin) === 0) change({ coin: held })
  const amount = side === 'buy' ? '250' : String(Math.min(100, heldOf(state.coin)))
  change({ ...NOTHING_OPEN, side, screen: 'amount', amount })
  await askQuote()
}

/** Limits of one order, in the currency that the user pays with. */
export function boundsOf(): { minimum: number; maximum: number } | undefined {
  return state.limits?.[state.side === 'buy' ? 'CAD' : coinOf(state.coin)]
}

/** Finds what is wrong with the typed amount. The provider is only asked for a quote of a valid one. */
export function findAmountProblem(): string | undefined {
  const { amount, side, coin } = state
  const value = parseAmount(amount)
  const { minimum = 0, maximum = Infinity } = boundsOf() ?? {}
  const count = side === 'buy' ? 2 : 6
  const show = (of: number) => formatAmount(of, side === 'buy' ? 'CAD' : coin)
  if (!value) return 'Enter an amount in digits, such as 250.'
  if (decimalsOf(amount) > count) return `At most ${count} decimals.`
  if (value < minimum) return `The minimum per order is ${show(minimum)}.`
  if (value > maximum) return `The maximum per order is ${show(maximum)}.`
  const isTooMuch = side === 'sell' && value > heldOf(coin)
  return isTooMuch ? `You hold ${show(heldOf(coin))}.` : undefined
}

export function labelsOf() {
  const { side, coin } = state
  return side === 'buy'
    ? { leftSideLabel: 'CAD', rightSideLabel: coin }
    : { leftSideLabel: coin, rightSideLabel: 'CAD' }
}

export async function askQuote(): Promise<void> {
  const { amount, coin } = state
  if (findAmountProblem() !== undefined) return
  const value = String(parseAmount(amount))
  const { leftSideLabel, rightSideLabel } = labelsOf()
  const query = new URLSearchParams({ leftSideLabel, leftSideValue: value, rightSideLabel })
  const quote = await api<QuoteResponse>('GET', `/quotes?${query}`)
  // If the user typed on meanwhile, another quote is on its way.
  if (state.amount !== amount || state.coin !== coin) return
  change({ quote, rates: { ...state.rates, [coinOf(coin)]: quote.rate ?? 0 } })
}

export const isQuoteExpired = (): boolean =>
  state.quote !== null && Date.parse(state.quote.expiresAt ?? '') <= state.now
