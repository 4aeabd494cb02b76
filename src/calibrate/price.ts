import type { Json } from '../client/http.ts'
import { assertOk, isOk, notMeasured, numberIn, type Reading, roundWithin } from './reading.ts'
import type { SeenStep } from './step.ts'

/** Amounts of the quotes that show how a price is made. */
export const CAD = 1_000
export const LARGER = 5
/** Large enough to show percentages with all their decimals, if a provider quotes it. */
export const HUGE = 10_000

/** Names of quote fields at other providers, by the sandbox's name. */
const MEANINGS: Readonly<Record<string, RegExp>> = {
  gas: /gas|network|chain/i,
  fee: /fee/i,
  spread: /spread|margin|mark-?up/i,
  rate: /rate$|^price$|^cadPer|^cadusd$/i,
  expiresAt: /expir|validUntil/i,
}

/** Translates a field of a quote to the sandbox's name for it; undefined for anything else. */
export const meaningOf = (field: string): string | undefined =>
  Object.keys(MEANINGS).find((name) => MEANINGS[name]?.test(field))

/** The value of the field that means `name`. */
function partOf(fields: Record<string, Json>, name: string): Json {
  const named = Object.keys(fields).find((field) => meaningOf(field) === name)
  return fields[name] ?? (named === undefined ? undefined : fields[named])
}

/** The time at which a quote expires, under whatever name. */
export const expiryOf = (quote: Reading): Json => partOf(assertOk(quote).data, 'expiresAt')

/** Numbers of a breakdown by name. */
function numbersOf(quote: Reading): Record<string, number> {
  const entries = Object.entries<Json>(assertOk(quote).data?.breakdown ?? {})
  return Object.fromEntries(entries.filter(([, part]) => Number.isFinite(part)))
}

/** The cost of the chain in a quote. */
export function gasOf(quote: Reading): number {
  return numberIn(partOf(numbersOf(quote), 'gas'), 'breakdown.gas')
}

/** Fee as a share of the amount, measured on a large quote. */
export function feeOf(huge: Reading, seen: SeenStep): number {
  const { quote, cad } = largestOf(huge, seen)
  return roundWithin(feeIn(quote, cad, seen) / cad, 0.005 / cad)
}

/** Spread as a share of the amount that is left after fee and gas. */
export function spreadOf(huge: Reading, seen: SeenStep): number {
  const { quote, cad } = largestOf(huge, seen)
  const parts = numbersOf(quote)
  const net = cad - feeIn(quote, cad, seen) - Number(partOf(parts, 'gas') ?? 0)
  const rate = toNumber(partOf(quote.data, 'rate'))
  const paidOut = toNumber(quote.data?.rightSideValue) * rate
  // The payout is rounded to 0.01 coins, which are worth more than a cent.
  if (Number.isFinite(paidOut)) return roundWithin(1 - paidOut / net, 0.02 / net)
  const spread = numberIn(partOf(parts, 'spread'), 'breakdown.spread')
  return roundWithin(spread / net, 0.02 / net)
}

/** A number, also as text; NaN for anything else, such as null. */
const toNumber = (value: Json): number =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')
    ? Number(value)
    : Number.NaN

function largestOf(huge: Reading, seen: SeenStep) {
  return isOk(huge)
    ? { quote: huge, cad: CAD * HUGE }
    : { quote: seen('quoteLarger'), cad: CAD * LARGER }
}

/** The fee in a quote, if it is a share of the amount. */
function feeIn(quote: Reading, cad: number, seen: SeenStep): number {
  const before = Number(partOf(numbersOf(seen('quote')), 'fee'))
  const after = Number(partOf(numbersOf(quote), 'fee'))
  const isShare = before === 0 ? after === 0 : Math.abs(after / before / (cad / CAD) - 1) < 0.02
  if (isShare) return after
  return notMeasured(
    `the breakdown has ${Object.keys(numbersOf(quote)).join(', ') || 'no numbers'}`,
  )
}
