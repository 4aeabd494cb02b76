import { expect, it } from 'vitest'
import type { Quote } from '../contract.ts'
import { KEY_2, NOON, openApp, refusal } from '../helpers/app.ts'
import { buyUnder, EVM_WALLET, quote, verifiedUser } from '../helpers/story.ts'

const CHAINS = ['ETH', 'POLY', 'ARB', 'OP', 'BASE', 'AVAX', 'BSC', 'CELO', 'SOL', 'SX']
const LABELS = [
  'USDC',
  'CADC',
  ...CHAINS.map((chain) => `USDC-${chain}`),
  ...CHAINS.slice(0, 3).map((chain) => `CADC-${chain}`),
  'CADC-BASE',
]

const micros = (value: number) => BigInt(Math.round(value * 1e6))
const half = (numerator: bigint, denominator: bigint) =>
  (2n * numerator + denominator) / (2n * denominator)

/** What a sell's coins or a buy's payment are worth in CAD, in micros. */
const gross = ({ leftSideLabel, leftSideValue, rate }: Quote) =>
  leftSideLabel === 'CAD'
    ? micros(leftSideValue)
    : half(micros(leftSideValue) * micros(rate), 1_000_000n)

/** What the user gets out of it, in CAD and micros. */
const paidOut = ({ rightSideLabel, rightSideValue, rate }: Quote) =>
  rightSideLabel === 'CAD'
    ? micros(rightSideValue)
    : half(micros(rightSideValue) * micros(rate), 1_000_000n)

it('a quote reproduces the published example: CAD 1000 is 708.98 USDC-ETH', async () => {
  const published = await quote(openApp(), { leftSideValue: 1000 })
  expect(published).toEqual({
    quoteId: published.quoteId,
    leftSideLabel: 'CAD',
    leftSideValue: 1000,
    rightSideLabel: 'USDC-ETH',
    rightSideValue: 708.98,
    rate: 1.4015,
    expiresAt: '2026-07-01T12:30:00.000Z',
    breakdown: { fee: 5, gas: 0.375, spread: 0.98953, total: 6.36453 },
  })
})

it('a quote mirrors the published example for a sell', async () => {
  const order = { leftSideLabel: 'USDC-ETH', leftSideValue: 708.98, rightSideLabel: 'CAD' }
  const mirrored = await quote(openApp(), order)
  // 708.98 × 1.4015 = 993.63547; × 0.999 − 4.968177 − 0.375 = 987.2987
  expect(mirrored).toMatchObject({
    rightSideValue: 987.3,
    rate: 1.4015,
    breakdown: { fee: 4.968177, gas: 0.375, spread: 0.992293, total: 6.33547 },
  })
})

it.each([0.47, 10, 99.99, 1234.567891, 9999, 1e9])(
  'a quote of %d adds up exactly, in both directions',
  async (leftSideValue) => {
    const app = openApp()
    for (const label of ['USDC-ETH', 'USDC-SOL', 'CADC-BASE']) {
      const buy = { leftSideLabel: 'CAD', leftSideValue, rightSideLabel: label }
      const sell = { leftSideLabel: label, leftSideValue, rightSideLabel: 'CAD' }
      for (const order of [buy, sell]) {
        const quoted = await quote(app, order)
        expect(paidOut(quoted) + micros(quoted.breakdown.total)).toBe(gross(quoted))
        expect(Math.round(quoted.rightSideValue * 100) / 100).toBe(quoted.rightSideValue)
      }
    }
  },
)

it.each(LABELS)('a quote is given for %s on either side', async (label) => {
  const app = openApp()
  const [coin = '', chain = 'ETH'] = label.split('-')
  const gas = { ETH: 0.375, SOL: 0.01 }[chain] ?? 0.05
  const rate = { USDC: 1.4015, CADC: 1 }[coin]
  const buy = await quote(app, { rightSideLabel: label })
  const sell = await quote(app, { leftSideLabel: label, rightSideLabel: 'CAD' })
  for (const quoted of [buy, sell]) {
    expect(quoted).toMatchObject({ rate, breakdown: { gas } })
  }
})

