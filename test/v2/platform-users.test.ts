import { expect, it } from 'vitest'
import { KEY_2, openApp, type TestApp } from '../helpers/app.ts'
import { logIn, PROFILE, register, review, verifiedUser } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'

interface Heard {
  integrator: string
  type: string
  status: string
}

/** Who heard which status of a user. */
async function heard(app: TestApp): Promise<string[]> {
  const { events } = await app.control('GET', '/events?type=user.update')
  return events.map(({ integrator, status }: Heard) => `${integrator} ${status}`)
}

const linksOf = async (app: TestApp): Promise<string[]> =>
  (await app.control('GET', `/users/${EMAIL}`)).integrators

it('a user of the platform is linked by a login, and the integrator gets later events', async () => {
  const app = openApp()
  const { id } = await verifiedUser(app)
  const body = { email: EMAIL }
  await app.call('POST /v2/auth/login-codes', { key: KEY_2, body })
  expect(await linksOf(app)).toEqual(['main'])
  await logIn(app, { key: KEY_2 })
  await logIn(app, { key: KEY_2 })
  expect(await linksOf(app)).toEqual(['main', 'second'])
  await review(app, id, 'inactive')
  expect(await heard(app)).toEqual(['main verified', 'main inactive', 'second inactive'])
})

it('a user of the platform is linked by an import, whose event the integrator already gets', async () => {
  const app = openApp()
  const path = { userId: await register(app) }
  const { shareToken } = await app.control('POST', '/simulate/share-tokens', { email: EMAIL })
  await app.call('PUT /v2/users/{userId}/kyc', { key: KEY_2, path, body: { shareToken } })
  expect(await heard(app)).toEqual(['main verified', 'second verified'])
})

it('a user of the platform is not linked by a failed call, nor when another key reads or updates the user', async () => {
  const app = openApp()
  const path = { userId: await register(app) }
  const call = { key: KEY_2, path }
  const wrong = { ...call, body: { shareToken: 'x' } }
  expect(await app.refused('PUT /v2/users/{userId}/kyc', wrong)).toMatchObject({ status: 400 })
  await app.call('GET /v2/users/{userId}/requirements', call)
  await app.call('GET /v2/users/{userId}/kyc-url', call)
  await app.call('PATCH /v2/users/{userId}', { ...call, body: { city: 'Ottawa' } })
  expect(await linksOf(app)).toEqual(['main'])
})

it('a user of the platform has transactions that stay with the integrator that created them', async () => {
  const app = openApp()
  const alice = await verifiedUser(app)
  const elsewhere = await logIn(app, { key: KEY_2 })
  const { id: txId } = await alice.buy()
  const path = { txId }
  expect(await elsewhere.refused('GET /v2/transactions/{txId}', { path })).toMatchObject({
    status: 404,
  })
  expect((await elsewhere.call('GET /v2/transactions')).total).toBe(0)
  const { events } = await app.control('GET', `/events?ref=${txId}`)
  expect(events.map(({ integrator }: Heard) => integrator)).toEqual(['main'])
  await alice.buy()
  await elsewhere.buy()
  expect(await elsewhere.refusedBuy()).toMatchObject({ errors: [{ field: 'transactions' }] })
})

it('a verified user may not change their name and birth date (status.verified-field = 400)', async () => {
  const app = openApp({ settings: { 'status.verified-field': 400 } })
  const id = await register(app)
  const path = { userId: id }
  await app.call('PATCH /v2/users/{userId}', { path, body: { firstName: 'Alicia' } })
  await review(app, id)
  const alice = await logIn(app)
  const body = { firstName: 'Zoë', lastName: PROFILE.lastName, dob: '1991-04-12' }
  expect(await alice.refused('PATCH /v2/users/{userId}', { body })).toMatchObject({
    status: 400,
    errors: [{ field: 'firstName' }, { field: 'dob' }],
  })
  await alice.call('PATCH /v2/users/{userId}', { body: { firstName: 'Alicia', city: 'Ottawa' } })
  await review(app, id, 'upload')
  await alice.call('PATCH /v2/users/{userId}', { body })
})
