import { beforeAll, describe, expect, it } from 'vitest'
import { ANSWERS, type Route } from '../contract.ts'
import { type Door, KEY, KEY_2, NOWHERE, openDoor } from '../helpers/door.ts'
import {
  EVM_WALLET,
  logIn,
  type Person,
  quote,
  register,
  review,
  verifiedUser,
} from '../helpers/story.ts'
import { prepareCalls, type ValidCalls } from '../helpers/valid-calls.ts'

const ROUTES = Object.keys(ANSWERS) as Route[]

/** Authentication 6: these take the key alone. */
const KEY_ONLY = ROUTES.filter(
  (route) => /auth|quotes|webhook-configurations/.test(route) || / \/v2\/users$/.test(route),
)
/** They take the key alone too, and judge a token that is sent. */
const TOKEN_OPTIONAL: Route[] = [
  'GET /v2/users/{userId}/requirements',
  'PUT /v2/users/{userId}/kyc',
]
const WITH_TOKEN = ROUTES.filter(
  (route) => !KEY_ONLY.includes(route) && !TOKEN_OPTIONAL.includes(route),
)
const OF_A_USER = ROUTES.filter((route) => route.includes('{userId}'))
const OF_A_TRANSACTION = ROUTES.filter((route) => route.includes('{txId}'))

const NO_KEY = { status: 401, errors: [{ field: 'x-api-key' }] }
const NO_TOKEN = { status: 401, errors: [{ field: 'authorization' }] }

describe('every operation', () => {
  it.each(ROUTES)('%s answers as the contract says', async (route) => {
    const door = openDoor()
    const { calls } = await prepareCalls(door)
    await door.call(route, calls[route])
  })
})

describe('with one valid call of each operation', () => {
  let door: Door
  let valid: ValidCalls
  let bob: Person
  beforeAll(async () => {
    door = openDoor()
    valid = await prepareCalls(door)
    bob = await verifiedUser(door, { email: 'dora@example.com' })
  })

  it.each(ROUTES)('%s wants an API key', async (route) => {
    const call = valid.calls[route]
    for (const key of [null, '', 'wrong-key', 'SANDBOX-KEY', `${KEY}x`, '__proto__']) {
      expect(await door.refused(route, { ...call, key })).toMatchObject(NO_KEY)
    }
  })

  it.each(WITH_TOKEN)('%s wants the token of the user', async (route) => {
    const { token: _, ...call } = valid.calls[route]
    expect(await door.refused(route, call)).toMatchObject(NO_TOKEN)
  })

  it.each([...WITH_TOKEN, ...TOKEN_OPTIONAL])('%s wants a token that is one', async (route) => {
    const call = valid.calls[route]
    for (const token of ['hello', `${valid.alice.token}x`]) {
      expect(await door.refused(route, { ...call, token })).toMatchObject(NO_TOKEN)
    }
  })

  it.each([...WITH_TOKEN, ...TOKEN_OPTIONAL])(
    '%s refuses a token made with the key of another integrator',
    async (route) => {
      const call = { ...valid.calls[route], key: KEY_2 }
      expect(await door.refused(route, call)).toMatchObject(NO_TOKEN)
    },
  )

  it.each(OF_A_USER)('%s refuses the token of another user', async (route) => {
    const call = { ...valid.calls[route], token: bob.token }
    expect(await door.refused(route, call)).toMatchObject({
      status: 403,
      errors: [{ field: 'userId' }],
    })
  })

  it.each(OF_A_USER)('%s refuses a token beside the path of nobody', async (route) => {
    const call = { ...valid.calls[route], path: { userId: NOWHERE } }
    expect(await door.refused(route, call)).toMatchObject({ status: 403 })
  })

  it.each(OF_A_TRANSACTION)('%s hides the transaction of another user', async (route) => {
    const call = { ...valid.calls[route], token: bob.token }
    expect(await door.refused(route, call)).toMatchObject({
      status: 404,
      errors: [{ field: 'txId' }],
    })
  })

  it('shows each user the own transactions only', async () => {
    expect((await bob.call('GET /v2/transactions')).total).toBe(0)
    expect((await valid.alice.call('GET /v2/transactions')).total).toBe(1)
  })

  it.each(KEY_ONLY)('%s takes the key alone', async (route) => {
    // The state was not changed by any refusal above, so what is asked last may change it.
    const answer = await openDoor()
    const { calls } = await prepareCalls(answer)
    const { token: _, ...call } = calls[route]
    await answer.call(route, call)
  })
})

