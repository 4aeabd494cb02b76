import type { Settings } from '../../src/world/settings/index.ts'
import type { Quote, State, User } from '../../src/world/state.ts'
import { type Authenticated, expectSubject, type Situation } from './access.ts'
import { chainOf, grossOf, priceOf, toAmount } from './prices.ts'

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
  const side = order.leftSideLabel === 'CAD' ? 'buy' : 'sell'
  if (side === 'sell' && order.rightSideLabel !== 'CAD') return 400
  if (toAmount(order.leftSideValue, { side }, settings) === undefined) return 400
  if (!isWallet(order.wallet, chainOfQuote({ ...order, side }, settings))) return 400
  const quote = before.quotes.find(({ quoteId }) => quoteId === order.quoteId)
  if (quote?.integrator !== integrator.name) return 400
  if (quote.expiresAt <= before.now) return settings['status.quote-expired']
  if (!fits(quote, order)) return 400
  const isUsed = before.transactions.some(({ quoteId }) => quoteId === quote.quoteId)
  if (isUsed && settings['status.quote-spent'] >= 400) return 400
  return isWithinBounds({ order, quote, user }, situation) && hasRoom(before, user, situation)
    ? 200
    : 400
}

function fits(quote: Quote, order: Order): boolean {
  const { leftSideLabel, rightSideLabel } = quote
  return leftSideLabel === order.leftSideLabel && rightSideLabel === order.rightSideLabel
}

type Traded = Pick<Quote, 'side' | 'leftSideLabel' | 'rightSideLabel'>

export const chainOfQuote = (
  { side, leftSideLabel, rightSideLabel }: Traded,
  settings: Settings,
): string => chainOf(side === 'buy' ? rightSideLabel : leftSideLabel, settings)

const isWallet = (wallet: string, chain: string) =>
  chain === 'SOL' ? /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(wallet) : /^0x[\da-f]{40}$/i.test(wallet)

function isWithinBounds(
  { order, quote, user }: { order: Order; quote: Quote; user: User },
  { settings }: Situation,
): boolean {
  const leftSide = toAmount(Number(order.leftSideValue), quote, settings)
  if (leftSide === undefined) return false
  if (leftSide !== quote.leftSide && settings['status.quote-amount'] >= 400) return false
  const { side, rate } = quote
  const { rightSide } = priceOf(
    { side, rate, leftSide, chain: chainOfQuote(quote, settings) },
    settings,
  )
  const maximum = user.maximumCad ?? settings['limits.maximum']
  const cad =
    side === 'buy' ? Number(order.leftSideValue) : Number(grossOf({ side, rate, leftSide })) / 1e6
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
