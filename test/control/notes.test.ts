import { afterEach, beforeEach, expect, it } from 'vitest'
import { KEY_2, openApp, type RawCall, sendTo, type TestApp } from '../helpers/app.ts'
import { validKyb } from '../helpers/kyb.ts'
import { buyUnder, logIn, type Person, quote } from '../helpers/story.ts'

const HTTP = 'http://127.0.0.1:9/hook'
const HTTPS = 'https://hooks.example.com/'
const PRICE = { leftSideLabel: 'CAD', leftSideValue: '100', rightSideLabel: 'USDC' }

let app: TestApp
let alice: Person

beforeEach(async () => {
  app = openApp({ fixture: 'verified-user' })
  alice = await logIn(app)
})
afterEach(() => app.close())

/** What the journal notes of an accepted call, which `explain` says, too. */
async function notesOf(route: string, call: RawCall = {}): Promise<string[]> {
  const { status, headers, text } = await sendTo(app, route, call)
  expect(status, text).toBe(200)
  const id = headers.get('x-sandbox-request')
  const { notes } = await app.control('GET', `/requests/${id}`)
  const explained = await app.control('GET', `/explain/${id}`)
  for (const note of notes) expect(explained.text).toContain(`note: ${note}\n`.trimEnd())
  return notes
}

/** The settings that the journal notes of an accepted call. */
const assumed = async (route: string, call: RawCall = {}): Promise<string[]> =>
  (await notesOf(route, call)).flatMap(
    (note) => /^.*\? Decided by the setting (\S+): .+\.$/.exec(note)?.[1] ?? [],
  )

const IS_HTTP = expect.stringMatching(
  /^The sandbox accepts http for local tests; the provider requires HTTPS/,
)
const IS_OVER = expect.stringMatching(
  /^v1 still responds, although the contract’s shutdown date \(2026-08-21\) has passed/,
)
const IS_USED = expect.stringMatching(
  /^Quote \d+ has already been used.* request a quote for each order/,
)

it('an accepted call has a note for a webhook URL that is not https', async () => {
  const put = (url: string) => notesOf('PUT /v2/webhook-configurations', { body: { url } })
  expect([await put(HTTPS), await put(HTTP)]).toEqual([[], [IS_HTTP]])
  const patch = (verifiedEmailUrl: string) =>
    notesOf('PATCH /webhooks', { body: { verifiedEmailUrl } })
  expect([await patch(HTTPS), await patch('')]).toEqual([[], []])
  expect(await patch(HTTP)).toEqual([IS_HTTP])
})

it('an accepted call has a note for a body that is not sent as application/json', async () => {
  const add = (type: string, email: string) =>
    notesOf('POST /v2/users', { body: { email }, headers: { 'content-type': type } })
  expect([
    await add('Application/JSON; charset=utf-8', 'bob@example.com'),
    await add('application/vnd.api+json', 'eve@example.com'),
  ]).toEqual([
    [],
    [
      'The Content-Type is application/vnd.api+json. The contract shows only application/json (body.mediaType).',
    ],
  ])
})

it('an accepted call has a note for a price quote of v1 without a key', async () => {
  const price = (call: RawCall) => assumed('GET /priceQuote', { query: PRICE, ...call })
  expect([await price({}), await price({ key: null })]).toEqual([[], ['auth.v1PriceQuote']])
})

it('an accepted call has a note for a user who is named outside the path by a caller without a token', async () => {
  const { id: userId, token } = alice
  const body = { accessibleBy: ['jwt', 'apiKey'] }
  await app.control('POST', `/simulate/users/${userId}/access`, body)
  const call = { key: KEY_2, query: { userId } }
  expect(await assumed('GET /v2/limits', call)).toEqual(['access.subject'])
  expect(await assumed('GET /v2/transactions', call)).toEqual(['access.subject'])
  expect(await assumed(`GET /v2/users/${userId}/kyc-url`, { key: KEY_2 })).toEqual([])
  expect(await assumed('GET /v2/limits', { token })).toEqual([])
})

