import type { Settings } from '../../src/world/settings/index.ts'

/** The published arithmetic once more, in exact fractions and from the prose alone. */
export interface Price {
  rightSide: bigint
  fee: bigint
  gas: bigint
}

const MICRO = 1_000_000n
const CENT = 10_000n

export interface Order {
  side: 'buy' | 'sell'
  leftSide: number
  rate: number
  chain: string
}

export function priceOf({ side, leftSide, rate, chain }: Order, settings: Settings): Price {
  const left = BigInt(leftSide)
  const cadPerCoin = BigInt(rate)
  const gross = grossOf({ side, leftSide, rate })
  const fee = round(gross * toMicros(settings['quotes.fee']), MICRO)
  const gas = toMicros(settings[GAS[chain] ?? 'quotes.gas.other'])
  const kept = MICRO - toMicros(settings['quotes.spread'])
  const rightSide =
    side === 'buy'
      ? round((left - fee - gas) * kept, cadPerCoin * CENT) * CENT
      : round(left * cadPerCoin * kept - (fee + gas) * MICRO * MICRO, MICRO * MICRO * CENT) * CENT
  return { rightSide, fee, gas }
}

type Traded = Pick<Order, 'side' | 'leftSide' | 'rate'>

/** What the left side is worth in CAD. */
export const grossOf = ({ side, leftSide, rate }: Traded): bigint =>
  side === 'buy' ? BigInt(leftSide) : round(BigInt(leftSide) * BigInt(rate), MICRO)

/** The left side and what is paid out for it, both in CAD. */
export function worthOf(traded: Traded & { rightSide: number }) {
  const { side, rightSide, rate } = traded
  const coins = BigInt(rightSide)
  const paidOut = side === 'buy' ? round(coins * BigInt(rate), MICRO) : coins
  return { gross: grossOf(traded), paidOut }
}

const GAS: Record<string, 'quotes.gas.ethereum' | 'quotes.gas.solana'> = {
  ETH: 'quotes.gas.ethereum',
  SOL: 'quotes.gas.solana',
}

const toMicros = (value: number) => BigInt(Math.round(value * 1e6))

/** Half up, towards plus infinity. */
function round(numerator: bigint, denominator: bigint): bigint {
  const shifted = 2n * numerator + denominator
  const step = 2n * denominator
  const rest = ((shifted % step) + step) % step
  return (shifted - rest) / step
}

/** `USDC-SOL` is on SOL; where the bare label is, a setting says. */
export const chainOf = (label: string, settings: Settings): string =>
  label.split('-')[1] ?? settings['quotes.bareLabels']

/** An amount as it counts, undefined if it is none: CAD has cents, coins have millionths. */
export function toAmount(
  value: number,
  { side }: Pick<Order, 'side'>,
  settings: Settings,
): number | undefined {
  if (!(value > 0 && value <= 1e9)) return undefined
  const [whole = '', rest = ''] = value.toFixed(6).split('.')
  if (side === 'sell')
    return Number(whole + rest) / 1e6 === value ? Number(whole + rest) : undefined
  const isExact = rest.endsWith('0000')
  if (!isExact && settings['status.too-many-decimals'] >= 400) return undefined
  const cents = Number(whole + rest.slice(0, 2)) + (Number(rest.charAt(2)) >= 5 ? 1 : 0)
  return cents > 0 ? cents * 10_000 : undefined
}
