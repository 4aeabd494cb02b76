import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWallet } from '../src/wallet.js'
import { ALICE, account, openSandbox } from './sandbox.js'

let sandbox
let ramp
let wallet

beforeEach(async () => {
  const opened = await openSandbox()
  ;({ sandbox, ramp } = opened)
  wallet = createWallet({ ...opened, account })
})
afterEach(() => sandbox.close())

it('has the coins of a buy on the chain once it is complete', async () => {
  const before = await wallet.balance()
  const { id, rightSideValue } = await wallet.buy(1000)
  const [coins] = await Promise.all([
    wallet.waitForCoins(),
    sandbox.simulate.settled(id, { through: true }),
  ])
  expect(coins.amount).toBe(rightSideValue)
  expect(await wallet.balance()).toBeCloseTo(before + rightSideValue, 6)
  expect(await ramp.transaction(id)).toMatchObject({ status: 'complete', paymentId: coins.hash })
})

describe('a sell', () => {
  beforeEach(() => sandbox.chain.send({ to: account.address, amount: 100 }))

  it('is complete after a transfer that the wallet signed', async () => {
    const before = await wallet.balance()
    const order = await wallet.sell(100)
    const hash = await wallet.pay(order)
    await sandbox.chain.scan()
    const status = 'processing request money transfer'
    expect(await ramp.transaction(order.id)).toMatchObject({ status, paymentId: hash })
    await sandbox.simulate.settled(order.id)
    expect(await ramp.transaction(order.id)).toMatchObject({ status: 'complete' })
    expect(await wallet.balance()).toBeCloseTo(before - 100, 6)
  })

  it('stays expired when the user signs too late, and support writes', async () => {
    const order = await wallet.sell(100)
    await sandbox.simulate.expired(order.id)
    await wallet.pay(order)
    await sandbox.chain.scan()
    expect(await ramp.transaction(order.id)).toMatchObject({ status: 'expired' })
    const { subject } = await sandbox.inbox.next({ email: ALICE, kind: 'deposit-notice' })
    expect(subject).toBe('Your deposit came too late')
  })
})
