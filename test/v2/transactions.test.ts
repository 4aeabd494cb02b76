import { describe, expect, it } from 'vitest'
import { openApp, refusal } from '../helpers/app.ts'
import {
  EVM_WALLET,
  expire,
  PENDING,
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
    expect(refused).toMatchObject(refusal(400, 'wallet'))
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
    expect(await alice.refusedBuy({ wallet })).toMatchObject(refusal(400, 'wallet'))
  })
})

describe('creating a transaction', () => {
  it.each(['ethCost', 'gasId'])('does not accept %s', async (field) => {
    const alice = await verifiedUser(openApp())
    const refused = await alice.refusedBuy({ [field]: 1 })
    expect(refused).toMatchObject({ status: 400, errors: [{ field }] })
  })

  it('is for verified users, also when the token is older than the rejection', async () => {
    const app = openApp()
    const alice = await verifiedUser(app)
    await review(app, alice.id, 'rejected')
    const refused = await alice.refusedBuy()
    expect(refused).toMatchObject(refusal(403, 'user'))
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
    expect(refused).toMatchObject(refusal(400, 'txId'))
    expect(await alice.read(id)).toMatchObject({ status })
  })
})
