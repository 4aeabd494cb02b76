import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Door, openDoor } from '../helpers/door.ts'
import { register } from '../helpers/story.ts'

const EMAIL = 'alice@example.com'

let door: Door
beforeEach(() => {
  door = openDoor({ control: false })
})
afterEach(() => door.close())

async function openLink(on: Door) {
  const userId = await register(on)
  const { url } = await on.call('GET /v2/users/{userId}/kyc-url', { path: { userId } })
  return url.slice(on.base.length)
}

function decide(on: Door, path: string, status: string) {
  const headers = { 'content-type': 'application/json' }
  return on.send(path, { method: 'POST', headers, body: JSON.stringify({ status }) })
}

describe('without the control API', () => {
  it('a user verifies at the page behind the KYC link, and then logs in', async () => {
    const path = await openLink(door)
    const page = await door.send(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(page.text).toContain('Verify your identity')
    expect(
      (await door.refused('POST /v2/auth/login-codes', { body: { email: EMAIL } })).status,
    ).toBe(403)
    expect((await decide(door, path, 'verified')).status).toBe(200)
    await door.call('POST /v2/auth/login-codes', { body: { email: EMAIL } })
    expect((await door.send(path)).text).toContain('verified')
  })

  it('the page works in a world of another name', async () => {
    const worker = door.world('worker-1')
    const path = await openLink(worker)
    expect((await worker.send(path)).status).toBe(200)
    expect((await decide(worker, path, 'rejected')).status).toBe(200)
    expect((await door.send(path)).status).toBe(404)
  })

  it('a link that does not exist is 404, and so is everything else', async () => {
    expect((await decide(door, '/_sandbox/kyc/x', 'verified')).status).toBe(404)
    for (const path of [
      '/kyc/x',
      '/',
      '/demo',
      '/ui/users',
      '/bank/x',
      '/health',
      '/openapi.json',
    ]) {
      expect((await door.send(`/_sandbox${path}`)).status, path).toBe(404)
    }
  })
})
