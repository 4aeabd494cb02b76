import { expect, it } from 'vitest'
import { KEY_2, openApp, refusal } from '../helpers/app.ts'
import { buyUnder, logIn, quote, verifiedUser } from '../helpers/story.ts'

const NO_TOKEN = refusal(401, 'authorization')

/** Alice of `verified-user`, who is linked to both integrators; the second may act without a token. */
async function withGrant(accessibleBy = ['jwt', 'apiKey'], settings = {}) {
  const app = openApp({ fixture: 'verified-user', settings })
  const { id: userId } = await logIn(app)
  await app.control('POST', `/simulate/users/${userId}/access`, { accessibleBy })
  const { quoteId } = await quote(app, {}, KEY_2)
  const body = buyUnder(quoteId)
  return { app, userId, body, key: KEY_2 }
}

it('acting without a token requires the user in the path, the query or the body', async () => {
  const { app, userId, body, key } = await withGrant()
  const path = { userId }
  const query = { userId }
  const user = await app.call('PATCH /v2/users/{userId}', { key, path, body: {} })
  expect(user.accessibleBy).toEqual(['jwt', 'apiKey'])
  await app.call('GET /v2/users/{userId}/kyc-url', { key, path })
  await app.call('GET /v2/users/{userId}/requirements', { key, path })
  await app.call('GET /v2/limits', { key, query })
  const created = await app.call('POST /v2/transactions', { key, body: { ...body, userId } })
  await app.call('POST /v2/transactions', { key, query, body })
  const { total } = await app.call('GET /v2/transactions', { key, query })
  expect(total).toBe(2)
  const one = { key, path: { txId: created.id } }
  await app.call('GET /v2/transactions/{txId}', one)
  await app.call('PUT /v2/transactions/{txId}/cancel', one)
})

it('acting without a token must name a user', async () => {
  const { app, body, key } = await withGrant()
  for (const route of ['GET /v2/limits', 'GET /v2/transactions'] as const) {
    expect(await app.refused(route, { key })).toMatchObject(NO_TOKEN)
  }
  expect(await app.refused('POST /v2/transactions', { key, body })).toMatchObject(NO_TOKEN)
})

it('acting without a token is refused for a user who did not grant it', async () => {
  const { app, userId, body, key } = await withGrant(['jwt'])
  const path = { userId }
  const query = { userId }
  expect(await app.refused('GET /v2/limits', { key, query })).toMatchObject(NO_TOKEN)
  expect(await app.refused('GET /v2/transactions', { key, query })).toMatchObject(NO_TOKEN)
  expect(await app.refused('GET /v2/users/{userId}/kyc-url', { key, path })).toMatchObject(NO_TOKEN)
  expect(
    await app.refused('POST /v2/transactions', { key, body: { ...body, userId } }),
  ).toMatchObject(NO_TOKEN)
})

it('acting without a token is refused for an integrator who was not approved', async () => {
  const { app, userId } = await withGrant()
  const query = { userId }
  expect(await app.refused('GET /v2/limits', { query })).toMatchObject(NO_TOKEN)
  const patch = { path: { userId }, body: {} }
  expect(await app.refused('PATCH /v2/users/{userId}', patch)).toMatchObject(NO_TOKEN)
  const alice = await logIn(app)
  expect(await alice.call('PATCH /v2/users/{userId}', { body: {} })).toMatchObject({
    accessibleBy: ['jwt'],
  })
})

it('acting without a token accepts the user only in the path under access.subject = refuse', async () => {
  const { app, userId } = await withGrant(['jwt', 'apiKey'], { 'access.subject': 'refuse' })
  const call = { key: KEY_2, query: { userId } }
  expect(await app.refused('GET /v2/limits', call)).toMatchObject(NO_TOKEN)
  await app.call('GET /v2/users/{userId}/kyc-url', { key: KEY_2, path: { userId } })
  const alice = await logIn(app, { key: KEY_2 })
  await alice.call('GET /v2/limits', { query: { userId: 'ignored' } })
  const { id: txId } = await alice.buy()
  await app.call('GET /v2/transactions/{txId}', { key: KEY_2, path: { txId } })
  await app.call('PUT /v2/transactions/{txId}/cancel', { key: KEY_2, path: { txId } })
  await app.control('POST', `/simulate/users/${userId}/access`, { accessibleBy: ['jwt'] })
  const one = { key: KEY_2, path: { txId } }
  expect(await app.refused('GET /v2/transactions/{txId}', one)).toMatchObject(NO_TOKEN)
})

it.each(['query', 'body'] as const)(
  'a token together with the name of another user in the %s is refused',
  async (place) => {
    const app = openApp()
    const alice = await verifiedUser(app)
    const bob = await verifiedUser(app, { email: 'bob@example.com' })
    const { quoteId } = await quote(app, {})
    const order = buyUnder(quoteId)
    const named = { userId: bob.id }
    const call =
      place === 'query' ? { query: named, body: order } : { body: { ...order, ...named } }
    expect(await alice.refused('POST /v2/transactions', call)).toMatchObject(refusal(403, 'userId'))
    const own = { userId: alice.id }
    await alice.call('POST /v2/transactions', { body: { ...order, ...own } })
  },
)

it.each(['GET /v2/limits', 'GET /v2/transactions', 'POST /v2/transactions'])(
  'a caller without a token must name one user, and not two, in the query of %s',
  async (route) => {
    const { app, userId, body, key } = await withGrant()
    const [method = '', path] = route.split(' ')
    const { status, text } = await app.send(`${path}?userId=${userId}&userId=nobody`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    const message = 'userId may be given only once in the query.'
    expect([status, JSON.parse(text).errors]).toEqual([400, [{ field: 'userId', message }]])
  },
)
