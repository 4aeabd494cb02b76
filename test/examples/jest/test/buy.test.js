const { ALICE, startWallet } = require('./wallet.js')

test('a buy is complete once the money has arrived', async () => {
  const { sandbox, received } = await startWallet()
  const { transaction } = await sandbox.buy(ALICE, { cad: 250 })

  await sandbox.simulate.fundsReceived(transaction.id)
  await sandbox.simulate.settled(transaction.id)

  expect(received.map(({ payload }) => payload.status)).toEqual([
    'pending request money transfer',
    'processing request money transfer',
    'complete',
  ])
})
