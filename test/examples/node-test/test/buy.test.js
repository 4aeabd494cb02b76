import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createSandbox } from 'ramp-sandbox'

const ALICE = 'alice@example.com'
const sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })

// A seed per test gives each test ids of its own.
beforeEach(({ fullName }) => sandbox.reset({ seed: fullName }))
after(() => sandbox.close())

test('a buy is complete once the money has arrived', async () => {
  const { transaction } = await sandbox.buy(ALICE, { cad: 250 })
  await sandbox.simulate.settled(transaction.id, { through: true })
  const { status } = await sandbox.transactions.get(transaction.id)
  assert.equal(status, 'complete')
})

test('a buy that nobody pays expires an hour later', async () => {
  const { transaction } = await sandbox.buy(ALICE, { cad: 250 })
  await sandbox.clock.advance('1h')
  const { status } = await sandbox.transactions.get(transaction.id)
  assert.equal(status, 'expired')
})
