import { expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const email = 'alice@example.com'
const path = `/users/${email}/token`

async function logIn(app: TestApp): Promise<string> {
  await app.call('POST /v2/auth/login-codes', { body: { email } })
  const { messages } = await app.control('GET', `/inbox?email=${email}&kind=login-code`)
  const body = { email, code: messages[0].code }
  return (await app.call('POST /v2/auth/login-codes/verify', { body })).accessToken
}

it('issues the token of a login again in a fork, which has that login, and in no other world', async () => {
  const app = openApp({ fixture: 'verified-user' })
  const token = await logIn(app)
  await app.control('POST', '/users', { email: 'ana@example.com' })
  const newWorld = async (body: object) =>
    app.world((await app.control('POST', '/worlds', body)).name)
  const fork = await newWorld({ from: {} })
  const issue = async (at: TestApp, sent: unknown) =>
    (await at.control('POST', path, sent)).accessToken
  const use = (bearer: string) => fork.send('/v2/limits', bearerOf(bearer))
  expect((await use(token)).status).toBe(401)
  const same = await issue(fork, { token })
  expect((await use(same)).status).toBe(200)
  expect(await issue(app, { token: same })).toBe(token)
  const send = (at: TestApp, sent: unknown, user = email) =>
    at.send(`/_sandbox/users/${user}/token`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(sent),
    })
  const before = await fork.control('GET', '/state')
  for (const wrong of ['none', 'a.b.c', `${token}.`.replace(/\..*\./, '.e30.')]) {
    expect((await send(fork, { token: wrong })).status).toBe(404)
  }
  expect((await send(fork, { token }, 'ana@example.com')).status).toBe(404)
  expect((await send(fork, { token: '' })).status).toBe(400)
  expect((await send(await newWorld({}), { token })).status).toBe(404)
  const headers = { 'sec-fetch-site': 'cross-site', ...JSON_TYPE }
  const foreign = { method: 'POST', headers, body: JSON.stringify({ token }) }
  expect((await fork.send(`/_sandbox${path}`, foreign)).status).toBe(403)
  expect(await fork.control('GET', '/state')).toEqual(before)
  await app.close()
})

const bearerOf = (token: string) => ({
  headers: { 'x-api-key': 'sandbox-key', authorization: `Bearer ${token}` },
})
