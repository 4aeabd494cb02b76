import { expect } from 'vitest'
import { ALICE, test } from './wallet.js'

test('a buy adds to the balance once the money has arrived', async ({ sandbox, wallet }) => {
  await wallet.logIn(ALICE)
  const { id, coins } = await wallet.buy(1000)
  expect((await wallet.show()).balance).toBe(0)

  await sandbox.simulate.fundsReceived(id)
  await sandbox.simulate.settled(id)

  const { balance, buys } = await wallet.show()
  expect(balance).toBe(coins)
  expect(buys).toMatchObject([{ id, status: 'complete' }])
})

test('a buy expires an hour later when nobody pays, and adds nothing', async ({
  sandbox,
  wallet,
}) => {
  await wallet.logIn(ALICE)
  await wallet.buy(1000)
  await sandbox.clock.advance('59m')
  expect((await wallet.show()).buys[0].status).toBe('pending request money transfer')

  // Expiry runs in the background, so it may take a little longer.
  await sandbox.clock.advance('5m')

  const { balance, buys } = await wallet.show()
  expect(buys[0].status).toBe('expired')
  expect(balance).toBe(0)
})

test('a buy is refused with the reason when three are open', async ({ wallet }) => {
  await wallet.logIn(ALICE)
  for (let count = 1; count <= 3; count++) await wallet.buy(100)

  await expect(wallet.buy(100)).rejects.toMatchObject({ status: 400 })

  expect((await wallet.show()).buys).toHaveLength(3)
})
