import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEY_2, openApp, type RawCall, sendTo, type TestApp } from '../helpers/app.ts'
import { buyUnder, logIn, type Person, quote } from '../helpers/story.ts'
import { createChecker } from './checker.ts'
import { makeDocuments } from './documents.ts'

const NAME = 'x-sandbox-assumption'
const HTTP = 'http://127.0.0.1:9/hook'
const HTTPS = 'https://hooks.example.com/'
const PRICE = { leftSideLabel: 'CAD', leftSideValue: '100', rightSideLabel: 'USDC' }

const { find } = createChecker(makeDocuments().contract)
let app: TestApp
let alice: Person

beforeEach(async () => {
  app = openApp({ fixture: 'verified-user' })
  alice = await logIn(app)
})
afterEach(() => app.close())

/** What the header of a success says, which the document and the journal must have, too. */
async function assumed(route: string, call: RawCall = {}): Promise<string | null> {
  const { status, headers, text } = await sendTo(app, route, call)
  expect(status, text).toBe(200)
  const named = headers.get(NAME)
  const { notes } = await app.control('GET', `/requests/${headers.get('x-sandbox-request')}`)
  expect(notes).toEqual(named?.split(', ').map((id) => `assumption ${id}`) ?? [])
  const [method = '', path = ''] = route.split(' ')
  const documented = find(method, path)?.operation.responses[status].headers
  if (named !== null) expect(documented, route).toHaveProperty([NAME])
  return named
}

describe('the header of assumptions', () => {
  it('is there for a webhook URL that is not https', async () => {
    const put = (url: string) => assumed('PUT /v2/webhook-configurations', { body: { url } })
    expect([await put(HTTPS), await put(HTTP)]).toEqual([null, 'webhooks.url'])
    const patch = (verifiedEmailUrl: string) =>
      assumed('PATCH /webhooks', { body: { verifiedEmailUrl } })
    expect([await patch(HTTPS), await patch('')]).toEqual([null, null])
    expect(await patch(HTTP)).toBe('webhooks.url')
  })

  it('is there for a price quote of v1 without a key', async () => {
    const price = (call: RawCall) => assumed('GET /priceQuote', { query: PRICE, ...call })
    expect([await price({}), await price({ key: null })]).toEqual([null, 'auth.v1PriceQuote'])
  })

  it('is there for a user whom a caller without a token names outside the path', async () => {
    const { id: userId, token } = alice
    const body = { accessibleBy: ['jwt', 'apiKey'] }
    await app.control('POST', `/simulate/users/${userId}/access`, body)
    const call = { key: KEY_2, query: { userId } }
    expect(await assumed('GET /v2/limits', call)).toBe('access.subject')
    expect(await assumed('GET /v2/transactions', call)).toBe('access.subject')
    expect(await assumed(`GET /v2/users/${userId}/kyc-url`, { key: KEY_2 })).toBeNull()
    expect(await assumed('GET /v2/limits', { token })).toBeNull()
  })

  it('is there for v1 from the instant of its shutdown', async () => {
    await app.control('POST', '/clock/advance', { to: '2026-08-20T23:59:59.999Z' })
    expect(await assumed('GET /webhooks')).toBeNull()
    await app.advance('1ms')
    expect(await assumed('GET /webhooks')).toBe('v1.sunset')
    const both = { body: { verifiedEmailUrl: HTTP } }
    expect(await assumed('PATCH /webhooks', both)).toBe('v1.sunset, webhooks.url')
  })

  it('is there for a call whose legacy webhook goes out unsigned', async () => {
    const body = { transactionInitiatedEnabled: true, transactionInitiatedUrl: HTTPS }
    expect(await assumed('PATCH /webhooks', { body })).toBe('webhooks.withoutSecret')
    const { quoteId } = await quote(app, {})
    const create = (cad: number) =>
      assumed('POST /v2/transactions', { token: alice.token, body: buyUnder(quoteId, cad) })
    expect(await create(100)).toBe('webhooks.withoutSecret')
    await sendTo(app, 'POST /webhook-signing-secret')
    expect(await create(100)).toBeNull()
    expect(await create(100.01)).toBe('status.quote-amount')
  })
})
