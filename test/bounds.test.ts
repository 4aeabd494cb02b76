import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../src/host/server.ts'
import { createWorlds } from '../src/host/worlds.ts'
import { openControl } from './control/control.ts'
import { KEY, openApp, type TestApp } from './helpers/app.ts'
import { endCommands, startCommand } from './helpers/command.ts'
import { logIn, receiveFunds } from './helpers/story.ts'

afterAll(endCommands)

const MIB = 1024 * 1024
const PAGE_MAX = 4 * MIB
const JSON_TYPE = { 'content-type': 'application/json' }
const headers = { 'x-api-key': KEY, ...JSON_TYPE }
const QUOTE = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'

const post = (body: unknown) => ({ method: 'POST', headers, body: JSON.stringify(body) })
const createUser = async (app: TestApp, i: number) =>
  (await app.send('/v2/users', post({ email: `u${i}@example.com` }))).status

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
  it('ends after 4 MiB, and its cursor goes on: calls', async () => {
    await using control = openControl()
    const { app } = control
    for (let i = 0; i < 200; i++) {
      await app.send('/v2/users', post({ email: '\u0001'.repeat(10_000) + i }))
    }
    const { lengths, ids } = await readPages(app, '/requests', 'requests')
    expect(Math.max(...lengths)).toBeLessThanOrEqual(PAGE_MAX)
    expect(lengths.length).toBeGreaterThan(2)
    expect(ids).toEqual(ids.map((_, i) => `req_${i + 1}`))
    expect(ids).toHaveLength(200)
  })

  it('ends after 4 MiB, and its cursor goes on: what a catch received', async () => {
    await using control = openControl()
    for (let i = 0; i < 10; i++) {
      const body = `${i} ${'"'.repeat(MIB / 3)}`
      await control.app.send('/_sandbox/catch/me', { method: 'POST', body })
    }
    const bodies: string[] = []
    for (let after = '0'; ; ) {
      const { text } = await control.app.send(`/_sandbox/catch/me/requests?after=${after}`)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(PAGE_MAX)
      const { requests, cursor } = JSON.parse(text)
      if (requests.length === 0) break
      bodies.push(...requests.map(({ body }: { body: string }) => body.slice(0, 1)))
      after = cursor
    }
    expect(bodies).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  })

  it('ends after 4 MiB, and its cursor goes on: users', async () => {
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

describe('a world', () => {
  it('has so many rows: a call that adds one more is refused, and nothing else', async () => {
    const app = openApp({ fixture: 'verified-user', worldRows: 8 })
    const alice = await logIn(app)
    const { id } = await alice.buy()
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) statuses.push(await createUser(app, i))
    const made = statuses.filter((status) => status === 200).length
    expect(statuses.slice(made)).toEqual(Array(10 - made).fill(507))
    const { users, transactions, quotes, messages, events } = await app.control('GET', '/state')
    const lists = [users, transactions, quotes, messages, events]
    expect(lists.reduce((sum, { length }) => sum + length, 0)).toBe(8)
    const refused = [
      await app.send('/v2/users', post({ email: 'one-more@example.com' })),
      await app.send(QUOTE, { headers }),
      await app.send('/_sandbox/snapshots', post({ name: 'x' })),
    ]
    for (const { status, text } of refused) {
      expect([status, text]).toEqual([507, expect.stringContaining('8 rows')])
    }
    expect(JSON.parse(refused[2]?.text ?? '').code).toBe('world-full')
    await receiveFunds(app, id)
    for (const path of ['/v2/users?email=a@example.com', '/_sandbox/state', '/_sandbox/requests']) {
      expect((await app.send(path, { headers })).status, path).toBe(200)
    }
    await app.control('PUT', '/state', await app.control('GET', '/state'))
    expect(await createUser(app.world('other'), 0)).toBe(200)
    await app.control('POST', '/reset')
    expect(await createUser(app, 0)).toBe(200)
    await app.close()
  })

  it('that is filled to its bound lets another one trade', async () => {
    const app = openApp({ fixture: 'verified-user', worldRows: 60 })
    const other = app.world('other')
    const alice = await logIn(other)
    const statuses: number[] = []
    for (let i = 0; i < 100; i++) {
      statuses.push(await createUser(app, i))
      if (i % 40 > 0) continue
      const { id } = await alice.buy()
      await receiveFunds(other, id)
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 507])
    const { items } = await other.control('GET', '/transactions')
    expect(items.map(({ status }: { status: string }) => status)).toEqual(
      Array(3).fill('processing request money transfer'),
    )
    await app.close()
  })

  it('counts the bytes of a KYB submission as rows, and refuses a state that is too large', async () => {
    const large = openApp({ fixture: { users: [1, 2, 3].map((n) => ({ email: `u${n}@a.com` })) } })
    const state = await large.control('GET', '/state')
    await large.close()
    const app = openApp({ worldRows: 2 })
    const put = (body: unknown) => app.send('/_sandbox/state', { ...post(body), method: 'PUT' })
    expect((await put({ ...state, users: state.users.slice(1) })).status).toBe(200)
    const { status, text } = await put(state)
    expect([status, JSON.parse(text).code]).toEqual([507, 'world-full'])
    await app.close()
  })

  it('keeps its own catches and journals, whatever another one receives', async () => {
    const app = openApp()
    await app.send('/_sandbox/catch/me', { method: 'POST', body: 'a webhook' })
    const other = app.world('other')
    await other.control('GET', '/info')
    for (let i = 0; i < 70; i++) {
      await other.send('/_sandbox/catch/me', { method: 'POST', body: 'x'.repeat(MIB) })
    }
    const { requests } = await app.control('GET', '/catch/me/requests')
    expect(requests).toMatchObject([{ body: 'a webhook' }])
    const { requests: kept } = await other.control('GET', '/catch/me/requests')
    expect(kept.at(-1)).toMatchObject({ id: 'caught_70' })
    await app.close()
  })
})

