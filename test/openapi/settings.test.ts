import { describe, expect, it } from 'vitest'
import { openApp } from '../helpers/app.ts'

/** All fields but address line 2. */
const WHOLE =
  'email,firstName,lastName,dob,phone,addressLine1,city,province,postalCode,occupation,pep,tpd'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

describe('the document of the contract', () => {
  it('requires all fields of a new user where the setting does', async () => {
    const { required } = await bodyUnder({ 'users.create.required': WHOLE }, '/v2/users', 'post')
    expect([...required].sort()).toEqual([
      'addressLine1',
      'city',
      'dob',
      'email',
      'firstName',
      'lastName',
      'occupation',
      'pep',
      'phone',
      'postalCode',
      'province',
      'tpd',
    ])
    expect((await bodyUnder({}, '/v2/users', 'post')).required).toEqual(['email'])
  })

  it('requires a session id where the setting does', async () => {
    const { required } = await bodyUnder(
      { 'transactions.required': 'all' },
      '/v2/transactions',
      'post',
    )
    expect(required).toContain('externalSessionId')
  })

  it.each(['/v2/transactions', '/transaction'])('limits a session id in %s', async (path) => {
    const { properties } = await bodyUnder(
      { 'transactions.externalSessionId.max': 30 },
      path,
      'post',
    )
    expect(properties.externalSessionId.maxLength).toBe(30)
  })

  it('names the field of a share token as the setting does', async () => {
    const path = '/v2/users/{userId}/kyc'
    const either = await bodyUnder({}, path, 'put')
    expect(either.anyOf.map((way: Json) => way.required)).toEqual([['shareToken'], ['share_token']])
    const one = await bodyUnder({ 'kyc.import.body': 'share_token' }, path, 'put')
    expect([one.required, Object.keys(one.properties)]).toEqual([['share_token'], ['share_token']])
  })

  it('closes the bodies of v2 where unknown fields are refused', async () => {
    const settings = { 'status.unknown-field': 400 }
    const open = await bodyUnder({}, '/v2/users/{userId}', 'patch')
    expect(open.additionalProperties).toBeUndefined()
    const closed = await bodyUnder(settings, '/v2/users/{userId}', 'patch')
    expect(closed.additionalProperties).toBe(false)
    expect(closed.properties.olderUserInfo.additionalProperties).toBe(false)
    const app = openApp({ settings })
    const body = { email: 'alice@example.com', nickname: 'Al' }
    expect((await app.refused('POST /v2/users', { body })).status).toBe(400)
  })

  it.each([200, 400])('requires a body with unknown fields set to %s', async (value) => {
    const { paths } = await documentUnder({ 'status.unknown-field': value })
    const bodies = Object.values<Json>(paths).flatMap((item) =>
      Object.values<Json>(item).flatMap(({ requestBody }) => requestBody ?? []),
    )
    expect(bodies.length).toBeGreaterThan(10)
    expect(bodies.every(({ required }) => required)).toBe(true)
  })

  it('lists the known statuses of a transaction, spelt as the setting does', async () => {
    const { components } = await documentUnder({ 'transactions.cancelledStatus': 'canceled' })
    for (const name of ['Transaction', 'TransactionUpdate', 'V1Transaction']) {
      const { anyOf } = components.schemas[name].properties.status
      expect(anyOf).toEqual([
        {
          type: 'string',
          enum: [
            'pending request money transfer',
            'processing request money transfer',
            'complete',
            'canceled',
            'expired',
          ],
        },
        { type: 'string' },
      ])
    }
  })

  it('shows the fields that clients of v1 send with a transaction', async () => {
    const { properties, required } = await bodyUnder({}, '/transaction', 'post')
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['gasId', 'ethCost']))
    expect(required).not.toContain('gasId')
  })
})

describe('the stream of events', () => {
  it('lists its kinds, and says so to a reader who asks for another', async () => {
    const app = openApp()
    const { paths } = JSON.parse((await app.send('/_sandbox/openapi.json')).text)
    const only = paths['/_sandbox/events/stream'].get.parameters.find(
      ({ name }: Json) => name === 'only',
    )
    expect(only.schema.items.enum).toEqual([
      'event',
      'message',
      'delivery',
      'request',
      'action',
      'clock',
      'reset',
    ])
    expect(only.explode).toBe(false)
    const { status, text } = await app.send('/_sandbox/events/stream?only=event,deliveries')
    expect([status, JSON.parse(text).errors]).toEqual([
      400,
      [
        {
          field: 'only',
          message:
            'only must be kinds separated by commas ' +
            '(event, message, delivery, request, action, clock, reset), not event,deliveries.',
        },
      ],
    ])
  })
})

type SomeSettings = Record<string, string | number>

async function documentUnder(settings: SomeSettings): Promise<Json> {
  return JSON.parse((await openApp({ settings }).send('/openapi.json')).text)
}

async function bodyUnder(settings: SomeSettings, path: string, method: string) {
  const { paths } = await documentUnder(settings)
  return paths[path][method].requestBody.content['application/json'].schema
}
