import { expect, it } from 'vitest'
import { openApp, refusal } from '../helpers/app.ts'
import {
  buyUnder,
  EVM_WALLET,
  expire,
  PENDING,
  quote,
  receiveFunds,
  review,
  SOLANA_WALLET,
  settle,
  verifiedUser,
  walletFor,
} from '../helpers/story.ts'

it('a buy begins as a request for money that waits for the user', async () => {
  const alice = await verifiedUser(openApp())
  const bought = await alice.buy({ leftSideValue: 1000 })
  expect(bought).toEqual({
    id: bought.id,
    date: '2026-07-01T12:00:00.000Z',
    coin: 'USDC',
    leftSideLabel: 'CAD',
    leftSideValue: 1000,
    rightSideLabel: 'USDC-ETH',
    rightSideValue: 708.98,
    status: PENDING,
    wallet: EVM_WALLET,
    paymentType: 'eth network',
    paymentId: null,
    rmtId: bought.rmtId,
    depositAddress: '',
  })
})

it('a transaction is dated when it is created, not when it was quoted', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const { quoteId } = await quote(app, {})
  await app.advance('1m')
  const { date } = await alice.call('POST /v2/transactions', { body: buyUnder(quoteId) })
  expect(date).toBe('2026-07-01T12:01:00.000Z')
})

it('a transaction shares no id, reference or address with another', async () => {
  const alice = await verifiedUser(openApp())
  const sold = [await alice.sell(), await alice.sell()]
  for (const field of ['id', 'rmtId', 'depositAddress'] as const) {
    expect(new Set(sold.map((each) => each[field])).size).toBe(2)
  }
})

it('a transaction keeps the wallet as it was sent, even if its checksum is wrong', async () => {
  const alice = await verifiedUser(openApp())
  const wallet = '0x52908400098527886E0F7030069857D2E4169eE7'
  const { id } = await alice.buy({ wallet })
  expect((await alice.read(id)).wallet).toBe(wallet)
})

it('only its own user can read a transaction', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const bob = await verifiedUser(app, { email: 'bob@example.com' })
  const { id } = await bob.buy()
  expect((await bob.read(id)).id).toBe(id)
  const path = { txId: id }
  const refused = await alice.refused('GET /v2/transactions/{txId}', { path })
  expect(refused).toMatchObject(refusal(404, 'txId'))
  expect((await alice.call('GET /v2/transactions')).total).toBe(0)
})

it('a transaction asks the user for the money, or says where to send the coins', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const { rmtId } = await alice.buy()
  const { depositAddress } = await alice.sell()
  const { messages } = await app.control('GET', '/inbox')
  const [request, instructions] = messages.slice(-2)
  expect(request).toMatchObject({ kind: 'money-request', to: alice.email, code: rmtId })
  expect(instructions).toMatchObject({ kind: 'deposit-instructions', to: alice.email })
  expect(instructions.text).toContain(depositAddress)
})

it('a transaction has a session id of at most 255 characters', async () => {
  const alice = await verifiedUser(openApp())
  await alice.buy({ externalSessionId: 'x'.repeat(255) })
  const refused = await alice.refusedBuy({ externalSessionId: 'x'.repeat(256) })
  expect(refused).toMatchObject(refusal(400, 'externalSessionId'))
})

const paymentIdOf = ({ payload }: { payload: { paymentId: string | null } }) => payload.paymentId

it('the response to the creation of a sell says where to send the coins', async () => {
  const alice = await verifiedUser(openApp())
  const sold = await alice.sell({ leftSideValue: 708.98 })
  expect(sold.depositAddress).toMatch(/^0x[0-9a-f]{40}$/)
  expect(sold).toMatchObject({
    coin: 'USDC',
    leftSideLabel: 'USDC-ETH',
    leftSideValue: 708.98,
    rightSideLabel: 'CAD',
    rightSideValue: 987.3,
    status: PENDING,
  })
})

it('a sell has a payment id once its coins arrive, and keeps it', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const { id, paymentId } = await alice.sell()
  expect(paymentId).toBeNull()
  await receiveFunds(app, id)
  const processing = await alice.read(id)
  expect(processing.paymentId).toMatch(/^0x[0-9a-f]{64}$/)
  await settle(app, id)
  expect((await alice.read(id)).paymentId).toBe(processing.paymentId)
  const { events } = await app.control('GET', `/events?ref=${id}`)
  expect(events.map(paymentIdOf)).toEqual([null, processing.paymentId, processing.paymentId])
})

it('a sell on Solana has an address and a payment id of Solana', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const sold = await alice.sell({ leftSideLabel: 'USDC-SOL' })
  expect(sold.depositAddress).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  expect(sold.paymentType).toBe('sol network')
  await receiveFunds(app, sold.id)
  expect((await alice.read(sold.id)).paymentId).toMatch(/^[1-9A-HJ-NP-Za-km-z]{87,88}$/)
})

