import { afterEach, expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'
import { V1_RESPONSES, type V1Route } from './contract.ts'
import { BUY, callV1, refusedV1 } from './legacy.ts'

const LAST_SECOND = '2026-08-20T23:59:59Z'
/** What the 410 of each must name (contract, Versioning: the table). */
const SUCCESSORS: Record<V1Route, string[]> = {
  'POST /loginCodeSend': ['POST /v2/auth/login-codes'],
  'POST /loginCodeVerify': ['POST /v2/auth/login-codes/verify'],
  'POST /generateApiLink': ['POST /v2/users', 'GET /v2/users/{userId}/kyc-url'],
  'GET /apiFindUser': ['GET /v2/users?email={email}'],
  'POST /sumsubImportUser': ['PUT /v2/users/{userId}/kyc'],
  'GET /priceQuote': ['GET /v2/quotes'],
  'GET /transaction': ['GET /v2/transactions', 'GET /v2/transactions/{txId}'],
  'POST /transaction': ['POST /v2/transactions'],
  'GET /webhooks': ['GET /v2/webhook-configurations'],
  'PATCH /webhooks': ['PUT or DELETE /v2/webhook-configurations'],
  'POST /webhook-signing-secret': ['POST /v2/webhook-configurations/signing-secret/rotate'],
}

let app: TestApp
afterEach(() => app.close())

const open = (clock: string, sunset?: string) => {
  app = openApp({
    fixture: 'verified-user',
    clock,
    settings: sunset === undefined ? {} : { 'v1.sunset': sunset },
  })
  return app
}
const side = async () => (await app.control('GET', '/info')).v1

it('v1 shuts down exactly at its sunset, and v2 and KYB are unaffected', async () => {
  open(LAST_SECOND, 'contract')
  await callV1(app, 'GET /priceQuote', { query: BUY })
  expect(await side()).toMatchObject({ side: 'before', responds: true })
  await app.advance('1s')
  await refusedV1(app, 'GET /priceQuote', { query: BUY }, [410])
  expect(await side()).toMatchObject({ side: 'after', responds: false })
  await app.call('GET /v2/quotes', { query: BUY })
  const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
  const kyb = await app.send('/submitKYB', { method: 'POST', headers, body: '{}' })
  expect(kyb.status).toBe(400)
  expect(kyb.headers.get('sunset')).toBeNull()
})

it.each(Object.keys(V1_RESPONSES) as V1Route[])(
  'the sunset of v1 names the replacement of %s',
  async (route) => {
    open('2026-08-21T00:00:00Z', 'contract')
    const { headers, body } = await refusedV1(app, route, { key: null }, [410])
    expect(body.status).toBe('error')
    for (const successor of SUCCESSORS[route]) expect(body.message).toContain(successor)
    expect(headers.get('sunset')).toBe('Fri, 21 Aug 2026 00:00:00 GMT')
  },
)

it('the sunset of v1 is postponed by default, and the sandbox warns about what the provider does', async () => {
  open('2027-01-01T00:00:00Z')
  await callV1(app, 'GET /webhooks')
  const { sentence, ...rest } = await side()
  expect(rest).toEqual({
    deprecatedAt: '2026-07-24T00:00:00.000Z',
    sunsetAt: '2026-08-21T00:00:00.000Z',
    side: 'after',
    responds: true,
  })
  expect(sentence).toContain('although the contract’s shutdown date (2026-08-21) has passed')
})
