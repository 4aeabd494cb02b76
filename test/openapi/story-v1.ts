import { OPERATIONS } from '../../src/host/operations.ts'
import { LEGACY_HOOKS } from '../../src/world/state.ts'
import { validKyb } from '../helpers/kyb.ts'
import { EVM_WALLET, PROFILE } from '../helpers/story.ts'
import { KEY_2, NOWHERE, openUnchecked, type TestApp } from '../helpers/world-app.ts'
import type { Recorder } from './recorder.ts'
import {
  ALICE,
  BOB,
  CAROL,
  type Cast,
  openCast,
  PAIR,
  rejectBodies,
  rejectKey,
} from './story-v2.ts'

const QUOTED = { ...PAIR, leftSideValue: '100.00' }
const NOBODY = 'nobody@example.com'

/** Every v1 operation and corporate verification with every response that they can give. */
export async function playV1(recorder: Recorder): Promise<void> {
  const cast = await openCast()
  await playLogin(recorder, cast)
  await playUsers(recorder, cast)
  await playTransactions(recorder, cast)
  await playWebhooks(recorder, cast)
  await playKyb(recorder, cast)
  await rejectEverywhere(recorder, cast)
  await outlive(recorder)
}

async function playLogin({ call }: Recorder, { app }: Cast) {
  await call(app, 'v1SendLoginCode', 200, { query: { email: BOB } })
  await call(app, 'v1SendLoginCode', 400, { body: { email: BOB } })
  await call(app, 'v1SendLoginCode', 403, { query: { email: CAROL } })
  await call(app, 'v1SendLoginCode', 404, { query: { email: NOBODY } })
  const { messages } = await app.control('GET', `/inbox?kind=login-code&email=${BOB}`)
  const code: string = messages.at(-1).code
  const wrong = code === '0000' ? '1111' : '0000'
  await call(app, 'v1VerifyLoginCode', 400, { query: { email: BOB } })
  await call(app, 'v1VerifyLoginCode', 401, { query: { email: BOB, login_code: wrong } })
  await call(app, 'v1VerifyLoginCode', 403, { query: { email: CAROL, login_code: code } })
  await call(app, 'v1VerifyLoginCode', 404, { query: { email: NOBODY, login_code: code } })
  await call(app, 'v1VerifyLoginCode', 200, { query: { email: BOB, login_code: code } })
}

async function playUsers({ call }: Recorder, { app }: Cast) {
  const { firstName, lastName, addressLine1, postalCode, ...same } = PROFILE
  const erin = {
    ...same,
    email: 'erin@example.com',
    first_name: firstName,
    last_name: lastName,
    address1: addressLine1,
    address2: '',
    postal: postalCode,
  }
  await call(app, 'v1GenerateApiLink', 200, { body: erin })
  await call(app, 'v1GenerateApiLink', 400, { body: { ...erin, postal: undefined } })
  await call(app, 'v1GenerateApiLink', 409, { body: erin })
  await call(app, 'v1FindUser', 200, { query: { email: ALICE } })
  await call(app, 'v1FindUser', 400)
  await call(app, 'v1FindUser', 404, { query: { email: NOBODY } })
  const tokenOf = async (email: string) => {
    const { shareToken } = await call(app, 'simulateShareToken', 200, { body: { email } })
    return { body: { share_token: shareToken } }
  }
  await call(app, 'v1ImportUser', 200, await tokenOf(erin.email))
  await call(app, 'v1ImportUser', 400, { body: { share_token: 'expired' } })
  await call(app, 'v1ImportUser', 404, await tokenOf(NOBODY))
}

