import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PROBLEMS_MAX } from '../../src/world/zod-problems.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { isFullDepth } from '../helpers/depth.ts'

let app: TestApp
beforeEach(() => {
  app = openApp()
})
afterEach(() => app.close())

const rows = (count: number) => Array.from({ length: count }, () => ({}))
const unknown = (count: number, value: unknown = '1') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, value]))

async function send(method: string, path: string, body: unknown) {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await app.send(`/_sandbox${path}`, { method, body: text, headers })
  const { errors = [] } = JSON.parse(response.text) as { errors?: { field: string }[] }
  return { status: response.status, errors }
}

// Each of these once took up to a minute, longer than a test may.
describe('what is wrong a thousand times is rejected, with its first problems', () => {
  it.runIf(isFullDepth).each([
    ['a state of empty rows', 'PUT', '/state', () => ({ formatVersion: 2, users: rows(500_000) })],
    ['unknown settings', 'PATCH', '/settings', () => unknown(80_000)],
    [
      'settings of a fixture',
      'POST',
      '/reset',
      () => ({ fixture: { settings: unknown(60_000, {}) } }),
    ],
    ['fields of a request', 'POST', '/reset', () => unknown(60_000)],
  ])('%s', (_, method, path, makeBody) => expectRejected(method, path, makeBody()))

  it('users of a fixture', () =>
    expectRejected('POST', '/reset', { fixture: { users: rows(100_000) } }))
})

async function expectRejected(method: string, path: string, body: unknown) {
  const { status, errors } = await send(method, path, body)
  expect([400, 413]).toContain(status)
  expect(errors.length).toBeLessThanOrEqual(PROBLEMS_MAX)
}

it.each([PROBLEMS_MAX, PROBLEMS_MAX + 1])(
  'of %i problems at most a hundred are listed',
  async (count) => {
    const { errors } = await send('POST', '/reset', { fixture: { users: rows(count) } })
    expect(errors).toHaveLength(PROBLEMS_MAX)
    expect(errors.at(-1)?.field).toBe(`users[${PROBLEMS_MAX - 1}].email`)
  },
)

it('a change of settings may have 64 KiB and no byte more', async () => {
  const ask = (length: number) => send('PATCH', '/settings', { s: 'x'.repeat(length - 8) })
  expect((await ask(64 * 1024)).status).toBe(400)
  expect((await ask(64 * 1024 + 1)).status).toBe(413)
})

it('a document has a tag, and is not sent again to a caller who has it', async () => {
  const { headers } = await app.send('/openapi.json')
  const etag = headers.get('etag') ?? ''
  const again = await app.send('/openapi.json', { headers: { 'if-none-match': etag } })
  expect([again.status, again.text]).toEqual([304, ''])
  await app.control('PATCH', '/settings', { 'status.created': 201 })
  const later = await app.send('/openapi.json', { headers: { 'if-none-match': etag } })
  expect(later.status).toBe(304)
})
