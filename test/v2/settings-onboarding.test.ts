import { describe, expect, it } from 'vitest'
import { KEY_2, openApp } from '../helpers/app.ts'
import { logIn, readCode, register, review, verifiedUser } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'
const withSetting = (id: string, value: string | number) => openApp({ settings: { [id]: value } })
const NO_TOKEN = { status: 401, errors: [{ field: 'authorization' }] }

describe('users', () => {
  it('are created as the world says that stands when the whole body is there', async () => {
    const app = openApp()
    await app.control('PATCH', '/settings', { 'status.createUser': 201 })
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit
    const answer = app.send('/v2/users', init)
    const writer = writable.getWriter()
    await writer.write(Buffer.from(`{"email":`))
    await app.control('POST', '/reset')
    await writer.write(Buffer.from(`"${EMAIL}"}`))
    await writer.close()
    expect(await answer).toMatchObject({ status: 200 })
    expect(await app.call('GET /v2/users', { query: { email: EMAIL } })).toHaveLength(1)
  })
})

describe('onboarding', () => {
  it('then lets users in before they are verified only if login.eligible says so', async () => {
    const app = openApp({ settings: { 'auth.updateUser': 'token', 'auth.createKycLink': 'token' } })
    await register(app)
    const body = { email: EMAIL }
    expect(await app.refused('POST /v2/auth/login-codes', { body })).toMatchObject({ status: 403 })
    await app.control('PATCH', '/settings', { 'login.eligible': 'registered' })
    const alice = await logIn(app)
    await alice.call('PATCH /v2/users/{userId}', { body: { city: 'Ottawa' } })
  })

  it.each([
    ['shareToken', 'share_token'],
    ['share_token', 'shareToken'],
  ])('may take the KYC import as %s and not as %s (kyc.import.body)', async (name, other) => {
    const app = withSetting('kyc.import.body', name)
    const path = { userId: await register(app) }
    const { shareToken } = await app.control('POST', '/simulate/share-tokens', { email: EMAIL })
    const route = 'PUT /v2/users/{userId}/kyc'
    expect(await app.refused(route, { path, body: { [other]: shareToken } })).toMatchObject({
      status: 400,
      errors: [{ field: name }],
    })
    await app.call(route, { path, body: { [name]: shareToken } })
  })
})

describe('login', () => {
  const attempt = (code: string) => ({ body: { email: EMAIL, code } })

  it.each([1, 3])('may spend a code with wrong guess %d (login.code.attempts)', async (guesses) => {
    for (const allowed of [guesses - 1, guesses]) {
      const app = withSetting('login.code.attempts', guesses)
      await review(app, await register(app))
      await app.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })
      const code = await readCode(app, EMAIL)
      const wrong = code === '0000' ? '0001' : '0000'
      const route = 'POST /v2/auth/login-codes/verify'
      for (let i = 0; i < allowed; i++) await app.refused(route, attempt(wrong))
      if (allowed < guesses) await app.call(route, attempt(code))
      else await app.refused(route, attempt(code))
    }
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

  it('may read general limits with the key alone (auth.getLimits = key)', async () => {
    const app = withSetting('auth.getLimits', 'key')
    const general = await app.call('GET /v2/limits')
    expect(general.leftSideCurrency.CAD).toEqual({ minimum: 100, maximum: 9999 })
    const alice = await verifiedUser(app)
    await app.control('POST', `/simulate/users/${EMAIL}/account`, { maximumCad: 500 })
    const own = await alice.call('GET /v2/limits')
    expect(own.leftSideCurrency.CAD.maximum).toBe(500)
    expect(await app.refused('GET /v2/limits', { token: 'x' })).toMatchObject(NO_TOKEN)
  })
})