async function playTransactions({ call }: Recorder, { app, bob, asAlice }: Cast) {
  const notMine = { query: { userId: bob }, headers: asAlice }
  const nobody = { query: { userId: NOWHERE }, headers: { 'x-api-key': KEY_2 } }
  const { quoteId, gasId } = await call(app, 'v1PriceQuote', 200, {
    query: QUOTED,
    headers: { 'x-api-key': null },
  })
  await call(app, 'v1PriceQuote', 400, { query: { ...QUOTED, leftSideValue: '1e3' } })
  const order = { ...PAIR, leftSideValue: 100, wallet: EVM_WALLET, quoteId, gasId, ethCost: 0.375 }
  const { tx } = await call(app, 'v1CreateTransaction', 200, { headers: asAlice, body: order })
  const tooMuch = { ...order, leftSideValue: 10_000 }
  await call(app, 'v1CreateTransaction', 400, { headers: asAlice, body: tooMuch })
  await call(app, 'v1CreateTransaction', 403, { ...notMine, body: order })
  await call(app, 'v1CreateTransaction', 404, { ...nobody, body: order })
  await call(app, 'v1GetTransaction', 200, { headers: asAlice, query: { tx_id: tx } })
  await call(app, 'v1GetTransaction', 400, { headers: asAlice })
  await call(app, 'v1GetTransaction', 403, { ...notMine, query: { ...notMine.query, tx_id: tx } })
  await call(app, 'v1GetTransaction', 404, { headers: asAlice, query: { tx_id: NOWHERE } })
}

async function playWebhooks({ call }: Recorder, { app }: Cast) {
  const on = { verifiedEmailEnabled: true, verifiedEmailUrl: 'http://127.0.0.1:9/hooks' }
  const hooks = LEGACY_HOOKS.flatMap((hook) => [
    [`${hook}Enabled`, true],
    [`${hook}Url`, 'https://example.com/hooks'],
  ])
  const live = Object.fromEntries(hooks)
  await call(app, 'v1PatchWebhooks', 200, { body: live })
  await call(app, 'v1PatchWebhooks', 200, { body: on })
  await call(app, 'v1PatchWebhooks', 400, { body: { verifiedEmailUrl: 'example.com/hooks' } })
  await call(app, 'v1GetWebhooks', 200)
  await call(app, 'v1MakeSigningSecret', 200)
}

/** As strict a provider wants it: owners are named, and the account is that of a user. */
const OWNED = {
  paytrie_email: ALICE,
  list_of_quarter_owners: {
    quarterOwners: 'Alice Tremblay',
    quarterOwnersDOB: '1980-02-29',
    quarterOwnersEmail: 'alice@example.com',
    quarterOwnersOccupation: 'Director',
  },
}

async function playKyb({ call }: Recorder, { app }: Cast) {
  await call(app, 'submitKyb', 200, { body: { ...validKyb(), ...OWNED } })
  await call(app, 'submitKyb', 400, { body: { ...validKyb(), purpose: 'Payroll' } })
  await app.control('PATCH', '/settings', { 'status.duplicate-business': null })
}

async function rejectEverywhere({ call }: Recorder, { app, asAlice }: Cast) {
  for (const id of ['v1GenerateApiLink', 'v1ImportUser', 'v1PatchWebhooks', 'submitKyb']) {
    await rejectBodies(call, app, id)
  }
  await rejectBodies(call, app, 'v1CreateTransaction', { headers: asAlice })
  const old = OPERATIONS.filter(({ dialect }) => ['v1', 'unversioned'].includes(dialect.name))
  for (const { id } of old) {
    if (id !== 'v1PriceQuote') await rejectKey(call, app, id)
  }
  await call(app, 'v1PriceQuote', 401, { query: QUOTED, headers: { 'x-api-key': 'unknown' } })
}

/** After the sunset of the contract every v1 operation is gone. */
async function outlive({ call }: Recorder) {
  const app: TestApp = openUnchecked({
    clock: '2026-08-21T00:00:00Z',
    settings: { 'v1.sunset': 'contract' },
  })
  const v1 = OPERATIONS.filter(({ dialect }) => dialect.name === 'v1')
  for (const { id } of v1) await call(app, id, 410)
}