describe('a long state', () => {
  it('is read one at a time, and until its reader has it', { timeout: 60_000 }, async () => {
    const users = Array.from({ length: 60_000 }, (_, i) => ({ email: `u${i}@example.com` }))
    const worlds = createWorlds({ clock: 'frozen', fixture: { users } })
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
    silent.destroy()
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 25_000 })
  })
})

describe('a process without memory', () => {
  it('adds nothing, reads and resets, and adds again as soon as there is room', {
    timeout: 120_000,
  }, async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=100' }
    const args = ['start', '--port', '0', '--clock', 'frozen', '--json']
    const { process: child, says } = startCommand(args, { env })
    const [, url] = await says(/"url":"([^"]+)"/)
    const call = async (path: string, init?: RequestInit) => {
      const response = await fetch(url + path, init)
      return { status: response.status, text: await response.text() }
    }
    const put = (body: string) => ({ ...post({}), method: 'PUT', body })
    const statusOf = async (path: string, init?: RequestInit) => (await call(path, init)).status
    let made = 0
    const add = () => call('/w/small/v2/users', post({ email: `u${made++}@example.com` }))
    const worlds: string[] = []
    /** Large worlds and then smaller ones, until there is no room for a user. */
    const fill = async () => {
      for (const length of [6_000, 600, 60]) {
        const users = Array.from({ length }, (_, i) => ({ email: `old${i}@example.com` }))
        for (;;) {
          const path = `/w/w${worlds.length}/_sandbox`
          if ((await statusOf(`${path}/reset`, post({ fixture: { users } }))) !== 200) break
          worlds.push(path)
        }
      }
      for (;;) {
        const { status, text } = await add()
        if (status === 507) return text
      }
    }
    const { text: empty } = await call('/w/small/_sandbox/state')
    expect(await fill()).toContain('MB of memory')
    expect(await statusOf(`${worlds[0]}/users`)).toBe(200)
    for (const path of worlds) expect(await statusOf(`${path}/reset`, post({}))).toBe(200)
    expect(await add()).toMatchObject({ status: 200 })
    const before = worlds.length
    await fill()
    expect(worlds.length).toBeGreaterThan(before)
    for (const path of worlds) expect(await statusOf(`${path}/state`, put(empty))).toBe(200)
    expect(await add()).toMatchObject({ status: 200 })
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('the end of time', () => {
  it('stops a running clock, so that its state is imported again', async () => {
    let wall = Date.UTC(2026, 6, 1)
    const clock = 'running@9999-12-31T23:59:00Z'
    const app = openApp({ clock, wallClock: () => wall })
    wall += 10 * 60_000
    expect(await createUser(app, 1)).toBe(200)
    expect((await app.send(QUOTE, { headers })).status).toBe(200)
    const state = await app.control('GET', '/state')
    expect(new Date(state.now).toISOString()).toBe('9999-12-31T23:59:59.999Z')
    await app.control('PUT', '/state', state)
    await app.close()
  })
})
