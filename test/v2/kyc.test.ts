import { describe, expect, it } from 'vitest'
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

describe('a KYC link', () => {
  it('leads to a page of this world and says when it dies', async () => {
    const app = openApp().world('kyc')
    const id = await register(app)
    const call = { path: { userId: id } }
    const { url, expiresAt } = await app.call('GET /v2/users/{userId}/kyc-url', call)
    expect(url.startsWith(`${app.base}/_sandbox/kyc/`)).toBe(true)
    expect(Date.parse(expiresAt) - Date.parse(NOON)).toBe(30 * 60_000)
  })
})

describe('a KYC import', () => {
  it.each(['shareToken', 'share_token'])('verifies the user of a good %s', async (field) => {
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
  })

  it.each([
    ['expired', 'malformed or expired'],
    ['not-found', 'not found'],
    ['incomplete', 'not complete'],
  ])('refuses a share token that is %s, with the reason', async (kind, reason) => {
    const app = openApp()
    const id = await register(app)
    const token = await shareToken(app, { email: 'alice@example.com', kind })
    const call = { path: { userId: id }, body: { shareToken: token } }
    const { status, errors } = await app.refused('PUT /v2/users/{userId}/kyc', call)
    expect([status, errors[0]?.field]).toEqual([400, 'shareToken'])
    expect(errors[0]?.message).toContain(reason)
    expect(await isOutstanding(app, id)).toBe(true)
  })

  it.each([
    ['a word', 'token'],
    ['a plain JWT', 'eyJhbGciOiJub25lIn0.e30.'],
    ['a payload that is not JSON', '_act-sbx-jwt-eyJhbGciOiJub25lIn0.bm8.'],
  ])('refuses %s as malformed', async (_, malformed) => {
    const app = openApp()
    const id = await register(app)
    const call = { path: { userId: id }, body: { shareToken: malformed } }
    expect(await app.refused('PUT /v2/users/{userId}/kyc', call)).toMatchObject(
      refusal(400, 'shareToken'),
    )
  })

  it('refuses the share token of another applicant', async () => {
    const app = openApp()
    const id = await register(app)
    const token = await shareToken(app, { email: 'bob@example.com' })
    const call = { path: { userId: id }, body: { shareToken: token } }
    expect(await app.refused('PUT /v2/users/{userId}/kyc', call)).toMatchObject({ status: 400 })
    expect(await isOutstanding(app, id)).toBe(true)
  })
})
