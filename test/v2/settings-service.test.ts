import { describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { OTHER_SHAPES } from '../contract.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { register, review } from '../helpers/story.ts'

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
})

describe('names', () => {
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
