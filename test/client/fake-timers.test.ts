import { afterEach, expect, it, vi } from 'vitest'
import { createReceiver, createSandbox, verifySignature } from '../../src/index.ts'

afterEach(() => void vi.useRealTimers())

const DAY_MS = 24 * 60 * 60 * 1000

it.each([
  ['all that are faked by default', undefined],
  ['setImmediate alone', ['setImmediate' as const]],
  ['the timers without the clock', ['setTimeout' as const, 'setInterval' as const]],
])(
  'under fake timers, a sandbox of the same process delivers webhooks and ends its waits: %s',
  async (_, toFake) => {
    await using sandbox = await createSandbox({ fixture: 'verified-user' })
    await using receiver = await createReceiver()
    vi.useFakeTimers(toFake && { toFake })
    const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
    const body = JSON.stringify({ url: receiver.url })
    const configured = await sandbox.fetch('/v2/webhook-configurations', {
      method: 'PUT',
      headers,
      body,
    })
    const { data } = (await configured.json()) as { data: { signingSecret: string } }
    const { transaction } = await sandbox.buy('alice@example.com', { cad: 250 })
    await sandbox.simulate.fundsReceived(transaction.id)
    await sandbox.simulate.settled(transaction.id)
    const [created, , last] = [await receiver.next(), await receiver.next(), await receiver.next()]
    expect(last).toMatchObject({ json: { payload: { status: 'complete' } } })
    for (const webhook of [created, last]) {
      expect(verifySignature({ ...webhook, secret: data.signingSecret }).ok).toBe(true)
    }
    const none = sandbox.inbox.next({ email: 'nobody@example.com' }, { timeout: '20ms' })
    await expect(none).rejects.toMatchObject({ code: 'timeout' })
    await sandbox.webhooks.drain()
  },
)

it('under fake timers, a sandbox of the same process refuses calls while microtasks are faked, instead of reading a body for ever', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user' })
  vi.useFakeTimers({ toFake: ['queueMicrotask'] })
  const refusal = { code: 'fake-timers', message: expect.stringContaining('toNotFake') }
  await expect(sandbox.buy('alice@example.com', { cad: 250 })).rejects.toMatchObject(refusal)
  await expect(sandbox.fetch('/v2/users')).rejects.toMatchObject(refusal)
  vi.useRealTimers()
  await sandbox.buy('alice@example.com', { cad: 250 })
})

it('under fake timers, a sandbox of the same process keeps its own time, whatever the clock of the test says', async () => {
  await using sandbox = await createSandbox({ clock: 'running' })
  const now = await sandbox.clock.now()
  vi.useFakeTimers({ now: now.getTime() + DAY_MS })
  const later = await sandbox.clock.now()
  expect(later.getTime() - now.getTime()).toBeLessThan(DAY_MS / 2)
})
