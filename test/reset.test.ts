import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createReceiver } from '../src/client/receiver.ts'
import { type Control, openControl } from './control/control.ts'
import { KEY_2, NOON } from './helpers/app.ts'
import { createFolder } from './helpers/folder.ts'
import { readState, withoutPositions } from './helpers/state.ts'
import { logIn, PENDING, quote, receiveFunds, register, settle } from './helpers/story.ts'

const wallClock = () => Date.parse(NOON)
const OPTIONS = { fixture: 'verified-user', seed: 'reset', wallClock }

/** Everything that can be read of a world. */
async function readAll({ app }: Control): Promise<Record<string, string>> {
  const responses: Record<string, string> = {}
  const paths =
    'state info clock users transactions kyb-submissions inbox events webhooks/deliveries ' +
    'catch/mine/requests requests faults rates settings'
  for (const path of paths.split(' ')) {
    responses[path] = withoutPositions((await app.send(`/_sandbox/${path}`)).text)
  }
  return responses
}

/** A short story, with all its responses. */
async function play({ app, post, get }: Control): Promise<unknown[]> {
  const alice = await logIn(app)
  const responses: unknown[] = [alice.token, await alice.buy(), await alice.sell()]
  responses.push(
    await app.call('PUT /v2/webhook-configurations', { body: { url: 'http://127.0.0.1:1' } }),
  )
  const { fired, events } = await post('/clock/advance', { by: '1h', deliver: 'async' })
  responses.push(fired, events)
  responses.push(await post('/faults', { on: 'api', then: { status: 503 } }))
  const { requests } = await get('/requests')
  // How long a call took is not the same twice.
  return [...responses, requests.map((request: object) => ({ ...request, durationMs: 0 }))]
}

/** Many objects, faults of both kinds, and two days. */
async function live(control: Control, url: string) {
  const { app, post, patch, put } = control
  await app.call('PUT /v2/webhook-configurations', { body: { url } })
  await app.call('PUT /v2/webhook-configurations', { key: KEY_2, body: { url } })
  await app.call('POST /v2/webhook-configurations/signing-secret/rotate')
  await post('/faults', { on: 'webhook', then: { drop: true }, times: 100 })
  await post('/faults', { on: 'webhook', match: { status: 'complete' }, then: { reorder: true } })
  await post('/faults', { on: 'api', match: { operation: 'getLimits' }, then: { status: 503 } })
  await patch('/settings', {
    'limits.active': 1_000,
    'limits.cancelled': 1_000,
    'requests.perMinute': 100_000,
  })
  await put('/rates', { USDC: { cad: 2 } })
  await app.send('/_sandbox/catch/mine', { method: 'POST', body: 'caught' })
  for (let i = 0; i < 50; i++) await register(app, { email: `user-${i}@example.com` })
  for (let i = 0; i < 50; i++) await quote(app, {})
  const alice = await logIn(app)
  for (let i = 0; i < 60; i++) {
    const { id } = await alice.buy()
    if (i % 3 === 0) await receiveFunds(app, id)
    if (i % 6 === 0) await settle(app, id)
    if (i % 6 === 1) await alice.cancel(id)
    if (i % 20 === 0) await post('/clock/advance', { by: '10m' })
  }
  await post('/clock/advance', { by: '2d' })
}

it('a reset after many objects, faults and two days is a fresh start, byte for byte', async () => {
  await using receiver = await createReceiver()
  await using control = openControl(OPTIONS)
  const fresh = await readAll(control)
  await live(control, receiver.url)
  const { items, total } = await control.get('/transactions?limit=1')
  expect([items.length, total]).toEqual([1, 60])
  await control.post('/reset')
  expect(await readAll(control)).toEqual(fresh)
  await using other = openControl(OPTIONS)
  expect(await readAll(other)).toEqual(fresh)
  const [one, another] = [await play(control), await play(other)].map((responses) =>
    withoutPositions(JSON.stringify(responses)),
  )
  expect(one).toBe(another)
  const states = [await readState(control.app), await readState(other.app)]
  expect(new Set(states.map(withoutPositions)).size).toBe(1)
})

it('a reset goes back to the original start even if its fixture has changed since', async () => {
  const folder = createFolder(onTestFinished)
  const file = join(folder, 'mine.json')
  const write = (email: string) => writeFileSync(file, JSON.stringify({ users: [{ email }] }))
  write('first@example.com')
  await using control = openControl({ fixture: file })
  write('second@example.com')
  await control.post('/reset')
  const { items } = await control.get('/users')
  expect(items.map(({ email }: { email: string }) => email)).toEqual(['first@example.com'])
  await control.app.world('other').control('GET', '/users/first@example.com')
  await control.post('/reset')
})

it('a reset may keep the webhooks', async () => {
  await using control = openControl(OPTIONS)
  const body = { url: 'https://example.com/hooks' }
  await control.app.call('PUT /v2/webhook-configurations', { body })
  await control.post('/reset', { keep: ['webhooks'] })
  const kept = await control.app.call('PUT /v2/webhook-configurations', { body })
  expect(kept).not.toHaveProperty('signingSecret')
  await control.post('/reset')
  const { status } = await control.app.refused('GET /v2/webhook-configurations')
  expect(status).toBe(404)
})

it('a reset ends deliveries that are in progress', async () => {
  await using receiver = await createReceiver({ respond: () => new Promise<number>(() => {}) })
  await using control = openControl(OPTIONS)
  const { app, get, post } = control
  await app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  const alice = await logIn(app)
  await alice.buy()
  await receiver.next(({ body }) => body.includes(PENDING))
  await post('/reset')
  const none = { deliveries: [], cursor: expect.any(String), more: false }
  expect(await get('/webhooks/deliveries')).toEqual(none)
  expect(await post('/webhooks/drain')).toEqual({ pending: 0 })
})
