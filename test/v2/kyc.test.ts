import { expect, it } from 'vitest'
import { NOON, openApp, refusal, type TestApp } from '../helpers/app.ts'
import { openHooks } from '../helpers/hooks.ts'
import { register } from '../helpers/story.ts'

const shareToken = async (app: TestApp, body: unknown): Promise<string> =>
  (await app.control('POST', '/simulate/share-tokens', body)).shareToken

/** Whether the user still has to be verified. */
async function isOutstanding(app: TestApp, userId: string): Promise<boolean> {
  const route = 'GET /v2/users/{userId}/requirements'
  const { outstanding } = await app.call(route, { path: { userId } })
  return outstanding.some(({ field }) => field === 'kyc')
}

it('a KYC link leads to a page of this world until the instant that it names', async () => {
  const app = openApp().world('kyc')
  const id = await register(app)
  const call = { path: { userId: id } }
  const { url, expiresAt } = await app.call('GET /v2/users/{userId}/kyc-url', call)
  expect(url.startsWith(`${app.base}/_sandbox/kyc/`)).toBe(true)
  expect(Date.parse(expiresAt) - Date.parse(NOON)).toBe(30 * 60_000)
  const open = async () => (await app.send(url.slice(app.base.length))).status
  await app.advance('1799999ms')
  expect(await open()).toBe(200)
  await app.advance('1ms')
  expect(await open()).toBe(410)
})

it('a KYC link is different each time, and does not invalidate another', async () => {
  const app = openApp()
  const call = { path: { userId: await register(app) } }
  const first = await app.call('GET /v2/users/{userId}/kyc-url', call)
  const second = await app.call('GET /v2/users/{userId}/kyc-url', call)
  expect(second.url).not.toBe(first.url)
  for (const { url } of [first, second]) {
    expect((await app.send(url.slice(app.base.length))).status).toBe(200)
  }
})

it.each(['shareToken', 'share_token'])(
  'a KYC import verifies the user of a valid %s',
  async (field) => {
    const app = openApp()
    await using hooks = await openHooks(app)
    const id = await register(app)
    const token = await shareToken(app, { email: 'alice@example.com' })
    expect(token).toMatch(/^_act-sbx-jwt-/)
    const call = { path: { userId: id }, body: { [field]: token } }
    const user = await app.call('PUT /v2/users/{userId}/kyc', call)
    expect(user).toMatchObject({ id, status: 'verified' })
    expect(await hooks.statuses()).toEqual(['verified'])
    await app.call('PUT /v2/users/{userId}/kyc', call)
    expect(await hooks.statuses()).toEqual(['verified'])
  },
)

it('a KYC import takes a share token that names no e-mail address', async () => {
  const app = openApp()
  const id = await register(app)
  const body = { shareToken: '_act-sbx-jwt-eyJhbGciOiJub25lIn0.e30.' }
  const user = await app.call('PUT /v2/users/{userId}/kyc', { path: { userId: id }, body })
  expect(user.status).toBe('verified')
})

it('a KYC import ignores the case of the e-mail address of the applicant', async () => {
  const app = openApp()
  const id = await register(app)
  const body = { shareToken: await shareToken(app, { email: 'ALICE@Example.com' }) }
  const user = await app.call('PUT /v2/users/{userId}/kyc', { path: { userId: id }, body })
  expect(user.status).toBe('verified')
})

it.each([
  ['that is expired', { kind: 'expired' }, 'malformed or expired'],
  ['of nobody', { kind: 'not-found' }, 'not found'],
  ['that is incomplete', { kind: 'incomplete' }, 'not complete'],
  ['of another applicant', { email: 'bob@example.com' }, ''],
  ['that is a word', 'token', 'malformed'],
  ['that is a plain JWT', 'eyJhbGciOiJub25lIn0.e30.', 'malformed'],
  ['whose payload is not JSON', '_act-sbx-jwt-eyJhbGciOiJub25lIn0.bm8.', 'malformed'],
  // Reading it would take quadratic time, so that a megabyte of `jwt-` stops the process.
  ['of more than 4096 characters', `_act-${'jwt-'.repeat(1_030)}e30.e30.`, 'malformed'],
])('a KYC import refuses a share token %s, with the reason', async (_, token, reason) => {
  const app = openApp()
  const id = await register(app)
  const made = { email: 'alice@example.com', ...(typeof token === 'object' && token) }
  const sent = typeof token === 'string' ? token : await shareToken(app, made)
  const call = { path: { userId: id }, body: { shareToken: sent } }
  const refused = await app.refused('PUT /v2/users/{userId}/kyc', call)
  expect(refused).toMatchObject(refusal(400, 'shareToken'))
  expect(refused.errors[0]?.message).toContain(reason)
  expect(await isOutstanding(app, id)).toBe(true)
})
