import { join } from 'node:path'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'

const fetch = vi.fn(async (_url: string, _init: RequestInit) =>
  Response.json({ data: { rate: 1.4015 } }),
)
vi.stubGlobal('document', { body: { dataset: {} }, documentElement: { dataset: {}, lang: 'en' } })
vi.stubGlobal('location', new URL('http://127.0.0.1:4100/_sandbox/demo'))
vi.stubGlobal('fetch', fetch)
// Not by a literal, as the code of pages is compiled for a browser alone.
const load = (name: string) => import(join(import.meta.dirname, '../src/ui/demo', name))
const { roundParts } = await load('format.ts')
const { state } = await load('store.ts')
const { heldOf, rateOf, receiveCoins } = await load('balances.ts')

beforeEach(() => fetch.mockClear())
afterAll(() => vi.unstubAllGlobals())

it('receives coins that can be sold', async () => {
  state.coin = 'USDC-ETH'
  await receiveCoins()
  // Nobody is told, but the provider is asked what they are worth.
  const asked = fetch.mock.calls.map(([url]) => url)
  expect(asked).toEqual(['/v2/quotes?leftSideLabel=USDC-ETH&leftSideValue=100&rightSideLabel=CAD'])
  expect(heldOf('USDC-ETH')).toBe(120)
  expect(rateOf('USDC-ETH')).toBe(1.4015)
  // Coins on one network are on no other.
  expect(heldOf('USDC-SOL')).toBe(0)
})

const cents = (value: number) => Math.round(value * 100)

it('shows parts that add up to the total, for a thousand amounts', () => {
  for (let amount = 100; amount < 1_100; amount++) {
    const exact = [amount * 0.005 + 0.0049, 0.375 + amount / 7_919, amount * 0.001003]
    const total = exact.reduce((sum, part) => sum + part, 0)
    const shown: number[] = roundParts(exact, total)
    expect(shown.reduce((sum, part) => sum + cents(part), 0)).toBe(cents(total))
    for (const [at, part] of shown.entries()) {
      expect(Math.abs(part - (exact[at] ?? 0))).toBeLessThan(0.01)
    }
  }
  expect(roundParts([1.25, 0.375, 0.245], 1.87)).toEqual([1.25, 0.38, 0.24])
})
