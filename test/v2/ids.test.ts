import { describe, expect, it } from 'vitest'
import { openApp, sendTo, type TestApp } from '../helpers/app.ts'
import { buyUnder, type Person, verifiedUser } from '../helpers/story.ts'

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

describe('the number of a quote', () => {
  it.each(['', 'abc', '1e3', 1.5, true, {}])('is asked for in words, not %j', async (quoteId) => {
    const { app, alice } = await openStory()
    const body = { ...buyUnder(0), quoteId }
    const expected = 'quoteId must be the number that a quote was given.'
    const { token } = alice
    const { errors } = await alice.refused('POST /v2/transactions', { body })
    expect(errors).toEqual([{ field: 'quoteId', message: expected }])
    const { text } = await sendTo(app, 'POST /transaction', { token, body })
    expect(JSON.parse(text).message).toBe(expected)
  })
})

describe('a UUID', () => {
  it('is found in upper case by every call of both versions', async () => {
    const { app, alice, txId } = await openStory()
    for (const [route, call] of callsWith(alice, txId)) {
      const { status, text } = await sendTo(app, route, call)
      expect([route, status], text).toEqual([route, 200])
      expect(text).not.toContain(txId.toUpperCase())
    }
  })

  it('is found in upper case by the control API', async () => {
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

  it('of a fixture may be written in upper case', async () => {
    const id = 'A11CE000-0000-4000-8000-00000000000A'
    const app = openApp({ fixture: { users: [{ email: 'alice@example.com', id }] } })
    expect((await app.control('GET', '/users/alice@example.com')).id).toBe(id.toLowerCase())
  })

  it('of a state may be written in upper case, in its own row or everywhere', async () => {
    const { app, alice, txId } = await openStory()
    const before = await app.control('GET', '/state')
    const everywhere = JSON.stringify(before)
      .replaceAll(alice.id, alice.id.toUpperCase())
      .replaceAll(txId, txId.toUpperCase())
    const ownRow = { ...before, users: [{ ...before.users[0], id: alice.id.toUpperCase() }] }
    for (const state of [JSON.parse(everywhere), ownRow]) {
      await app.control('PUT', '/state', state)
      const { events: _, position: __, ...kept } = await app.control('GET', '/state')
      expect(before).toMatchObject(kept)
      for (const [route, call] of callsWith(alice, txId).slice(0, -1)) {
        const { status, text } = await sendTo(app, route, call)
        expect([route, status], text).toEqual([route, 200])
      }
    }
  })
})
