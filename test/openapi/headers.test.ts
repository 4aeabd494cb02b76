import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '../contract.ts'
import {
  type Call,
  KEY,
  KEY_2,
  openApp,
  type RawCall,
  sendTo,
  type TestApp,
  toRequest,
} from '../helpers/app.ts'
import { EVM_WALLET, logIn, type Person, quote } from '../helpers/story.ts'
import { callV1 } from '../v1/legacy.ts'
import { createChecker } from './checker.ts'
import { makeDocuments } from './documents.ts'

const NAME = 'x-sandbox-assumption'
const HTTP = 'http://127.0.0.1:9/hook'
const HTTPS = 'https://hooks.example.com/'
const PUT_CONFIGURATION = 'PUT /v2/webhook-configurations'
const PATCH_WEBHOOKS = 'PATCH /webhooks'
const PRICE = { leftSideLabel: 'CAD', leftSideValue: '100', rightSideLabel: 'USDC' }

const { find } = createChecker(makeDocuments().contract)
let app: TestApp
let alice: Person

beforeEach(async () => {
  app = openApp({ fixture: 'verified-user' })
  alice = await logIn(app)
})
afterEach(() => app.close())

describe('the header of assumptions', () => {
  it('is there for a webhook URL that is not https', async () => {
    expect(await assumed(PUT_CONFIGURATION, { body: { url: HTTPS } })).toBeNull()
    expect(await assumed(PUT_CONFIGURATION, { body: { url: HTTP } })).toBe('webhooks.url')
    const byV1 = (verifiedEmailUrl: string) =>
      assumedV1(PATCH_WEBHOOKS, { body: { verifiedEmailUrl } })
    expect(await byV1(HTTPS)).toBeNull()
    expect(await byV1('')).toBeNull()
    expect(await byV1(HTTP)).toBe('webhooks.url')
  })

  it('is there for a price quote of v1 without a key', async () => {
    expect(await assumedV1('GET /priceQuote', { query: PRICE })).toBeNull()
    const keyless = { query: PRICE, key: null }
    expect(await assumedV1('GET /priceQuote', keyless)).toBe('auth.v1PriceQuote')
  })

  it('is there for a user whom a caller without a token names outside the path', async () => {
    const { id: userId } = alice
    const body = { accessibleBy: ['jwt', 'apiKey'] }
    await app.control('POST', `/simulate/users/${userId}/access`, body)
    const call = { key: KEY_2, query: { userId } }
    expect(await assumed('GET /v2/limits', call)).toBe('access.subject')
    expect(await assumed('GET /v2/transactions', call)).toBe('access.subject')
    const path = { key: KEY_2, path: { userId } }
    expect(await assumed('GET /v2/users/{userId}/kyc-url', path)).toBeNull()
    expect(await assumed('GET /v2/limits', { token: alice.token })).toBeNull()
  })

  it('is there for v1 from the instant of its shutdown', async () => {
    await app.control('POST', '/clock/advance', { to: '2026-08-21T23:59:59.999Z' })
    expect(await assumedV1('GET /webhooks')).toBeNull()
    await app.advance('1ms')
    expect(await assumedV1('GET /webhooks')).toBe('v1.sunset')
    const both = { body: { verifiedEmailUrl: HTTP } }
    expect(await assumedV1(PATCH_WEBHOOKS, both)).toBe('v1.sunset, webhooks.url')
  })

  it('is there for a call whose legacy webhook goes out unsigned', async () => {
    const body = { transactionInitiatedEnabled: true, transactionInitiatedUrl: HTTPS }
    expect(await assumedV1(PATCH_WEBHOOKS, { body })).toBe('webhooks.withoutSecret')
    const { token } = alice
    const order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
    const { quoteId } = await quote(app, order)
    const create = (leftSideValue: number) =>
      assumed('POST /v2/transactions', {
        token,
        body: { ...order, leftSideValue, wallet: EVM_WALLET, quoteId },
      })
    expect(await create(100)).toBe('webhooks.withoutSecret')
    await callV1(app, 'POST /webhook-signing-secret')
    expect(await create(100)).toBeNull()
    expect(await create(100.01)).toBe('status.quote-amount')
  })
})

async function assumed(route: Route, call: Call) {
  return namedIn(route, await app.send(...toRequest(route, { key: KEY, ...call })))
}

async function assumedV1(route: string, call: RawCall = {}) {
  return namedIn(route, await sendTo(app, route, call))
}

/** What the header of a success says, which the document and the journal must have, too. */
async function namedIn(route: string, { status, headers, text }: TextResponse) {
  expect(status, text).toBe(200)
  const named = headers.get(NAME)
  const { notes } = await app.control('GET', `/requests/${headers.get('x-sandbox-request')}`)
  const ids = named?.split(', ') ?? []
  expect(notes).toEqual(ids.map((id) => `assumption ${id}`))
  const [method = '', path = ''] = route.split(' ')
  const found = find(method, path.replace(/\{\w+\}/, 'x'))
  if (named !== null) {
    expect(found?.operation.responses[status].headers, route).toHaveProperty([NAME])
  }
  return named
}

interface TextResponse {
  status: number
  headers: Headers
  text: string
}
