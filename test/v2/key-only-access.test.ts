import { describe, expect, it } from 'vitest'
import { KEY_2, NOWHERE, openDoor } from '../helpers/door.ts'
import { EVM_WALLET, logIn, quote, register, review, verifiedUser } from '../helpers/story.ts'

const NO_TOKEN = { status: 401, errors: [{ field: 'authorization' }] }

/** Alice of `verified-user`, who is linked to both integrators; the second may act without a token. */
async function withGrant(accessibleBy = ['jwt', 'apiKey']) {
  const door = openDoor({ fixture: 'verified-user' })
  const { id: userId } = await logIn(door)
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

  it('is not named by an empty userId', async () => {
    const { door, userId, body, key } = await withGrant()
    const query = { userId: '' }
    for (const route of ['GET /v2/limits', 'GET /v2/transactions'] as const) {
      expect(await door.refused(route, { key, query })).toMatchObject(NO_TOKEN)
    }
    const created = { key, query, body: { ...body, userId: '' } }
    expect(await door.refused('POST /v2/transactions', created)).toMatchObject(NO_TOKEN)
    await door.call('POST /v2/transactions', { ...created, query: { userId } })
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

  it('reaches the limits of a granting user of another integrator, but not the transactions', async () => {
    const { door, key } = await withGrant()
    const bob = await verifiedUser(door, { email: 'bob@example.com' })
    const body = { accessibleBy: ['jwt', 'apiKey'] }
    await door.control('POST', `/simulate/users/${bob.id}/access`, body)
    const { id: txId } = await bob.buy()
    const call = { key, path: { txId } }
    expect(await door.refused('GET /v2/transactions/{txId}', call)).toMatchObject({ status: 404 })
    const query = { userId: bob.id }
    await door.call('GET /v2/limits', { key, query })
    await door.control('PATCH', '/settings', { 'users.visibility': 'integrator' })
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
