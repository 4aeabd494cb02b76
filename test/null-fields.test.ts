import { afterEach, beforeEach, expect, it } from 'vitest'
import { openApp, type TestApp } from './helpers/app.ts'
import { logIn, PROFILE, register } from './helpers/story.ts'

let app: TestApp
beforeEach(() => {
  app = openApp({ fixture: 'verified-user' })
})
afterEach(() => app.close())

const nullsFor = (fields: object) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, null]))

const profileOf = async (id: string) => (await app.control('GET', `/users/${id}`)).profile

it('null for an optional field counts as leaving the field out when a user is created', async () => {
  const email = 'bob@example.com'
  const { id } = await app.call('POST /v2/users', { body: { ...nullsFor(PROFILE), email } })
  expect(Object.values(await profileOf(id)).every((value) => value === null)).toBe(true)
})

it('null for an optional field counts as leaving it out when a user is updated, even within olderUserInfo', async () => {
  const userId = await register(app, { email: 'bob@example.com' })
  const before = await profileOf(userId)
  const patch = (body: object) => app.call('PATCH /v2/users/{userId}', { path: { userId }, body })
  await patch({ ...nullsFor(before), phone: undefined, surprise: null })
  await patch({ olderUserInfo: { sourceOfFunds: null, walletProvider: 'x' } })
  expect(await profileOf(userId)).toEqual({ ...before, olderUserInfo: { walletProvider: 'x' } })
})

it('null for an optional field counts as leaving it out in the control API, unless null has its own meaning', async () => {
  const alice = await logIn(app)
  const { id } = await alice.buy()
  const nulls = { paymentId: null, through: true, deliver: null }
  await app.control('POST', `/simulate/transactions/${id}/settled`, nulls)
  const account = '/simulate/users/alice@example.com/account'
  await app.control('POST', account, { maximumCad: 500, loginCode: '1234', autodeposit: true })
  const changed = await app.control('POST', account, { maximumCad: null, autodeposit: null })
  expect(changed).toMatchObject({ maximumCad: null, loginCode: '1234', autodeposit: true })
  const then = { status: 503, delay: null, error: null }
  const fault = { on: 'api', match: { operation: 'createQuote', path: null }, times: null, then }
  expect(await app.control('POST', '/faults', fault)).toMatchObject({ times: 1 })
  const catchResponse = { status: 200, body: null, headers: null, times: null }
  const canned = await app.control('POST', '/catch/hooks/respond', catchResponse)
  expect(canned).toMatchObject({ body: 'null', headers: {}, times: null })
  await app.control('POST', '/clock/advance', { by: '1m', to: null, toNext: null })
})

it('an empty array as the body of a control operation counts as an empty object, which PHP serialises that way', async () => {
  const alice = await logIn(app)
  const { id } = await alice.buy()
  const path = `/simulate/transactions/${id}/funds-received`
  expect(await app.control('POST', path, [])).toMatchObject({ transactionId: id })
  await app.control('POST', '/webhooks/drain', [])
  await app.control('POST', '/reset', [])
  expect((await app.control('GET', '/transactions')).total).toBe(0)
})
