import { expect, it } from 'vitest'
import type { WorldsOptions } from '../../src/host/worlds.ts'
import { NOON, openApp } from '../helpers/app.ts'

const TOKEN = { authorization: 'Bearer main' }
const HTML = { accept: 'text/html' }
const NEW = 'new@example.com'
const OLD = 'alice@example.com'

/** Everything secret that one and the same story gives out. */
async function tellSecrets(options: WorldsOptions) {
  const app = openApp({ fixture: 'verified-user', clock: NOON, ...options })
  const control = async (method: string, path: string, body?: object) => {
    const headers = { ...TOKEN, 'content-type': 'application/json' }
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const { status, text } = await app.send(`/_sandbox${path}`, sent)
    if (status !== 200) throw new Error(text)
    return JSON.parse(text)
  }
  const { id: userId } = await app.call('POST /v2/users', { body: { email: NEW } })
  const { url } = await app.call('GET /v2/users/{userId}/kyc-url', { path: { userId } })
  const { shareToken } = await control('POST', '/simulate/share-tokens', { email: NEW })
  await app.call('POST /v2/auth/login-codes', { body: { email: OLD } })
  const { messages } = await control('GET', '/inbox')
  const code: string = messages[0].code
  const body = { email: OLD, code }
  const { accessToken } = await app.call('POST /v2/auth/login-codes/verify', { body })
  const bought = await control('POST', `/simulate/users/${OLD}/buy`, { cad: 100 })
  const { messages: later } = await control('GET', '/inbox?kind=money-request')
  return {
    app,
    control,
    userId,
    transactionId: bought.transaction.id,
    secrets: { kyc: url, shareToken, accessToken, bank: later[0].url as string },
  }
}

const importKyc = (userId: string, shareToken: string) => ({
  path: { userId },
  body: { shareToken },
})

const shared = { controlToken: 'main' }

it('with a control token, links and tokens differ from process to process, and ids are the same', async () => {
  const [one, two] = [await tellSecrets(shared), await tellSecrets(shared)]
  expect([two.userId, two.transactionId]).toEqual([one.userId, one.transactionId])
  for (const [name, secret] of Object.entries(one.secrets))
    expect(Object.values(two.secrets), name).not.toContain(secret)
  await one.app.close()
  await two.app.close()
})

it('with a control token, links and tokens work, and those of a sandbox without a token do not, even with the same seed', async () => {
  const open = await tellSecrets({})
  const { app, userId, secrets } = await tellSecrets(shared)
  const statusOf = async (url: string) =>
    (await app.send(new URL(url).pathname, { headers: HTML })).status
  const statuses = async ({ kyc, bank, accessToken: token }: typeof secrets) => {
    const headers = { 'x-api-key': 'sandbox-key', authorization: `Bearer ${token}` }
    const limits = await app.send('/v2/limits', { headers })
    return [await statusOf(kyc), await statusOf(bank), limits.status]
  }
  expect(await statuses(secrets)).toEqual([200, 200, 200])
  expect(await statuses(open.secrets)).toEqual([404, 401, 401])
  const response = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const approve = { ...response, body: '{"decision":"approve"}' }
  const at = (url: string) => app.send(new URL(url).pathname, approve)
  expect((await at(open.secrets.bank)).status).toBe(404)
  expect((await at(secrets.bank)).status).toBe(200)
  const foreign = importKyc(userId, open.secrets.shareToken)
  expect(await app.refused('PUT /v2/users/{userId}/kyc', foreign)).toMatchObject({ status: 400 })
  await app.call('PUT /v2/users/{userId}/kyc', importKyc(userId, secrets.shareToken))
  await app.close()
  await open.app.close()
})

it('with a control token, a reset invalidates tokens, and a snapshot and a state bring theirs back', async () => {
  const { app, control, secrets } = await tellSecrets(shared)
  const read = async () => {
    const headers = { 'x-api-key': 'sandbox-key', authorization: `Bearer ${secrets.accessToken}` }
    return (await app.send('/v2/limits', { headers })).status
  }
  await control('POST', '/snapshots', { name: 'now' })
  const state = await control('GET', '/state')
  await control('POST', '/reset')
  expect(await read()).toBe(401)
  await control('POST', '/snapshots/now/restore')
  expect(await read()).toBe(200)
  await control('POST', '/reset')
  await control('PUT', '/state', state)
  expect(await read()).toBe(200)
  await app.close()
})
