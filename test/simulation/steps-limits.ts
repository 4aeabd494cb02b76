import type { Transaction } from '../../src/world/state.ts'
import type { Step } from './scene.ts'
import { advanceTo } from './steps-control.ts'
import { WALLETS } from './steps-trading.ts'
import { logIn } from './steps-users.ts'
import { type Caller, type Make, someCaller, type View, validToken } from './view.ts'

/** Just before a transaction leaves a window, at that instant, and just after. */
const AROUND = [-1, 0, 1] as const
/** Limits that a test set higher are not worth the steps. */
const REACHABLE_MAX = 12

/** As many active ones as are allowed, kept from expiring, until the oldest leaves the window. */
export const hoard: Make = (view) => {
  const { plan, settings } = view
  const caller = someCaller(view)
  const limit = settings['limits.active']
  if (caller?.user.status !== 'verified' || limit > REACHABLE_MAX) return undefined
  for (let i = 0; i <= limit; i++) plan((later) => buyPlainly(later, caller))
  for (let i = 0; i < limit; i++) plan((later) => payFor(later, caller))
  plan((later) => {
    const [oldest] = ownOf(later, caller).filter((row) => isCounted(later, row.createdAt, row))
    return oldest && leaveWindow(later, oldest.createdAt)
  })
  plan((later) => buyPlainly(later, caller))
  return buyPlainly(view, caller)
}

/** As many cancelled ones as are allowed, until the oldest leaves the window. */
export const churn: Make = (view) => {
  const { plan, settings } = view
  const caller = someCaller(view)
  const limit = settings['limits.cancelled']
  if (caller?.user.status !== 'verified' || limit > REACHABLE_MAX) return undefined
  for (let i = 0; i < limit; i++) {
    plan((later) => buyPlainly(later, caller))
    plan((later) => withdraw(later, caller))
  }
  plan((later) => buyPlainly(later, caller))
  plan((later) => {
    const failed = ownOf(later, caller).filter(({ status }) => FAILED.includes(status))
    const counted = failed.map(({ closedAt }) => closedAt ?? 0).filter((at) => isInside(later, at))
    return counted.length > 0 ? leaveWindow(later, Math.min(...counted)) : undefined
  })
  plan((later) => buyPlainly(later, caller))
  return buyPlainly(view, caller)
}

const FAILED = ['cancelled', 'expired']

const ownOf = ({ state }: View, { user }: Caller) =>
  state.transactions.filter(({ userId }) => userId === user.id)

const isInside = ({ state, settings }: View, at: number) =>
  at > state.now - settings['limits.window']

const isCounted = (view: View, at: number, { closedAt }: Transaction) =>
  closedAt === null && isInside(view, at)

function leaveWindow({ dice, settings, state }: View, at: number): Step | undefined {
  const instant = at + settings['limits.window'] + dice.pick(AROUND)
  return instant > state.now ? advanceTo(instant) : undefined
}

/** A buy that nothing but a counting limit can refuse, with its own login and quote before it. */
function buyPlainly(view: View, caller: Caller): Step | undefined {
  const { state, plan, settings } = view
  const { user, integrator } = caller
  const token = validToken(view, user, integrator)
  const again: Make = (later) => buyPlainly(later, caller)
  if (!token) {
    const step = logIn(view, caller)
    plan((later) => (validToken(later, user, integrator) ? again(later) : undefined))
    return step
  }
  const isSingle = settings['status.quote-spent'] >= 400
  const quote = state.quotes.findLast(
    ({ expiresAt, leftSide, rightSideLabel, integrator: owner, uses }) =>
      expiresAt > state.now &&
      leftSide === 100_000_000 &&
      rightSideLabel === 'USDC-ETH' &&
      owner === integrator.name &&
      !(isSingle && uses > 0),
  )
  const { apiKey: key } = integrator
  if (!quote) {
    plan(again)
    const path = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
    return { action: 'createQuote', method: 'GET', path, key }
  }
  const { quoteId, leftSideLabel, rightSideLabel } = quote
  const labels = { leftSideLabel, leftSideValue: 100, rightSideLabel }
  return {
    action: 'createTransaction',
    method: 'POST',
    path: '/v2/transactions',
    key,
    token,
    body: { ...labels, wallet: WALLETS.evm, quoteId },
    ref: user.id,
  }
}

const payFor = (view: View, caller: Caller) => onPending(view, caller, 'funds-received')
const withdraw = (view: View, caller: Caller) => onPending(view, caller, 'cancelled')

const ACTIONS = {
  'funds-received': 'simulateFundsReceived',
  cancelled: 'simulateCancelled',
} as const

function onPending(view: View, caller: Caller, move: keyof typeof ACTIONS): Step | undefined {
  const pending = ownOf(view, caller).find(({ status }) => status.startsWith('pending'))
  if (!pending) return undefined
  const path = `/_sandbox/simulate/transactions/${pending.id}/${move}`
  return { action: ACTIONS[move], method: 'POST', path, body: {}, ref: pending.id }
}
