import { afterEach, beforeEach, expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'
import { register } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'

let app: TestApp
beforeEach(() => {
  app = openApp({ control: false })
})
afterEach(() => app.close())

async function openLink(on: TestApp) {
  const userId = await register(on)
  const { url } = await on.call('GET /v2/users/{userId}/kyc-url', { path: { userId } })
  return url.slice(on.base.length)
}

function decide(on: TestApp, path: string, status: string) {
  const headers = { 'content-type': 'application/json' }
  return on.send(path, { method: 'POST', headers, body: JSON.stringify({ status }) })
}

it('without the control API, a user verifies at the page behind the KYC link, and then logs in', async () => {
  const path = await openLink(app)
  const page = await app.send(path)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Verify your identity')
  expect((await app.refused('POST /v2/auth/login-codes', { body: { email: EMAIL } })).status).toBe(
    403,
  )
  expect((await decide(app, path, 'verified')).status).toBe(200)
  await app.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })
  expect((await app.send(path)).text).toContain('verified')
})
