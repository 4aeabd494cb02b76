/** A whole number of millionths, of a dollar or of a coin. */
export type Micros = number
export type Side = 'buy' | 'sell'

export const MICRO = 1_000_000
/** In micros. */
export const CENT = 10_000

/** Largest amount that is quoted, in whole units; its micros are still exact in a double. */
export const AMOUNT_MAX = 1e9

/** A JSON number as micros, or undefined when it has more than six decimals or is out of range. */
export function toMicros(value: number): Micros | undefined {
  if (!(value > 0 && value <= AMOUNT_MAX)) return undefined
  const micros = Math.round(value * MICRO)
  return micros / MICRO === value ? micros : undefined
}

/** Rounds half up by decimal digits: 10.005 becomes 10.01, although its double is smaller. */
export function roundDecimals(value: number, decimals: number): number {
  const unit = 10 ** decimals
  // JavaScript prints numbers below a millionth, and from 1e21 on, with an exponent.
  if (value < 1e-6) return value * unit < 0.5 ? 0 : 1 / unit
  if (Number.isInteger(value)) return value
  const [whole = '', fraction = ''] = String(value).split('.')
  if (fraction.length <= decimals || fraction.includes('e')) return value
  const kept = Number(whole + fraction.slice(0, decimals))
  return (kept + (fraction.charAt(decimals) >= '5' ? 1 : 0)) / unit
}

/** Micros as the JSON number whose shortest decimal text is exact. */
export const fromMicros = (micros: Micros): number => micros / MICRO

/** `a × b ÷ c`, exact, rounded half up. */
export function multiplyDivide(a: number, b: number, c: number): number {
  const product = a * b
  if (Number.isSafeInteger(product)) {
    const rest = product % c
    return (product - rest) / c + (rest * 2 >= c ? 1 : 0)
  }
  return Number(divideHalfUp(BigInt(a) * BigInt(b), BigInt(c)))
}

/** Rounds half up, also below zero (-0.5 becomes 0). */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const doubled = numerator * 2n + denominator
  const quotient = doubled / (denominator * 2n)
  const exact = quotient * denominator * 2n === doubled
  return doubled < 0n && !exact ? quotient - 1n : quotient
}
