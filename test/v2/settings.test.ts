import { describe, expect, it } from 'vitest'
import { KEY_2, openApp } from '../helpers/app.ts'
import { logIn, verifiedUser } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'
const NO_TOKEN = { status: 401, errors: [{ field: 'authorization' }] }

async function traded(settings: Record<string, string | number>) {
  const app = openApp({ settings })
  return { app, alice: await verifiedUser(app) }
}

describe('the life of a transaction', () => {})

describe('reading transactions', () => {
  it('may hold fewer in a page than the default, which then is fewer too', async () => {
    const { alice } = await traded({ 'transactions.list.maximum': 1 })
    await alice.buy()
    await alice.buy()
    expect(await alice.call('GET /v2/transactions')).toMatchObject({ total: 2, limit: 1 })
    await alice.refused('GET /v2/transactions', { query: { limit: 2 } })
  })
})

describe('access', () => {
  it('may take no name beside the path (access.subject = refuse)', async () => {
    const app = openApp({
      fixture: 'verified-user',
      settings: { 'access.subject': 'refuse' },
    })
    const [found] = await app.call('GET /v2/users', { query: { email: EMAIL } })
    const userId = found?.id ?? ''
    const body = { accessibleBy: ['jwt', 'apiKey'] }
    await app.control('POST', `/simulate/users/${userId}/access`, body)
    const call = { key: KEY_2, query: { userId } }
    expect(await app.refused('GET /v2/limits', call)).toMatchObject(NO_TOKEN)
    await app.call('GET /v2/users/{userId}/kyc-url', { key: KEY_2, path: { userId } })
    const alice = await logIn(app, { key: KEY_2 })
    await alice.call('GET /v2/limits', { query: { userId: 'ignored' } })
    const { id: txId } = await alice.buy()
    await app.call('GET /v2/transactions/{txId}', { key: KEY_2, path: { txId } })
    await app.call('PUT /v2/transactions/{txId}/cancel', { key: KEY_2, path: { txId } })
    await app.control('POST', `/simulate/users/${userId}/access`, { accessibleBy: ['jwt'] })
    const one = { key: KEY_2, path: { txId } }
    expect(await app.refused('GET /v2/transactions/{txId}', one)).toMatchObject(NO_TOKEN)
  })
})

describe('users', () => {
  it('are created as the world says that stands when the whole body is there', async () => {
    const app = openApp()
    await app.control('PATCH', '/settings', { 'status.createUser': 201 })
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit
    const response = app.send('/v2/users', init)
    const writer = writable.getWriter()
    await writer.write(Buffer.from(`{"email":`))
    await app.control('POST', '/reset')
    await writer.write(Buffer.from(`"${EMAIL}"}`))
    await writer.close()
    expect(await response).toMatchObject({ status: 200 })
    expect(await app.call('GET /v2/users', { query: { email: EMAIL } })).toHaveLength(1)
  })
})