describe('once the token has expired', () => {
  it.each([...WITH_TOKEN, ...TOKEN_OPTIONAL])('%s refuses it', async (route) => {
    const door = openDoor()
    const { calls } = await prepareCalls(door)
    await door.advance('1h')
    const refused = await door.refused(route, calls[route])
    expect(refused).toMatchObject(NO_TOKEN)
    expect(refused.errors[0]?.message).toContain('expired')
  })
})

/** Alice of `verified-user`, who is linked to both integrators; the second may act without a token. */
async function withGrant(accessibleBy = ['jwt', 'apiKey']) {
  const door = openDoor({ fixture: 'verified-user' })
  const { id: userId } = (await logIn(door)) as Person
  await door.control('POST', `/simulate/users/${userId}/access`, { accessibleBy })
  const { quoteId } = await quote(door, {}, KEY_2)
  const body = {
    leftSideLabel: 'CAD',
    leftSideValue: 100,
    rightSideLabel: 'USDC-ETH',
    wallet: EVM_WALLET,
    quoteId,
  }
  return { door, userId, body, key: KEY_2 }
}

describe('acting without a token', () => {
  it('names the user in the path, the query or the body', async () => {
    const { door, userId, body, key } = await withGrant()
    const path = { userId }
    const query = { userId }
    const user = await door.call('PATCH /v2/users/{userId}', { key, path, body: {} })
    expect(user.accessibleBy).toEqual(['jwt', 'apiKey'])
    await door.call('GET /v2/users/{userId}/kyc-url', { key, path })
    await door.call('GET /v2/users/{userId}/requirements', { key, path })
    await door.call('GET /v2/limits', { key, query })
    const created = await door.call('POST /v2/transactions', { key, body: { ...body, userId } })
    await door.call('POST /v2/transactions', { key, query, body })
    const { total } = await door.call('GET /v2/transactions', { key, query })
    expect(total).toBe(2)
    const one = { key, path: { txId: created.id } }
    await door.call('GET /v2/transactions/{txId}', one)
    await door.call('PUT /v2/transactions/{txId}/cancel', one)
  })

  it('must name a user', async () => {
    const { door, body, key } = await withGrant()
    for (const route of ['GET /v2/limits', 'GET /v2/transactions'] as const) {
      expect(await door.refused(route, { key })).toMatchObject(NO_TOKEN)
    }
    expect(await door.refused('POST /v2/transactions', { key, body })).toMatchObject(NO_TOKEN)
  })

  it('must name a user who exists', async () => {
    const { door, body, key } = await withGrant()
    const query = { userId: NOWHERE }
    const missing = { status: 404, errors: [{ field: 'userId' }] }
    expect(await door.refused('GET /v2/limits', { key, query })).toMatchObject(missing)
    expect(
      await door.refused('POST /v2/transactions', { key, body: { ...body, userId: NOWHERE } }),
    ).toMatchObject(missing)
  })

  it('is not for a user who did not grant it', async () => {
    const { door, userId, body, key } = await withGrant(['jwt'])
    const path = { userId }
    const query = { userId }
    expect(await door.refused('GET /v2/limits', { key, query })).toMatchObject(NO_TOKEN)
    expect(await door.refused('GET /v2/transactions', { key, query })).toMatchObject(NO_TOKEN)
    expect(await door.refused('GET /v2/users/{userId}/kyc-url', { key, path })).toMatchObject(
      NO_TOKEN,
    )
    expect(
      await door.refused('POST /v2/transactions', { key, body: { ...body, userId } }),
    ).toMatchObject(NO_TOKEN)
  })

  it('is not for an integrator who was not approved', async () => {
    const { door, userId } = await withGrant()
    const query = { userId }
    expect(await door.refused('GET /v2/limits', { query })).toMatchObject(NO_TOKEN)
    const patch = { path: { userId }, body: {} }
    expect(await door.refused('PATCH /v2/users/{userId}', patch)).toMatchObject(NO_TOKEN)
    const alice = await logIn(door)
    expect(await alice.call('PATCH /v2/users/{userId}', { body: {} })).toMatchObject({
      accessibleBy: ['jwt'],
    })
  })

  it('ends when the user takes the grant back', async () => {
    const { door, userId, key } = await withGrant()
    const query = { userId }
    await door.call('GET /v2/limits', { key, query })
    const body = { accessibleBy: ['jwt'] }
    await door.control('POST', `/simulate/users/${userId}/access`, body)
    expect(await door.refused('GET /v2/limits', { key, query })).toMatchObject(NO_TOKEN)
  })

  it('reaches no transaction of a user who is not linked', async () => {
    const { door, key } = await withGrant()
    const bob = await verifiedUser(door, { email: 'bob@example.com' })
    const body = { accessibleBy: ['jwt', 'apiKey'] }
    await door.control('POST', `/simulate/users/${bob.id}/access`, body)
    const { id: txId } = await bob.buy()
    const call = { key, path: { txId } }
    expect(await door.refused('GET /v2/transactions/{txId}', call)).toMatchObject({ status: 404 })
    const query = { userId: bob.id }
    expect(await door.refused('GET /v2/limits', { key, query })).toMatchObject({ status: 404 })
  })

  it('is not needed by a token, whose user it is then', async () => {
    const { door, key } = await withGrant()
    const alice = await logIn(door, { key })
    await alice.call('GET /v2/limits')
    await alice.buy()
  })
})

