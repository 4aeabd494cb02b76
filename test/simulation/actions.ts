import type { State } from '../../src/world/state.ts'
import { USER_STATUSES } from '../../src/world/words.ts'
import { NOWHERE } from '../helpers/app.ts'
import {
  cancelTransaction,
  createFor,
  createQuote,
  createTransaction,
  createUser,
  EMAILS,
  importKyc,
  listTransactions,
  readTransaction,
  readUser,
  sendLoginCode,
  someCaller,
  someTransaction,
  someUser,
  updateUser,
  verifyLoginCode,
} from './calls.ts'
import type { Life } from './life.ts'

/** Does something in a life, by one call or a few that belong together. */
type Action = (life: Life) => Promise<void>

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
const STATUSES = [
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'expired',
  'sending USDC',
] as const
const ACCOUNTS = [
  { autodeposit: true },
  { autodeposit: false },
  { maximumCad: 500.25 },
  { maximumCad: null },
  { maximumCad: -1 },
  { loginCode: '0007' },
  { loginCode: null },
] as const
const PERIODS = ['1ms', '1s', '90s', '10m', '30m', '1h', 'PT23H', '24h', '2d'] as const
const RATES = [
  { USDC: { cad: 1.4015 } },
  { USDC: { cad: 1.372911 }, CADC: { cad: 1.01 } },
  { CADC: { cad: 0.999 } },
  { USDC: { cad: 0 } },
] as const
const SETTINGS: readonly [object, ...object[]] = [
  { 'limits.active': 3, 'limits.cancelled': 10 },
  { 'limits.active': 1 },
  { 'limits.cancelled': 1 },
  { 'limits.minimum': 50.5, 'limits.maximum': 800 },
  { 'limits.minimum': 10, 'limits.maximum': 9999 },
  { 'transactions.settlement': 'auto' },
  { 'transactions.settlement': 'manual' },
  { 'quotes.ttl': '1m' },
  { 'quotes.ttl': '30m' },
  { 'quotes.fee': 0.0075 },
  { 'limits.active': -1 },
  { 'no.such': 1 },
]
const RESETS: readonly [object, ...object[]] = [
  {},
  { keep: ['clock'] },
  { keep: ['webhooks'] },
  { seed: 'another' },
]
const BROKEN_STATES: readonly [object, ...object[]] = [
  { formatVersion: 1 },
  { tasks: [{}] },
  { transactions: [{}] },
  { seed: 7 },
]
/** What expires is used just before, at and just after that instant. */
const AROUND = [-1, 0, 1] as const

/** What may happen, and how often each is tried in all lives together. */
const WEIGHTS: readonly [Action, number][] = [
  [createTransaction, 20],
  [moveTransaction, 12],
  [advanceClock, 12],
  [createQuote, 9],
  [cancelTransaction, 7],
  [readTransaction, 4],
  [listTransactions, 4],
  [readUser, 4],
  [createUser, 4],
  [reviewUser, 4],
  [sendLoginCode, 3],
  [setAccount, 3],
  [updateUser, 3],
  [importKyc, 2],
  [useOldQuote, 1.5],
  [setRates, 1.5],
  [changeSettings, 1.5],
  [forceStatus, 1.2],
  [verifyLoginCode, 1],
  [takeSnapshot, 1],
  [restoreSnapshot, 1],
  [useOldToken, 0.7],
  [reset, 0.35],
  [importState, 0.35],
]
/** Each as many times as it weighs in twentieths. */
const HAT = WEIGHTS.flatMap(([action, weight]) => Array<Action>(weight * 20).fill(action)) as [
  Action,
  ...Action[],
]

/** Does any of them; it may find nothing to do. */
export async function act(life: Life): Promise<void> {
  await life.dice.pick(HAT)(life)
}

/** A quote in its last millisecond, or past it. */
async function useOldQuote(life: Life) {
  const caller = await someCaller(life)
  const quote = life.state.quotes.findLast(
    ({ integrator, expiresAt }) =>
      integrator === caller?.integrator.name && expiresAt > life.state.now + 1,
  )
  if (!caller || !quote) return
  await advanceTo(life, quote.expiresAt + life.dice.pick(AROUND))
  await createFor(life, caller, quote)
}

/** A token in its last millisecond, or past it. */
async function useOldToken(life: Life) {
  const { state, tokens } = life
  const token = tokens.findLast(({ expiresAt }) => expiresAt > state.now + 1)
  const key = state.integrators.find(({ name }) => name === token?.integrator)?.apiKey
  if (!token || !key) return
  await advanceTo(life, token.expiresAt + life.dice.pick(AROUND))
  await life.take({ action: 'listTransactions', route: 'GET /v2/transactions', key, token })
}

