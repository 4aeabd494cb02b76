import { describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { OTHER_SHAPES } from '../contract.ts'
import { type Door, openDoor } from '../helpers/door.ts'
import { openHooks } from '../helpers/hooks.ts'
import { register, review, verifiedUser } from '../helpers/story.ts'

const withSetting = (id: string, value: string | number) => openDoor({ settings: { [id]: value } })
const configure = (door: Door, url: string) =>
  door.call('PUT /v2/webhook-configurations', { body: { url } })

describe('webhook configurations', () => {
  it('may read null and be deleted when there is none (webhooks.none = empty)', async () => {
    const door = withSetting('webhooks.none', 'empty')
    await door.callAs(OTHER_SHAPES.nothing, 'GET /v2/webhook-configurations')
    await door.call('DELETE /v2/webhook-configurations')
    expect(await door.refused('POST /v2/webhook-configurations/test')).toMatchObject({
      status: 404,
    })
  })

  it('may be tested with a transaction (webhooks.test = transaction.update)', async () => {
    const door = withSetting('webhooks.test', 'transaction.update')
    await using hooks = await openHooks(door)
    await door.call('POST /v2/webhook-configurations/test')
    const [envelope] = await hooks.envelopes()
    expect(envelope?.type).toBe('transaction.update')
  })

  it('may have to be HTTPS everywhere (webhooks.url = https-only)', async () => {
    const door = withSetting('webhooks.url', 'https-only')
    for (const url of ['http://127.0.0.1:3000/', 'http://localhost:3000/']) {
      expect(await door.refused('PUT /v2/webhook-configurations', { body: { url } })).toMatchObject(
        { status: 400, errors: [{ field: 'url' }] },
      )
    }
    await configure(door, 'https://localhost:3000/')
  })

  it('may wait less for an answer (webhooks.timeout)', async () => {
    const door = withSetting('webhooks.timeout', '50ms')
    await using receiver = await createReceiver({ respond: () => new Promise<number>(() => {}) })
    await configure(door, receiver.url)
    const tested = await door.call('POST /v2/webhook-configurations/test')
    expect(tested.deliveredStatusCode).toBe(0)
  })
})

describe('names', () => {
  it('of the signature headers may be those of the service (names.headerPrefix)', async () => {
    const door = withSetting('names.headerPrefix', 'X-Acme')
    await using receiver = await createReceiver()
    await configure(door, receiver.url)
    await review(door, await register(door))
    const headers = receiver.received[0]?.headers ?? {}
    expect(headers['x-acme-signature']).toMatch(/^v1=[0-9a-f]{64}$/)
    expect(headers['x-acme-timestamp']).toMatch(/^\d{10}$/)
    expect(headers).not.toHaveProperty('x-service-signature')
  })

  it('of the security answer may be that of the network (names.securityAnswerField)', async () => {
    const door = withSetting('names.securityAnswerField', 'acmeSecurityAnswer')
    await using receiver = await createReceiver<{ payload: Record<string, unknown> }>()
    const alice = await verifiedUser(door)
    await configure(door, receiver.url)
    await alice.sell()
    await door.control('POST', '/webhooks/drain')
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
    const door = withSetting('names.envelopeId', setting)
    await using receiver = await createReceiver<Record<string, unknown>>()
    await configure(door, receiver.url)
    await review(door, await register(door))
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
    [{ 'users.create.status': '202' }],
    [{ 'names.headerPrefix': 'X Service' }],
    [{ __proto__x: 1 }],
    [{ constructor: 'x' }],
  ])('such as %j is refused before anything starts', (settings) => {
    expect(() => openDoor({ settings: settings as Record<string, string | number> })).toThrow()
  })

  it.each(['limits.activ', 'constructor', 'toString'])(
    'such as %s is refused while the world lives, and changes nothing',
    async (id) => {
      const door = openDoor()
      const before = await door.control('GET', '/settings')
      const body = `{"limits.active":7,"${id}":1}`
      const headers = { 'content-type': 'application/json' }
      const answer = await door.send('/_sandbox/settings', { method: 'PATCH', headers, body })
      expect(answer.status).toBe(400)
      expect(await door.control('GET', '/settings')).toEqual(before)
    },
  )
})
