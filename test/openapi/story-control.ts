import type { Json } from '../../src/client/http.ts'
import { createReceiver, type Received } from '../../src/client/receiver.ts'
import { FAULTS_MAX } from '../../src/engine/faults.ts'
import { FOLLOWERS_MAX } from '../../src/engine/journal.ts'
import { SNAPSHOTS_MAX } from '../../src/engine/snapshots.ts'
import { OPERATIONS } from '../../src/host/operations.ts'
import { requireNoToken } from '../../src/http/control/auth.ts'
import { validKyb } from '../helpers/kyb.ts'
import { logIn, PROFILE } from '../helpers/story.ts'
import { NOON, NOWHERE, openUnchecked, sendTo, type TestApp } from '../helpers/world-app.ts'
import type { Recorder, Sent } from './recorder.ts'
import { ALICE, BOB, CAROL, type Cast, openCast } from './story-v2.ts'

const CONTROL = OPERATIONS.filter(({ dialect }) => dialect.name === 'control')

/** Every control operation with every response that it can give. */
export async function playControl(recorder: Recorder): Promise<void> {
  const cast = await openCast()
  const ids = await playWorld(recorder, cast)
  await playRecords(recorder, cast, ids)
  await playSettings(recorder, cast)
  await playSimulations(recorder, cast)
  await playCatches(recorder, cast)
  await playCrowd(recorder)
  await playStates(recorder, cast)
  await rejectForms(recorder, cast)
  await rejectStrangers(recorder)
}

