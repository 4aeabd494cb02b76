import { OPERATIONS } from '../../src/host/operations.ts'
import { EVM_WALLET, PROFILE } from '../helpers/story.ts'
import type { TestApp } from '../helpers/world-app.ts'
import { KEY_2, NOWHERE, openUnchecked } from '../helpers/world-app.ts'
import type { Recorder, Sent } from './recorder.ts'

export const ALICE = 'alice@example.com'
export const BOB = 'bob@example.com'
export const CAROL = 'carol@example.com'
export const PAIR = { leftSideLabel: 'CAD', rightSideLabel: 'USDC-ETH' }
const ORDER = { ...PAIR, leftSideValue: 100 }
const QUOTED = { ...PAIR, leftSideValue: '100' }

const { phone: _, ...STATED } = PROFILE
const UPDATE = {
  ...STATED,
  addressLine2: 'Unit 4',
  purpose: 'Savings',
  olderUserInfo: {
    sourceOfFunds: 'Pension',
    intendedUseOfUSDC: 'Payments',
    walletProvider: 'Example Wallet',
    walletAddress: EVM_WALLET,
    howDidYouHear: 'A friend',
    whoReferredYou: 'Nobody',
    previousCryptoExperience: 'None',
  },
}

/** Two verified users and one who is not, with their ids and tokens. */
export async function openCast(settings: Record<string, string | number> = {}) {
  const fixture = {
    integrators: [
      { name: 'main', apiKey: 'sandbox-key' },
      { name: 'second', apiKey: 'sandbox-key-2', actsWithoutToken: true },
    ],
    users: [
      { email: ALICE, status: 'verified', profile: PROFILE },
      { email: BOB, status: 'verified' },
      { email: CAROL, status: 'initial' },
    ],
  }
  const wallClock = () => Date.parse('2026-07-01T12:00:00Z')
  const app = openUnchecked({ fixture, settings, wallClock })
  const { items } = await app.control('GET', '/users')
  const ids = items.map(({ id }: { id: string }) => id)
  const [alice, bob, carol] = ids as [string, string, string]
  return {
    app,
    alice,
    bob,
    carol,
    asAlice: await bearer(app, ALICE),
    asBob: await bearer(app, BOB),
  }
}
export type Cast = Awaited<ReturnType<typeof openCast>>

async function bearer(app: TestApp, email: string) {
  await app.call('POST /v2/auth/login-codes', { body: { email } })
  const { messages } = await app.control('GET', `/inbox?kind=login-code&email=${email}`)
  const body = { email, code: messages.at(-1).code }
  const { accessToken } = await app.call('POST /v2/auth/login-codes/verify', { body })
  return { authorization: `Bearer ${accessToken}` }
}

/** Every v2 operation with every response that it can give. */
export async function playV2(recorder: Recorder): Promise<void> {
  const cast = await openCast()
  await playLogin(recorder, cast)
  await playUsers(recorder, cast)
  await playTransactions(recorder, cast)
  await playWebhooks(recorder, cast)
  await rejectEverywhere(recorder, cast)
}

async function playLogin({ call }: Recorder, { app }: Cast) {
  await call(app, 'sendLoginCode', 200, { body: { email: ALICE } })
  await call(app, 'sendLoginCode', 400, { body: { email: 'alice' } })
  await call(app, 'sendLoginCode', 403, { body: { email: CAROL } })
  await call(app, 'sendLoginCode', 404, { body: { email: 'nobody@example.com' } })
  const { messages } = await app.control('GET', `/inbox?kind=login-code&email=${ALICE}`)
  const code: string = messages.at(-1).code
  const wrong = code === '0000' ? '1111' : '0000'
  await call(app, 'verifyLoginCode', 400, { body: { email: ALICE, code: 123 } })
  await call(app, 'verifyLoginCode', 401, { body: { email: ALICE, code: wrong } })
  await call(app, 'verifyLoginCode', 403, { body: { email: CAROL, code } })
  await call(app, 'verifyLoginCode', 404, { body: { email: 'nobody@example.com', code } })
  await call(app, 'verifyLoginCode', 200, { body: { email: ALICE, code } })
}

