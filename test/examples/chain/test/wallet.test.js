import { expect } from 'vitest'
import { createWallet } from '../src/wallet.js'
import { account, test as sandboxTest } from './sandbox.js'

const test = sandboxTest.extend({
  wallet: ({ ramp, usdc, sandboxChain: node }, use) =>
    use(createWallet({ ramp, usdc, node, account })),
})

test('a buy that is complete has its coins on the chain', async ({ sandbox, ramp, wallet }) => {
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

test('a sell is paid by a transfer that the wallet signed', async ({ sandbox, ramp, wallet }) => {
  await sandbox.chain.send({ to: account.address, amount: 100 })
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

test('a sell that is signed too late stays expired', async ({ sandbox, ramp, wallet }) => {
  await sandbox.chain.send({ to: account.address, amount: 100 })
  const order = await wallet.sell(100)
  await sandbox.simulate.expired(order.id)
  await wallet.pay(order)
  const { log } = await sandbox.chain.scan()
  expect(await ramp.transaction(order.id)).toMatchObject({ status: 'expired' })
  expect(log).toEqual([expect.stringContaining('which is expired')])
})
