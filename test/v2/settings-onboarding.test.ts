import { describe, expect, it } from 'vitest'
import { OTHER_SHAPES } from '../contract.ts'
import { KEY_2, openApp } from '../helpers/app.ts'
import { logIn, PROFILE, readCode, register, review, verifiedUser } from '../helpers/story.ts'

/** All fields but address line 2. */
const WHOLE =
  'email,firstName,lastName,dob,phone,addressLine1,city,province,postalCode,occupation,pep,tpd'

const EMAIL = 'alice@example.com'
const withSetting = (id: string, value: string | number) => openApp({ settings: { [id]: value } })
const NO_TOKEN = { status: 401, errors: [{ field: 'authorization' }] }

describe('users', () => {
  it('may need a whole profile (users.create.required)', async () => {
    const app = withSetting('users.create.required', WHOLE)
    await register(app)
    for (const field of Object.keys(PROFILE)) {
      const body = { email: 'bob@example.com', ...PROFILE, [field]: undefined }
      expect(await app.refused('POST /v2/users', { body })).toMatchObject({
        status: 400,
        errors: [{ field }],
      })
    }
  })

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

  it('may answer a creation with the id alone (fields.createUser = contract)', async () => {
    const app = withSetting('fields.createUser', 'contract')
    await app.callAs(OTHER_SHAPES.onlyId, 'POST /v2/users', { body: { email: EMAIL } })
  })

  it('may begin as active (users.initialStatus)', async () => {
    const app = withSetting('users.initialStatus', 'active')
    expect(await app.call('POST /v2/users', { body: { email: EMAIL } })).toMatchObject({
      status: 'active',
    })
  })

  it('may have to be 19 (users.minimumAge)', async () => {
    const app = withSetting('users.minimumAge', 19)
    const body = { email: EMAIL, dob: '2007-07-02' }
    expect(await app.refused('POST /v2/users', { body })).toMatchObject({ status: 400 })
    await app.call('POST /v2/users', { body: { ...body, dob: '2007-07-01' } })
  })

  it('may be found in full (fields.findUsers = full)', async () => {
    const app = withSetting('fields.findUsers', 'full')
    const id = await register(app)
    const query = { email: EMAIL }
    expect(await app.callAs(OTHER_SHAPES.fullUsers, 'GET /v2/users', { query })).toEqual([
      { id, accessibleBy: ['jwt'], status: 'initial', email: EMAIL },
    ])
  })
})

describe('onboarding', () => {
  it('may need a token from the start (auth.updateUser = token)', async () => {
    const app = openApp({ settings: { 'auth.updateUser': 'token', 'auth.createKycLink': 'token' } })
    const path = { userId: await register(app) }
    expect(await app.refused('PATCH /v2/users/{userId}', { path, body: {} })).toMatchObject(
      NO_TOKEN,
    )
    expect(await app.refused('GET /v2/users/{userId}/kyc-url', { path })).toMatchObject(NO_TOKEN)
  })

  it('then lets users in before they are verified only if login.eligible says so', async () => {
    const app = openApp({ settings: { 'auth.updateUser': 'token', 'auth.createKycLink': 'token' } })
    await register(app)
    const body = { email: EMAIL }
    expect(await app.refused('POST /v2/auth/login-codes', { body })).toMatchObject({ status: 403 })
    await app.control('PATCH', '/settings', { 'login.eligible': 'registered' })
    const alice = await logIn(app)
    await alice.call('PATCH /v2/users/{userId}', { body: { city: 'Ottawa' } })
  })

  it('may read requirements with a token only (auth.getRequirements = token)', async () => {
    const app = withSetting('auth.getRequirements', 'token')
    const alice = await verifiedUser(app)
    const call = { path: { userId: alice.id } }
    const route = 'GET /v2/users/{userId}/requirements'
    expect(await app.refused(route, call)).toMatchObject(NO_TOKEN)
    await alice.call(route)
  })

  it('may list requirements bare (requirements.shape = array)', async () => {
    const app = withSetting('requirements.shape', 'array')
    const call = { path: { userId: await register(app) } }
    const list = await app.callAs(
      OTHER_SHAPES.outstandingList,
      'GET /v2/users/{userId}/requirements',
      call,
    )
    expect(list.map(({ field }) => field)).toEqual(['purpose', 'kyc'])
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

  it('may make KYC links that die sooner (kyc.linkTtl)', async () => {
    const app = withSetting('kyc.linkTtl', '5m')
    const call = { path: { userId: await register(app) } }
    const { expiresAt } = await app.call('GET /v2/users/{userId}/kyc-url', call)
    expect(expiresAt).toBe('2026-07-01T12:05:00.000Z')
  })
})

describe('login', () => {
  const attempt = (code: string) => ({ body: { email: EMAIL, code } })

  it('may be for users who are registered (login.eligible)', async () => {
    const app = withSetting('login.eligible', 'registered')
    await register(app)
    const alice = await logIn(app)
    await alice.call('GET /v2/limits')
    expect(await alice.refusedBuy()).toMatchObject({ status: 403 })
  })

  it('may answer a sent code with nothing (fields.sendLoginCode = contract)', async () => {
    const app = withSetting('fields.sendLoginCode', 'contract')
    await review(app, await register(app))
    const call = { body: { email: EMAIL } }
    await app.callAs(OTHER_SHAPES.emptyLoginCode, 'POST /v2/auth/login-codes', call)
  })

  it('may have codes that last a minute (login.code.ttl)', async () => {
    const app = withSetting('login.code.ttl', '1m')
    await review(app, await register(app))
    await app.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })
    const code = await readCode(app, EMAIL)
    await app.advance('60s')
    expect(await app.refused('POST /v2/auth/login-codes/verify', attempt(code))).toMatchObject({
      status: 401,
    })
  })

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

  it('may give tokens for five minutes (login.token.ttl)', async () => {
    const app = withSetting('login.token.ttl', '5m')
    const alice = await verifiedUser(app)
    await app.advance('299s')
    await alice.call('GET /v2/limits')
    await app.advance('1s')
    expect(await alice.refused('GET /v2/limits')).toMatchObject(NO_TOKEN)
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
