import { describe, expect } from 'vitest'
import { test } from '../../src/vitest.ts'

const urls = new Set<string>()

describe('the test of ramp-sandbox/vitest', () => {
  for (const number of [1, 2]) {
    test.concurrent(`ramp-sandbox/vitest gives test ${number} a world of its own`, async ({
      sandbox,
    }) => {
      urls.add(sandbox.url)
      const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
      const body = JSON.stringify({ email: `user-${number}@example.com` })
      const created = await fetch(`${sandbox.url}/v2/users`, { method: 'POST', headers, body })
      expect(created.status).toBe(200)
      expect(await sandbox.users.list()).toHaveLength(1)
      expect((await sandbox.clock.read()).mode).toBe('frozen')
    })
  }

  test('ramp-sandbox/vitest serves the worlds of all tests from one server per worker', ({
    sandbox,
  }) => {
    expect(urls.size).toBe(2)
    const origins = [...urls, sandbox.url].map((url) => new URL(url).origin)
    expect(new Set(origins).size).toBe(1)
  })

  const titles = [
    'a world is named after the file and the title of its test',
    'a world is named after the file and the title of its test',
    'the same ids are drawn for a title of ünusual characters / and more than a name can hold of them',
  ]
  const seen = new Map<string, string>()
  for (const title of titles) {
    test(title, async ({ sandbox }) => {
      const [, name = ''] = sandbox.url.split('/w/')
      expect(name).toMatch(/^vitest-test-ts-[A-Za-z0-9-]{1,50}$/)
      expect((await sandbox.info()).seed).toBe(`ramp-sandbox/${name}`)
      const { user } = await sandbox.users.add('same@example.com')
      expect([...seen.keys(), ...seen.values()]).not.toContain(user.id)
      expect(seen.keys()).not.toContain(name)
      seen.set(name, user.id)
    })
  }

  test('ramp-sandbox/vitest gives every test the same name and ids in each run', async ({
    sandbox,
  }) => {
    expect(seen.size).toBe(titles.length)
    expect(sandbox.url).toMatch(/-vitest-r-e815b961a87f$/)
    expect((await sandbox.users.add('same@example.com')).user.id).toBe(
      '8e024ae9-8c97-4277-b285-ee61716ff496',
    )
  })

  describe('with a setup', () => {
    test.override({
      sandboxSetup: {
        fixture: 'verified-user',
        clock: '2026-07-01T12:00:00Z',
        settings: { 'quotes.ttl': '5m' },
      },
    })

    test('a test of ramp-sandbox/vitest with a setup starts from it, and goes back to it', async ({
      sandbox,
    }) => {
      await sandbox.clock.advance('1h')
      await sandbox.simulate.kyc('alice@example.com', 'rejected')
      await sandbox.reset()
      expect(await sandbox.clock.now()).toEqual(new Date('2026-07-01T12:00:00Z'))
      expect((await sandbox.users.get('alice@example.com')).status).toBe('verified')
      expect((await sandbox.settings.get('quotes.ttl')).value).toBe('5m')
    })
  })
})
