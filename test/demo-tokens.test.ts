import { expect, it } from 'vitest'
import { openApp, type TestApp } from './helpers/app.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const email = 'alice@example.com'

async function logIn(app: TestApp): Promise<string> {
  await app.call('POST /v2/auth/login-codes', { body: { email } })
  const { messages } = await app.control('GET', `/inbox?email=${email}&kind=login-code`)
  const body = { email, code: messages[0].code }
  return (await app.call('POST /v2/auth/login-codes/verify', { body })).accessToken
}

it('issues the token of a login again in a fork, which has that login, and in no other world', async () => {
  const app = openApp({ fixture: 'verified-user' })
  const token = await logIn(app)
  const newWorld = async (body: object) =>
    app.world((await app.control('POST', '/worlds', body)).name)
  const fork = await newWorld({ from: {} })
  const issue = async (at: TestApp, sent: unknown) =>
    (await at.control('POST', '/demo/token', sent)).token
  const use = (bearer: string) => fork.send('/v2/limits', bearerOf(bearer))
  expect((await use(token)).status).toBe(401)
  const same = await issue(fork, { token })
  expect((await use(same)).status).toBe(200)
  expect(await issue(app, { token: same })).toBe(token)
  expect(await issue(await newWorld({}), { token })).toBeNull()
  for (const wrong of [null, {}, { token: '' }, { token: 'a.b.c' }]) {
    expect(await issue(fork, wrong)).toBeNull()
  }
  const headers = { 'sec-fetch-site': 'cross-site', ...JSON_TYPE }
  const foreign = { method: 'POST', headers, body: JSON.stringify({ token }) }
  expect((await fork.send('/_sandbox/demo/token', foreign)).status).toBe(403)
  await app.close()
})

const bearerOf = (token: string) => ({
  headers: { 'x-api-key': 'sandbox-key', authorization: `Bearer ${token}` },
})
