import { describe, expect, it, onTestFinished } from 'vitest'
import { formatEntry, isError } from '../../src/cli/log-format.ts'
import { createReceiver, createSandbox } from '../../src/index.ts'
import { buy } from '../client/buy.ts'

const DAMAGES = ['body', 'signature', 'timestamp'] as const
const WORDS = { body: 'changed body', signature: 'wrong signature', timestamp: 'old timestamp' }
const PLAIN = { isColoured: false }

/** A webhook that its receiver answered with 500. */
async function openFailed() {
  const sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen', listen: false })
  const receiver = await createReceiver()
  onTestFinished(async () => {
    await receiver.close()
    await sandbox.close()
  })
  await sandbox.webhooks.set(receiver.url)
  receiver.respondWith(500)
  const ref = await buy(sandbox)
  await sandbox.webhooks.drain()
  const listFailed = () => sandbox.webhooks.deliveries({ failed: true })
  const [delivery] = await listFailed()
  return { sandbox, receiver, ref, id: delivery?.id ?? '', listFailed }
}

describe('a failed webhook', () => {
  it.each(DAMAGES)(
    'is not repaired by a resend with a damaged %s that is accepted',
    async (mutate) => {
      const { sandbox, receiver, id, listFailed } = await openFailed()
      receiver.respondWith(200)
      const liar = await sandbox.webhooks.resend(id, { mutate })
      expect(liar).toMatchObject({ outcome: 'delivered', damage: mutate, failed: true })
      expect((await listFailed()).map((row) => row.id)).toEqual([id])
      const subject = { kind: 'delivery', row: liar } as const
      expect(isError(subject)).toBe(true)
      expect(formatEntry({ world: 'default', subject }, PLAIN)).toMatch(
        new RegExp(`Your receiver accepted a webhook with an? ${WORDS[mutate]}`),
      )
    },
  )

  it.each(DAMAGES)('says nothing bad of a receiver that rejects a damaged %s', async (mutate) => {
    const { sandbox, receiver, id, listFailed } = await openFailed()
    receiver.respondWith(401)
    const row = await sandbox.webhooks.resend(id, { mutate })
    expect(row).toMatchObject({ outcome: 'rejected', damage: mutate, failed: true })
    expect(isError({ kind: 'delivery', row })).toBe(false)
    expect(await listFailed()).toHaveLength(1)
  })

  it('is repaired by an undamaged resend that is accepted, whatever came between', async () => {
    const { sandbox, receiver, id, listFailed } = await openFailed()
    receiver.respondWith(401)
    expect(await sandbox.webhooks.resend(id)).toMatchObject({ damage: null, failed: true })
    receiver.respondWith(200)
    const again = await sandbox.webhooks.resend(id)
    expect(again).toMatchObject({ outcome: 'delivered', failed: false, repeatOf: id })
    expect(await listFailed()).toEqual([])
    expect(await sandbox.webhooks.delivery(id)).toMatchObject({
      outcome: 'rejected',
      failed: false,
    })
  })

  it.each([
    ['signature', { signature: 'bad' }],
    ['timestamp', { timestamp: 'stale' }],
  ] as const)(
    'stays failed where a fault damaged its %s and the receiver accepts it',
    async (damage, then) => {
      const { sandbox, receiver, listFailed } = await openFailed()
      receiver.respondWith(200)
      await sandbox.faults.add({ on: 'webhook', then })
      await sandbox.simulate.kyc('alice@example.com', 'rejected')
      await sandbox.webhooks.drain()
      const rows = (await listFailed()).filter(({ type }) => type === 'user.update')
      expect(rows).toMatchObject([{ outcome: 'delivered', damage, failed: true }])
    },
  )
})