describe('a token beside the name of another user', () => {
  it.each(['query', 'body'] as const)('in the %s is refused', async (place) => {
    const door = openDoor()
    const alice = await verifiedUser(door)
    const bob = await verifiedUser(door, { email: 'bob@example.com' })
    const { quoteId } = await quote(door, {})
    const order = {
      leftSideLabel: 'CAD',
      leftSideValue: 100,
      rightSideLabel: 'USDC-ETH',
      wallet: EVM_WALLET,
      quoteId,
    }
    const named = { userId: bob.id }
    const call =
      place === 'query' ? { query: named, body: order } : { body: { ...order, ...named } }
    expect(await alice.refused('POST /v2/transactions', call)).toMatchObject({
      status: 403,
      errors: [{ field: 'userId' }],
    })
    const own = { userId: alice.id }
    await alice.call('POST /v2/transactions', { body: { ...order, ...own } })
  })

  it('is refused by the reads as well', async () => {
    const door = openDoor()
    const alice = await verifiedUser(door)
    const query = { userId: NOWHERE }
    for (const route of ['GET /v2/limits', 'GET /v2/transactions'] as const) {
      expect(await alice.refused(route, { query })).toMatchObject({ status: 403 })
      await alice.call(route, { query: { userId: alice.id } })
    }
  })
})

it('keeps a user out whose status was taken away only where it matters', async () => {
  const door = openDoor()
  const id = await register(door)
  await review(door, id)
  const alice = await logIn(door)
  await review(door, id, 'inactive')
  await alice.call('GET /v2/limits')
  await alice.call('GET /v2/transactions')
  expect(await alice.refusedBuy()).toMatchObject({ status: 403 })
})
