import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../src/client/receiver.ts'
import { openApp, type TestApp } from './helpers/app.ts'
import { isSigned } from './helpers/hooks.ts'
import { EVM_WALLET, PENDING, readCode } from './helpers/story.ts'
import { LEGACY_BODIES } from './v1/contract.ts'
import { API_LINK, callV1, logInV1, ordered, refusedV1 } from './v1/legacy.ts'

const { email } = API_LINK
const BEFORE_SUNSET = '2026-08-21T12:00:00Z'

let app: TestApp
let receiver: Receiver

beforeEach(async () => {
  receiver = await createReceiver()
  app = openApp({ clock: BEFORE_SUNSET, settings: { 'v1.sunset': 'contract' } })
})
afterEach(async () => {
  await app.close()
  await receiver.close()
})

async function pathsAndStatuses(): Promise<string[]> {
  await app.control('POST', '/webhooks/drain')
  return receiver.received.map(({ path, json }) => {
    const { payload, status } = json as { payload?: { status: string }; status?: string }
    return `${path} ${payload?.status ?? status}`
  })
}

it('walks one user from a v1 onboarding to a v2 transaction, reported by both generations', async () => {
  // An integrator of v1: the secret, the legacy webhooks, a user, a login, a buy.
  const { signingSecret: secret } = await callV1(app, 'POST /webhook-signing-secret')
  await callV1(app, 'PATCH /webhooks', {
    body: {
      verifiedEmailEnabled: true,
      verifiedEmailUrl: `${receiver.url}/v1/verified`,
      transactionInitiatedEnabled: true,
      transactionInitiatedUrl: `${receiver.url}/v1/initiated`,
      transactionStatusUpdateEnabled: true,
      transactionStatusUpdateUrl: `${receiver.url}/v1/update`,
      transactionCompleteEnabled: true,
      transactionCompleteUrl: `${receiver.url}/v1/complete`,
    },
  })
  await callV1(app, 'POST /generateApiLink', { body: API_LINK })
  await app.control('POST', `/simulate/users/${email}/kyc`, { status: 'verified' })
  const token = await logInV1(app)
  const { tx } = await callV1(app, 'POST /transaction', { token, body: await ordered(app) })

  // It registers v2 beside v1: the secret is known already, so none is returned.
  const url = `${receiver.url}/v2`
  const configured = await app.call('PUT /v2/webhook-configurations', { body: { url } })
  expect(configured).not.toHaveProperty('signingSecret')
  const [found] = await app.call('GET /v2/users', { query: { email } })
  const { userId } = await callV1(app, 'GET /apiFindUser', { query: { email } })
  expect(found?.id).toBe(userId)

  // The token and the transaction of v1 go on in v2.
  const { items } = await app.call('GET /v2/transactions', { token })
  expect(items.map(({ id }) => id)).toEqual([tx])
  await app.call('PUT /v2/transactions/{txId}/cancel', { token, path: { txId: tx } })

  // A new login and a new buy in v2, to its end.
  await app.call('POST /v2/auth/login-codes', { body: { email } })
  const code = await readCode(app, email)
  const { accessToken } = await app.call('POST /v2/auth/login-codes/verify', {
    body: { email, code },
  })
  const pair = { leftSideLabel: 'CAD', leftSideValue: 250, rightSideLabel: 'USDC-BASE' }
  const { quoteId } = await app.call('GET /v2/quotes', { query: pair })
  const body = { ...pair, wallet: EVM_WALLET, quoteId, externalSessionId: 'moved' }
  const created = await app.call('POST /v2/transactions', { token: accessToken, body })
  await app.control('POST', `/simulate/transactions/${created.id}/settled`, { through: true })

  expect((await pathsAndStatuses()).sort()).toEqual(
    [
      '/v1/verified verified',
      `/v1/initiated ${PENDING}`,
      '/v2 cancelled',
      '/v1/update cancelled',
      `/v2 ${PENDING}`,
      `/v1/initiated ${PENDING}`,
      '/v2 processing request money transfer',
      '/v1/update processing request money transfer',
      '/v2 complete',
      '/v1/update complete',
      '/v1/complete complete',
    ].sort(),
  )
  for (const request of receiver.received) {
    expect(isSigned(request.headers, request.bytes, secret)).toBe(true)
  }
  const complete = receiver.received.find(({ path }) => path === '/v1/complete')?.json
  const { txId, externalSessionId } = LEGACY_BODIES.transactionComplete.parse(complete)
  expect([txId, externalSessionId]).toEqual([created.id, 'moved'])

  // The day after, v1 is gone and v2 goes on alone.
  await app.advance('12h')
  expect((await refusedV1(app, 'GET /webhooks')).status).toBe(410)
  const before = (await pathsAndStatuses()).length
  await app.control('POST', `/simulate/users/${email}/kyc`, { status: 'in-review' })
  await app.control('POST', `/simulate/users/${email}/kyc`, { status: 'verified' })
  expect((await pathsAndStatuses()).slice(before)).toEqual(['/v2 in-review', '/v2 verified'])
})
