import { DomainError } from './domain-error.ts'
import { HOUR } from './duration.ts'
import { CENT, fromMicros, MICRO, type Micros } from './money.ts'
import { plural } from './plural.ts'
import { grossCad } from './price.ts'
import { CONSTANTS } from './settings/constants.ts'
import type { ErrorCode } from './settings/errors.ts'
import { COINS, type Quote, type Transaction, type User } from './state.ts'
import { listFirst } from './word-list.ts'
import type { World } from './world.ts'

export interface Limits {
  leftSideCurrency: Record<string, { minimum: number; maximum: number }>
}

/** Bounds of one transaction, by the currency the user pays with, at the current rates. */
export function getLimits(world: World, user: User | undefined): Limits {
  const maximum = maximumCad(world, user)
  const minimum = Math.min(world.settings['limits.selfServeMinimum'], maximum)
  const limits: Limits = { leftSideCurrency: { CAD: { minimum, maximum } } }
  for (const coin of COINS) {
    const rate = Math.round(world.rates[coin].cad * MICRO)
    const max = toCoins(maximum, rate, Math.floor)
    // Rounding up could put a minimum above an equal maximum.
    const min = Math.min(toCoins(minimum, rate, Math.ceil), max)
    limits.leftSideCurrency[coin] = { minimum: min, maximum: max }
  }
  return limits
}

/** Converts a CAD bound to coins with two decimals, rounded towards the inside of the bound. */
function toCoins(cad: number, rate: Micros, round: (value: number) => number): number {
  return fromMicros(round((cad * MICRO * MICRO) / rate / CENT) * CENT)
}

export function maximumCad(world: World, user: User | undefined): number {
  return user?.maximumCad ?? world.settings['limits.maximum']
}

/** The bounds apply to the amount as sent, before it is rounded to cents. */
export function assertValue(world: World, user: User, priced: Asked): void {
  const cad = priced.side === 'buy' ? priced.asked : fromMicros(grossCad(priced.leftSide, priced))
  const minimum = world.settings['limits.minimum']
  if (cad < minimum) throw newValueError('limit-minimum', `at least ${minimum}`, { cad, priced })
  const maximum = maximumCad(world, user)
  if (cad > maximum) throw newValueError('limit-maximum', `at most ${maximum}`, { cad, priced })
}

/** Names the rate of a sell, because the limits that a client reads follow the current one. */
function newValueError(
  code: ErrorCode,
  bound: string,
  { cad, priced }: { cad: number; priced: Asked },
): DomainError {
  const isSell = priced.side === 'sell'
  const at = isSell ? ` at the rate of its quote (${fromMicros(priced.rate)})` : ''
  const message = `A transaction must be worth ${bound} CAD; this one is worth ${cad} CAD${at}.`
  const hint = isSell
    ? 'The API shows limits in coins at the current rate, but this check uses the rate of the quote.'
    : undefined
  return new DomainError(code, message, { rule: 'Limits: Per transaction', hint })
}

interface Asked extends Pick<Quote, 'side' | 'rate' | 'leftSide'> {
  /** In whole units of the left side. */
  asked: number
}

/** Rejects one more transaction of a user with too many active, or too many unsuccessful ones. */
export function assertCounts(world: World, user: User): void {
  const activeMax = world.settings['limits.active']
  // Most users have made fewer in all, and looking at each would slow down every creation.
  const mayBeMany = world.transactionsOf(user.id).length >= activeMax
  const active = mayBeMany ? findActive(world, user) : []
  if (mayBeMany && active.length >= activeMax) {
    // The newest first.
    const ids = active.map(({ id }) => id).reverse()
    if (activeMax === 0) throw newNoneError('limit-active', 'limits.active')
    const message = `At most ${plural(activeMax, 'transaction')} may be active at once; finish or cancel one first.`
    throw new DomainError('limit-active', message, {
      rule: 'Limits: Active transactions',
      hint: `Active: ${listFirst(ids, LISTED_MAX)}. Only transactions created in the last ${WINDOW} count.`,
    })
  }
  const unsuccessfulMax = world.settings['limits.cancelled']
  if (unsuccessfulMax === 0) throw newNoneError('limit-cancelled', 'limits.cancelled')
  const { length: count } = findUnsuccessful(world, user)
  if (count >= unsuccessfulMax) {
    const were = `${plural(count, 'transaction')} ${count === 1 ? 'was' : 'were'}`
    const message = `${were} cancelled or expired in the last ${WINDOW}; try again later.`
    throw new DomainError('limit-cancelled', message, {
      rule: 'Limits: Cancelled or expired transactions',
      hint: 'Each counts for a limited time, so advancing the clock helps.',
    })
  }
}

const newNoneError = (code: ErrorCode, setting: string): DomainError =>
  new DomainError(code, `No transactions may be created: ${setting} is 0.`)

/** Most ids of active transactions that a hint names. */
const LISTED_MAX = 5

/** Length of time over which limits on counts look back. */
export const LIMITS_WINDOW_MS = CONSTANTS['limits.window'].value
const WINDOW = `${LIMITS_WINDOW_MS / HOUR} hours`

/** Active transactions of a user that count towards the limit. */
export function findActive(world: World, { id }: User): Transaction[] {
  const cutoff = world.now - LIMITS_WINDOW_MS
  const own = world.transactionsOf(id)
  return own.filter(({ closedAt, createdAt }) => closedAt === null && createdAt > cutoff)
}

/** Cancelled and expired transactions of a user that count towards the limit. */
export function findUnsuccessful(world: World, { id }: User): Transaction[] {
  const cutoff = world.now - LIMITS_WINDOW_MS
  const closed = world.closedTransactionsOf(id)
  return closed.filter((row) => isUnsuccessful(row) && (row.closedAt ?? 0) > cutoff)
}

export const isUnsuccessful = ({ status }: Transaction): boolean =>
  status === 'cancelled' || status === 'expired'
