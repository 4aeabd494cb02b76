import { expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { isSigned, openHooks } from '../helpers/hooks.ts'
import { logIn } from '../helpers/story.ts'
import { openControl } from './control.ts'

/** A world with a receiver, and one buy whose events it received. */
async function openStory() {
  const control = openControl()
  const hooks = await openHooks(control.app)
  const alice = await logIn(control.app)
  const { id } = await alice.buy()
  await control.post('/webhooks/drain')
  return {
    control,
    hooks,
    alice,
    id,
    async [Symbol.asyncDispose]() {
      await hooks[Symbol.asyncDispose]()
      await control[Symbol.asyncDispose]()
    },
  }
}

it('deliveries show exactly what was sent and what came back', async () => {
  await using story = await openStory()
  const { control, hooks, id } = story
  const { deliveries } = await control.get('/webhooks/deliveries?generation=v2')
  expect(deliveries).toHaveLength(1)
  const [received] = hooks.receiver.received
  expect(deliveries[0]).toMatchObject({
    type: 'transaction.update',
    ref: id,
    generation: 'v2',
    outcome: 'delivered',
    request: { body: received?.body },
    response: { status: 200 },
    occurredAt: '2026-07-01T12:00:00.000Z',
  })
  const { id: deliveryId } = deliveries[0]
  expect(await control.get(`/webhooks/deliveries/${deliveryId}`)).toEqual(deliveries[0])
})

it('deliveries can be resent on request, even with a change', async () => {
  await using story = await openStory()
  const { control, hooks } = story
  const [delivery] = (await control.get('/webhooks/deliveries?outcome=delivered')).deliveries
  const path = `/webhooks/deliveries/${delivery.id}/resend`
  const again = await control.post(path)
  expect(again).toMatchObject({ eventId: delivery.eventId, outcome: 'delivered' })
  expect(again.id).not.toBe(delivery.id)
  expect([delivery.repeatOf, again.repeatOf]).toEqual([null, delivery.id])
  expect(await hooks.statuses()).toHaveLength(2)
  for (const mutate of ['body', 'signature', 'timestamp']) {
    const changed = await control.post(path, { mutate })
    expect(changed).toMatchObject({ outcome: 'delivered', reason: expect.any(String) })
  }
  const third = await control.post(`/webhooks/deliveries/${again.id}/resend`)
  expect(third.repeatOf).toBe(delivery.id)
  await expect(hooks.statuses()).rejects.toThrow('unsigned')
})

it('failed deliveries can be resent in order, all of them or those of one subject', async () => {
  await using story = await openStory()
  const { control, hooks, id } = story
  hooks.receiver.respondWith(500)
  await control.post(`/simulate/transactions/${id}/settled`, { through: true })
  await control.post('/simulate/users/alice@example.com/kyc', { status: 'in-review' })
  const path = '/webhooks/resend-failed'
  expect(await control.post(path, { ref: id.slice(0, 8) })).toMatchObject({
    deliveries: [{ status: 'processing request money transfer' }, { status: 'complete' }],
    failed: 2,
  })
  hooks.receiver.respondWith(200)
  const { deliveries, failed } = await control.post(path)
  const attempts = deliveries.map(({ type, outcome }: Record<string, string>) => [type, outcome])
  expect([attempts, failed]).toEqual([
    [
      ['transaction.update', 'delivered'],
      ['transaction.update', 'delivered'],
      ['user.update', 'delivered'],
    ],
    0,
  ])
  expect(await control.post(path)).toEqual({ deliveries: [], failed: 0 })
  const nobody = await control.refused('POST', path, { body: { ref: 'nobody@example.com' } })
  expect(nobody).toMatchObject({
    code: 'not-found',
    title: 'There is no webhook about nobody@example.com in the log.',
  })
  const { actions } = await control.get('/actions?last=2')
  expect(actions).toMatchObject([
    { title: 'Failed webhooks resent', status: 200 },
    { title: 'Resend every failed webhook, in event order', status: 404 },
  ])
})

it('deliveries are sent once to another URL, signed with the same secret', async () => {
  await using story = await openStory()
  const { control, hooks } = story
  const [delivery] = (await control.get('/webhooks/deliveries?outcome=delivered')).deliveries
  const path = `/webhooks/deliveries/${delivery.id}/resend`
  await using other = await createReceiver()
  const elsewhere = await control.post(path, { to: other.url })
  expect(elsewhere).toMatchObject({ outcome: 'delivered', url: other.url })
  const [received] = other.received
  expect(received?.body).toBe(delivery.request.body)
  expect(received && isSigned(received.headers, received.bytes, hooks.secret)).toBe(true)
  expect((await control.post(path)).url).toBe(delivery.url)
  const wrong = { body: { to: 'http://10.0.0.1/hooks' } }
  expect(await control.refused('POST', path, wrong)).toMatchObject({
    code: 'invalid-url',
    errors: [{ field: 'to', message: expect.stringMatching(/^to must start with https:/) }],
  })
})

it('deliveries drain once a slow receiver has responded, or say how many are left', async () => {
  await using control = openControl()
  let release = (_: number) => {}
  const released = new Promise<number>((resolve) => {
    release = resolve
  })
  await using receiver = await createReceiver({ respond: () => released })
  const body = { url: receiver.url }
  await control.app.call('PUT /v2/webhook-configurations', { body })
  await (await logIn(control.app)).buy()
  expect(await control.post('/webhooks/drain', { timeout: 1 })).toEqual({ pending: 1 })
  const draining = control.post('/webhooks/drain')
  release(200)
  expect(await draining).toEqual({ pending: 0 })
})
