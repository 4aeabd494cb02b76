import { beforeAll, describe, expect, it } from 'vitest'
import { RESPONSES, type Route } from '../contract.ts'
import { KEY, KEY_2, openApp, refusal, type TestApp } from '../helpers/app.ts'
import { type Person, verifiedUser } from '../helpers/story.ts'
import { prepareCalls, type ValidCalls } from '../helpers/valid-calls.ts'

const ROUTES = Object.keys(RESPONSES) as Route[]

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

const NO_KEY = refusal(401, 'x-api-key')
const NO_TOKEN = refusal(401, 'authorization')

describe('every operation', () => {
  it.each(ROUTES)('%s responds as the contract says', async (route) => {
    const app = openApp()
    const { calls } = await prepareCalls(app)
    await app.call(route, calls[route])
  })
})

describe('with one valid call of each operation', () => {
  let app: TestApp
  let valid: ValidCalls
  let bob: Person
  beforeAll(async () => {
    app = openApp()
    valid = await prepareCalls(app)
    bob = await verifiedUser(app, { email: 'dora@example.com' })
  })

  it.each(ROUTES)('%s wants an API key', async (route) => {
    const call = valid.calls[route]
    for (const key of [null, '', 'wrong-key', 'SANDBOX-KEY', `${KEY}x`, '__proto__']) {
      expect(await app.refused(route, { ...call, key })).toMatchObject(NO_KEY)
    }
  })

  it.each(WITH_TOKEN)('%s wants the token of the user', async (route) => {
    const { token: _, ...call } = valid.calls[route]
    expect(await app.refused(route, call)).toMatchObject(NO_TOKEN)
  })

  it.each([...WITH_TOKEN, ...TOKEN_OPTIONAL])('%s wants a token that is one', async (route) => {
    const call = valid.calls[route]
    for (const token of ['hello', `${valid.alice.token}x`]) {
      expect(await app.refused(route, { ...call, token })).toMatchObject(NO_TOKEN)
    }
  })

  it.each([...WITH_TOKEN, ...TOKEN_OPTIONAL])(
    '%s refuses a token made with the key of another integrator',
    async (route) => {
      const call = { ...valid.calls[route], key: KEY_2 }
      expect(await app.refused(route, call)).toMatchObject(NO_TOKEN)
    },
  )

  it.each(OF_A_USER)('%s refuses the token of another user', async (route) => {
    const call = { ...valid.calls[route], token: bob.token }
    expect(await app.refused(route, call)).toMatchObject(refusal(403, 'userId'))
  })

  it.each(OF_A_TRANSACTION)('%s hides the transaction of another user', async (route) => {
    const call = { ...valid.calls[route], token: bob.token }
    expect(await app.refused(route, call)).toMatchObject(refusal(404, 'txId'))
  })

  it.each(KEY_ONLY)('%s takes the key alone', async (route) => {
    // The state was not changed by any refusal above, so what is asked last may change it.
    const response = await openApp()
    const { calls } = await prepareCalls(response)
    const { token: _, ...call } = calls[route]
    await response.call(route, call)
  })
})

describe('once the token has expired', () => {
  it.each([...WITH_TOKEN, ...TOKEN_OPTIONAL])('%s refuses it', async (route) => {
    const app = openApp()
    const { calls } = await prepareCalls(app)
    await app.advance('1h')
    const refused = await app.refused(route, calls[route])
    expect(refused).toMatchObject(NO_TOKEN)
    expect(refused.errors[0]?.message).toContain('expired')
  })
})
