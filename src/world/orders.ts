import { newAddress, toPair } from './coins.ts'
import { DomainError } from './domain-error.ts'
import { GIVEN_NAMES, type Given, toGiven } from './fields.ts'
import type { Side } from './money.ts'
import { suggest } from './nearest.ts'
import { addQuote, newQuote } from './quotes.ts'
import type { Integrator, Transaction, User } from './state.ts'
import { addTransaction, type Caller, priceTransaction } from './transactions.ts'
import { getUser } from './users.ts'
import { toVisible } from './word-list.ts'
import type { World } from './world.ts'

/** Default coin: the one in the contract's example. */
const DEFAULT_COIN = 'USDC-ETH'

export interface OrderRequest extends Partial<Given> {
  side: Side
  /** CAD for a buy, coins for a sell. */
  amount: number
  coin?: string | undefined
  wallet?: string | undefined
}

/** Quotes and creates a transaction, as an integrator would. If either fails, nothing is added. */
export function placeOrder(world: World, caller: Caller, order: OrderRequest): Transaction {
  const { side, amount, coin = DEFAULT_COIN } = order
  getUser(world, caller.integrator, caller.user.id)
  const [leftSideLabel, rightSideLabel] = side === 'buy' ? ['CAD', coin] : [coin, 'CAD']
  const asked = { leftSideLabel, leftSideValue: amount, rightSideLabel }
  const quote = newQuote(world, caller.integrator, asked)
  const { quoteId } = quote
  const request = {
    leftSideLabel,
    leftSideValue: amount,
    rightSideLabel,
    quoteId,
    wallet: order.wallet ?? walletOf(world, caller.user, toPair(asked).chain),
    ...givenFor(world, order, quoteId),
  }
  const priced = priceTransaction(world, caller, request, quote)
  addQuote(world, quote)
  return addTransaction(world, caller, { request, priced })
}

/** By default each user has one wallet, derived from the user's id. */
export function walletOf(world: World, { id }: User, chain: string): string {
  return newAddress(world.random('fixture-wallet', id, 1), chain)
}

/** A setting may require all of them. */
function givenFor({ settings }: World, order: OrderRequest, quoteId: number): Given {
  const given = toGiven(order)
  if (settings['transactions.required'] !== 'all') return given
  for (const name of GIVEN_NAMES) given[name] ??= `order-${quoteId}`
  return given
}

/** Picks the integrator that acts for the user: the named one, else the user's first. */
export function getIntegratorFor(
  { integrators, integratorsByName }: World,
  user: User,
  named: string = user.integrators[0] ?? integrators[0]?.name ?? '',
): Integrator {
  const integrator = integratorsByName.get(named)
  if (integrator) return integrator
  const message = describeUnknownIntegrator(named, [...integratorsByName.keys()])
  throw new DomainError('invalid', message, { field: 'integrator' })
}

export const describeUnknownIntegrator = (name: string, known: readonly string[]): string =>
  `There is no integrator ${toVisible(name)}${suggest(name, known)}`
