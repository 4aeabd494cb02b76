import { grossCad } from '../../src/world/price.ts'
import type { Quote, State, Transaction } from '../../src/world/state.ts'
import { type Check, REPLACING, type Scene } from './scene.ts'

const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'

/** The ways of the contract; anything a test forced counts as being processed. */
const WAYS: Record<string, readonly string[]> = {
  [PENDING]: [PROCESSING, 'cancelled', 'expired'],
  [PROCESSING]: ['complete'],
  complete: [],
  cancelled: [],
  expired: [],
}
const isFinal = (status: string) => WAYS[status]?.length === 0

/** Each transaction agrees with itself. */
export const whole: Check = ({ after }) =>
  after.transactions.flatMap((transaction) => {
    const { id, status, history, paymentId, closedAt, createdAt } = transaction
    const last = history.at(-1)
    const wrong: string[] = []
    if ((paymentId !== null) !== isOnChain(transaction)) wrong.push(`paymentId ${paymentId}`)
    if (last?.status !== status) wrong.push(`history ends with ${last?.status}`)
    if (closedAt !== (isFinal(status) ? last?.at : null)) wrong.push(`closedAt ${closedAt}`)
    if (history[0]?.status !== PENDING || history[0].at !== createdAt)
      wrong.push('begins otherwise')
    return wrong.map((what) => `transaction ${id} is ${status} but ${what}`)
  })

/** A sell's coins are on chain once they arrived, a buy's when it is complete. */
export function isOnChain({ side, history }: Pick<Transaction, 'side' | 'history'>): boolean {
  if (side === 'buy') return history.at(-1)?.status === 'complete'
  // A test may have put it back to the start.
  const start = history.findLastIndex(({ status }) => status === PENDING)
  return history.slice(start).some(({ status }) => status === PROCESSING || status === 'complete')
}

/** Fee, gas, spread and what is paid out add up to the left side, to the last millionth. */
export const money: Check = ({ after }) =>
  [...after.quotes, ...after.transactions].flatMap((row) => {
    const { side, fee, gas, spread, leftSide, rightSide, rate } = row
    const name = 'id' in row ? row.id : `quote ${row.quoteId}`
    const all = [fee, gas, spread, leftSide, rightSide, rate]
    if (!all.every(Number.isSafeInteger)) return [`${name} has a part that is not whole`]
    const paidOut = side === 'buy' ? grossCad(rightSide, { side: 'sell', rate }) : rightSide
    const sum = fee + gas + spread + paidOut
    const gross = grossCad(leftSide, row)
    return sum === gross ? [] : [`the parts of ${name} add up to ${sum}, not to ${gross}`]
  })

/** A new transaction is of a verified user, within the limits, at the price of a live quote. */
export const limits: Check = (scene) => {
  const { before, settings, step } = scene
  const made = created(scene)
  if (made.length > 0 && (made.length > 1 || step.action !== 'createTransaction')) {
    return [`${step.action} created ${made.length} transactions`]
  }
  return made.flatMap((transaction) => {
    const { id, userId } = transaction
    const user = before.users.find((known) => known.id === userId)
    const quote = before.quotes.find(({ quoteId }) => quoteId === transaction.quoteId)
    const cad = grossCad(transaction.leftSide, transaction) / 1e6
    const maximum = user?.maximumCad ?? settings['limits.maximum']
    const wrong: string[] = []
    if (cad < settings['limits.minimum'] || cad > maximum) wrong.push(`worth ${cad} CAD`)
    if (user?.status !== 'verified') wrong.push(`made for a user who is ${user?.status}`)
    if (!hasRoom(scene, userId)) wrong.push('made past a counting limit')
    if (!quote || quote.expiresAt <= before.now) wrong.push('made without a live quote')
    if (quote && !hasPriceOf(transaction, quote)) wrong.push('priced otherwise than its quote')
    return wrong.map((what) => `transaction ${id}: ${what}`)
  })
}

