import assert from 'node:assert/strict'
import { createSandbox } from 'ramp-sandbox'

const sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
const { transaction } = await sandbox.buy('alice@example.com', { cad: 250 })
await sandbox.clock.advance('1h')
assert.equal((await sandbox.transactions.get(transaction.id)).status, 'expired')
await sandbox.close()
console.log('The bundle works.')
