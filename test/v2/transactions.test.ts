import { describe, expect, it } from 'vitest'
import { NOON, NOWHERE, openApp } from '../helpers/app.ts'
import {
  EVM_WALLET,
  expire,
  PENDING,
  PROCESSING,
  quote,
  receiveFunds,
  review,
  SOLANA_WALLET,
  settle,
  verifiedUser,
  walletFor,
} from '../helpers/story.ts'

describe('a buy', () => {
  it('begins as a request for money that waits for the user', async () => {
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

  it('reads the same afterwards, without the deposit address', async () => {
    const alice = await verifiedUser(openApp())
    const { depositAddress: _, ...bought } = await alice.buy()
    expect(await alice.read(bought.id)).toEqual(bought)
  })

  it('is processed when the money comes, and complete with a payment id', async () => {
    const app = openApp()
    const alice = await verifiedUser(app)
    const { id } = await alice.buy()
    await receiveFunds(app, id)
    expect(await alice.read(id)).toMatchObject({ status: PROCESSING, paymentId: null })
    await settle(app, id)
    const done = await alice.read(id)
    expect(done.status).toBe('complete')
    expect(done.paymentId).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

const paymentIdOf = ({ payload }: { payload: { paymentId: string | null } }) => payload.paymentId

describe('a sell', () => {
  it('says in the create response where to send the coins', async () => {
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

  it('has a payment id from when its coins arrive, and keeps it', async () => {
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

  it('takes the payment id that its lever gives', async () => {
    const app = openApp()
    const alice = await verifiedUser(app)
    const [first, second] = [await alice.sell(), await alice.sell()]
    const simulate = (id: string, name: string, body: object) =>
      app.control('POST', `/simulate/transactions/${id}/${name}`, body)
    await simulate(first.id, 'funds-received', { paymentId: '0xbeef' })
    await simulate(first.id, 'settled', {})
    expect((await alice.read(first.id)).paymentId).toBe('0xbeef')
    const moved = await simulate(second.id, 'settled', { paymentId: '0xfeed', through: true })
    expect(moved.events.map(paymentIdOf)).toEqual(['0xfeed', '0xfeed'])
  })

  it('keeps its payment id in a status that was forced, until it is pending again', async () => {
    const app = openApp()
    const alice = await verifiedUser(app)
    const { id } = await alice.sell()
    const force = async (status: string) => {
      await app.control('POST', `/simulate/transactions/${id}/status`, { status, force: true })
      return (await alice.read(id)).paymentId
    }
    expect(await force('on hold')).toBeNull()
    await force(PROCESSING)
    expect(await force('on hold')).toMatch(/^0x/)
    expect(await force(PENDING)).toBeNull()
  })

  it('on Solana has an address of Solana', async () => {
    const alice = await verifiedUser(openApp())
    const sold = await alice.sell({ leftSideLabel: 'USDC-SOL' })
    expect(sold.depositAddress).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    expect(sold.paymentType).toBe('sol network')
  })
})

describe('the wallet of a transaction', () => {
  const LABELS = ['USDC', 'CADC-BASE', 'USDC-SOL']

  it.each(LABELS)('must be an address on the chain of %s', async (label) => {
    const app = openApp()
    const alice = await verifiedUser(app)
    const buy = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: label }
    const right = walletFor(buy)
    const wrong = right === SOLANA_WALLET ? EVM_WALLET : SOLANA_WALLET
    await alice.buy({ ...buy, wallet: right })
    const refused = await alice.refusedBuy({ ...buy, wallet: wrong })
    expect(refused).toMatchObject({ status: 400, errors: [{ field: 'wallet' }] })
  })

  it.each([
    '',
    `0x${'a'.repeat(39)}`,
    `0x${'g'.repeat(40)}`,
    ` ${EVM_WALLET}`,
    `0x${'0'.repeat(40)}`,
    'alice.eth',
  ])('"%s" is refused', async (wallet) => {
    const alice = await verifiedUser(openApp())
    expect(await alice.refusedBuy({ wallet })).toMatchObject({
      status: 400,
      errors: [{ field: 'wallet' }],
    })
  })
})

describe('creating a transaction', () => {
  it.each(['ethCost', 'gasId'])('does not accept %s', async (field) => {
    const alice = await verifiedUser(openApp())
    const refused = await alice.refusedBuy({ [field]: 1 })
    expect(refused).toMatchObject({ status: 400, errors: [{ field }] })
  })

  it.each(['leftSideLabel', 'leftSideValue', 'rightSideLabel', 'wallet', 'quoteId'])(
    'requires %s',
    async (field) => {
      const app = openApp()
      const alice = await verifiedUser(app)
      const { quoteId } = await quote(app, {})
      const whole = {
        leftSideLabel: 'CAD',
        leftSideValue: 100,
        rightSideLabel: 'USDC-ETH',
        wallet: EVM_WALLET,
        quoteId,
      }
      const body = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field))
      const refused = await alice.refused('POST /v2/transactions', { body })
      expect(refused).toMatchObject({
        status: 400,
        errors: [{ field, message: `${field} is required.` }],
      })
    },
  )

  it('is for verified users, also when the token is older than the rejection', async () => {
    const app = openApp()
    const alice = await verifiedUser(app)
    await review(app, alice.id, 'rejected')
    const refused = await alice.refusedBuy()
    expect(refused).toMatchObject({ status: 403, errors: [{ field: 'user' }] })
  })
})

describe('cancelling', () => {
  it('withdraws a pending transaction', async () => {
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
  ])('is refused once the transaction is %s', async (_, moves) => {
    const app = openApp()
    const alice = await verifiedUser(app)
    const { id } = await alice.buy()
    for (const move of moves) await move(app, id)
    const { status } = await alice.read(id)
    const refused = await alice.refused('PUT /v2/transactions/{txId}/cancel', {
      path: { txId: id },
    })
    expect(refused).toMatchObject({ status: 400, errors: [{ field: 'txId' }] })
    expect(await alice.read(id)).toMatchObject({ status })
  })

  it('needs a transaction', async () => {
    const alice = await verifiedUser(openApp())
    for (const txId of [NOWHERE, 'x', alice.id]) {
      const refused = await alice.refused('PUT /v2/transactions/{txId}/cancel', { path: { txId } })
      expect(refused).toMatchObject({ status: 404, errors: [{ field: 'txId' }] })
    }
  })
})

it('dates a transaction by the clock of the world', async () => {
  const app = openApp()
  await app.advance('400d')
  const alice = await verifiedUser(app)
  const { date } = await alice.buy()
  expect(Date.parse(date) - Date.parse(NOON)).toBe(400 * 86_400_000)
})