it.each([
  ['CAD', 'CAD', 'rightSideLabel'],
  ['USDC', 'CADC', 'rightSideLabel'],
  ['CAD', 'usdc', 'rightSideLabel'],
  ['CAD', 'CADC-SOL', 'rightSideLabel'],
  ['', 'USDC', 'leftSideLabel'],
  ['__proto__', 'USDC', 'leftSideLabel'],
])('a quote from "%s" to "%s" is refused', async (leftSideLabel, rightSideLabel, field) => {
  const query = { leftSideLabel, leftSideValue: 100, rightSideLabel }
  expect(await openApp().refused('GET /v2/quotes', { query })).toMatchObject(refusal(400, field))
})

it.each([
  ['10.004999999999999', 10],
  ['10.005', 10.01],
  ['1.005', 1.01],
])('a quote rounds %s CAD half up to %d', async (leftSideValue, rounded) => {
  const query = { leftSideLabel: 'CAD', leftSideValue, rightSideLabel: 'USDC' }
  const quoted = await openApp().call('GET /v2/quotes', { query })
  expect(quoted.leftSideValue).toBe(rounded)
})

it('a quote takes six decimals of a coin, and rounds more', async () => {
  const query = { leftSideLabel: 'USDC', leftSideValue: '99.123456', rightSideLabel: 'CAD' }
  const app = openApp()
  expect((await app.call('GET /v2/quotes', { query })).leftSideValue).toBe(99.123456)
  const more = { ...query, leftSideValue: '99.1234567' }
  expect((await app.call('GET /v2/quotes', { query: more })).leftSideValue).toBe(99.123457)
})

it.each(['100', '100.00', '0.5', '0100', '1000000000'])(
  'a quote takes the amount %s',
  async (leftSideValue) => {
    const query = { leftSideLabel: 'CAD', leftSideValue, rightSideLabel: 'USDC' }
    const quoted = await openApp().call('GET /v2/quotes', { query })
    expect(quoted.leftSideValue).toBe(Number(leftSideValue))
  },
)

it.each([
  '',
  '0',
  '-5',
  '+5',
  '1e3',
  'NaN',
  '0x10',
  '1,000',
  '.5',
  ' 100',
  '１００',
  '1000000000.01',
  '0.0049',
])('a quote refuses the amount "%s"', async (leftSideValue) => {
  const query = { leftSideLabel: 'CAD', leftSideValue, rightSideLabel: 'USDC' }
  expect(await openApp().refused('GET /v2/quotes', { query })).toMatchObject(
    refusal(400, 'leftSideValue'),
  )
})

it('a quote for no coins says which amounts it takes', async () => {
  const query = { leftSideLabel: 'USDC', leftSideValue: 0, rightSideLabel: 'CAD' }
  const { errors } = await openApp().refused('GET /v2/quotes', { query })
  expect(errors[0]?.message).toBe('leftSideValue must be a number from 0.000001 to 1000000000.')
})

it('a quote is refused when nothing would be left for the user', async () => {
  const app = openApp()
  const order = { leftSideLabel: 'CAD', rightSideLabel: 'USDC-ETH' }
  // Gas alone is 0.375; 0.39 leaves 0.01305 / 1.4015, which is 0.01 of a coin.
  await quote(app, { ...order, leftSideValue: 0.39 })
  const query = { ...order, leftSideValue: 0.38 }
  const refused = await app.refused('GET /v2/quotes', { query })
  expect(refused).toMatchObject(refusal(400, 'leftSideValue'))
})

