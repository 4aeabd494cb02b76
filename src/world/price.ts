import { CENT, divideHalfUp, MICRO, type Micros, multiplyDivide, type Side } from './money.ts'

export interface Terms {
  side: Side
  rate: Micros
  /** Share of the CAD taken as the fee, in millionths. */
  feeShare: Micros
  /** Share of the rate kept as the spread, in millionths. */
  spreadShare: Micros
  gas: Micros
}

/** The amount that a user gets, and the costs. All are in CAD, except `rightSide` of a buy. */
export interface Price {
  rightSide: Micros
  fee: Micros
  gas: Micros
  spread: Micros
}

const CENTS = BigInt(CENT)
const ONE = BigInt(MICRO)

/**
 * The published arithmetic: fee and gas come off the CAD side, then the spread off the rate, and the
 * result is rounded once to two decimals. The spread is what remains, so that the parts add up.
 */
export function price(leftSide: Micros, terms: Terms): Price {
  const { side, rate, feeShare, spreadShare, gas } = terms
  const gross = grossCad(leftSide, terms)
  const fee = multiplyDivide(gross, feeShare, MICRO)
  const kept = BigInt(MICRO - spreadShare)
  const charges = BigInt(fee + gas)
  const cents =
    side === 'buy'
      ? divideHalfUp((BigInt(leftSide) - charges) * kept, BigInt(rate) * CENTS)
      : divideHalfUp(
          BigInt(leftSide) * BigInt(rate) * kept - charges * ONE * ONE,
          ONE * ONE * CENTS,
        )
  const rightSide = Number(cents * CENTS)
  const paidOut = side === 'buy' ? multiplyDivide(rightSide, rate, MICRO) : rightSide
  return { rightSide, fee, gas, spread: gross - paidOut - fee - gas }
}

/** The CAD value that limits apply to: the payment of a buy, the worth of a sell at its rate. */
export function grossCad(leftSide: Micros, { side, rate }: Pick<Terms, 'side' | 'rate'>): Micros {
  return side === 'buy' ? leftSide : multiplyDivide(leftSide, rate, MICRO)
}
