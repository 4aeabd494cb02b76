import { describe, expect, it } from 'vitest'
import { OTHER_SHAPES } from '../contract.ts'
import { KEY_2, openDoor } from '../helpers/door.ts'
import { logIn, PROFILE, readCode, register, review, verifiedUser } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'
const withSetting = (id: string, value: string | number) => openDoor({ settings: { [id]: value } })
const NO_TOKEN = { status: 401, errors: [{ field: 'authorization' }] }

describe('users', () => {
  it('may need a whole profile (users.create.required = all), address line 2 excepted', async () => {
    const door = withSetting('users.create.required', 'all')
    await register(door)
    for (const field of Object.keys(PROFILE)) {
      const body = { email: 'bob@example.com', ...PROFILE, [field]: undefined }
      expect(await door.refused('POST /v2/users', { body })).toMatchObject({
        status: 400,
        errors: [{ field }],
      })
    }
  })

  it.each([200, 201])('are created with status %d (users.create.status)', async (status) => {
    const door = withSetting('users.create.status', String(status))
    const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
    const body = JSON.stringify({ email: EMAIL })
    expect(await door.send('/v2/users', { method: 'POST', headers, body })).toMatchObject({
      status,
    })
    const again = await door.send('/v2/users', { method: 'POST', headers, body })
    expect(again.status).toBe(409)
  })

  it('are created as the world says that stands when the whole body is there', async () => {
    const door = openDoor()
    await door.control('PATCH', '/settings', { 'users.create.status': '201' })
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit
    const answer = door.send('/v2/users', init)
    const writer = writable.getWriter()
    await writer.write(Buffer.from(`{"email":`))
    await door.control('POST', '/reset')
    await writer.write(Buffer.from(`"${EMAIL}"}`))
    await writer.close()
    expect(await answer).toMatchObject({ status: 200 })
    expect(await door.call('GET /v2/users', { query: { email: EMAIL } })).toHaveLength(1)
  })

  it('may answer a creation with the id alone (users.create.response = id)', async () => {
    const door = withSetting('users.create.response', 'id')
    await door.callAs(OTHER_SHAPES.onlyId, 'POST /v2/users', { body: { email: EMAIL } })
  })

  it('may be refused twice with 400 (users.create.duplicate = invalid)', async () => {
    const door = withSetting('users.create.duplicate', 'invalid')
    await register(door)
    expect(await door.refused('POST /v2/users', { body: { email: EMAIL } })).toMatchObject({
      status: 400,
      errors: [{ field: 'email' }],
    })
  })

  it('may begin as active (users.initialStatus)', async () => {
    const door = withSetting('users.initialStatus', 'active')
    expect(await door.call('POST /v2/users', { body: { email: EMAIL } })).toMatchObject({
      status: 'active',
    })
  })

  it('may have to be 19 (users.minimumAge)', async () => {
    const door = withSetting('users.minimumAge', 19)
    const body = { email: EMAIL, dob: '2007-07-02' }
    expect(await door.refused('POST /v2/users', { body })).toMatchObject({ status: 400 })
    await door.call('POST /v2/users', { body: { ...body, dob: '2007-07-01' } })
  })

  it('may be found in full (users.record = full)', async () => {
    const door = withSetting('users.record', 'full')
    const id = await register(door)
    const query = { email: EMAIL }
    expect(await door.callAs(OTHER_SHAPES.fullUsers, 'GET /v2/users', { query })).toEqual([
      { id, accessibleBy: ['jwt'], status: 'initial', email: EMAIL },
    ])
  })
})

