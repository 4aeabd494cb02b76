import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openApp, sendTo, type TestApp } from './helpers/app.ts'
import { EVM_WALLET, logIn, PROFILE, quote, register } from './helpers/story.ts'
import { API_LINK, callV1, refusedV1 } from './v1/legacy.ts'

let app: TestApp
beforeEach(() => {
  app = openApp({ fixture: 'verified-user' })
})
afterEach(() => app.close())

const nullsFor = (fields: object) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, null]))

const profileOf = async (id: string) => (await app.control('GET', `/users/${id}`)).profile

describe('null for an optional field of a body is the field left out', () => {
  it('when a user is created', async () => {
    const email = 'bob@example.com'
    const { id } = await app.call('POST /v2/users', { body: { ...nullsFor(PROFILE), email } })
    expect(Object.values(await profileOf(id)).every((value) => value === null)).toBe(true)
  })

  it('when a user is updated, within olderUserInfo too', async () => {
    const userId = await register(app, { email: 'bob@example.com' })
    const before = await profileOf(userId)
    const patch = (body: object) => app.call('PATCH /v2/users/{userId}', { path: { userId }, body })
    await patch({ ...nullsFor(before), phone: undefined, surprise: null })
    await patch({ olderUserInfo: { sourceOfFunds: null, walletProvider: 'x' } })
    expect(await profileOf(userId)).toEqual({ ...before, olderUserInfo: { walletProvider: 'x' } })
  })

  it('when a transaction is created, but not for the fields of v1', async () => {
    await app.control('PATCH', '/settings', { 'status.unknown-field': 400 })
    const alice = await logIn(app)
    const order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
    const { quoteId } = await quote(app, order)
    const required = { ...order, wallet: EVM_WALLET, quoteId }
    const nulls = { externalSessionId: null, userId: null, x: null }
    await alice.call('POST /v2/transactions', { body: { ...required, ...nulls } })
    for (const field of ['gasId', 'ethCost']) {
      const refused = await alice.refused('POST /v2/transactions', {
        body: { ...required, [field]: null },
      })
      expect(refused).toMatchObject({ status: 400, errors: [{ field }] })
    }
    for (const field of Object.keys(required)) {
      const body = { ...required, [field]: null }
      const { status, errors } = await app.refused('POST /v2/transactions', {
        token: alice.token,
        body,
      })
      expect([status, errors[0]]).toEqual([400, { field, message: `${field} is required.` }])
    }
  })

  it('in v1, where most are required', async () => {
    const alice = await logIn(app)
    const { quoteId } = await quote(app, {})
    const body = { leftSideLabel: 'USDC-ETH', leftSideValue: 100, rightSideLabel: 'CAD' }
    const sell = await quote(app, body)
    const nulls = { wallet: null, externalSessionId: null, gasId: null }
    const { token } = alice
    const sent = { ...body, quoteId: sell.quoteId, ...nulls }
    await callV1(app, 'POST /transaction', { token, body: sent })
    const without = { token, body: { ...sent, quoteId, rightSideLabel: null } }
    const words = 'rightSideLabel is required.'
    await refusedV1(app, 'POST /transaction', without, [400, words])
    const link = await sendTo(app, 'POST /generateApiLink', {
      body: { ...API_LINK, email: 'bob@example.com', city: null },
    })
    expect([link.status, JSON.parse(link.text).message]).toEqual([400, 'city is required.'])
  })

  it('in the control API, unless null has a meaning of its own', async () => {
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
})

describe('an empty array for the body of a control operation', () => {
  it('is an empty object, as PHP writes one', async () => {
    const alice = await logIn(app)
    const { id } = await alice.buy()
    const path = `/simulate/transactions/${id}/funds-received`
    expect(await app.control('POST', path, [])).toMatchObject({ transactionId: id })
    await app.control('POST', '/webhooks/drain', [])
    await app.control('POST', '/reset', [])
    expect((await app.control('GET', '/transactions')).total).toBe(0)
  })

  it('is refused where something is required, and by the contract', async () => {
    await expect(app.control('POST', '/clock/advance', [])).rejects.toThrow('400')
    const userId = await register(app, { email: 'bob@example.com' })
    const call = { path: { userId }, body: [] }
    const { status, errors } = await app.refused('PATCH /v2/users/{userId}', call)
    expect([status, errors[0]?.field]).toEqual([400, 'body'])
  })
})
