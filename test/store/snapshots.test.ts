import { expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { SNAPSHOTS_MAX } from '../../src/engine/snapshots.ts'
import { controlOf, openControl } from '../control/control.ts'
import { readState } from '../helpers/state.ts'
import { logIn, PENDING, receiveFunds, register } from '../helpers/story.ts'

const hang = () => new Promise<number>(() => undefined)

it('a snapshot restores the world byte for byte: its clock, its scheduled tasks, its settings', async () => {
  await using control = openControl()
  const { app, get, post, patch } = control
  const alice = await logIn(app)
  const { id } = await alice.buy()
  await post('/clock/advance', { by: '20m' })
  const taken = await post('/snapshots', { name: 'early' })
  expect(taken).toMatchObject({ name: 'early', at: '2026-07-01T12:20:00.000Z', queued: 0 })
  const before = await readState(app)
  const { text } = await app.send('/_sandbox/state')
  expect(taken.bytes).toBe(Buffer.byteLength(text))
  await patch('/settings', { 'quotes.ttl': '5m' })
  await receiveFunds(app, id)
  await post('/clock/advance', { by: '2d' })
  expect(await post('/snapshots/early/restore')).toEqual({
    name: 'early',
    now: '2026-07-01T12:20:00.000Z',
    mode: 'frozen',
  })
  expect(await readState(app)).toBe(before)
  const { fired } = await post('/clock/advance', { by: '40m' })
  expect(fired).toEqual([{ at: '2026-07-01T13:00:00.000Z', kind: 'expire-transaction', ref: id }])
  expect((await get('/transactions')).items).toMatchObject([{ status: 'expired' }])
})

it('a snapshot holds queued webhooks, and sends them when it is restored', async () => {
  await using receiver = await createReceiver({ respond: hang })
  await using control = openControl({ settings: { 'webhooks.timeout': '20s' } })
  const { app, get, post } = control
  await app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  const alice = await logIn(app)
  const { id } = await alice.buy()
  const first = await receiver.next()
  await post(`/simulate/transactions/${id}/funds-received`, { deliver: 'async' })
  await post(`/simulate/transactions/${id}/settled`, { deliver: 'async' })
  expect((await post('/snapshots', { name: 'queued' })).queued).toBe(2)
  const [, processing, complete] = (await get('/webhooks/deliveries')).deliveries
  receiver.respondWith(200)
  await post('/snapshots/queued/restore')
  await post('/webhooks/drain')
  const bodies = receiver.received.slice(1).map(({ body }) => body)
  expect(bodies).toEqual([processing.request.body, complete.request.body])
  expect(first.body).toContain(PENDING)
  const { deliveries } = await get('/webhooks/deliveries')
  // The first was on its way when the snapshot was taken; the others were sent anew.
  const because = 'The snapshot queued was restored before this webhook was delivered.'
  expect(deliveries).toMatchObject([
    { id: 'dlv_1', outcome: 'refused', error: because },
    { id: 'dlv_2', outcome: 'suppressed', reason: because },
    { id: 'dlv_3', outcome: 'suppressed', reason: because },
    { id: 'dlv_4', outcome: 'delivered' },
    { id: 'dlv_5', outcome: 'delivered' },
  ])
})

it('a snapshot outlives a reset, and a restore leaves the faults as they are', async () => {
  await using control = openControl()
  const { app, get, post } = control
  await register(app, { email: 'bob@example.com' })
  await post('/snapshots', { name: 'lived' })
  const before = await readState(app)
  await post('/reset')
  await post('/faults', { on: 'api', then: { status: 503 } })
  await post('/snapshots/lived/restore')
  expect(await readState(app)).toBe(before)
  expect((await get('/faults')).total).toBe(1)
})

it('a snapshot replaces an earlier one of its name, is listed, and can be deleted', async () => {
  await using control = openControl()
  const { get, post } = control
  await post('/snapshots', { name: 'a' })
  await post('/clock/advance', { by: '1h' })
  await post('/snapshots', { name: 'a' })
  expect(await get('/snapshots')).toMatchObject({
    items: [{ name: 'a', at: '2026-07-01T13:00:00.000Z' }],
    total: 1,
  })
  expect(await control.delete('/snapshots/a')).toEqual({ deleted: 'a' })
  expect((await get('/snapshots')).total).toBe(0)
})

it.each(['', 'a/b', 'a'.repeat(65)])('a snapshot may not be named %j', async (name) => {
  await using control = openControl()
  const { errors } = await control.refused('POST', '/snapshots', { body: { name } })
  expect(errors[0]?.field).toBe('name')
})

it.each(['.a', '-a', '_a'])(
  'a name of a snapshot, a world or a catch that begins like %j is refused with what it has to begin with',
  async (name) => {
    await using control = openControl()
    const { app } = control
    const refused = [
      await control.refused('POST', '/snapshots', { body: { name } }),
      await control.refused('GET', `/catch/${name}/requests`),
      await controlOf(app.world(name)).refused('GET', '/info'),
    ]
    for (const { title } of refused) expect(title).toContain('beginning with a letter or a digit')
  },
)

it(`a world keeps at most ${SNAPSHOTS_MAX} snapshots`, async () => {
  await using control = openControl()
  for (let i = 1; i <= SNAPSHOTS_MAX; i++) await control.post('/snapshots', { name: `s${i}` })
  const refused = await control.refused('POST', '/snapshots', { body: { name: 'more' } })
  expect(refused).toMatchObject({ status: 409, code: 'too-many-snapshots' })
  await control.post('/snapshots', { name: 's1' })
  await control.delete('/snapshots/s2')
  await control.post('/snapshots', { name: 'more' })
})
