import { expect, it } from 'vitest'
import type { RequestRecord } from '../../src/control-api/wire.ts'
import { KEY, KEY_2, openApp, type TestApp } from '../helpers/app.ts'
import { isSigned, openHooks } from '../helpers/hooks.ts'
import { register, review } from '../helpers/story.ts'
import { callV1 } from '../v1/legacy.ts'

const URL_1 = 'https://example.com/hooks'
const URL_2 = 'https://example.com/other'
const put = (app: TestApp, url: string, key?: string) =>
  app.call('PUT /v2/webhook-configurations', { body: { url }, ...(key && { key }) })
const rotate = (app: TestApp) => app.call('POST /v2/webhook-configurations/signing-secret/rotate')

it('a webhook configuration shows its signing secret on the first PUT and never again', async () => {
  const app = openApp()
  const first = await put(app, URL_1)
  expect(first.signingSecret).toMatch(/\S{20,}/)
  expect(await put(app, URL_2)).not.toHaveProperty('signingSecret')
  expect(await app.call('GET /v2/webhook-configurations')).toEqual({
    url: URL_2,
    createdAt: first.createdAt,
    updatedAt: first.updatedAt,
  })
})

it('a webhook configuration says when it was created and when it was replaced', async () => {
  const app = openApp()
  await put(app, URL_1)
  await app.advance('1m')
  await put(app, URL_2)
  expect(await app.call('GET /v2/webhook-configurations')).toEqual({
    url: URL_2,
    createdAt: '2026-07-01T12:00:00.000Z',
    updatedAt: '2026-07-01T12:01:00.000Z',
  })
})

it('a webhook configuration belongs to one integrator', async () => {
  const app = openApp()
  const mine = await put(app, URL_1)
  const theirs = await put(app, URL_2, KEY_2)
  expect(theirs.signingSecret).toBeDefined()
  expect(theirs.signingSecret).not.toBe(mine.signingSecret)
  const urlOf = async (key: string) =>
    (await app.call('GET /v2/webhook-configurations', { key })).url
  expect([await urlOf(KEY), await urlOf(KEY_2)]).toEqual([URL_1, URL_2])
})

it.each([
  'GET /v2/webhook-configurations',
  'DELETE /v2/webhook-configurations',
  'POST /v2/webhook-configurations/test',
  'POST /v2/webhook-configurations/signing-secret/rotate',
] as const)('a webhook configuration must exist for %s', async (route) => {
  expect(await openApp().refused(route)).toMatchObject({ status: 404 })
})

it('the hint for a webhook configuration that does not exist says how to set one, unless it was to be deleted', async () => {
  const app = openApp()
  await app.refused('DELETE /v2/webhook-configurations')
  await app.refused('GET /v2/webhook-configurations')
  const { requests } = await app.control('GET', '/requests')
  expect(requests.map(({ reason }: RequestRecord) => reason?.hint)).toEqual([
    null,
    'Use PUT /v2/webhook-configurations to set a URL.',
  ])
})

it('a webhook configuration can be deleted without the legacy webhooks', async () => {
  const app = openApp()
  await put(app, URL_1)
  const legacy = { verifiedEmailEnabled: true, verifiedEmailUrl: URL_2 }
  await callV1(app, 'PATCH /webhooks', { body: legacy })
  await app.call('DELETE /v2/webhook-configurations')
  expect(await callV1(app, 'GET /webhooks')).toMatchObject(legacy)
})

it('a webhook configuration can be deleted, while its secret survives', async () => {
  const app = openApp()
  await put(app, URL_1)
  await app.call('DELETE /v2/webhook-configurations')
  expect(await app.refused('GET /v2/webhook-configurations')).toMatchObject({ status: 404 })
  const again = await put(app, URL_1)
  expect(again).not.toHaveProperty('signingSecret')
})

it.each(['https://example.com:8443/a?b=c', 'http://127.0.0.1:3000/hooks', 'http://[::1]:3000/'])(
  'a webhook configuration may point to %s',
  async (url) => {
    const configured = await put(openApp(), url)
    expect(configured.url).toBe(url)
  },
)

it.each([
  '',
  'example.com/hooks',
  'http://example.com/hooks',
  'ftp://example.com',
  'https://',
  'https://例え.jp/フック',
  ...['https://user:password@example.com', 'https://example.com/#fragment', ' https://example.com'],
  ...['https://10.0.0.1/hooks', 'https://169.254.169.254/latest', 'https://[::ffff:10.0.0.1]/'],
  `https://example.com/${'x'.repeat(3000)}`,
])('a webhook configuration may not point to "%s"', async (url) => {
  const app = openApp()
  const refused = await app.refused('PUT /v2/webhook-configurations', { body: { url } })
  expect(refused).toMatchObject({ status: 400, errors: [{ field: 'url' }] })
  expect(await app.refused('GET /v2/webhook-configurations')).toMatchObject({ status: 404 })
  expect(await put(app, URL_1)).toHaveProperty('signingSecret')
})

it('rotating the signing secret makes later webhooks use the new secret', async () => {
  const app = openApp()
  await using hooks = await openHooks(app)
  const id = await register(app)
  const before = hooks.secret
  hooks.secret = (await rotate(app)).signingSecret
  await review(app, id)
  expect(await hooks.statuses()).toEqual(['verified'])
  const [received] = hooks.receiver.received
  expect(received && isSigned(received.headers, received.bytes, before)).toBe(false)
})

it('rotating the signing secret returns a secret that nobody has or had before', async () => {
  const app = openApp()
  const first = await put(app, URL_1)
  const theirs = await put(app, URL_1, KEY_2)
  const secrets = [await rotate(app), await rotate(app), first, theirs]
  expect(new Set(secrets.map(({ signingSecret }) => signingSecret)).size).toBe(4)
})

it('a signing secret that a fixture copied from another world is rotated to a new one', async () => {
  const { signingSecret: first } = await put(openApp(), URL_1)
  const app = openApp()
  const integrator = { name: 'main', apiKey: KEY, signingSecret: first }
  await app.control('POST', '/reset', { fixture: { integrators: [integrator] } })
  const rotated = [await rotate(app), await rotate(app)]
  const secrets = rotated.map(({ signingSecret }) => signingSecret)
  expect(new Set([first, ...secrets]).size).toBe(3)
})

it('the test operation sends a signed synthetic event and reports the response', async () => {
  const app = openApp()
  await using hooks = await openHooks(app)
  hooks.receiver.respondWith(202)
  const tested = await app.call('POST /v2/webhook-configurations/test')
  expect(tested).toMatchObject({ deliveredStatusCode: 202, deliveredStatusText: 'Accepted' })
  const [envelope] = await hooks.envelopes()
  expect(envelope).toMatchObject({ id: tested.eventId, type: 'user.update' })
})

it('the test operation says why there was no response', async () => {
  const app = openApp()
  const hooks = await openHooks(app)
  await hooks.receiver.close()
  const tested = await app.call('POST /v2/webhook-configurations/test')
  expect(tested.deliveredStatusCode).toBe(0)
  expect(tested.deliveredStatusText).toContain('ECONNREFUSED')
})

it.each([301, 503])(
  'the test operation reports an endpoint that responds with %d',
  async (status) => {
    const app = openApp()
    await using hooks = await openHooks(app)
    hooks.receiver.respondWith({ status, headers: { location: '/elsewhere' } })
    const tested = await app.call('POST /v2/webhook-configurations/test')
    expect(tested.deliveredStatusCode).toBe(status)
    expect(hooks.receiver.received).toHaveLength(1)
  },
)
