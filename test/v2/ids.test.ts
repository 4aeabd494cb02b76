import { expect, it } from 'vitest'
import { openApp, sendTo, type TestApp } from '../helpers/app.ts'
import { type Person, verifiedUser } from '../helpers/story.ts'

/** Every call that names a user or a transaction, with the id in upper case. */
function callsWith(alice: Person, txId: string): [route: string, call: object][] {
  const [user, transaction] = [alice.id.toUpperCase(), txId.toUpperCase()]
  const { token } = alice
  return [
    [`GET /v2/users/${user}/requirements`, {}],
    [`GET /v2/users/${user}/kyc-url`, { token }],
    [`PATCH /v2/users/${user}`, { token, body: { purpose: 'Savings' } }],
    [`GET /v2/limits?userId=${user}`, { token }],
    [`GET /v2/transactions?userId=${user}`, { token }],
    [`GET /v2/transactions/${transaction}`, { token }],
    [`GET /transaction?tx_id=${transaction}`, { token }],
    [`PUT /v2/transactions/${transaction}/cancel`, { token }],
  ]
}

async function openStory(): Promise<{ app: TestApp; alice: Person; txId: string }> {
  const app = openApp()
  const alice = await verifiedUser(app)
  const { id: txId } = await alice.buy()
  return { app, alice, txId }
}

it('a UUID is found in upper case by every call of both versions', async () => {
  const { app, alice, txId } = await openStory()
  for (const [route, call] of callsWith(alice, txId)) {
    const { status, text } = await sendTo(app, route, call)
    expect([route, status], text).toEqual([route, 200])
    expect(text).not.toContain(txId.toUpperCase())
  }
})

it('a UUID is found in upper case by the control API', async () => {
  const { app, alice, txId } = await openStory()
  const [user, transaction] = [alice.id.toUpperCase(), txId.toUpperCase()]
  expect((await app.control('GET', `/users/${user}`)).id).toBe(alice.id)
  expect((await app.control('GET', `/transactions/${transaction}`)).id).toBe(txId)
  expect((await app.control('GET', `/events?ref=${transaction}`)).events).toHaveLength(1)
  const moved = await app.control('POST', `/simulate/transactions/${transaction}/settled`, {
    through: true,
  })
  expect(moved.transactionId).toBe(txId)
})

it('a UUID of a fixture may be written in upper case', async () => {
  const id = 'A11CE000-0000-4000-8000-00000000000A'
  const app = openApp({ fixture: { users: [{ email: 'alice@example.com', id }] } })
  expect((await app.control('GET', '/users/alice@example.com')).id).toBe(id.toLowerCase())
})