it('an accepted call has a note for v1 from the instant of its shutdown', async () => {
  await app.control('POST', '/clock/advance', { to: '2026-08-20T23:59:59.999Z' })
  expect(await notesOf('GET /webhooks')).toEqual([])
  await app.advance('1ms')
  expect(await notesOf('GET /webhooks')).toEqual([IS_OVER])
  const both = { body: { verifiedEmailUrl: HTTP } }
  expect(await notesOf('PATCH /webhooks', both)).toEqual([IS_OVER, IS_HTTP])
})

it('an accepted call has a note for a quote that was used before, and for one of another amount', async () => {
  const { quoteId } = await quote(app, {})
  const create = (cad: number, id = quoteId) =>
    notesOf('POST /v2/transactions', { token: alice.token, body: buyUnder(id, cad) })
  expect(await create(100)).toEqual([])
  expect(await create(100)).toEqual([IS_USED])
  const other = await quote(app, {})
  const note = expect.stringContaining('is for 100 CAD, but the order is for 250.5 CAD')
  expect(await create(250.5, other.quoteId)).toEqual([note])
})

it('an accepted call has a note for an unknown field, with the field that was probably meant', async () => {
  const body = { email: 'new@example.com', first_name: 'New' }
  const note = 'first_name is not a field of this request; did you mean firstName?'
  expect(await notesOf('POST /v2/users', { body })).toEqual([note])
})

it('an accepted call has a note if its legacy webhook goes out unsigned', async () => {
  const body = { transactionInitiatedEnabled: true, transactionInitiatedUrl: HTTPS }
  expect(await assumed('PATCH /webhooks', { body })).toEqual(['webhooks.withoutSecret'])
  const { quoteId } = await quote(app, {})
  const create = (cad: number) =>
    assumed('POST /v2/transactions', { token: alice.token, body: buyUnder(quoteId, cad) })
  expect(await create(100)).toEqual(['webhooks.withoutSecret'])
  await sendTo(app, 'POST /webhook-signing-secret')
  expect(await create(100)).toEqual([])
})

it('an accepted call has a note for each error that a setting turns into a success, with the setting', async () => {
  const accepted = (message: string, code: string) =>
    `${message} The call succeeds anyway, because status.${code} is 200.`
  expect(await notesOf(`GET /v2/users/${alice.id}/kyc-url`, { token: alice.token })).toEqual([
    accepted('The user is already verified and needs no KYC link.', 'already-verified'),
  ])
  const kyb = { body: { ...validKyb(), paytrie_email: 'nobody@example.com' } }
  const isUnknown = accepted(
    'paytrie_email must be the e-mail address of a registered user.',
    'unknown-account',
  )
  expect(await notesOf('POST /submitKYB', kyb)).toEqual([isUnknown])
  expect(await notesOf('POST /submitKYB', kyb)).toEqual([
    isUnknown,
    accepted('The corporation 1234567 has already been submitted.', 'duplicate-business'),
  ])
  await sendTo(app, 'POST /webhook-signing-secret')
  expect(await notesOf('PATCH /webhooks', { body: { verifiedEmailEnabled: true } })).toEqual([
    accepted(
      'verifiedEmailUrl is required: verifiedEmailEnabled is true, and there is no URL to send it to.',
      'webhook-without-url',
    ),
  ])
})

it('an accepted call has a note for an error that would be refused without a setting', async () => {
  const codes = ['status.page-too-large', 'status.no-webhook-configuration']
  await app.control('PATCH', '/settings', Object.fromEntries(codes.map((code) => [code, 200])))
  const list = { token: alice.token, query: { limit: '500' } }
  expect(await notesOf('GET /v2/transactions', list)).toEqual([
    expect.stringMatching(
      /^limit must be .* from 1 to 100\. .* because status\.page-too-large is 200\.$/,
    ),
  ])
  expect(await notesOf('GET /v2/transactions', { token: alice.token })).toEqual([])
  expect(await notesOf('GET /v2/webhook-configurations')).toEqual([
    expect.stringMatching(/because status\.no-webhook-configuration is 200\.$/),
  ])
})
