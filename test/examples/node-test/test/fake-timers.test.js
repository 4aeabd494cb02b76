import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { createReceiver, createSandbox } from 'ramp-sandbox'
import sinon from 'sinon'

const ALICE = 'alice@example.com'
const now = new Date('2026-07-01T12:00:00Z')

describe('fake timers', () => {
  let sandbox
  let receiver

  beforeEach(async () => {
    sandbox = await createSandbox({ fixture: 'verified-user' })
    receiver = await createReceiver()
  })

  afterEach(async () => {
    mock.timers.reset()
    sinon.restore()
    await sandbox.close()
    await receiver.close()
  })

  for (const [name, fake] of [
    ['node:test', () => mock.timers.enable({ now })],
    ['sinon, setImmediate alone', () => sinon.useFakeTimers({ toFake: ['setImmediate'] })],
    ['sinon', () => sinon.useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })],
  ]) {
    test(`a webhook arrives, and a wait ends, under fake timers of ${name}`, async () => {
      fake()
      await sandbox.fetch('/v2/webhook-configurations', {
        method: 'PUT',
        headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ url: receiver.url }),
      })
      const { transaction } = await sandbox.buy(ALICE, { cad: 250 })

      const { json } = await receiver.next()
      assert.equal(json.payload.transactionId, transaction.id)
      const nobody = sandbox.inbox.next({ email: 'nobody@example.com' }, { timeout: '20ms' })
      await assert.rejects(nobody, { code: 'timeout' })
    })
  }
})

test('every call is refused with the defaults of sinon, which stop Node from reading', async () => {
  const sandbox = await createSandbox({ fixture: 'verified-user' })
  const refusal = { code: 'fake-timers' }
  sinon.useFakeTimers()
  try {
    await assert.rejects(sandbox.buy(ALICE, { cad: 250 }), refusal)
    await assert.rejects(sandbox.close(), refusal)
    await assert.rejects(createSandbox(), refusal)
    await assert.rejects(createReceiver(), refusal)
  } finally {
    sinon.restore()
  }
  await sandbox.buy(ALICE, { cad: 250 })
  await sandbox.close()
})