async function playWorld({ call }: Recorder, { app }: Cast) {
  await call(app, 'getHealth', 200)
  await call(app, 'getInfo', 200)
  await call(app, 'getCoverage', 200)
  await call(app, 'getClock', 200)
  await call(app, 'getContractDocument', 200)
  await call(app, 'getControlDocument', 200)
  await call(app, 'getLlmsText', 200)
  await call(app, 'respondToMcp', 200, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
  await using receiver = await createReceiver()
  const configured = await app.call('PUT /v2/webhook-configurations', {
    body: { url: receiver.url },
  })
  const alice = await logIn(app)
  const { id: txId } = await alice.buy()
  await call(app, 'drainWebhooks', 200)
  await call(app, 'advanceClock', 200, { body: { by: '1h' } })
  await call(app, 'advanceClock', 409, { body: { toNext: true } })
  const { deliveries } = await call(app, 'listDeliveries', 200, { query: { limit: '1' } })
  const [{ id, request }] = deliveries
  await call(app, 'getDelivery', 200, { path: { id } })
  const body = JSON.stringify(JSON.parse(request.body), null, 2)
  const { signingSecret: secret } = configured
  await call(app, 'explainSignature', 200, { body: { headers: request.headers, body, secret } })
  await call(app, 'getWebhookSettings', 200)
  const settings = { body: { url: receiver.url, integrator: 'main' } }
  await call(app, 'putWebhookSettings', 200, settings)
  await call(app, 'testWebhook', 200)
  await call(app, 'testWebhook', 404, { body: { integrator: 'nobody' } })
  await call(app, 'putWebhookSettings', 404, { body: { integrator: 'nobody' } })
  await call(app, 'resendDelivery', 200, { path: { id }, body: { mutate: 'signature' } })
  await call(app, 'resendFailed', 200)
  await call(app, 'resendFailed', 404, { body: { ref: NOWHERE } })
  for (const operation of ['getDelivery', 'resendDelivery']) {
    await call(app, operation, 404, { path: { id: 'dlv_0' } })
  }
  return { txId, userId: alice.id }
}

async function playRecords({ call }: Recorder, { app }: Cast, { txId, userId }: Ids) {
  await sendTo(app, 'POST /submitKYB', { body: validKyb() })
  await call(app, 'listUserRecords', 200, { query: { email: ALICE, limit: '20' } })
  await call(app, 'getUserRecord', 200, { path: { user: userId } })
  await call(app, 'getUserRecord', 404)
  await call(app, 'issueAccessToken', 200, { path: { user: userId } })
  await call(app, 'issueAccessToken', 404)
  await call(app, 'listTransactionRecords', 200, {
    query: { email: ALICE, status: 'expired', limit: '20' },
  })
  await call(app, 'getTransactionRecord', 200, { path: { id: txId } })
  await call(app, 'getTransactionRecord', 404, { path: { id: NOWHERE } })
  await call(app, 'listKybSubmissions', 200)
  await call(app, 'readInbox', 200, { query: { email: ALICE, kind: 'money-request' } })
  await call(app, 'readEvents', 200, { query: { ref: txId, status: 'expired' } })
  const body = { Email: 'x@example.com', first_name: 'X' }
  const refused = await sendTo(app, 'POST /v2/users', { body })
  await call(app, 'listRequests', 200, { query: { operation: 'createUser', refused: 'true' } })
  const id = refused.headers.get('x-sandbox-request') ?? ''
  await call(app, 'getRequest', 200, { path: { id } })
  await call(app, 'getRequest', 404, { path: { id: 'req_0' } })
  await call(app, 'explain', 200, { path: { id } })
  await call(app, 'explain', 404, { path: { id: 'dlv_0' } })
  await call(app, 'readJournal', 200, { query: { kind: 'request', last: '1' } })
  await call(app, 'readTimeline', 200, { query: { only: 'webhooks', last: '1' } })
  await call(app, 'listActions', 200, { query: { kind: 'simulation' } })
  await call(app, 'getAction', 200, { path: { id: 'act_1' } })
  await call(app, 'getAction', 404, { path: { id: 'act_0' } })
}

type Ids = Awaited<ReturnType<typeof playWorld>>

async function playSettings({ call }: Recorder, { app }: Cast) {
  await call(app, 'getRates', 200)
  await call(app, 'putRates', 200, { body: { USDC: { cad: 1.4 } } })
  await call(app, 'patchSettings', 200, { body: { 'quotes.ttl': '10m' } })
  await call(app, 'listSettings', 200)
  await call(app, 'getSetting', 200, { path: { id: 'quotes.ttl' } })
  await call(app, 'getSetting', 404, { path: { id: 'quotes' } })
  const fault = { on: 'api', match: { operation: 'createTransaction' }, then: { status: 503 } }
  const { id } = await call(app, 'createFault', 200, { body: { ...fault, times: 2 } })
  await call(app, 'listFaults', 200)
  await call(app, 'deleteFault', 200, { path: { id } })
  await call(app, 'deleteFault', 404, { path: { id } })
  for (let i = 0; i < FAULTS_MAX; i++) await app.control('POST', '/faults', fault)
  await call(app, 'createFault', 409, { body: fault })
  await call(app, 'clearFaults', 200)
}

async function playSimulations({ call }: Recorder, { app, alice: userId }: Cast) {
  const user = { path: { user: CAROL } }
  const order = { cad: 250 }
  const sale = { coins: 50 }
  await call(app, 'simulateBuy', 403, { ...user, body: order })
  await call(app, 'simulateSell', 403, { ...user, body: sale })
  await call(app, 'simulateKyc', 200, { ...user, body: { status: 'verified' } })
  await call(app, 'simulateAccess', 200, { ...user, body: { accessibleBy: ['jwt', 'apiKey'] } })
  await call(app, 'simulateAccount', 200, { ...user, body: { loginCode: '1234' } })
  await call(app, 'simulateKyc', 404, { body: { status: 'verified' } })
  await call(app, 'simulateAccess', 404, { body: { accessibleBy: ['jwt'] } })
  await call(app, 'simulateAccount', 404, { body: {} })
  await call(app, 'simulateShareToken', 200, { body: { email: BOB } })
  await call(app, 'simulateBuy', 200, { ...user, body: { ...order, settle: true } })
  await call(app, 'simulateSell', 200, { ...user, body: sale })
  await call(app, 'simulateBuy', 404, { body: order })
  await call(app, 'simulateSell', 404, { body: sale })
  await call(app, 'simulateBuy', 400, { ...user, body: { cad: 1 } })
  await call(app, 'addUser', 200, {
    body: { ...PROFILE, email: 'erin@example.com', verified: true },
  })
  await call(app, 'addUser', 409, { body: { email: 'erin@example.com' } })
  await call(app, 'addUser', 404, { body: { email: 'x@example.com', integrator: 'x' } })
  const alice = await logIn(app)
  const moves = ['FundsReceived', 'BankRefused', 'Expired', 'Cancelled', 'Settled', 'Status']
  for (const move of moves) {
    const body = { body: move === 'Status' ? { status: 'on hold' } : {} }
    const through = move === 'Settled' ? { body: { through: true } } : body
    const { id } = await alice.buy()
    await call(app, `simulate${move}`, 200, { path: { id }, ...through })
    await call(app, `simulate${move}`, 404, { path: { id: NOWHERE }, ...body })
    await app.control('POST', `/simulate/transactions/${id}/status`, {
      status: 'complete',
    })
    if (move !== 'Status') await call(app, `simulate${move}`, 409, { path: { id }, ...body })
  }
  const { id } = await alice.buy()
  await call(app, 'answerMoneyRequest', 200, { path: { id }, body: { decision: 'approve' } })
  await call(app, 'answerMoneyRequest', 409, { path: { id }, body: { decision: 'approve' } })
  await call(app, 'answerMoneyRequest', 404, { body: { decision: 'approve' } })
  const link = await call(app, 'createKycLink', 200, {
    path: { userId },
    headers: { authorization: `Bearer ${alice.token}` },
  })
  const token: string = link.data.url.split('/').at(-1)
  await call(app, 'decideKyc', 200, { path: { token }, body: { status: 'in-review' } })
  await call(app, 'decideKyc', 404, { body: { status: 'verified' } })
}

async function playCatches({ call }: Recorder, { app }: Cast) {
  const path = { name: 'hooks' }
  const bad = { name: '-' }
  await call(app, 'setCatchResponse', 200, { path, body: { status: 500, times: 1 } })
  await call(app, 'setCatchResponse', 400, { path: bad, body: { status: 500 } })
  await app.send('/_sandbox/catch/hooks', { method: 'POST', body: '{}' })
  await call(app, 'readCaught', 200, { path })
  await call(app, 'clearCatch', 200, { path })
  await call(app, 'catch', 400, { path: bad })
  await call(app, 'catch', 403, { path, headers: { origin: 'https://evil.example.com' } })
  await call(app, 'catch', 413, { path, raw: '{}', headers: { 'content-length': '9999999999' } })
}

/** More calls than may wait, and a clock that is busy. */
async function playCrowd({ call }: Recorder) {
  const { app } = await openCast()
  const crowd = new AbortController()
  const waiting = Array.from({ length: FOLLOWERS_MAX }, () =>
    app.send('/_sandbox/inbox?timeout=60s&ref=never', { signal: crowd.signal }),
  )
  const query = { timeout: '60s' }
  await call(app, 'readInbox', 429, { query: { ...query, ref: 'never' } })
  await call(app, 'readEvents', 429, { query: { ...query, ref: 'never' } })
  await call(app, 'readCaught', 429, { path: { name: 'hooks' }, query })
  await call(app, 'streamEvents', 429)
  crowd.abort()
  await Promise.allSettled(waiting)

  let release = () => {}
  const released = new Promise<number>((resolve) => {
    release = () => resolve(200)
  })
  const isExpiry = ({ json }: Received<Json>) => json.payload.status === 'expired'
  await using receiver = await createReceiver<Json>({
    respond: (request) => (isExpiry(request) ? released : 200),
  })
  await app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  await (await logIn(app)).buy()
  await app.control('POST', '/webhooks/drain')
  const advancing = call(app, 'advanceClock', 200, { body: { by: '2h' } })
  await receiver.next(isExpiry, 30_000)
  await call(app, 'freezeClock', 409)
  await call(app, 'resumeClock', 409)
  release()
  await advancing
}

async function playStates({ call }: Recorder, { app }: Cast) {
  const { app: small } = await openCast()
  const path = { name: 'before' }
  await call(small, 'takeSnapshot', 200, { body: path })
  await call(small, 'listSnapshots', 200)
  await call(small, 'restoreSnapshot', 200, { path })
  await call(small, 'deleteSnapshot', 200, { path })
  await call(small, 'restoreSnapshot', 404, { path })
  await call(small, 'deleteSnapshot', 404, { path })
  for (let i = 0; i < SNAPSHOTS_MAX; i++) {
    await small.control('POST', '/snapshots', { name: `s${i}` })
  }
  await call(small, 'takeSnapshot', 409, { body: path })
  const state = await call(small, 'exportState', 200)
  await call(small, 'importState', 200, { body: state })
  await call(small, 'reset', 200, { body: { fixture: 'default', seed: 'mine', clock: NOON } })
  await call(small, 'freezeClock', 200)
  await call(small, 'resumeClock', 200)
  await app.world('worker-1').send('/_sandbox/health')
  await call(app, 'listWorlds', 200)
  await call(app, 'deleteWorld', 200, { path: { name: 'worker-1' } })
  await call(app, 'deleteWorld', 404, { path: { name: 'worker-1' } })
  await call(app, 'deleteWorld', 409, { path: { name: 'default' } })
  await call(app, 'listScenarios', 200)
  await call(app, 'playScenario', 409, { path: { name: 'buy-completes' } })
}

/** What any operation refuses of its kind: what it does not know, what is too long, what is no JSON. */
async function rejectForms({ call }: Recorder, { app }: Cast) {
  for (const { id, method, query, body } of CONTROL) {
    const isSent = body !== undefined
    if (query) await call(app, id, 400, { query: { nope: '1' }, ...(isSent && { body: {} }) })
    if (isSent) {
      const headers = { 'content-length': '9999999999' }
      await call(app, id, 413, { raw: '{}', headers })
      await call(app, id, 415, { raw: '{}', headers: { 'content-type': 'text/plain' } })
    } else if (method === 'POST') {
      await call(app, id, 415, { headers: { 'content-type': null } })
    }
  }
}

/** Callers who are rejected altogether. */
async function rejectStrangers({ call }: Recorder) {
  const wallClock = () => Date.parse(NOON)
  const guarded = openUnchecked({ controlToken: 'secret', wallClock })
  const off = openUnchecked({ control: false })
  for (const { id, auth, path } of CONTROL) {
    if (auth.takes.length > 1 && id !== 'getHealth') {
      await call(guarded, id, 401)
      await call(guarded, id, 403, { headers: { host: 'evil.example.com' } })
    }
    const isOff = path.startsWith('/_sandbox') && auth !== requireNoToken
    if (isOff) await call(off, id, 404)
  }
  await signIn(call, guarded)
  await playPrivateWorlds(call, guarded)
}

async function playPrivateWorlds(call: Recorder['call'], app: TestApp) {
  const headers = { authorization: 'Bearer secret' }
  const { name } = await call(app, 'createWorld', 200, { headers })
  await call(app, 'createWorld', 404, { headers, body: { from: { snapshot: 'before' } } })
  const own = app.world(name)
  await call(own, 'createWorld', 403, { body: {} })
  await call(own, 'createWorld', 200, { body: { from: {} } })
}

async function signIn(call: Recorder['call'], app: TestApp) {
  const sent: Sent = { headers: { authorization: 'Bearer secret' } }
  await call(app, 'signIn', 204, sent)
}
