import { expect, it } from 'vitest'
import { KEY, KEY_2, openApp, refusal, type TestApp } from '../helpers/app.ts'
import { logIn, readCode, register, review, verifiedUser } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'
const send = (app: TestApp, email = EMAIL) =>
  app.call('POST /v2/auth/login-codes', { body: { email } })
const verify = (app: TestApp, code: string) =>
  app.call('POST /v2/auth/login-codes/verify', { body: { email: EMAIL, code } })
const refusedCode = (app: TestApp, code: string) =>
  app.refused('POST /v2/auth/login-codes/verify', { body: { email: EMAIL, code } })

/** A verified user with a code in the inbox. */
async function withCode() {
  const app = openApp()
  const id = await register(app)
  await review(app, id)
  await send(app)
  const code = await readCode(app, EMAIL)
  return { app, id, code, wrong: code === '0000' ? '0001' : '0000' }
}

it('a login code arrives by e-mail and can be exchanged for a bearer token that is valid for an hour', async () => {
  const { app, code } = await withCode()
  expect(code).toMatch(/^\d{4}$/)
  const { accessToken, tokenType, expiresIn } = await verify(app, code)
  expect([tokenType, expiresIn]).toEqual(['Bearer', 3600])
  await app.call('GET /v2/limits', { token: accessToken })
})

it('a login code works for 10 minutes and not a moment longer', async () => {
  const good = await withCode()
  await good.app.advance('599999ms')
  await verify(good.app, good.code)

  const late = await withCode()
  await late.app.advance('10m')
  const refused = await refusedCode(late.app, late.code)
  expect(refused).toMatchObject(refusal(401, 'code'))
  expect(refused.errors[0]?.message).toContain('expired')
})

it('a login code is worthless once its user is rejected', async () => {
  const { app, id, code } = await withCode()
  await review(app, id, 'rejected')
  const refused = await refusedCode(app, code)
  expect(refused).toMatchObject(refusal(403, 'email'))

  await review(app, id)
  await verify(app, code)
})

it.each([4, 5])(
  'a login code is spent by the fifth wrong guess, not by the fourth (%d)',
  async (guesses) => {
    const { app, code, wrong } = await withCode()
    for (let guess = 1; guess <= guesses; guess++) {
      expect(await refusedCode(app, wrong)).toMatchObject(refusal(401, 'code'))
    }
    if (guesses === 4) await verify(app, code)
    else expect(await refusedCode(app, code)).toMatchObject(refusal(401, 'code'))
  },
)

it('a login code works once', async () => {
  const { app, code } = await withCode()
  await verify(app, code)
  expect(await refusedCode(app, code)).toMatchObject(refusal(401, 'code'))
})

it('a login code gives way to a newer one', async () => {
  const { app, code } = await withCode()
  await send(app)
  const newer = await readCode(app, EMAIL)
  expect(newer).not.toBe(code)
  await refusedCode(app, code)
  await verify(app, newer)
})

it('a login code gives way to a newer one that is valid for a shorter time', async () => {
  const { app, code } = await withCode()
  await app.control('PATCH', '/settings', { 'login.code.ttl': '1m' })
  await send(app)
  await refusedCode(app, code)
  await verify(app, await readCode(app, EMAIL))
})

it('a code that is sent again is still the newest one after a restore', async () => {
  const app = openApp({ fixture: 'verified-user' })
  for (const loginCode of ['1234', '5678', '1234']) {
    await app.control('POST', `/simulate/users/${EMAIL}/account`, { loginCode })
    await send(app)
  }
  await app.control('POST', '/snapshots', { name: 'sent' })
  await app.control('POST', '/snapshots/sent/restore')
  await refusedCode(app, '5678')
  await verify(app, '1234')
})

it('a login code works only with the API key that asked for it', async () => {
  const app = openApp({ fixture: 'verified-user' })
  await send(app)
  const code = await readCode(app, EMAIL)
  const attempt = { key: KEY_2, body: { email: EMAIL, code } }
  expect(await app.refused('POST /v2/auth/login-codes/verify', attempt)).toMatchObject({
    status: 401,
  })
  await verify(app, code)
})

it.each([
  ['three digits', '123'],
  ['letters', '12a4'],
  ['full-width digits', '１２３４'],
])('a login code of %s is a malformed request', async (_, code) => {
  const { app } = await withCode()
  expect(await refusedCode(app, code)).toMatchObject(refusal(400, 'code'))
})

it.each(['initial', 'rejected', 'in-review'])('no user who is %s may log in', async (status) => {
  const app = openApp()
  await review(app, await register(app), status)
  const refused = await app.refused('POST /v2/auth/login-codes', { body: { email: EMAIL } })
  expect(refused).toMatchObject(refusal(403, 'email'))
  expect(refused.errors[0]?.message).toContain(status)
})

it('a verified user may log in with their e-mail address in upper or lower case', async () => {
  const { app } = await withCode()
  await send(app, 'ALICE@Example.COM')
  await verify(app, await readCode(app, EMAIL))
})

const REFUSED = refusal(401, 'authorization')

it('an access token from before a reset is refused until the same login issues it again', async () => {
  const app = openApp()
  const { token } = await verifiedUser(app)
  await app.control('POST', '/reset')
  expect(await app.refused('GET /v2/limits', { token })).toMatchObject(REFUSED)
  const id = await register(app)
  await review(app, id)
  expect(await app.refused('GET /v2/limits', { token })).toMatchObject(REFUSED)
  expect((await logIn(app)).token).toBe(token)
  await app.call('GET /v2/limits', { token })
})

it('an access token is different for each login, so that revoking one leaves another of the same second valid', async () => {
  const app = openApp({ settings: { 'tokens.afterStatusChange': 'revoke' } })
  const before = await verifiedUser(app)
  await review(app, EMAIL, 'inactive')
  await review(app, EMAIL)
  const after = await logIn(app)
  await after.call('GET /v2/limits')
  expect(await before.refused('GET /v2/limits')).toMatchObject(REFUSED)
})

it('an access token outlives a login whose code was sent before it', async () => {
  const { app, code } = await withCode()
  const { accessToken: token } = await app.control('POST', `/users/${EMAIL}/token`)
  await app.advance('1s')
  await verify(app, code)
  await app.call('GET /v2/limits', { token })
})

it('an access token is valid for its whole hour, whatever the millisecond of the login', async () => {
  const app = openApp({ clock: '2026-07-01T12:00:00.900Z' })
  const alice = await verifiedUser(app)
  await app.advance('3599999ms')
  await alice.call('GET /v2/limits')
  await app.advance('1ms')
  expect(await alice.refused('GET /v2/limits')).toMatchObject(REFUSED)
})

it.each([
  [
    'changed',
    (token: string) => `Bearer ${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
  ],
  ['unsigned', (token: string) => `Bearer ${token.split('.').slice(0, 2).join('.')}.`],
  ['of another scheme', () => 'Basic YTpi'],
  ['two words', () => 'Bearer a b'],
])('an access token that is %s is refused', async (_, spoil) => {
  const app = openApp()
  const { token } = await verifiedUser(app)
  const call = { key: KEY, headers: { authorization: spoil(token) } }
  expect(await app.refused('GET /v2/limits', call)).toMatchObject(REFUSED)
})
