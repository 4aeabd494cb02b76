import { beforeAll, describe, expect, it } from 'vitest'
import { RESPONSES, type Route } from '../contract.ts'
import { KEY, KEY_2, openApp, refusal, type TestApp } from '../helpers/app.ts'
import { verifiedUser } from '../helpers/story.ts'
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
const JUDGES_TOKEN = ROUTES.filter((route) => !KEY_ONLY.includes(route))
const NO_TOKEN = refusal(401, 'authorization')

it.each(ROUTES)(
  '%s responds as the contract says, with the key alone if that is enough',
  async (route) => {
    const app = openApp()
    const { calls } = await prepareCalls(app)
    const { token, ...call } = calls[route]
    await app.call(
      route,
      KEY_ONLY.includes(route) || token === undefined ? call : { ...call, token },
    )
  },
)

describe('with one valid call of each operation', () => {
  let app: TestApp
  let valid: ValidCalls
  let later: { app: TestApp; valid: ValidCalls }
  let stranger: string
  beforeAll(async () => {
    app = openApp()
    valid = await prepareCalls(app)
    stranger = (await verifiedUser(app, { email: 'dora@example.com' })).token
    const aged = openApp()
    later = { app: aged, valid: await prepareCalls(aged) }
    await aged.advance('1h')
  })

  it.each(ROUTES)('%s requires an API key', async (route) => {
    for (const key of [null, '', 'wrong-key', 'SANDBOX-KEY', `${KEY}x`, '__proto__']) {
      const call = { ...valid.calls[route], key }
      expect(await app.refused(route, call)).toMatchObject(refusal(401, 'x-api-key'))
    }
  })

  it.each(JUDGES_TOKEN)(
    '%s requires a token of this integrator that has not expired',
    async (route) => {
      const call = valid.calls[route]
      const wrong = [{ token: 'hello' }, { token: `${valid.alice.token}x` }, { key: KEY_2 }]
      for (const each of wrong) {
        expect(await app.refused(route, { ...call, ...each })).toMatchObject(NO_TOKEN)
      }
      const { token: _, ...without } = call
      if (!TOKEN_OPTIONAL.includes(route)) {
        expect(await app.refused(route, without)).toMatchObject(NO_TOKEN)
      }
      const expired = await later.app.refused(route, later.valid.calls[route])
      expect(expired).toMatchObject(NO_TOKEN)
      expect(expired.errors[0]?.message).toContain('expired')
    },
  )

  it.each(ROUTES.filter((route) => route.includes('{')))(
    '%s refuses the token of another user',
    async (route) => {
      const expected = route.includes('{userId}') ? refusal(403, 'userId') : refusal(404, 'txId')
      const call = { ...valid.calls[route], token: stranger }
      expect(await app.refused(route, call)).toMatchObject(expected)
    },
  )
})
