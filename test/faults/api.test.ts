import { expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { KEY } from '../helpers/app.ts'
import { holdPauses } from '../helpers/fake-timers.ts'
import { expectNothingChanged } from '../helpers/state.ts'
import { EVM_WALLET, logIn, quote } from '../helpers/story.ts'
import { openServed, type Served } from './served.ts'

const SEARCH = '/v2/users?email=alice@example.com'

async function order(served: Served) {
  const { token } = await logIn(served.app)
  const { quoteId } = await quote(served.app, {})
  const pair = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  return { token, body: { ...pair, wallet: EVM_WALLET, quoteId } }
}

const transactions = async (served: Served) => (await served.get('/transactions')).items

it('a fault of the API responds with another status in the words of the contract, and does nothing', async () => {
  await using served = await openServed()
  const { token, body } = await order(served)
  const { id } = await served.post('/faults', {
    on: 'api',
    match: { operation: 'createTransaction' },
    then: {
      status: 429,
      error: { field: 'requests', message: 'Slow down.' },
      headers: { 'retry-after': '2' },
    },
  })
  const refused = await expectNothingChanged(served.app, () =>
    served.call('POST', '/v2/transactions', { token, body }),
  )
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '2', 'content-type': 'application/json' },
    broken: null,
  })
  expect(JSON.parse(refused.body)).toEqual({
    success: false,
    errors: [{ field: 'requests', message: 'Slow down.' }],
  })
  const row = await served.get(`/requests/${refused.headers['x-sandbox-request']}`)
  expect(row).toMatchObject({
    status: 429,
    reason: { code: 'fault', message: 'Slow down.' },
    notes: [
      `${id}: responds with 429 without running the call, with retry-after: 2, names the field requests, says “Slow down.”`,
    ],
  })
  expect(await served.call('POST', '/v2/transactions', { token, body })).toMatchObject({
    status: 200,
  })
})

it.each([
  { status: 503 },
  { status: 200, body: '{}' },
  { connection: 'reset' },
  { connection: 'lost' },
])('a fault of the API shows in the journal what was sent, and by whom, with %j', async (then) => {
  await using served = await openServed()
  const { body } = await order(served)
  await served.post('/faults', { on: 'api', then })
  await served.call('POST', '/v2/transactions', { body })
  const { requests } = await served.get('/requests?last=1')
  expect(requests).toMatchObject([{ request: { body }, integrator: 'main' }])
})

it('a fault of the API resets the connection before the call has any effect', async () => {
  await using served = await openServed()
  const { token, body } = await order(served)
  const fault = { match: { method: 'post', path: '/v2/tra*' }, then: { connection: 'reset' } }
  await served.post('/faults', { on: 'api', ...fault })
  const outcome = await expectNothingChanged(served.app, () =>
    served.call('POST', '/v2/transactions', { token, body }),
  )
  expect(outcome).toEqual({ status: null, headers: {}, body: '', broken: 'ECONNRESET' })
  const { requests } = await served.get('/requests?operation=createTransaction')
  expect(requests).toMatchObject([{ status: 0, response: { body: null } }])
})

it('a fault of the API loses the response to a call that took effect', async () => {
  await using served = await openServed()
  const { token, body } = await order(served)
  const then = { connection: 'lost' }
  await served.post('/faults', { on: 'api', match: { operation: 'createTransaction' }, then })
  const outcome = await served.call('POST', '/v2/transactions', { token, body })
  expect(outcome).toEqual({ status: null, headers: {}, body: '', broken: 'ECONNRESET' })
  expect(await transactions(served)).toHaveLength(1)
  const { requests } = await served.get('/requests?operation=createTransaction')
  expect(requests).toMatchObject([{ status: 200 }])
})

it('a fault of the API delays a call in real time, and lets other calls through', async () => {
  await using served = await openServed()
  await served.post('/faults', { on: 'api', then: { delay: '400ms' } })
  const pauses = holdPauses()
  let hasResponse = false
  const late = served.call('GET', SEARCH).finally(() => (hasResponse = true))
  await expect.poll(() => pauses.lengths).toEqual([400])
  expect(await served.call('GET', SEARCH)).toMatchObject({ status: 200 })
  expect(hasResponse).toBe(false)
  pauses.end()
  expect(await late).toMatchObject({ status: 200 })
})

it.each([
  ['reset', 'fault_1 resets the connection before the call is run.'],
  ['lost', 'fault_1 resets the connection instead of responding.'],
] as const)(
  'in this process a connection that is %s fails as fetch does, and names the fault',
  async (connection, message) => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
    const search = () => sandbox.fetch(SEARCH, { headers: { 'x-api-key': KEY } })
    await sandbox.faults.add({ on: 'api', then: { connection } })
    const error = await search().catch((reason) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({
      message: 'fetch failed',
      cause: { code: 'ECONNRESET', message },
    })
    expect((await search()).status).toBe(200)
  },
)

it('in this process a client of the library says which fault broke its connection', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
  const alice = await sandbox.login('alice@example.com')
  await sandbox.faults.add({ on: 'api', then: { connection: 'lost' } })
  const message =
    'The connection to http://ramp-sandbox.invalid/v2/limits broke: ' +
    'fault_1 resets the connection instead of responding.'
  await expect(alice.get('/v2/limits')).rejects.toMatchObject({ message, code: 'unreachable' })
})

it('a fault that delays a call leaves its errors as they are, even for a body that is not JSON', async () => {
  await using sandbox = await createSandbox({ listen: false })
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
  const register = async () => {
    const response = await sandbox.fetch('/v2/users', {
      method: 'POST',
      headers,
      body: '{"email":',
    })
    return [response.status, await response.text()]
  }
  const expected = await register()
  expect(expected).toEqual([400, expect.stringContaining('The body is not JSON: ')])
  await sandbox.faults.add({ on: 'api', then: { delay: '1ms' } })
  expect(await register()).toEqual(expected)
})
