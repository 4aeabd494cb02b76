import { expect, it } from 'vitest'
import { logIn } from '../helpers/story.ts'
import { controlOf, openControl } from './control.ts'

it('worlds are listed with their base URLs, and can be deleted one by one', async () => {
  await using control = openControl()
  const worker = controlOf(control.app.world('worker-1'))
  await (await logIn(worker.app)).buy()
  await worker.post('/clock/advance', { by: '1m' })
  expect(await control.get('/worlds')).toEqual({
    items: [
      {
        name: 'default',
        baseUrl: 'http://127.0.0.1:4100',
        now: '2026-07-01T12:00:00.000Z',
        mode: 'frozen',
        fixture: 'verified-user',
        transactions: 0,
        calledAt: null,
      },
      {
        name: 'worker-1',
        baseUrl: 'http://127.0.0.1:4100/w/worker-1',
        now: '2026-07-01T12:01:00.000Z',
        mode: 'frozen',
        fixture: 'verified-user',
        transactions: 1,
        calledAt: expect.stringMatching(/^20.*Z$/),
      },
    ],
    total: 2,
  })
  expect(await control.delete('/worlds/worker-1')).toEqual({ deleted: 'worker-1' })
  expect((await control.get('/worlds')).total).toBe(1)
  expect((await worker.get('/transactions')).total).toBe(0)
})

it('info says what the world is, what it holds and where everything is', async () => {
  await using control = openControl({ settings: { 'names.headerPrefix': 'X-Ramp' } })
  const worker = controlOf(control.app.world('worker-1'))
  const alice = await logIn(worker.app)
  await alice.buy()
  const body = { url: 'https://example.com/hooks' }
  await worker.app.call('PUT /v2/webhook-configurations', { body })
  const info = await worker.get('/info')
  expect(info).toMatchObject({
    world: 'worker-1',
    baseUrl: 'http://127.0.0.1:4100/w/worker-1',
    controlUrl: 'http://127.0.0.1:4100/w/worker-1/_sandbox',
    inspectorUrl: 'http://127.0.0.1:4100/w/worker-1/_sandbox/',
    fixture: 'verified-user',
    now: '2026-07-01T12:00:00.000Z',
    mode: 'frozen',
    taskCount: 1,
    integrators: [
      { name: 'main', apiKey: 'sandbox-key', webhookUrl: 'https://example.com/hooks' },
      { name: 'second', actsWithoutToken: true, webhookUrl: null },
    ],
    names: { timestampHeader: 'X-Ramp-Timestamp', signatureHeader: 'X-Ramp-Signature' },
    counts: { users: 1, usersByStatus: { verified: 1 }, transactions: 1, quotes: 1, events: 1 },
    v1: { side: 'before', responds: true },
  })
  const { events } = await worker.get(`/events?after=${info.cursors.events}`)
  expect(events).toEqual([])
  for (const link of Object.values<string>(info.links)) {
    if (link.endsWith('/stream')) continue
    await worker.get(link.replace(info.controlUrl, ''))
  }
})

it('the fixture of one world sets its clock, whatever clock the sandbox was started with', async () => {
  await using control = openControl()
  const fixture = { clock: '2030-01-01T00:00:00Z' }
  const THEN = '2030-01-01T00:00:00.000Z'
  expect(await control.post('/reset', { fixture })).toMatchObject({ now: THEN, mode: 'frozen' })
  const { name } = await control.post('/worlds', { fixture })
  const made = controlOf(control.app.world(name))
  expect(await made.get('/clock')).toMatchObject({ now: THEN, mode: 'frozen' })
  expect(await made.post('/reset')).toMatchObject({ now: THEN })

  const clock = '2031-01-01T00:00:00.000Z'
  expect(await control.post('/reset', { fixture, clock })).toMatchObject({ now: clock })
  expect(await control.post('/reset')).toMatchObject({ now: '2026-07-01T12:00:00.000Z' })
})
