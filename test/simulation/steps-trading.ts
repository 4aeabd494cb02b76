import type { Integrator, Quote, User } from '../../src/world/state.ts'
import { type Step, toStep } from './scene.ts'
import { advanceTo } from './steps-control.ts'
import { logIn } from './steps-users.ts'
import {
  type Caller,
  keyOf,
  type Make,
  NOWHERE,
  someCaller,
  someTransaction,
  type View,
  validToken,
} from './view.ts'

const COINS = ['USDC-ETH', 'USDC', 'USDC-SOL', 'USDC-POLY', 'CADC', 'CADC-BASE'] as const
export const WALLETS = {
  evm: '0x52908400098527886E0F7030069857D2E4169EE7',
  SOL: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
} as const

export const createQuote: Make = (view) => {
  const integrator = view.dice.find(view.state.integrators)
  return integrator && quoteFor(view, integrator)
}

function quoteFor(view: View, integrator: Integrator): Step {
  const { dice } = view
  const coin = dice.pick(COINS)
  const [left, right] = dice.chance(0.6) ? ['CAD', coin] : [coin, 'CAD']
  const isPair = !dice.chance(0.03)
  const amount = dice.chance(0.05) ? dice.pick(['0', '-5', '1e3', 'NaN', '0.0000001']) : undefined
  const leftSideValue = amount ?? dice.pick(['100', '10', '9999', '0.5', '99.5', '4000.123456'])
  const rightSideLabel = isPair ? right : left
  return toStep(
    'createQuote',
    `GET /v2/quotes?${new URLSearchParams({ leftSideLabel: left, leftSideValue, rightSideLabel })}`,
    { key: keyOf(view, integrator), broken: !isPair || amount !== undefined ? 'quote' : undefined },
  )
}

/** A buy or a sell; without a token or a quote that works, mostly that first. */
export const createTransaction: Make = (view) => {
  const caller = someCaller(view)
  return caller && createFor(view, caller)
}

/** With the quote that is given, or one of the last. */
export function createFor(view: View, caller: Caller, given?: Quote): Step | undefined {
  const { dice, state, plan } = view
  const { user, integrator, token } = caller
  const canLogIn = user.status === 'verified' && token === undefined
  const again: Make = (later) => createFor(later, withToken(later, caller), given)
  if (canLogIn && dice.chance(0.8)) {
    const step = logIn(view, caller)
    plan(again)
    return step
  }
  const quote = given ?? someQuote(view, integrator.name)
  if (!quote) {
    if (dice.chance(0.9)) plan(again)
    return quoteFor(view, integrator)
  }
  const swapped = dice.chance(0.02)
  const right = dice.chance(0.02) ? 'USDC-ARB' : quote.rightSideLabel
  const named = token ? {} : { userId: user.id }
  const isWide = dice.chance(0.02)
  return toStep('createTransaction', 'POST /v2/transactions', {
    key: keyOf(view, integrator),
    token,
    body: {
      leftSideLabel: swapped ? quote.rightSideLabel : quote.leftSideLabel,
      leftSideValue: someAmount(view, quote, user),
      rightSideLabel: swapped ? quote.leftSideLabel : right,
      wallet: someWallet(view, quote),
      quoteId: dice.chance(0.02) ? state.nextQuoteId : quote.quoteId,
      ...(dice.chance(0.3) && { externalSessionId: dice.pick(['s-1', 'é漢🙂', '']) }),
      ...(isWide && { gasId: 1 }),
      ...named,
    },
    broken: isWide ? 'gasId' : undefined,
    ref: user.id,
  })
}

function withToken(view: View, { user, integrator }: Caller): Caller {
  return { user, integrator, token: validToken(view, user, integrator) }
}

function someQuote({ dice, state }: View, integrator: string): Quote | undefined {
  const own = state.quotes.filter((quote) => quote.integrator === integrator)
  const alive = own.filter(({ expiresAt }) => expiresAt > state.now).slice(-4)
  if (dice.chance(0.9)) return dice.find(alive)
  return dice.find(state.quotes)
}

function someWallet({ dice }: View, { side, leftSideLabel, rightSideLabel }: Quote): string {
  const isSolana = (side === 'buy' ? rightSideLabel : leftSideLabel) === 'USDC-SOL'
  const isRight = dice.chance(0.97)
  return isSolana === isRight ? WALLETS.SOL : WALLETS.evm
}