it.each([
  ['CAD', 'USDC', 0.1, 900_000_000],
  ['USDC', 'CAD', 10, 900_000_000],
])(
  'a quote from %s to %s is refused when its sums are too large to be exact',
  async (leftSideLabel, rightSideLabel, cad, largest) => {
    const app = openApp()
    await app.control('PUT', '/rates', { USDC: { cad } })
    const labels = { leftSideLabel, rightSideLabel }
    const { quoteId } = await quote(app, { ...labels, leftSideValue: largest })
    const query = { ...labels, leftSideValue: 1e9 }
    const refused = await app.refused('GET /v2/quotes', { query })
    expect(refused).toMatchObject(refusal(400, 'leftSideValue'))
    expect(refused.errors[0]?.message).toContain('too large')

    const state = await app.control('GET', '/state')
    await app.control('PUT', '/state', state)
    expect(state.quotes).toMatchObject([{ quoteId }])
  },
)

it('a quote follows the rate, while an existing quote keeps its own', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const before = await quote(app, { leftSideValue: 1000 })
  await app.control('PUT', '/rates', { USDC: { cad: 2 } })
  const after = await quote(app, { leftSideValue: 1000 })
  expect(after).toMatchObject({ rate: 2, rightSideValue: 496.82 })
  const body = buyUnder(before.quoteId, 1000)
  const bought = await alice.call('POST /v2/transactions', { body })
  expect(bought.rightSideValue).toBe(708.98)
})

async function prepared(app = openApp()) {
  const alice = await verifiedUser(app)
  const { quoteId, expiresAt } = await quote(app, {})
  const body = buyUnder(quoteId)
  const refused = (changed: object) =>
    alice.refused('POST /v2/transactions', { body: { ...body, ...changed } })
  return { app, alice, body, quoteId, expiresAt, refused }
}

it('a quote can be used for 1,799.999 seconds and not for 1,800', async () => {
  const { app, alice, body, expiresAt, refused } = await prepared()
  expect(Date.parse(expiresAt) - Date.parse(NOON)).toBe(30 * 60_000)
  await app.advance('1799999ms')
  await alice.call('POST /v2/transactions', { body })
  await app.advance('1ms')
  expect(await refused({})).toMatchObject(refusal(400, 'quoteId'))
})

it('a quote id may be sent as digits in a string', async () => {
  const { alice, body, quoteId } = await prepared()
  await alice.call('POST /v2/transactions', { body: { ...body, quoteId: String(quoteId) } })
})

it('a transaction accepts only a numeric quote id, of a quote with the same labels and integrator', async () => {
  const { app, refused } = await prepared()
  const { quoteId } = await quote(app, {}, KEY_2)
  const ids = [1.5, -1, 'abc', null, [], quoteId].map((id) => ({ quoteId: id }))
  for (const changed of [...ids, { rightSideLabel: 'USDC-BASE' }]) {
    expect(await refused(changed), JSON.stringify(changed)).toMatchObject(refusal(400, 'quoteId'))
  }
})

it.each([
  ['is for a sell of another coin', { leftSideLabel: 'USDC-BASE' }],
  ['is for a sell, not for a buy', { leftSideLabel: 'CAD', rightSideLabel: 'USDC-ETH' }],
])('a transaction refuses a quote that %s', async (_, changed) => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const sell = { leftSideLabel: 'USDC-ETH', leftSideValue: 100, rightSideLabel: 'CAD' }
  const { quoteId } = await quote(app, sell)
  const body = { ...sell, wallet: EVM_WALLET, quoteId, ...changed }
  const refused = await alice.refused('POST /v2/transactions', { body })
  expect(refused).toMatchObject(refusal(400, 'quoteId'))
})

// (amount − 0.5 % − 0.375) / 1.4015 × 0.999, to the cent.
it.each([
  [1000, 708.98],
  [50, 35.19],
])(
  'a quote that is used locks a rate, not an amount: %d CAD are %d coins',
  async (leftSideValue, rightSideValue) => {
    const { app, alice, body } = await prepared()
    await app.control('PUT', '/rates', { USDC: { cad: 2 } })
    const bought = await alice.call('POST /v2/transactions', { body: { ...body, leftSideValue } })
    expect(bought).toMatchObject({ leftSideValue, rightSideValue })
  },
)