describe('onboarding', () => {
  it('may need a token from the start (onboarding.auth = token)', async () => {
    const door = withSetting('onboarding.auth', 'token')
    const path = { userId: await register(door) }
    expect(await door.refused('PATCH /v2/users/{userId}', { path, body: {} })).toMatchObject(
      NO_TOKEN,
    )
    expect(await door.refused('GET /v2/users/{userId}/kyc-url', { path })).toMatchObject(NO_TOKEN)
  })

  it('then lets users in before they are verified only if login.eligible says so', async () => {
    const door = withSetting('onboarding.auth', 'token')
    await register(door)
    const body = { email: EMAIL }
    expect(await door.refused('POST /v2/auth/login-codes', { body })).toMatchObject({ status: 403 })
    await door.control('PATCH', '/settings', { 'login.eligible': 'registered' })
    const alice = await logIn(door)
    await alice.call('PATCH /v2/users/{userId}', { body: { city: 'Ottawa' } })
  })

  it('may read requirements with a token only (requirements.auth = token)', async () => {
    const door = withSetting('requirements.auth', 'token')
    const alice = await verifiedUser(door)
    const call = { path: { userId: alice.id } }
    const route = 'GET /v2/users/{userId}/requirements'
    expect(await door.refused(route, call)).toMatchObject(NO_TOKEN)
    await alice.call(route)
  })

  it('may list requirements bare (requirements.shape = array)', async () => {
    const door = withSetting('requirements.shape', 'array')
    const call = { path: { userId: await register(door) } }
    const list = await door.callAs(
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
    const door = withSetting('kyc.import.body', name)
    const path = { userId: await register(door) }
    const { shareToken } = await door.control('POST', '/simulate/share-tokens', { email: EMAIL })
    const route = 'PUT /v2/users/{userId}/kyc'
    expect(await door.refused(route, { path, body: { [other]: shareToken } })).toMatchObject({
      status: 400,
      errors: [{ field: name }],
    })
    await door.call(route, { path, body: { [name]: shareToken } })
  })

  it('may make KYC links that die sooner (kyc.linkTtl)', async () => {
    const door = withSetting('kyc.linkTtl', '5m')
    const call = { path: { userId: await register(door) } }
    const { expiresAt } = await door.call('GET /v2/users/{userId}/kyc-url', call)
    expect(expiresAt).toBe('2026-07-01T12:05:00.000Z')
  })
})

describe('login', () => {
  const attempt = (code: string) => ({ body: { email: EMAIL, code } })

  it('may be for users who are registered (login.eligible)', async () => {
    const door = withSetting('login.eligible', 'registered')
    await register(door)
    const alice = await logIn(door)
    await alice.call('GET /v2/limits')
    expect(await alice.refusedBuy()).toMatchObject({ status: 403 })
  })

  it('may answer a sent code with nothing (login.code.response = empty)', async () => {
    const door = withSetting('login.code.response', 'empty')
    await review(door, await register(door))
    const call = { body: { email: EMAIL } }
    await door.callAs(OTHER_SHAPES.emptyLoginCode, 'POST /v2/auth/login-codes', call)
  })

  it('may have codes that last a minute (login.code.ttl)', async () => {
    const door = withSetting('login.code.ttl', '1m')
    await review(door, await register(door))
    await door.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })
    const code = await readCode(door, EMAIL)
    await door.advance('60s')
    expect(await door.refused('POST /v2/auth/login-codes/verify', attempt(code))).toMatchObject({
      status: 401,
    })
  })

  it.each([1, 3])('may spend a code with wrong guess %d (login.code.attempts)', async (guesses) => {
    for (const allowed of [guesses - 1, guesses]) {
      const door = withSetting('login.code.attempts', guesses)
      await review(door, await register(door))
      await door.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })
      const code = await readCode(door, EMAIL)
      const wrong = code === '0000' ? '0001' : '0000'
      const route = 'POST /v2/auth/login-codes/verify'
      for (let i = 0; i < allowed; i++) await door.refused(route, attempt(wrong))
      if (allowed < guesses) await door.call(route, attempt(code))
      else await door.refused(route, attempt(code))
    }
  })

  it('may give tokens for five minutes (login.token.ttl)', async () => {
    const door = withSetting('login.token.ttl', '5m')
    const alice = await verifiedUser(door)
    await door.advance('299s')
    await alice.call('GET /v2/limits')
    await door.advance('1s')
    expect(await alice.refused('GET /v2/limits')).toMatchObject(NO_TOKEN)
  })
})

describe('access', () => {
  it('may take no name beside the path (access.subject = refuse)', async () => {
    const door = openDoor({
      fixture: 'verified-user',
      settings: { 'access.subject': 'refuse' },
    })
    const [found] = await door.call('GET /v2/users', { query: { email: EMAIL } })
    const userId = found?.id ?? ''
    const body = { accessibleBy: ['jwt', 'apiKey'] }
    await door.control('POST', `/simulate/users/${userId}/access`, body)
    const call = { key: KEY_2, query: { userId } }
    expect(await door.refused('GET /v2/limits', call)).toMatchObject(NO_TOKEN)
    await door.call('GET /v2/users/{userId}/kyc-url', { key: KEY_2, path: { userId } })
    const alice = await logIn(door, { key: KEY_2 })
    await alice.call('GET /v2/limits', { query: { userId: 'ignored' } })
  })

  it('may read general limits with the key alone (limits.auth = key)', async () => {
    const door = withSetting('limits.auth', 'key')
    const general = await door.call('GET /v2/limits')
    expect(general.leftSideCurrency.CAD).toEqual({ minimum: 100, maximum: 9999 })
    const alice = await verifiedUser(door)
    await door.control('POST', `/simulate/users/${EMAIL}/account`, { maximumCad: 500 })
    const own = await alice.call('GET /v2/limits')
    expect(own.leftSideCurrency.CAD.maximum).toBe(500)
    expect(await door.refused('GET /v2/limits', { token: 'x' })).toMatchObject(NO_TOKEN)
  })

  it('may read the limits of a user who is named even then', async () => {
    const door = openDoor({ fixture: 'verified-user', settings: { 'limits.auth': 'key' } })
    const { id: userId } = await logIn(door)
    await door.control('POST', `/simulate/users/${EMAIL}/account`, { maximumCad: 500 })
    const call = { key: KEY_2, query: { userId } }
    expect(await door.refused('GET /v2/limits', call)).toMatchObject(NO_TOKEN)
    const accessibleBy = ['jwt', 'apiKey']
    await door.control('POST', `/simulate/users/${EMAIL}/access`, { accessibleBy })
    expect((await door.call('GET /v2/limits', call)).leftSideCurrency.CAD.maximum).toBe(500)
  })
})
