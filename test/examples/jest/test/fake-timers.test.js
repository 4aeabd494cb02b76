const { ALICE, startWallet } = require('./wallet.js')

const NOON = '2026-07-01T12:00:00Z'
const HOUR_MS = 3_600_000

test('webhooks are delivered while the timers of the test are fake', async () => {
  jest.useFakeTimers({ now: new Date(NOON) })
  const { sandbox, received } = await startWallet({
    clock: NOON,
    // The receiver compares the timestamp of a signature with its own clock, which is fake.
    settings: { 'webhooks.time': 'world' },
  })

  const { transaction } = await sandbox.buy(ALICE, { cad: 250 })
  await move(sandbox, HOUR_MS)

  expect(received.map(({ payload }) => payload.status)).toEqual([
    'pending request money transfer',
    'expired',
  ])
  expect(received.at(-1).payload.transactionId).toBe(transaction.id)
})

test('a timer of the app fires when the access token expires', async () => {
  jest.useFakeTimers({ now: new Date(NOON) })
  const { sandbox } = await startWallet({ clock: NOON })
  const { accessToken } = await logIn(sandbox)
  const { exp } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url'))
  let isOver = false
  setTimeout(
    () => {
      isOver = true
    },
    exp * 1000 - Date.now(),
  )

  await move(sandbox, HOUR_MS - 1)
  expect([isOver, await statusOf(sandbox, accessToken)]).toEqual([false, 200])
  await move(sandbox, 1)
  expect([isOver, await statusOf(sandbox, accessToken)]).toEqual([true, 401])
})

/** Moves both clocks from one scheduled instant to the next, so that no webhook looks old or early. */
async function move(sandbox, ms) {
  const end = Date.now() + ms
  while (Date.now() < end) {
    const [next] = (await sandbox.clock.read()).tasks
    const to = Math.min(end, next ? Date.parse(next.at) : end)
    await jest.advanceTimersByTimeAsync(to - Date.now())
    await sandbox.clock.advance({ to: new Date(to).toISOString() })
  }
}

async function logIn(sandbox) {
  const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
  const post = (path, body) => {
    return sandbox.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  await post('/v2/auth/login-codes', { email: ALICE })
  const code = await sandbox.inbox.loginCode(ALICE)
  const response = await post('/v2/auth/login-codes/verify', { email: ALICE, code })
  return (await response.json()).data
}

async function statusOf(sandbox, accessToken) {
  const headers = { 'x-api-key': sandbox.apiKey, authorization: `Bearer ${accessToken}` }
  return (await sandbox.fetch('/v2/transactions', { headers })).status
}