/** Amounts around every bound, in the currency of the left side. */
function someAmount({ dice, settings }: View, quote: Quote, user: User): unknown {
  if (dice.chance(0.55)) return quote.leftSide / 1e6
  if (dice.chance(0.04)) return dice.pick([0, -1, 1e308, 1e-7, '100', 1e9 + 1, null])
  const bound = dice.pick([
    settings['limits.minimum'],
    user.maximumCad ?? settings['limits.maximum'],
    1 + dice.below(9_998),
  ])
  const rate = quote.side === 'buy' ? 1_000_000 : quote.rate
  const exact = Math.round((bound * 1e12) / rate)
  return (exact + dice.pick([0, 0, 1, -1, 10_000, -10_000])) / 1e6
}

export const readTransaction: Make = (view) =>
  onTransaction(view, (id) => toStep('getTransaction', `GET /v2/transactions/${id}`))

export const cancelTransaction: Make = (view) =>
  onTransaction(view, (id) => toStep('cancelTransaction', `PUT /v2/transactions/${id}/cancel`))

/** The right integrator and user for a transaction, seldom others; mostly after a login. */
function onTransaction(view: View, make: (id: string) => Step): Step | undefined {
  const { dice, state } = view
  const transaction = someTransaction(view)
  const isStranger = dice.chance(0.05) || !transaction
  const caller = isStranger ? someCaller(view) : ownerOf(view, transaction)
  if (!caller) return undefined
  const id = !transaction || dice.chance(0.02) ? NOWHERE : transaction.id
  const key = dice.chance(0.97) ? caller.integrator.apiKey : dice.find(state.integrators)?.apiKey
  const withCaller = (later: View): Step => ({
    ...make(id),
    key,
    token: withToken(later, caller).token ?? caller.token,
    ref: id,
  })
  if (caller.token || caller.user.status !== 'verified' || dice.chance(0.2)) return withCaller(view)
  const step = logIn(view, caller)
  view.plan(withCaller)
  return step
}

function ownerOf(view: View, owned: { userId: string; integrator: string }): Caller | undefined {
  const user = view.state.users.find(({ id }) => id === owned.userId)
  const integrator = view.state.integrators.find(({ name }) => name === owned.integrator)
  if (!user || !integrator) return undefined
  return { user, integrator, token: validToken(view, user, integrator) }
}

export const listTransactions: Make = (view) => {
  const { dice } = view
  const caller = someCaller(view)
  if (!caller) return undefined
  if (!caller.token && caller.user.status === 'verified' && dice.chance(0.8)) {
    return logIn(view, caller)
  }
  const { integrator, token, user } = caller
  const limit = dice.pick(['', '1', '2', '3', '100', '0', '101', 'x'])
  const offset = dice.pick(['', '0', '1', '2', '7', '999999999', '-1', '1.5'])
  const isBroken = ['0', '101', 'x'].includes(limit) || ['-1', '1.5'].includes(offset)
  const query = new URLSearchParams({ ...(limit && { limit }), ...(offset && { offset }) })
  if (!token) query.set('userId', user.id)
  return toStep('listTransactions', `GET /v2/transactions?${query}`, {
    key: keyOf(view, integrator),
    token,
    broken: isBroken ? `limit=${limit} offset=${offset}` : undefined,
    ref: user.id,
  })
}

/** Uses things that expire just before, at and just after that instant. */
const AROUND = [-1, 0, 1] as const

/** A quote in its last millisecond, or past it. */
export const useOldQuote: Make = (view) => {
  const { dice, state } = view
  const caller = someCaller(view)
  const quote = state.quotes.findLast(
    ({ integrator, expiresAt }) =>
      integrator === caller?.integrator.name && expiresAt > state.now + 1,
  )
  if (!caller || !quote) return undefined
  view.plan((later) => createFor(later, caller, quote))
  return advanceTo(quote.expiresAt + dice.pick(AROUND))
}

/** A token in its last millisecond, or past it. */
export const useOldToken: Make = (view) => {
  const { dice, state, memory } = view
  const token = memory.tokens.findLast(({ expiresAt }) => expiresAt > state.now + 1)
  const integrator = state.integrators.find(({ name }) => name === token?.integrator)
  if (!token || !integrator) return undefined
  const { apiKey: key } = integrator
  view.plan(() =>
    toStep('listTransactions', 'GET /v2/transactions', { key, token, ref: token.userId }),
  )
  return advanceTo(token.expiresAt + dice.pick(AROUND))
}
