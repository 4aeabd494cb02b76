import { expect, it } from 'vitest'
import { KEY, KEY_2, NOWHERE, openApp, refusal } from '../helpers/app.ts'
import { PROFILE, register } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'

it('registering a user follows the settings at the time the whole body has arrived', async () => {
  const app = openApp()
  await app.control('PATCH', '/settings', { 'status.created': 201 })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit
  const response = app.send('/v2/users', init)
  const writer = writable.getWriter()
  await writer.write(Buffer.from(`{"email":`))
  await app.control('POST', '/reset')
  await writer.write(Buffer.from(`"${EMAIL}"}`))
  await writer.close()
  expect(await response).toMatchObject({ status: 200 })
  expect(await app.call('GET /v2/users', { query: { email: EMAIL } })).toHaveLength(1)
})

it('registering a user takes a whole profile, in any script', async () => {
  const app = openApp()
  const body = { email: 'é漢🙂@example.com', ...PROFILE, firstName: '漢', lastName: 'Ñoño 🙂' }
  const { id } = await app.call('POST /v2/users', { body })
  const query = { email: 'É漢🙂@EXAMPLE.com'.toLowerCase() }
  expect(await app.call('GET /v2/users', { query })).toEqual([{ id }])
})

it.each([EMAIL, 'ALICE@Example.com'])(
  'an e-mail address can be registered only once (%s)',
  async (email) => {
    const app = openApp()
    await register(app)
    const refused = await app.refused('POST /v2/users', { body: { email, ...PROFILE } })
    expect(refused).toMatchObject(refusal(409, 'email'))
  },
)

it('finding a user needs an e-mail address', async () => {
  const app = openApp()
  await register(app)
  expect(await app.refused('GET /v2/users')).toMatchObject(refusal(400, 'email'))
})

it('finding a user responds with its id and nothing else', async () => {
  const app = openApp()
  const id = await register(app)
  expect(await app.call('GET /v2/users', { query: { email: EMAIL } })).toEqual([{ id }])
  expect(await app.call('GET /v2/users', { query: { email: 'Alice@Example.com' } })).toEqual([
    { id },
  ])
})

it.each([
  ['PATCH /v2/users/{userId}', { city: 'Ottawa' }],
  ['GET /v2/users/{userId}/requirements', undefined],
  ['GET /v2/users/{userId}/kyc-url', undefined],
] as const)(
  'a user of another integrator does not exist for %s under users.visibility = integrator',
  async (route, body) => {
    const app = openApp({ settings: { 'users.visibility': 'integrator' } })
    const userId = await register(app)
    for (const [key, id] of [
      [KEY_2, userId],
      [KEY, NOWHERE],
    ] as const) {
      const call = { key, path: { userId: id }, ...(body && { body }) }
      expect(await app.refused(route, call)).toMatchObject(refusal(404, 'userId'))
    }
  },
)

it('the status of a user changes later when a reviewer takes a while', async () => {
  const app = openApp()
  const id = await register(app)
  const body = { status: 'verified', after: '10m' }
  await app.control('POST', `/simulate/users/${id}/kyc`, body)
  const call = { path: { userId: id }, body: {} }
  await app.advance('599s')
  expect(await app.call('PATCH /v2/users/{userId}', call)).toMatchObject({ status: 'initial' })
  await app.advance('1s')
  const refused = await app.refused('PATCH /v2/users/{userId}', call)
  expect(refused.status).toBe(401)
})