const LABELS = ['USDC', 'CADC-BASE', 'USDC-SOL']

it.each(LABELS)(
  'the wallet of a transaction must be an address on the chain of %s',
  async (label) => {
    const app = openApp()
    const alice = await verifiedUser(app)
    const buy = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: label }
    const right = walletFor(buy)
    const wrong = right === SOLANA_WALLET ? EVM_WALLET : SOLANA_WALLET
    await alice.buy({ ...buy, wallet: right })
    const refused = await alice.refusedBuy({ ...buy, wallet: wrong })
    expect(refused).toMatchObject(refusal(400, 'wallet'))
  },
)

it.each([
  '',
  `0x${'a'.repeat(39)}`,
  `0x${'g'.repeat(40)}`,
  ` ${EVM_WALLET}`,
  `0x${'0'.repeat(40)}`,
  'alice.eth',
])('the wallet of a transaction "%s" is refused', async (wallet) => {
  const alice = await verifiedUser(openApp())
  expect(await alice.refusedBuy({ wallet })).toMatchObject(refusal(400, 'wallet'))
})

it.each(['ethCost', 'gasId'])(
  'creating a transaction does not accept %s, not even as null',
  async (field) => {
    const alice = await verifiedUser(openApp())
    for (const value of [1, null]) {
      const refused = await alice.refusedBuy({ [field]: value })
      expect(refused).toMatchObject({ status: 400, errors: [{ field }] })
    }
  },
)

it('creating a transaction is for verified users, even if the token is older than the rejection', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  await review(app, alice.id, 'rejected')
  const refused = await alice.refusedBuy()
  expect(refused).toMatchObject(refusal(403, 'user'))
})

it('cancelling withdraws a pending transaction', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  for (const { id } of [await alice.buy(), await alice.sell()]) {
    expect(await alice.cancel(id)).toMatchObject({ id, status: 'cancelled', paymentId: null })
    expect(await alice.read(id)).toMatchObject({ status: 'cancelled' })
  }
})

it.each([
  ['processed', [receiveFunds]],
  ['complete', [receiveFunds, settle]],
  ['expired', [expire]],
])('cancelling is refused once the transaction is %s', async (_, moves) => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const { id } = await alice.buy()
  for (const move of moves) await move(app, id)
  const { status } = await alice.read(id)
  const refused = await alice.refused('PUT /v2/transactions/{txId}/cancel', {
    path: { txId: id },
  })
  expect(refused).toMatchObject(refusal(400, 'txId'))
  expect(await alice.read(id)).toMatchObject({ status })
})

/** Twenty-two completed buys, a second apart, worth 101, 102, … CAD. */
async function traded() {
  const app = openApp()
  const alice = await verifiedUser(app)
  for (let i = 1; i <= 22; i++) {
    const { id } = await alice.buy({ leftSideValue: 100 + i })
    await receiveFunds(app, id)
    await settle(app, id)
    await app.advance('1s')
  }
  const list = (query: Record<string, string | number> = {}) =>
    alice.call('GET /v2/transactions', { query })
  return { app, alice, list }
}
const values = ({ items }: { items: { leftSideValue: number }[] }) =>
  items.map(({ leftSideValue }) => leftSideValue - 100)

it('the list of transactions is paged, newest first', async () => {
  const { alice, list } = await traded()
  const page = await list()
  expect(page).toMatchObject({ total: 22, limit: 20, offset: 0 })
  expect(values(page)).toEqual(Array.from({ length: 20 }, (_, i) => 22 - i))
  expect(values(await list({ offset: 20 }))).toEqual([2, 1])
  expect(values(await list({ limit: 3, offset: 1 }))).toEqual([21, 20, 19])
  expect(values(await list({ limit: 1, offset: 21 }))).toEqual([1])
  expect(await list({ offset: 22 })).toEqual({ items: [], total: 22, limit: 20, offset: 22 })
  expect(values(await list({ offset: 23 }))).toEqual([])
  expect(await list({ offset: 999_999_999 })).toMatchObject({ items: [], total: 22 })
  expect(values(await list({ limit: 100 }))).toHaveLength(22)
  const [newest] = page.items
  expect(await alice.read(newest?.id ?? '')).toEqual(newest)
})

it.each([
  ['limit', '0'],
  ['limit', '101'],
  ['limit', '1.5'],
  ['limit', ''],
  ['offset', '-1'],
  ['offset', '1.5'],
  ['offset', 'x'],
  ['offset', '99999999999999999999'],
])('the list of transactions refuses %s=%s', async (field, value) => {
  const alice = await verifiedUser(openApp())
  const refused = await alice.refused('GET /v2/transactions', { query: { [field]: value } })
  expect(refused).toMatchObject({ status: 400, errors: [{ field }] })
})