async function playUsers({ call }: Recorder, { app, alice, asAlice, asBob }: Cast) {
  const dora = { email: 'dora@example.com', ...PROFILE, addressLine2: 'Unit 4' }
  await call(app, 'createUser', 200, { body: dora })
  await call(app, 'createUser', 400, { body: { email: 'dora', dob: '12/04/1990' } })
  await call(app, 'createUser', 409, { body: dora })
  await call(app, 'findUsers', 200, { query: { email: ALICE } })
  await call(app, 'findUsers', 400)
  const own = { path: { userId: alice }, headers: asAlice }
  const foreign = { path: { userId: alice }, headers: asBob }
  const unknown = { path: { userId: NOWHERE } }
  const { shareToken } = await call(app, 'simulateShareToken', 200, { body: { email: ALICE } })
  const bodies = { updateUser: UPDATE, importKyc: { shareToken } }
  await call(app, 'updateUser', 400, { ...own, body: { province: 'Ontario' } })
  await call(app, 'importKyc', 400, { ...own, body: { shareToken: 'expired' } })
  for (const id of ['updateUser', 'importKyc', 'getRequirements', 'createKycLink'] as const) {
    const body = id in bodies ? { body: bodies[id as keyof typeof bodies] } : {}
    await call(app, id, 200, { ...own, ...body })
    await call(app, id, 403, { ...foreign, ...body })
    await call(app, id, 404, { ...unknown, ...body })
  }
}

async function playTransactions({ call }: Recorder, { app, bob, asAlice }: Cast) {
  const notMine = { query: { userId: bob }, headers: asAlice }
  const nobody = { query: { userId: NOWHERE }, headers: { 'x-api-key': KEY_2 } }
  const { data: quote } = await call(app, 'createQuote', 200, { query: QUOTED })
  await call(app, 'createQuote', 400, { query: { ...QUOTED, rightSideLabel: 'usdc-eth' } })
  await call(app, 'getLimits', 200, { headers: asAlice })
  const { quoteId } = quote
  const order = { ...ORDER, wallet: EVM_WALLET, quoteId, externalSessionId: 'session-1' }
  const { data: made } = await call(app, 'createTransaction', 200, {
    headers: asAlice,
    body: order,
  })
  const tooMuch = { ...order, leftSideValue: 10_000 }
  await call(app, 'createTransaction', 400, { headers: asAlice, body: tooMuch })
  await call(app, 'createTransaction', 403, { ...notMine, body: order })
  await call(app, 'createTransaction', 404, { ...nobody, body: order })
  await call(app, 'listTransactions', 200, {
    headers: asAlice,
    query: { limit: '20', offset: '0' },
  })
  await call(app, 'listTransactions', 400, { headers: asAlice, query: { limit: '0' } })
  for (const id of ['getLimits', 'listTransactions']) {
    await call(app, id, 403, notMine)
    await call(app, id, 404, nobody)
  }
  const one = { path: { txId: made.id }, headers: asAlice }
  const none = { path: { txId: NOWHERE }, headers: asAlice }
  await call(app, 'getTransaction', 200, one)
  await call(app, 'getTransaction', 404, none)
  await call(app, 'cancelTransaction', 200, one)
  await call(app, 'cancelTransaction', 400, one)
  await call(app, 'cancelTransaction', 404, none)
}

async function playWebhooks({ call }: Recorder, { app }: Cast) {
  const path = 'WebhookConfiguration'
  for (const id of [`get${path}`, `delete${path}`, `test${path}`, 'rotateSigningSecret']) {
    await call(app, id, 404)
  }
  await call(app, `put${path}`, 400, { body: { url: 'ftp://example.com/hooks' } })
  await call(app, `put${path}`, 200, { body: { url: 'https://example.com/hooks' } })
  await call(app, `put${path}`, 200, { body: { url: 'http://127.0.0.1:9/hooks' } })
  await call(app, `get${path}`, 200)
  await call(app, `test${path}`, 200)
  await call(app, 'rotateSigningSecret', 200)
  await call(app, `delete${path}`, 204)
}

/** What any operation refuses of its kind: no key, a body that is too long, one that is not JSON. */
async function rejectEverywhere({ call }: Recorder, { app, alice, asAlice }: Cast) {
  const own = { path: { userId: alice }, headers: asAlice }
  for (const id of ['sendLoginCode', 'verifyLoginCode', 'createUser', 'putWebhookConfiguration']) {
    await rejectBodies(call, app, id)
  }
  for (const id of ['updateUser', 'importKyc', 'createTransaction']) {
    await rejectBodies(call, app, id, own)
  }
  const v2 = OPERATIONS.filter(({ dialect }) => dialect.name === 'v2')
  for (const { id } of v2) await rejectKey(call, app, id)
}

export async function rejectKey(call: Recorder['call'], app: TestApp, id: string) {
  await call(app, id, 401, { headers: { 'x-api-key': null } })
}

export async function rejectBodies(
  call: Recorder['call'],
  app: TestApp,
  id: string,
  as: Sent = {},
) {
  const headers = { ...as.headers }
  await call(app, id, 413, {
    ...as,
    raw: '{}',
    headers: { ...headers, 'content-length': '99999999' },
  })
  const raw = 'email=alice@example.com'
  await call(app, id, 415, { ...as, raw, headers: { ...headers, 'content-type': 'text/plain' } })
}
