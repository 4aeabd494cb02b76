import { describe, expect, it } from 'vitest'
import { AMOUNT_MAX, fromMicros, MICRO, multiplyDivide, toMicros } from '../../src/world/money.ts'
import { grossCad, price, type Terms } from '../../src/world/price.ts'
import fc from '../helpers/fast-check.ts'

const TERMS: Terms = {
  side: 'buy',
  rate: 1_401_500,
  feeShare: 5_000,
  spreadShare: 1_000,
  gas: 375_000,
}

describe('amounts', () => {
  it('are exact to the sixth decimal, and go back to the number they were', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: AMOUNT_MAX * MICRO }), (micros) => {
        expect(toMicros(fromMicros(micros))).toBe(micros)
        expect(toMicros(Number(JSON.stringify(fromMicros(micros))))).toBe(micros)
      }),
    )
  })

  it.each([0.1, 0.000001, 123456789.123456, AMOUNT_MAX])('take %d', (value) =>
    expect(toMicros(value)).toBe(Math.round(value * 1e6)),
  )

  it.each([0, -1, 1e-7, AMOUNT_MAX + 0.000001, Number.NaN])('refuse %d', (value) =>
    expect(toMicros(value)).toBeUndefined(),
  )
})

describe('a × b ÷ c', () => {
  it.each([
    [1, 1, 2, 1],
    [1, 1, 3, 0],
  ])('rounds %d × %d ÷ %d half up to %d', (a, b, c, expected) => {
    expect(multiplyDivide(a, b, c)).toBe(expected)
  })

  it('is as exact past 2^53 as below', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000_000_000_000 })
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 1e12 }), (a, b, c) => {
        const expected = (2n * BigInt(a) * BigInt(b) + BigInt(c)) / (2n * BigInt(c))
        fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(multiplyDivide(a, b, c)).toBe(Number(expected))
      }),
    )
  })
})

describe('a price', () => {
  it('is the published one: 1000 CAD are 708.98 coins', () => {
    const published = price(1_000 * MICRO, TERMS)
    expect(published).toMatchObject({ rightSide: 708_980_000, fee: 5_000_000, gas: 375_000 })
  })

  it('rounds once, half up, to two decimals', () => {
    const free = { ...TERMS, rate: MICRO, feeShare: 0, spreadShare: 0, gas: 0 }
    const cents = (leftSide: number) => price(leftSide, free).rightSide
    expect([cents(1_004_999), cents(1_005_000), cents(1_014_999)]).toEqual([
      1_000_000, 1_010_000, 1_010_000,
    ])
  })

  it('adds up to the last millionth, buy or sell, at any rate', () => {
    const terms = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      rate: fc.integer({ min: 1, max: 1_000_000 * MICRO }),
      feeShare: fc.integer({ min: 0, max: 500_000 }),
      spreadShare: fc.integer({ min: 0, max: 500_000 }),
      gas: fc.integer({ min: 0, max: 1_000 * MICRO }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 * MICRO }), terms, (leftSide, asked) => {
        const { rightSide, fee, gas, spread } = price(leftSide, asked)
        fc.pre(rightSide > 0 && Number.isSafeInteger(rightSide))
        const worth = (2n * BigInt(rightSide) * BigInt(asked.rate) + 1_000_000n) / 2_000_000n
        const paidOut = asked.side === 'buy' ? Number(worth) : rightSide
        const gross = grossCad(leftSide, asked)
        fc.pre(Number.isSafeInteger(gross) && Number.isSafeInteger(paidOut))
        expect(fee + gas + spread + paidOut).toBe(gross)
        expect(rightSide % 10_000).toBe(0)
      }),
    )
  })
})
