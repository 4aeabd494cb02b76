import { expect, it, onTestFinished } from 'vitest'
import { createReceiver, createSandbox, type Sandbox, verifySignature } from '../../src/index.ts'
import { buy } from './buy.ts'

async function start(listen = true): Promise<Sandbox> {
  const sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen', listen })
  onTestFinished(() => sandbox.close())
  return sandbox
}

const pointAt = async (sandbox: Sandbox, url: string) =>
  (await sandbox.webhooks.set(url)).signingSecret

it.each([true, false])(
  'webhooks reach a receiver, signed (sandbox with a socket: %s)',
  async (listen) => {
    const sandbox = await start(listen)
    await using receiver = await createReceiver()
    const secret = await pointAt(sandbox, receiver.url)
    const id = await buy(sandbox)
    await sandbox.simulate.settled(id, { through: true })

    const { headers, bytes } = await receiver.next(({ body }) => body.includes('"complete"'))

    expect(verifySignature({ secret, headers, body: bytes })).toEqual({ ok: true })
    const { ok } = verifySignature({ secret: 'another', headers, body: bytes })
    expect(ok).toBe(false)
  },
)

it('webhooks are listed, resent and changed', async () => {
  const sandbox = await start()
  await using receiver = await createReceiver()
  const secret = await pointAt(sandbox, receiver.url)
  const ref = await buy(sandbox)
  expect(await sandbox.webhooks.drain()).toEqual({ pending: 0 })
  const [delivery] = await sandbox.webhooks.deliveries({ ref, outcome: 'delivered' })
  expect(delivery).toMatchObject({ type: 'transaction.update', url: receiver.url })

  const again = await sandbox.webhooks.resend(delivery?.id ?? '')
  expect(await sandbox.webhooks.delivery(again.id)).toEqual(again)
  await sandbox.webhooks.resend(again.id, { mutate: 'signature' })

  const checks = receiver.received.map(({ headers, bytes: body }) =>
    verifySignature({ secret, headers, body }),
  )
  expect(checks.map(({ ok }) => ok)).toEqual([true, true, false])
})

it('webhooks can be caught inside the sandbox', async () => {
  const sandbox = await start()
  const caught = sandbox.world('caught')
  const catcher = caught.webhooks.catch('mine')
  await pointAt(caught, catcher.url)
  await catcher.respond({ status: 503, body: { busy: true }, times: 1 })
  const id = await buy(caught)
  const { body, signature } = await catcher.next()
  expect(JSON.parse(body).payload.transactionId).toBe(id)
  expect(signature).toBe('valid')
  await caught.webhooks.drain()
  const [delivery] = await caught.webhooks.deliveries()
  expect(delivery).toMatchObject({ outcome: 'rejected', response: { status: 503 } })
  expect(await catcher.requests()).toHaveLength(1)
  await expect(catcher.next({ timeout: 10 })).rejects.toMatchObject({ code: 'timeout' })
})

it('webhooks cannot be caught without a socket', async () => {
  const sandbox = await start(false)
  expect(() => sandbox.webhooks.catch('mine')).toThrow('{ listen: false }')
})
