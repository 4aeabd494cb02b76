import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../src/host/server.ts'
import { Worlds } from '../src/host/worlds.ts'
import { openControl } from './control/control.ts'
import { KEY, openApp, type TestApp } from './helpers/app.ts'
import { endCommands, startCommand } from './helpers/command.ts'
import { isFullDepth } from './helpers/depth.ts'
import { receiveFunds } from './helpers/story.ts'

afterAll(endCommands)

const PAGE_MAX = 4 * 1024 * 1024
const UNREAD_AT_ONCE = 20
const HEAD_MAX = 1_000
/** Of about 4 MB each, of which the kernel may hold all but a quarter. */
const UNREAD_MAX = 400
/** Under 50 on a quiet machine. */
const MEDIAN_MAX_MS = 250
/** How often a busy machine may leave a process standing meanwhile. */
const STALLS_MAX = 2
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

describe('a page', () => {
  it('ends after 4 MiB, and its cursor goes on', async () => {
    const long = 'é'.repeat(500)
    const profile = { firstName: long, lastName: long, city: long, occupation: long }
    const users = Array.from({ length: 1_000 }, (_, i) => ({ email: `u${i}@example.com`, profile }))
    await using control = openControl({ fixture: { users } })
    const { lengths, ids } = await readPages(control.app, '/users', 'items')
    expect(Math.max(...lengths)).toBeLessThanOrEqual(PAGE_MAX)
    expect(lengths.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(1_000)
  })
})

// Filling a world takes seconds.
describe.runIf(isFullDepth)('a world', () => {
  it('refuses what would add to 200,000 rows, and nothing else, until a reset', {
    timeout: 60_000,
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

// It comes before the long states, which are read one at a time in all worlds of a process.
describe('a state of unknown length', () => {
  it('is read whole, also where other bodies are not even read past', async () => {
    const app = openApp()
    const state = JSON.stringify(await app.control('GET', '/state'))
    const body = state.replace('{', `{${' '.repeat(66 * 1024 * 1024)}`)
    const chunked = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
    const sent = await app.send('/_sandbox/state', { method: 'PUT', headers: chunked, body })
    expect(sent.status, sent.text).toBe(200)
    await app.close()
  })
})

/** Sends a state of unknown length. */
async function importStream(url: string, pieces: string[]) {
  const body = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream())
  const init = { method: 'PUT', headers: JSON_TYPE, body, duplex: 'half' } as RequestInit
  const response = await fetch(url, init)
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}

describe('a long state', () => {
  it('is read one at a time, and until its reader has it', { timeout: 60_000 }, async () => {
    const long = 'é'.repeat(500)
    const profile = { firstName: long, lastName: long, city: long, occupation: long }
    const users = Array.from({ length: 2_500 }, (_, i) => ({ email: `u${i}@example.com`, profile }))
    const worlds = new Worlds({ clock: 'frozen', fixture: { users } })
    const listening = await listen({ fetch: worlds.fetch, port: 0 })
    onTestFinished(async () => {
      await listening.close()
      await worlds.close()
    })
    const url = `${listening.url}/_sandbox/state`
    const silent = connect(listening.port, '127.0.0.1')
    silent.write('GET /_sandbox/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    // Its first bytes have come, and it reads no more.
    await once(silent, 'readable')
    const status = async () => {
      const response = await fetch(url)
      await response.arrayBuffer()
      return response.status
    }
    expect(await status()).toBe(409)
    // One that begins to come is held like one that leaves.
    expect(await importStream(url, ['{'])).toEqual([409, 'state-busy'])
    silent.destroy()
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 25_000 })
  })
})

describe('clients that take nothing of long pages', () => {
  it('get 503 beyond 64 MiB, and keep no other world waiting', { timeout: 60_000 }, async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=512' }
    const { process: child, says } = startCommand(['start', '--port', '0', '--json'], { env })
    const [, url = ''] = await says(/"url":"([^"]+)"/)
    const pages = `${url}/_sandbox/catch/c`
    for (let i = 0; i < 6; i++) await fetch(pages, { method: 'POST', body: 'x'.repeat(1_000_000) })
    await fetch(`${url}/w/other/_sandbox/info`)
    const heads: string[] = []
    const sockets: Socket[] = []
    const askMore = () => {
      // The kernel takes whole pages for a client that reads more at once.
      const onread = {
        buffer: Buffer.alloc(HEAD_MAX),
        callback(count: number, bytes: Uint8Array) {
          heads.push(Buffer.from(bytes).toString('latin1', 0, count))
          return false
        },
      }
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', onread })
      socket.on('error', () => undefined)
      socket.write('GET /_sandbox/catch/c/requests?count=6 HTTP/1.1\r\nHost: localhost\r\n\r\n')
      sockets.push(socket)
    }
    const isRefused = (head: string) => head.startsWith('HTTP/1.1 503 ')
    const waits: number[] = []
    while (heads.length < sockets.length || !heads.some(isRefused)) {
      if (heads.length === sockets.length) {
        expect(sockets.length).toBeLessThan(UNREAD_MAX)
        for (let count = 0; count < UNREAD_AT_ONCE; count++) askMore()
      }
      const askedAt = performance.now()
      expect((await fetch(`${url}/w/other/_sandbox/health`)).status).toBe(200)
      waits.push(performance.now() - askedAt)
    }
    expect(heads.find(isRefused)).toMatch(/retry-after: 1\r\n[\s\S]*"responses-full"/i)
    // Without turns, the other world waits for most of the pages.
    expect(waits.length).toBeGreaterThan(sockets.length / 3)
    waits.sort((a, b) => a - b)
    expect(waits.at(-1 - STALLS_MAX)).toBeLessThan(1_000)
    expect(waits[waits.length >> 1]).toBeLessThan(MEDIAN_MAX_MS)
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(async () => {
      const response = await fetch(`${pages}/requests?count=6`)
      expect([response.status, (await response.text()).length > 4_000_000]).toEqual([200, true])
    }, 10_000)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('a process without memory', () => {
  it('adds nothing, reads and resets, and adds again once there is room', {
    timeout: 120_000,
  }, async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=70' }
    const args = ['start', '--port', '0', '--clock', 'frozen', '--json']
    const { process: child, says } = startCommand(args, { env })
    const [, url] = await says(/"url":"([^"]+)"/)
    const call = async (path: string, init?: RequestInit) => {
      const response = await fetch(url + path, init)
      return { status: response.status, text: await response.text() }
    }
    const users = Array.from({ length: 6_000 }, (_, i) => ({ email: `old${i}@example.com` }))
    const fill = (n: number) => call(`/w/w${n}/_sandbox/reset`, post({ fixture: { users } }))
    await call('/w/small/_sandbox/info')
    let worlds = 0
    let refused = await fill(worlds)
    for (; refused.status === 200; refused = await fill(++worlds));
    expect([refused.status, refused.text]).toEqual([507, expect.stringContaining('MB of memory')])
    expect((await call('/w/small/_sandbox/users')).status).toBe(200)
    for (let n = 0; n < worlds; n++) {
      expect((await call(`/w/w${n}/_sandbox/reset`, post({}))).status).toBe(200)
    }
    expect(await call('/w/small/v2/users', post({ email: 'new@example.com' }))).toMatchObject({
      status: 200,
    })
    expect((await fill(worlds)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('the end of time', () => {
  it('stops a running clock, so that its state is imported again', async () => {
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
})
