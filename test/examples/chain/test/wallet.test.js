import { expect } from 'vitest'
import { createWallet } from '../src/wallet.js'
import { account, test as sandboxTest } from './sandbox.js'

const test = sandboxTest.extend({
  wallet: ({ ramp, usdc, node }, use) => use(createWallet({ ramp, usdc, node, account })),
})

test('a buy that is complete has its coins on the chain', async ({
  sandbox,
  chain,
  ramp,
  wallet,
}) => {
  const before = await wallet.balance()
  const { id, rightSideValue } = await wallet.buy(1000)
  const [coins] = await Promise.all([wallet.waitForCoins(), sandbox.simulate.fundsReceived(id)])
  expect(coins.amount).toBe(rightSideValue)
  expect(await wallet.balance()).toBeCloseTo(before + rightSideValue, 6)
  await chain.scan()
  expect(await ramp.transaction(id)).toMatchObject({ status: 'complete', paymentId: coins.hash })
})

test('a sell is paid by a transfer that the wallet signed', async ({
  sandbox,
  chain,
  ramp,
  wallet,
}) => {
  await chain.send({ to: account.address, amount: 100 })
  const before = await wallet.balance()
  const order = await wallet.sell(100)
  const hash = await wallet.pay(order)
  await chain.scan()
  const status = 'processing request money transfer'
  expect(await ramp.transaction(order.id)).toMatchObject({ status, paymentId: hash })
  await sandbox.simulate.settled(order.id)
  expect(await ramp.transaction(order.id)).toMatchObject({ status: 'complete' })
  expect(await wallet.balance()).toBeCloseTo(before - 100, 6)
})

test('a sell that is signed too late stays expired', async ({
  sandbox,
  chain,
  log,
  ramp,
  wallet,
}) => {
  await chain.send({ to: account.address, amount: 100 })
  const order = await wallet.sell(100)
  await sandbox.simulate.expired(order.id)
  await wallet.pay(order)
  await chain.scan()
  expect(await ramp.transaction(order.id)).toMatchObject({ status: 'expired' })
  expect(log.at(-1)).toContain('which is expired')
})
