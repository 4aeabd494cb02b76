import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openControl } from './control/control.ts'
import { openLive } from './control/live.ts'
import { KEY, openApp, type TestApp } from './helpers/app.ts'
import { endCommands, startSandbox } from './helpers/command.ts'
import { isFullDepth } from './helpers/depth.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'
import { receiveFunds } from './helpers/story.ts'

afterAll(endCommands)

const PAGE_MAX = 4 * 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }
const headers = { 'x-api-key': KEY, ...JSON_TYPE }
const QUOTE = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'

const post = (body: unknown) => ({ method: 'POST', headers, body: JSON.stringify(body) })
const createUser = async (app: TestApp, i: number) =>
  (await app.send('/v2/users', post({ email: `u${i}@example.com` }))).status

/** A fixture of 199,999 rows: the quote of each transaction counts, too. */
function createLargeFixture() {
  const users = Array.from({ length: 99_999 }, (_, i) => ({
    email: `alice${i}@example.com`,
    status: 'verified',
  }))
  const buy = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const transactions = users.slice(0, 50_000).map(({ email }) => ({ user: email, ...buy }))
  return { users, transactions }
}

/** Reads a list to its end, and returns how long its pages and how many its rows were. */
async function readPages(app: TestApp, path: string, list: string) {
  const [lengths, ids]: [number[], string[]] = [[], []]
  for (let cursor = '0'; ; ) {
    const { text } = await app.send(`/_sandbox${path}?limit=1000&after=${cursor}`)
    const page = JSON.parse(text)
    if (page[list].length === 0) return { lengths, ids }
    lengths.push(Buffer.byteLength(text))
    ids.push(...page[list].map(({ id }: { id: string }) => id))
    cursor = page.cursor
  }
}

it('a page of a list ends after 4 MiB, and its cursor leads to the rest', async () => {
  const long = 'é'.repeat(500)
  const profile = { firstName: long, lastName: long, city: long, occupation: long }
  const users = Array.from({ length: 1_000 }, (_, i) => ({ email: `u${i}@example.com`, profile }))
  await using control = openControl({ fixture: { users } })
  const { lengths, ids } = await readPages(control.app, '/users', 'items')
  expect(Math.max(...lengths)).toBeLessThanOrEqual(PAGE_MAX)
  expect(lengths.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(1_000)
})

// Filling a world takes seconds.
describe.runIf(isFullDepth)('a world', () => {
  it('a world with 200,000 rows refuses what would add more, and nothing else, until a reset', {
    timeout: 180_000,
  }, async () => {
    const app = openApp({ fixture: createLargeFixture() })
    expect(await createUser(app, 1)).toBe(200)
    const refused = [
      await app.send('/v2/users', post({ email: 'one-more@example.com' })),
      await app.send(QUOTE, { headers }),
      await app.send('/_sandbox/snapshots', post({ name: 'x' })),
    ]
    for (const { status, text } of refused) {
      expect([status, text]).toEqual([
        507,
        expect.stringMatching(/holds 200000 users.*reset empties it/),
      ])
    }
    expect(JSON.parse(refused[2]?.text ?? '').code).toBe('world-full')
    for (const path of ['/v2/users?email=u1@example.com', '/_sandbox/requests']) {
      expect((await app.send(path, { headers })).status, path).toBe(200)
    }
    const { items } = await app.control('GET', '/transactions?limit=1')
    await receiveFunds(app, items[0].id)
    await app.control('POST', '/reset', { fixture: 'default' })
    expect(await createUser(app, 0)).toBe(200)
    await app.close()
  })
})

const STATE_MAX = 16 * 1024 * 1024
const put = (app: TestApp, text: string, isChunked: boolean) => {
  const body = isChunked ? new Blob([text]).stream() : text
  const init = { method: 'PUT', headers: JSON_TYPE, body, duplex: 'half' } as RequestInit
  return app.send('/_sandbox/state', init)
}

it.each([
  ['in one piece', false],
  ['in chunks', true],
])(
  'a state of up to 16 MiB and not a byte more is imported over HTTP, sent %s',
  async (_, isChunked) => {
    await using live = await openLive()
    const state = JSON.stringify(await live.get('/state'))
    const most = state.replace('{', `{${' '.repeat(STATE_MAX - Buffer.byteLength(state))}`)
    expect((await put(live.app, most, isChunked)).status).toBe(200)
    const before = await live.get('/state')
    for (const text of [` ${most}`, ' '.repeat(STATE_MAX) + most]) {
      const { status, text: refused } = await put(live.app, text, isChunked)
      expect([status, JSON.parse(refused).detail]).toEqual([413, expect.stringContaining('--data')])
    }
    expect(await live.get('/state')).toEqual(before)
  },
)

it('a state of more than 16 MiB is neither exported nor saved, but snapshots and forks still work', {
  timeout: 60_000,
}, async () => {
  const long = 'é'.repeat(500)
  const profile = { firstName: long, lastName: long, city: long, occupation: long }
  const users = Array.from({ length: 4_500 }, (_, i) => ({ email: `u${i}@example.com`, profile }))
  await using live = await openLive({ fixture: { users } })
  const { status, text } = await live.app.send('/_sandbox/state')
  expect([status, JSON.parse(text)]).toEqual([
    507,
    expect.objectContaining({
      code: 'state-too-large',
      detail: expect.stringContaining('--data'),
    }),
  ])
  const file = join(createFolder(), 'saved.json')
  const saved = await runInProcess(['save', '--fixture', file, '--url', live.url])
  expect(saved).toMatchObject({ code: 1, err: expect.stringContaining('--data') })
  await live.post('/snapshots', { name: 'large' })
  await live.post('/snapshots/large/restore')
  const { baseUrl } = await live.post('/worlds', { from: { snapshot: 'large' } })
  const response = await fetch(`${baseUrl}/_sandbox/users?limit=1`)
  expect(await response.json()).toMatchObject({ total: 4_500 })
})

it('a process of 512 MB survives bodies that would fill its memory once they are parsed', {
  timeout: 60_000,
}, async () => {
  const env = { NODE_OPTIONS: '--max-old-space-size=512' }
  const { process: child, ready } = await startSandbox([], { env })
  const send = async (method: string, path: string, body: string) =>
    (await fetch(ready.url + path, { method, headers, body })).status
  const objects = `[${'{},'.repeat(6_300_000)}{}]`
  const bodies = Array.from({ length: 3 }, () => objects)
  const sent = bodies.map((body) => send('POST', '/submitKYB', body))
  expect(await Promise.all(sent)).toEqual([413, 413, 413])
  const rows = `{"id":"${'x'.repeat(90)}","n":[1,2]},`
  const state = `{"formatVersion":2,"users":[${rows.repeat(1_100_000)}{}]}`
  expect(await send('PUT', '/_sandbox/state', state)).toBe(413)
  expect(await send('POST', '/v2/users', '{"email":"new@example.com"}')).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('a running clock stops at the end of time, and its state can still be imported', async () => {
  let wall = Date.UTC(2026, 6, 1)
  const clock = 'running@9699-12-31T23:59:00Z'
  const app = openApp({ clock, wallClock: () => wall })
  wall += 10 * 60_000
  expect(await createUser(app, 1)).toBe(200)
  expect((await app.send(QUOTE, { headers })).status).toBe(200)
  const state = await app.control('GET', '/state')
  expect(new Date(state.now).toISOString()).toBe('9699-12-31T23:59:59.999Z')
  await app.control('PUT', '/state', state)
  await app.close()
})