/** Money moves, or fails to. */
async function moveTransaction(life: Life) {
  const { dice } = life
  const ref = dice.chance(0.02) ? NOWHERE : someTransaction(life)?.id
  const [action, name, body] = dice.pick(MOVES)
  const route = `POST /_sandbox/simulate/transactions/${ref}/${name}`
  if (ref !== undefined) await life.take({ action, route, body, ref })
}

async function forceStatus(life: Life) {
  const ref = someTransaction(life)?.id
  const body = { status: life.dice.pick(STATUSES) }
  const route = `POST /_sandbox/simulate/transactions/${ref}/status`
  if (ref !== undefined) await life.take({ action: 'simulateStatus', route, body, ref })
}

/** A reviewer decides, mostly for the user, now or later. */
async function reviewUser(life: Life) {
  const { dice, state } = life
  const waiting = state.users.find(({ status }) => status !== 'verified')
  const user = dice.chance(0.5) ? waiting : someUser(life)
  const after = dice.chance(0.25) ? { after: dice.pick(['1ms', '30m', '1d']) } : {}
  const status = dice.chance(0.75) ? 'verified' : dice.pick(USER_STATUSES)
  if (user) await onUser(life, user.email, 'kyc', { status, ...after })
}

async function setAccount(life: Life) {
  const { dice } = life
  const email = someUser(life)?.email ?? dice.pick(EMAILS)
  const accessibleBy = dice.pick([['jwt'], ['jwt', 'apiKey'], ['apiKey']])
  if (dice.chance(0.3)) await onUser(life, email, 'access', { accessibleBy })
  else await onUser(life, email, 'account', dice.pick<object>(ACCOUNTS))
}

const USER_SIMULATIONS = {
  kyc: 'simulateKyc',
  access: 'simulateAccess',
  account: 'simulateAccount',
} as const

async function onUser(
  life: Life,
  email: string,
  simulation: keyof typeof USER_SIMULATIONS,
  body: object,
) {
  const ref = life.dice.chance(0.02) ? 'nobody@example.com' : email
  const route = `POST /_sandbox/simulate/users/${encodeURIComponent(ref)}/${simulation}`
  await life.take({ action: USER_SIMULATIONS[simulation], route, body, ref })
}

/** By a length, to what is scheduled next, or to just before, onto or past an instant that matters. */
async function advanceClock(life: Life) {
  const { dice, state } = life
  if (dice.chance(0.2)) return advance(life, { toNext: true })
  if (dice.chance(0.35)) return advance(life, { by: dice.pick(PERIODS) })
  const edge = dice.find(edgesOf(state))
  if (edge === undefined || dice.chance(0.02)) return advanceTo(life, state.now)
  return advanceTo(life, edge + dice.pick(AROUND))
}

const advanceTo = (life: Life, instant: number) =>
  advance(life, { to: new Date(instant).toISOString() })

const advance = (life: Life, body: object) =>
  life.take({ action: 'advanceClock', route: 'POST /_sandbox/clock/advance', body })

const DAY = 86_400_000

/** Instants ahead at which something is scheduled, expires or leaves a window. */
function edgesOf({ now, tasks, quotes, loginCodes, transactions }: State): number[] {
  const next = tasks.slice(0, 3).map(({ at }) => at)
  const expiring = [...quotes.slice(-2), ...loginCodes.slice(-2)].map(({ expiresAt }) => expiresAt)
  const leaving = transactions
    .slice(-6)
    .flatMap(({ createdAt, closedAt }) => [createdAt + DAY, (closedAt ?? now) + DAY])
  return [...next, ...next, ...expiring, ...leaving].filter((instant) => instant > now)
}

async function setRates({ dice, take }: Life) {
  await take({ action: 'putRates', route: 'PUT /_sandbox/rates', body: dice.pick<object>(RATES) })
}

async function changeSettings({ dice, take }: Life) {
  const route = 'PATCH /_sandbox/settings'
  await take({ action: 'patchSettings', route, body: dice.pick(SETTINGS) })
}

async function reset({ dice, take }: Life) {
  await take({ action: 'reset', route: 'POST /_sandbox/reset', body: dice.pick(RESETS) })
}

async function takeSnapshot({ dice, take }: Life) {
  const name = dice.pick(['a', 'b'])
  await take({
    action: 'takeSnapshot',
    route: 'POST /_sandbox/snapshots',
    ...{ body: { name }, ref: name },
  })
}

async function restoreSnapshot({ dice, snapshots, take }: Life) {
  const name = dice.find([...snapshots])
  const route = `POST /_sandbox/snapshots/${name}/restore`
  if (name !== undefined) await take({ action: 'restoreSnapshot', route, body: {} })
}

/** The world written down and read back, or a document that is none. */
async function importState({ dice, state, take }: Life) {
  const broken = dice.chance(0.7) ? undefined : dice.pick(BROKEN_STATES)
  await take({
    action: 'importState',
    route: 'PUT /_sandbox/state',
    body: { ...state, ...broken },
    broken: broken && JSON.stringify(broken),
  })
}
