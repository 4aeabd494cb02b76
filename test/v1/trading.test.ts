import { afterEach, beforeEach, expect, it } from 'vitest'
import { KEY_2, openApp, type TestApp } from '../helpers/app.ts'
import { EVM_WALLET, logIn, receiveFunds, review, settle } from '../helpers/story.ts'
import { API_LINK, BUY, callV1, logInV1, ordered, refusedV1, SELL } from './legacy.ts'

let app: TestApp
let token: string

beforeEach(async () => {
  app = openApp({ fixture: 'verified-user' })
  token = await logInV1(app)
})
afterEach(() => app.close())

const quote = (query: Record<string, string>, key: string | null = null) =>
  callV1(app, 'GET /priceQuote', { key, query })

it('priceQuote reproduces the published example, as text where v1 writes text', async () => {
  const response = await quote({ ...BUY, leftSideValue: '1000.00' })
  expect(response).toMatchObject({
    cadusd: 1.4015,
    leftSideLabel: 'CAD',
    leftSideValue: '1000.00',
    rightSideLabel: 'USDC-ETH',
    rightSideValue: '708.98',
    fee: 5,
    ethGasFee: 0.375,
  })
  expect(response.gasId).not.toBe(response.quoteId)
})

it.each(['100.00', '25000'])('priceQuote quotes %s, whatever the limits', async (value) => {
  const { leftSideValue } = await quote({ ...BUY, leftSideValue: value, rightSideLabel: 'USDC' })
  expect(leftSideValue).toBe(value)
})

it('priceQuote needs no key, and refuses a wrong or empty one', async () => {
  await quote(BUY, null)
  await quote(BUY, 'sandbox-key')
  for (const key of ['', 'wrong']) {
    await refusedV1(app, 'GET /priceQuote', { key, query: BUY }, [401])
  }
})

it.each([
  [{ ...BUY, leftSideValue: '1e3' }, 'leftSideValue must be a plain decimal number'],
  [{ ...BUY, leftSideValue: '0' }, 'leftSideValue must be a number from 0.01'],
  [{ ...BUY, rightSideLabel: 'CAD' }, 'CAD to CAD is not offered'],
])('priceQuote refuses %o', async (query, message) => {
  await refusedV1(app, 'GET /priceQuote', { query }, [400, message])
})

const create = (body: object) => callV1(app, 'POST /transaction', { token, body })
const refusedOrder = (body: object, words: string) =>
  refusedV1(app, 'POST /transaction', { token, body }, [400, words])

it('transaction creates a buy that v1 and v2 read alike', async () => {
  const { tx, rmt, depositAddress } = await create(await ordered(app))
  expect(depositAddress).toBeUndefined()
  const old = await callV1(app, 'GET /transaction', { token, query: { tx_id: tx } })
  expect(old).toMatchObject({
    tx_id: tx,
    coin: 'USDC',
    date: '2026-07-01T12:00:00Z',
    fee: '0.50',
    leftSideValue: 100,
    status: 'pending request money transfer',
    wallet: EVM_WALLET,
    eth_fee: true,
    payment_id: null,
    payment_type: 'eth network',
  })
  const now = await app.call('GET /v2/transactions/{txId}', { token, path: { txId: tx } })
  expect(now).toMatchObject({ id: tx, rmtId: rmt, rightSideValue: old.rightSideValue })
})

it('transaction carries the deposit address of a sell, which needs no wallet', async () => {
  const { wallet: _, ...body } = await ordered(app, SELL)
  const { tx, depositAddress } = await create(body)
  expect(depositAddress).toMatch(/^0x[0-9a-f]{40}$/)
  const { wallet } = await callV1(app, 'GET /transaction', { token, query: { tx_id: tx } })
  expect(wallet).toBe('')
})

it('transaction refuses a buy without a wallet', async () => {
  const { wallet: _, ...body } = await ordered(app)
  await refusedOrder(body, 'wallet is required')
  await refusedOrder({ ...body, wallet: '' }, 'wallet is required')
})

it('transaction accepts the token of a v2 login, but not a missing one, another key or nonsense', async () => {
  const { token: fromV2 } = await logIn(app)
  const body = await ordered(app)
  await callV1(app, 'POST /transaction', { token: fromV2, body })
  const named = { query: { userId: 'a11ce000-0000-4000-8000-000000000001' } }
  for (const call of [{}, named, { token: fromV2, key: KEY_2 }, { token: 'nonsense' }]) {
    await refusedV1(app, 'POST /transaction', { ...call, body }, [401])
  }
})

it('transaction returns its own sides, coin and gas', async () => {
  await app.control('PATCH', '/settings', { 'quotes.gas.other': 0 })
  const { tx } = await create(await ordered(app, { ...SELL, leftSideLabel: 'CADC-POLY' }))
  const read = await callV1(app, 'GET /transaction', { token, query: { tx_id: tx } })
  // 100 × 0.999 − 0.5.
  expect(read).toMatchObject({
    coin: 'CADC',
    leftSideLabel: 'CADC-POLY',
    leftSideValue: 100,
    rightSideLabel: 'CAD',
    rightSideValue: 99.4,
    fee: '0.50',
    eth_fee: false,
    payment_type: 'poly network',
  })
})

it('transaction charges a fee for the amount that is ordered, not for that of the quote', async () => {
  const { tx } = await create({ ...(await ordered(app)), leftSideValue: 1000 })
  const read = await callV1(app, 'GET /transaction', { token, query: { tx_id: tx } })
  expect(read).toMatchObject({ leftSideValue: 1000, rightSideValue: 708.98, fee: '5.00' })
})

it('transaction tolerates fields that it does not know, whatever v2 does', async () => {
  await app.control('PATCH', '/settings', { 'status.unknown-field': 400 })
  await create({ ...(await ordered(app)), vendorId: 7, useReferral: false })
})

it('transaction needs no gasId, and repeats the session id in webhooks', async () => {
  const { gasId: _, ...body } = await ordered(app)
  const { tx } = await create({ ...body, externalSessionId: 'session-1' })
  const { events } = await app.control('GET', `/events?ref=${tx}`)
  expect(events[0].payload.externalSessionId).toBe('session-1')
})

it('transaction does not exist for another user, or another key', async () => {
  const { tx } = await create(await ordered(app))
  await callV1(app, 'POST /generateApiLink', { body: { ...API_LINK, email: 'bob@example.com' } })
  await review(app, 'bob@example.com')
  const bob = await logInV1(app, { email: 'bob@example.com' })
  const elsewhere = await logInV1(app, { key: KEY_2 })
  const query = { tx_id: tx }
  for (const call of [{ token: bob }, { token: elsewhere, key: KEY_2 }]) {
    await refusedV1(app, 'GET /transaction', { ...call, query }, [404])
  }
})

it('transaction shows its status and payment id once it is complete', async () => {
  const { tx } = await create(await ordered(app))
  await receiveFunds(app, tx)
  await settle(app, tx)
  const read = await callV1(app, 'GET /transaction', { token, query: { tx_id: tx } })
  expect(read.status).toBe('complete')
  expect(read.payment_id).toMatch(/^0x[0-9a-f]{64}$/)
})

it('transaction counts toward the limits that v2 has', async () => {
  await create(await ordered(app))
  await create(await ordered(app))
  const person = await logIn(app)
  await person.buy()
  await refusedOrder(await ordered(app), 'At most 3 transactions')
  expect((await person.refusedBuy()).status).toBe(400)
})
