import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApp, type RawCall, sendTo, type TestApp } from '../helpers/app.ts'
import { V1_RESPONSES, V1Error, type V1Route } from './contract.ts'
import { API_LINK, BUY, logInV1, ordered, refusedV1 } from './legacy.ts'

const ROUTES = Object.keys(V1_RESPONSES) as V1Route[]
const WITH_BODY: V1Route[] = [
  'POST /generateApiLink',
  'POST /sumsubImportUser',
  'POST /transaction',
  'PATCH /webhooks',
]

let app: TestApp
let token: string
/** A call of each route that nothing but its key could be wrong with. */
let calls: Record<V1Route, RawCall>

beforeAll(async () => {
  app = openApp({ fixture: 'verified-user' })
  token = await logInV1(app)
  const email = { email: 'alice@example.com' }
  calls = {
    'POST /loginCodeSend': { query: email },
    'POST /loginCodeVerify': { query: { ...email, login_code: '1234' } },
    'POST /generateApiLink': { body: API_LINK },
    'GET /apiFindUser': { query: email },
    'POST /sumsubImportUser': { body: { share_token: 'x' } },
    'GET /priceQuote': { query: BUY },
    'POST /transaction': { token, body: await ordered(app) },
    'GET /transaction': { token, query: { tx_id: 'x' } },
    'GET /webhooks': {},
    'PATCH /webhooks': { body: {} },
    'POST /webhook-signing-secret': {},
  }
})
afterAll(() => app.close())

it.each(WITH_BODY)(
  'every v1 route refuses a body that is not a JSON object at %s',
  async (route) => {
    for (const [text, message] of [
      ['{"email":', 'not JSON'],
      ['', 'empty'],
      ['[]', 'must be a JSON object'],
      ['null', 'must be a JSON object'],
    ] as const) {
      const call = { ...calls[route], body: undefined, text }
      await refusedV1(app, route, call, [400, message])
    }
  },
)

it.each(ROUTES)(
  'every v1 route responds to a wrong method in the v1 format at %s',
  async (route) => {
    const [, path] = route.split(' ')
    const { status, headers, text } = await sendTo(app, `DELETE ${path}`)
    expect(status).toBe(405)
    expect(headers.get('allow')).toMatch(/GET|POST/)
    expect(V1Error.parse(JSON.parse(text)).message).toContain('DELETE')
  },
)

it('every v1 route is at the root and not below /v2', async () => {
  const { status, headers, text } = await sendTo(app, 'POST /v2/loginCodeSend')
  expect(status).toBe(404)
  expect(headers.get('x-sandbox-hint')).toBe('not emulated')
  expect(JSON.parse(text).success).toBe(false)
  const near = await sendTo(app, 'POST /loginCodesSend')
  expect(near.status).toBe(404)
  expect(V1Error.parse(JSON.parse(near.text)).status).toBe('error')
})

it('every v1 route says when v1 was deprecated and when it ends', async () => {
  for (const route of ROUTES) {
    const { headers } = await sendTo(app, route, { ...calls[route], key: 'unknown' })
    expect(headers.get('deprecation')).toBe('@1784851200')
    expect(headers.get('sunset')).toBe('Fri, 21 Aug 2026 00:00:00 GMT')
  }
  const { headers } = await app.send('/v2/limits')
  expect(headers.get('deprecation')).toBeNull()
})
