import { describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { OTHER_SHAPES } from '../contract.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { openHooks } from '../helpers/hooks.ts'
import { register, review, verifiedUser } from '../helpers/story.ts'

const withSetting = (id: string, value: string | number) => openApp({ settings: { [id]: value } })
const configure = (app: TestApp, url: string) =>
  app.call('PUT /v2/webhook-configurations', { body: { url } })

describe('webhook configurations', () => {
  it('may read null and be deleted when there is none (status.no-webhook-configuration = 200)', async () => {
    const app = withSetting('status.no-webhook-configuration', '200')
    await app.callAs(OTHER_SHAPES.nothing, 'GET /v2/webhook-configurations')
    await app.call('DELETE /v2/webhook-configurations')
    expect(await app.refused('POST /v2/webhook-configurations/test')).toMatchObject({
      status: 404,
    })
  })

  it('may be tested with a transaction (webhooks.test = transaction.update)', async () => {
    const app = withSetting('webhooks.test', 'transaction.update')
    await using hooks = await openHooks(app)
    await app.call('POST /v2/webhook-configurations/test')
    const [envelope] = await hooks.envelopes()
    expect(envelope?.type).toBe('transaction.update')
  })

  it('may have to be HTTPS everywhere (webhooks.url = https-only)', async () => {
    const app = withSetting('webhooks.url', 'https-only')
    for (const url of ['http://127.0.0.1:3000/', 'http://localhost:3000/']) {
      expect(await app.refused('PUT /v2/webhook-configurations', { body: { url } })).toMatchObject({
        status: 400,
        errors: [{ field: 'url' }],
      })
    }
    await configure(app, 'https://localhost:3000/')
  })

  it('may wait less for an answer (webhooks.timeout)', async () => {
    const app = withSetting('webhooks.timeout', '50ms')
    await using receiver = await createReceiver({ respond: () => new Promise<number>(() => {}) })
    await configure(app, receiver.url)
    const tested = await app.call('POST /v2/webhook-configurations/test')
    expect(tested.deliveredStatusCode).toBe(0)
  })
})

describe('names', () => {
  it('of the signature headers may be those of the service (names.headerPrefix)', async () => {
    const app = withSetting('names.headerPrefix', 'X-Acme')
    await using receiver = await createReceiver()
    await configure(app, receiver.url)
    await review(app, await register(app))
    const headers = receiver.received[0]?.headers ?? {}
    expect(headers['x-acme-signature']).toMatch(/^v1=[0-9a-f]{64}$/)
    expect(headers['x-acme-timestamp']).toMatch(/^\d{10}$/)
    expect(headers).not.toHaveProperty('x-service-signature')
  })

  it('of the security answer may be that of the network (names.securityAnswerField)', async () => {
    const app = withSetting('names.securityAnswerField', 'acmeSecurityAnswer')
    await using receiver = await createReceiver<{ payload: Record<string, unknown> }>()
    const alice = await verifiedUser(app)
    await configure(app, receiver.url)
    await alice.sell()
    await app.control('POST', '/webhooks/drain')
    const payload = receiver.received[0]?.json.payload ?? {}
    expect(typeof payload.acmeSecurityAnswer).toBe('string')
    expect(payload).not.toHaveProperty('etransferSecurityAnswer')
    expect(Object.keys(payload)).toHaveLength(11)
  })

  it.each([
    ['id', ['id']],
    ['eventId', ['eventId']],
    ['both', ['id', 'eventId']],
  ])('of an event may be %s (names.envelopeId)', async (setting, names) => {
    const app = withSetting('names.envelopeId', setting)
    await using receiver = await createReceiver<Record<string, unknown>>()
    await configure(app, receiver.url)
    await review(app, await register(app))
    const envelope = receiver.received[0]?.json ?? {}
    const rest = ['apiVersion', 'occurredAt', 'type', 'payload']
    expect(Object.keys(envelope)).toEqual([...names, ...rest])
    expect(new Set(names.map((name) => envelope[name])).size).toBe(1)
  })
})

describe('a setting that is none', () => {
  it.each([
    [{ 'limits.activ': 3 }],
    [{ 'limits.active': -1 }],
    [{ 'limits.active': 1.5 }],
    [{ 'quotes.ttl': 'soon' }],
    [{ 'status.createUser': '204' }],
    [{ 'names.headerPrefix': 'X Service' }],
    [{ __proto__x: 1 }],
    [{ constructor: 'x' }],
  ])('such as %j is refused before anything starts', (settings) => {
    expect(() => openApp({ settings: settings as Record<string, string | number> })).toThrow()
  })

  it.each(['limits.activ', 'constructor', 'toString'])(
    'such as %s is refused while the world lives, and changes nothing',
    async (id) => {
      const app = openApp()
      const before = await app.control('GET', '/settings')
      const body = `{"limits.active":7,"${id}":1}`
      const headers = { 'content-type': 'application/json' }
      const answer = await app.send('/_sandbox/settings', { method: 'PATCH', headers, body })
      expect(answer.status).toBe(400)
      expect(await app.control('GET', '/settings')).toEqual(before)
    },
  )
})
