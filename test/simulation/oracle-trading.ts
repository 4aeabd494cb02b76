import type { Quote, State, Transaction, User } from '../../src/world/state.ts'
import { type Authenticated, expectSubject, type Situation } from './access.ts'
import { chainOf, grossOf, priceOf } from './prices.ts'

interface Order {
  leftSideLabel: string
  leftSideValue: unknown
  rightSideLabel: string
  wallet: string
  quoteId: number
}

/** Whether a transaction must be taken: the rules of the contract once more, from its prose. */
export function expectTransaction(situation: Situation, authenticated: Authenticated): number {
  const { step, before, settings } = situation
  const { integrator } = authenticated
  if (!authenticated.user && !integrator.actsWithoutToken) return 401
  const order = step.body as Order
  if (typeof order.leftSideValue !== 'number') return 400
  const refused = expectSubject(situation, authenticated)
  if (refused) return refused
  if (step.broken) return 400
  const user = authenticated.user ?? before.users.find(({ id }) => id === step.ref)
  if (user?.status !== 'verified') return 403
  const quote = before.quotes.find(({ quoteId }) => quoteId === order.quoteId)
  if (!quote || !fits(quote, order) || quote.integrator !== integrator.name) return 400
  if (quote.expiresAt <= before.now) return 400
  const isUsed = before.transactions.some(({ quoteId }) => quoteId === quote.quoteId)
  if (isUsed && settings['quotes.reuse'] === 'single') return 400
  if (!isWallet(order.wallet, chainOfQuote(quote))) return 400
  return isWithinBounds({ order, quote, user }, situation) && hasRoom(before, user, situation)
    ? 200
    : 400
}

function fits(quote: Quote, order: Order): boolean {
  const { leftSideLabel, rightSideLabel } = quote
  return leftSideLabel === order.leftSideLabel && rightSideLabel === order.rightSideLabel
}

export const chainOfQuote = ({ side, leftSideLabel, rightSideLabel }: Quote | Transaction) =>
  chainOf(side === 'buy' ? rightSideLabel : leftSideLabel)

const isWallet = (wallet: string, chain: string) =>
  chain === 'SOL' ? /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(wallet) : /^0x[\da-f]{40}$/i.test(wallet)

function isWithinBounds(
  { order, quote, user }: { order: Order; quote: Quote; user: User },
  { settings }: Situation,
): boolean {
  const value = Number(order.leftSideValue)
  const leftSide = Math.round(value * 1e6)
  if (!(value > 0) || value > 1e9 || leftSide / 1e6 !== value) return false
  if (leftSide !== quote.leftSide && settings['transactions.quoteMismatch'] === 'strict')
    return false
  const { side, rate } = quote
  const { rightSide } = priceOf({ side, rate, leftSide, chain: chainOfQuote(quote) }, settings)
  const maximum = user.maximumCad ?? settings['limits.maximum']
  const cad = Number(grossOf({ side, rate, leftSide })) / 1e6
  return rightSide > 0n && cad >= settings['limits.minimum'] && cad <= maximum
}

/** The counting limits: over all integrators, in the window up to now. */
export function hasRoom(
  state: State,
  user: Pick<User, 'id'>,
  { settings }: Pick<Situation, 'settings'>,
) {
  const cutoff = state.now - settings['limits.window']
  const own = state.transactions.filter(({ userId }) => userId === user.id)
  const active = own.filter(({ closedAt, createdAt }) => closedAt === null && createdAt > cutoff)
  const unsuccessful = own.filter(({ status, closedAt, createdAt }) => {
    const from = settings['limits.cancelled.from'] === 'closed' ? (closedAt ?? 0) : createdAt
    return (status === 'cancelled' || status === 'expired') && from > cutoff
  })
  return (
    active.length < settings['limits.active'] && unsuccessful.length < settings['limits.cancelled']
  )
}
