import { USER_STATUSES } from '../../src/world/state.ts'
import { type Step, toStep } from './scene.ts'
import { EMAILS, type Make, NOWHERE, someTransaction, someUser, type View } from './view.ts'

const SIMULATE = '/_sandbox/simulate'
const STATUSES = [
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'expired',
  'sending USDC',
] as const

const MOVES = [
  ['simulateFundsReceived', 'funds-received', {}],
  ['simulateFundsReceived', 'funds-received', {}],
  ['simulateFundsReceived', 'funds-received', { paymentId: '0xbeef' }],
  ['simulateSettled', 'settled', {}],
  ['simulateSettled', 'settled', { through: true }],
  ['simulateSettled', 'settled', { paymentId: '0xfeed' }],
  ['simulateBankRefused', 'bank-refused', {}],
  ['simulateExpired', 'expired', {}],
  ['simulateCancelled', 'cancelled', {}],
] as const

/** Money moves, or fails to. */
export const moveTransaction: Make = (view) => {
  const { dice } = view
  const id = dice.chance(0.02) ? NOWHERE : someTransaction(view)?.id
  if (id === undefined) return undefined
  const [action, name, body] = dice.pick(MOVES)
  const path = `${SIMULATE}/transactions/${id}/${name}`
  return { action, method: 'POST', path, body, ref: id }
}

export const forceStatus: Make = (view) => {
  const transaction = someTransaction(view)
  if (!transaction) return undefined
  const path = `${SIMULATE}/transactions/${transaction.id}/status`
  const body = { status: view.dice.pick(STATUSES), force: true }
  return { action: 'simulateStatus', method: 'POST', path, body, ref: transaction.id }
}

/** A reviewer decides, mostly for the user, now or later. */
export const reviewUser: Make = (view) => {
  const { dice } = view
  const user = dice.chance(0.5)
    ? view.state.users.find(({ status }) => status !== 'verified')
    : someUser(view)
  if (!user) return undefined
  const after = dice.chance(0.25) ? { after: dice.pick(['1ms', '30m', '1d']) } : {}
  const status = dice.chance(0.75) ? 'verified' : dice.pick(USER_STATUSES)
  return onUser(view, user.email, {
    action: 'simulateKyc',
    name: 'kyc',
    body: { status, ...after },
  })
}

export const setAccount: Make = (view) => {
  const { dice } = view
  const name = someUser(view)?.email ?? dice.pick(EMAILS)
  if (dice.chance(0.3)) {
    const accessibleBy = dice.pick([['jwt'], ['jwt', 'apiKey'], ['apiKey']])
    return onUser(view, name, { action: 'simulateAccess', name: 'access', body: { accessibleBy } })
  }
  const body = dice.pick([
    { autodeposit: true },
    { autodeposit: false },
    { maximumCad: 500.25 },
    { maximumCad: null },
    { maximumCad: -1 },
    { loginCode: '0007' },
    { loginCode: null },
  ])
  return onUser(view, name, { action: 'simulateAccount', name: 'account', body })
}

interface OnUser {
  action: string
  name: string
  body: object
}

function onUser({ dice }: View, email: string, { action, name, body }: OnUser): Step {
  const ref = dice.chance(0.02) ? 'nobody@example.com' : email
  const path = `${SIMULATE}/users/${encodeURIComponent(ref)}/${name}`
  return { action, method: 'POST', path, body, ref }
}

const PERIODS = ['1ms', '1s', '90s', '10m', '30m', '1h', 'PT23H', '24h', '2d'] as const

/** By a length, to what is scheduled next, or to just before, onto or past an instant that matters. */
export const advanceClock: Make = ({ dice, state }) => {
  if (dice.chance(0.2)) return advance({ toNext: true })
  if (dice.chance(0.35)) return advance({ by: dice.pick(PERIODS) })
  const edge = dice.find(edgesOf(state))
  if (edge === undefined || dice.chance(0.02)) return advanceTo(state.now)
  return advanceTo(edge + dice.pick([-1, 0, 1]))
}

export const advanceTo = (instant: number): Step => advance({ to: toText(instant) })

const advance = (body: object): Step =>
  toStep('advanceClock', 'POST /_sandbox/clock/advance', { body })

const DAY = 86_400_000

/** Instants ahead at which something is scheduled, expires or leaves a window. */
function edgesOf({ now, tasks, quotes, loginCodes, transactions }: View['state']): number[] {
  const next = tasks.slice(0, 3).map(({ at }) => at)
  const lapsing = [...quotes.slice(-2), ...loginCodes.slice(-2)].map(({ expiresAt }) => expiresAt)
  const leaving = transactions
    .slice(-6)
    .flatMap(({ createdAt, closedAt }) => [createdAt + DAY, (closedAt ?? now) + DAY])
  return [...next, ...next, ...lapsing, ...leaving].filter((instant) => instant > now)
}

const toText = (instant: number) => new Date(instant).toISOString()

export const setRates: Make = ({ dice }) =>
  toStep('putRates', 'PUT /_sandbox/rates', {
    body: dice.pick([
      { USDC: { cad: 1.4015 } },
      { USDC: { cad: 1.372911 }, CADC: { cad: 1.01 } },
      { CADC: { cad: 0.999 } },
      { USDC: { cad: 0 } },
    ]),
  })

export const changeSettings: Make = ({ dice }) =>
  toStep('patchSettings', 'PATCH /_sandbox/settings', {
    body: dice.pick<object>([
      { 'limits.active': 3, 'limits.cancelled': 10 },
      { 'limits.active': 1 },
      { 'limits.cancelled': 1 },
      { 'limits.window': '24h' },
      { 'limits.window': '1h' },
      { 'limits.minimum': 50.5, 'limits.maximum': 800 },
      { 'limits.minimum': 10, 'limits.maximum': 9999 },
      { 'transactions.settlement': 'auto' },
      { 'transactions.settlement': 'manual' },
      { 'transactions.buyWindow': '10m' },
      { 'transactions.buyWindow': '1h' },
      { 'quotes.ttl': '1m' },
      { 'quotes.ttl': '30m' },
      { 'quotes.fee': 0.0075 },
      { 'limits.active': -1 },
      { 'no.such': 1 },
    ]),
  })

export const reset: Make = ({ dice }) =>
  toStep('reset', 'POST /_sandbox/reset', {
    body: dice.pick<object>([{}, { keep: ['clock'] }, { keep: ['webhooks'] }, { seed: 'another' }]),
  })

export const takeSnapshot: Make = ({ dice }) => {
  const name = dice.pick(['a', 'b'])
  const path = '/_sandbox/snapshots'
  return { action: 'takeSnapshot', method: 'POST', path, body: { name }, ref: name }
}

export const restoreSnapshot: Make = ({ dice, memory }) => {
  const name = dice.find([...memory.snapshots.keys()])
  if (name === undefined) return undefined
  const path = `/_sandbox/snapshots/${name}/restore`
  return { action: 'restoreSnapshot', method: 'POST', path, body: {}, ref: name }
}

/** The world written down and read back, or a document that is none. */
export const importState: Make = ({ dice, state }) => {
  const step: Step = toStep('importState', 'PUT /_sandbox/state', { body: state })
  if (dice.chance(0.7)) return step
  const broken = dice.pick<object>([
    { formatVersion: 2 },
    { tasks: [{}] },
    { transactions: [{}] },
    { seed: 7 },
  ])
  return { ...step, body: { ...state, ...broken }, broken: JSON.stringify(broken) }
}
