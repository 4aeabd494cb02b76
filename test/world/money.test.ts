import { expect, it } from 'vitest'
import { MICRO, multiplyDivide } from '../../src/world/money.ts'
import { grossCad, price } from '../../src/world/price.ts'
import fc from '../helpers/fast-check.ts'

it.each([
  [1, 1, 2, 1],
  [1, 1, 3, 0],
])('a × b ÷ c rounds %d × %d ÷ %d half up to %d', (a, b, c, expected) => {
  expect(multiplyDivide(a, b, c)).toBe(expected)
})

it('a × b ÷ c is as exact past 2^53 as below', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000_000_000_000 })
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 1, max: 1e12 }), (a, b, c) => {
      const expected = (2n * BigInt(a) * BigInt(b) + BigInt(c)) / (2n * BigInt(c))
      fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
      expect(multiplyDivide(a, b, c)).toBe(Number(expected))
    }),
  )
})

it('a price adds up to the last millionth, buy or sell, at any rate', () => {
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