/** The counting limits: over all integrators, in the window up to now. */
function hasRoom({ before, settings }: Scene, userId: string): boolean {
  const cutoff = before.now - settings['limits.window']
  const own = before.transactions.filter((row) => row.userId === userId)
  const active = own.filter(({ closedAt, createdAt }) => closedAt === null && createdAt > cutoff)
  const unsuccessful = own.filter(
    ({ status, closedAt }) =>
      (status === 'cancelled' || status === 'expired') && (closedAt ?? 0) > cutoff,
  )
  return (
    active.length < settings['limits.active'] && unsuccessful.length < settings['limits.cancelled']
  )
}

const hasPriceOf = (transaction: Transaction, quote: Quote) =>
  transaction.rate === quote.rate &&
  (transaction.leftSide !== quote.leftSide ||
    (['rightSide', 'fee', 'gas', 'spread'] as const).every(
      (part) => transaction[part] === quote[part],
    ))

/** Statuses follow the table, a final transaction never moves, and nothing else ever changes. */
export const moves: Check = (scene) => {
  const { before, after, step, memory, settings } = scene
  if (REPLACING.has(step.action) || before.transactions === after.transactions) return []
  const later = new Map(after.transactions.map((transaction) => [transaction.id, transaction]))
  const cancellable = settings['transactions.cancellable'] === 'active'
  return before.transactions.flatMap((was) => {
    const is = later.get(was.id)
    if (!is) return [`transaction ${was.id} vanished`]
    const wrong = findChanged(was, is)
    for (let i = was.history.length; i < is.history.length; i++) {
      const from = is.history[i - 1]?.status ?? ''
      const to = is.history[i]?.status ?? ''
      const ways = WAYS[from] ?? WAYS[PROCESSING] ?? []
      const isCancel = cancellable && ways.length > 0 && to === 'cancelled'
      const isWay = ways.includes(to) || isCancel
      if (!isWay && !memory.forced.has(`${was.id} ${i}`)) wrong.push(`moved from ${from} to ${to}`)
    }
    return wrong.map((what) => `transaction ${was.id} ${what}`)
  })
}

const MOVING = ['status', 'history', 'closedAt', 'paymentId']

function findChanged(was: Transaction, is: Transaction): string[] {
  const wrong: string[] = []
  for (const [field, value] of Object.entries(was)) {
    if (MOVING.includes(field)) continue
    const now: unknown = Reflect.get(is, field)
    if (now !== value) wrong.push(`changed its ${field} from ${value} to ${now}`)
  }
  const past = JSON.stringify(is.history.slice(0, was.history.length))
  if (JSON.stringify(was.history) !== past) wrong.push('has another past')
  const grew = is.history.length > was.history.length
  if (!grew && (was.status !== is.status || was.paymentId !== is.paymentId)) {
    wrong.push('moved without a word in its history')
  }
  return wrong
}

/** A call touches the one thing it names; only the clock touches many. */
export const aim: Check = ({ before, after, step, response }) => {
  if (step.action === 'advanceClock' || REPLACING.has(step.action)) return []
  const user = after.users.find(({ email }) => email === step.ref)?.id
  const named = [step.ref, user, response.data.id, step.token?.userId]
  // These name the user by e-mail address.
  const isLogin = /LoginCode$/.test(step.action)
  return (['transactions', 'users'] as const).flatMap((kind) =>
    changedIds(before, after, kind)
      .filter((id) => !named.includes(id) && !(isLogin && kind === 'users'))
      .map((id) => `${step.action} changed ${kind} ${id}`),
  )
}

function changedIds(before: State, after: State, kind: 'transactions' | 'users'): string[] {
  if (before[kind] === after[kind]) return []
  const was = new Map(before[kind].map((row) => [row.id, JSON.stringify(row)]))
  return after[kind].filter((row) => was.get(row.id) !== JSON.stringify(row)).map(({ id }) => id)
}

export function created({ before, after, step }: Scene): Transaction[] {
  if (REPLACING.has(step.action) || before.transactions === after.transactions) return []
  const known = new Set(before.transactions.map(({ id }) => id))
  return after.transactions.filter(({ id }) => !known.has(id))
}
