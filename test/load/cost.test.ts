import { describe, expect, it } from 'vitest'
import { createWorlds } from '../../src/host/worlds.ts'
import { KEY, openApp } from '../helpers/app.ts'

const LONG = 'x'.repeat(15_000)
const TRIES = 40
/** What was wrong cost 20 ms and more; a machine of a quarter of the speed keeps to this. */
const COST_MAX_MS = 5

const post = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
})

/** Requests that anybody may send to a sandbox with a control token. */
const OPEN: [string, string, RequestInit?][] = [
  ['the document', '/openapi.json'],
  ['the base URL', '/', { headers: { accept: 'text/html' } }],
  ['an unknown path', '/v2/transactionz/abc/def'],
  ['a long path', `/v2/${LONG}`],
  ['a path of many parts', `/v2/${'a/'.repeat(7_000)}`],
  ['a long path of v1', `/${LONG}`],
  ['a long path of the control API', `/_sandbox/${LONG}`],
  ['another method', '/v2/users', { method: 'DELETE' }],
  ['no key', '/v2/users', post(`{"email":"${LONG}"}`)],
  ['an unknown key', '/v2/users', { headers: { 'x-api-key': LONG } }],
  ['a bad token', '/v2/limits', { headers: { 'x-api-key': 'sandbox-key', authorization: LONG } }],
  ['the page of a link', '/_sandbox/kyc/nobody'],
  ['the page of a bank', '/_sandbox/bank/nobody'],
  ['a file of the pages', '/_sandbox/assets/inspector.js'],
  ['the inspector', '/_sandbox/'],
  ['the control API', '/_sandbox/info'],
  ['a bad name of a world', '/w/%%/x'],
]

describe('a request that needs no credential costs next to nothing', () => {
  it.each(OPEN)('%s', async (_, path, init) => {
    const worlds = createWorlds({ clock: 'frozen', controlToken: 'secret' })
    const costs: number[] = []
    for (let i = 0; i < TRIES; i++) {
      // CPU time, so that a busy machine changes little.
      const before = process.cpuUsage()
      const answer = await worlds.fetch(new Request(`http://127.0.0.1${path}`, init))
      const { user, system } = process.cpuUsage(before)
      costs.push((user + system) / 1000)
      await answer.arrayBuffer()
    }
    expect(Math.min(...costs)).toBeLessThan(COST_MAX_MS)
    await worlds.close()
  })
})

describe('a document', () => {
  it('has a tag, and is not sent again to a caller who has it', async () => {
    const app = openApp()
    const first = await app.send('/openapi.json')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{20,}"$/)
    const again = await app.send('/openapi.json', { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    await app.close()
  })

  it('is another for other settings and at another address', async () => {
    const app = openApp()
    const first = await app.send('/openapi.json')
    await app.control('PATCH', '/settings', { 'status.createUser': 201 })
    const changed = await app.send('/openapi.json')
    expect(changed.headers.get('etag')).not.toBe(first.headers.get('etag'))
    expect(JSON.parse(changed.text).paths['/v2/users'].post.responses).toHaveProperty('201')
    await app.control('PATCH', '/settings', { 'status.createUser': null })
    expect((await app.send('/openapi.json')).text).toBe(first.text)
    const headers = { 'x-api-key': KEY }
    const elsewhere = await app.world('other').send('/openapi.json', { headers })
    expect(JSON.parse(elsewhere.text).servers).toEqual([{ url: `${app.base}/w/other` }])
    expect(elsewhere.headers.get('etag')).not.toBe(first.headers.get('etag'))
    await app.close()
  })
})
