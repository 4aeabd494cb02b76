import { expect, it, onTestFinished } from 'vitest'
import { Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import { openStore } from '../../src/store/store.ts'
import { appOf, KEY, NOON } from '../helpers/app.ts'
import { createFolder } from '../helpers/folder.ts'
import { openHooks } from '../helpers/hooks.ts'
import { readState, withoutJournal } from '../helpers/state.ts'

const BASE = 'http://127.0.0.1:4100'
const MAIN = 'main-secret'
const users = '/v2/users?email=alice@example.com'

// biome-ignore lint/suspicious/noExplicitAny: each test names what it reads
type Json = any

interface Sent {
  method?: string
  token?: string
  key?: string
  body?: unknown
}

/** A shared sandbox with a wall clock that only the test moves. */
function openShared(options: WorldsOptions = {}) {
  let now = Date.parse(NOON)
  const worlds = new Worlds({
    controlToken: MAIN,
    fixture: 'verified-user',
    clock: NOON,
    wallClock: () => now,
    ...options,
  })
  const fetch = (request: Request) => worlds.fetch(request)
  async function call(url: string, { method = 'GET', token, key, body }: Sent = {}) {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'x-api-key': key }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    }
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
    const response = await fetch(new Request(url, { method, headers, ...sent }))
    const text = await response.text()
    return { status: response.status, text, json: (text ? JSON.parse(text) : null) as Json }
  }
  const ask = async (url: string, sent: Sent = {}) => {
    const { status, json } = await call(url, sent)
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(json)}`)
    return json
  }
  return {
    worlds,
    call,
    ask,
    /** The world at a base URL, without any token. */
    app: ({ name }: { name: string }) => appOf(fetch, `/w/${name}`, async () => {}),
    pass: (ms: number) => {
      now += ms
    },
    create: (
      body: object = {},
      { at = BASE, token = MAIN }: { at?: string; token?: string } = {},
    ) => ask(`${at}/_sandbox/worlds`, { method: 'POST', token, body }),
    async names(): Promise<string[]> {
      const { items } = await ask(`${BASE}/_sandbox/worlds`, { token: MAIN })
      return items.map(({ name }: { name: string }) => name)
    },
    [Symbol.asyncDispose]: () => worlds.close(),
  }
}

it('a new private world has a name of 21 random characters, and responds to anyone who has its URL', async () => {
  await using shared = openShared()
  const [one, two] = [await shared.create(), await shared.create()]
  expect(one).toEqual({
    name: expect.stringMatching(/^p-[\w-]{21}$/),
    baseUrl: `${BASE}/w/${one.name}`,
    seed: expect.stringMatching(/^[\w-]{21}$/),
  })
  expect(two.name).not.toBe(one.name)
  const found = await shared.ask(one.baseUrl + users, { key: KEY })
  expect(found.data).toHaveLength(1)
  const moved = { method: 'POST', body: { by: '1h' } }
  expect((await shared.call(`${one.baseUrl}/_sandbox/clock/advance`, moved)).status).toBe(200)
  expect((await shared.call(`${two.baseUrl}/_sandbox/clock`)).json.now).toBe(
    '2026-07-01T12:00:00.000Z',
  )
})

it.each([
  [{ fixture: '../../etc/passwd' }, 400],
  [{ from: {}, fixture: 'cast' }, 400],
  [{ from: { world: 'no-such' } }, 404],
])('a request for a private world with %j gets %i', async (body, status) => {
  await using shared = openShared()
  const sent = { method: 'POST', token: MAIN, body }
  expect(await shared.call(`${BASE}/_sandbox/worlds`, sent)).toMatchObject({ status })
  expect(await shared.names()).toHaveLength(status === 200 ? 2 : 1)
})

const HOUR = 3_600_000

it('a private world ends when another is made after it was idle for an hour of wall time', async () => {
  await using shared = openShared()
  const { name, baseUrl } = await shared.create()
  for (const path of [users, '/_sandbox/clock', '/_sandbox/health']) {
    shared.pass(HOUR - 1)
    await shared.create()
    expect((await shared.call(baseUrl + path, { key: KEY })).status, path).toBe(200)
  }
  shared.pass(HOUR - 1)
  await shared.create()
  expect(await shared.names()).toContain(name)
  shared.pass(1)
  await shared.create()
  expect(await shared.names()).not.toContain(name)
})

it('a private world ends when it is the longest idle of 200 and another is made', async () => {
  await using shared = openShared()
  const made: { name: string; baseUrl: string }[] = []
  for (let i = 0; i < 200; i++) {
    made.push(await shared.create())
    shared.pass(1)
  }
  await shared.ask(`${made[0]?.baseUrl}/_sandbox/clock`)
  const { name } = await shared.create()
  const names = made.map((world) => world.name).filter((_, i) => i !== 1)
  expect(await shared.names()).toEqual(['default', ...names, name])
})

it('a private world does not end while a call or stream is open, and counts as idle once it ends', async () => {
  await using shared = openShared()
  const [polled, streamed] = [await shared.create(), await shared.create()]
  const stop = new AbortController()
  const open = (url: string) => shared.worlds.fetch(new Request(url, { signal: stop.signal }))
  const poll = open(`${polled.baseUrl}/_sandbox/events?timeout=60s`)
  const stream = await open(`${streamed.baseUrl}/_sandbox/events/stream`)
  shared.pass(2 * HOUR)
  await shared.create()
  expect(await shared.names()).toEqual(expect.arrayContaining([polled.name, streamed.name]))
  stop.abort()
  await Promise.all([poll, stream.text()])
  shared.pass(HOUR - 1)
  await shared.create()
  expect(await shared.names()).toEqual(expect.arrayContaining([polled.name, streamed.name]))
  shared.pass(1)
  const { name } = await shared.create()
  expect(await shared.names()).not.toContain(polled.name)
  expect(await shared.names()).not.toContain(streamed.name)
  expect(await shared.names()).toContain(name)
})

it('a private world does not end when a fork is made from it', async () => {
  await using shared = openShared()
  const { name } = await shared.create()
  shared.pass(HOUR)
  await shared.create({ from: { world: name } })
  expect(await shared.names()).toContain(name)
})

it('a private world does not come back after it was deleted, not even at its own URL', async () => {
  await using shared = openShared()
  const { name, baseUrl } = await shared.create()
  await shared.ask(`${baseUrl}/_sandbox/worlds/${name}`, { method: 'DELETE' })
  expect(await shared.names()).toEqual(['default'])
  for (const path of ['/', users, '/apiFindUser?email=a@b.c', '/_sandbox/', '/_sandbox/clock']) {
    const ended = await shared.call(baseUrl + path, { key: KEY, token: MAIN })
    const message = 'This private world has ended.'
    expect(ended, path).toMatchObject({ status: 404, text: expect.stringContaining(message) })
  }
})

it('a private world is not kept on disk', async () => {
  const data = createFolder(onTestFinished)
  {
    await using first = openShared({ store: await openStore(data) })
    const user = { method: 'POST', key: KEY, body: { email: 'new@example.com' } }
    await first.ask(`${BASE}/w/team/_sandbox/info`, { token: MAIN })
    const { baseUrl } = await first.create()
    await first.ask(`${baseUrl}/v2/users`, user)
  }
  await using second = openShared({ store: await openStore(data) })
  expect(await second.names()).toEqual(['default', 'team'])
})

it('a call does not create a world under the name of a private world', async () => {
  await using shared = openShared({ controlToken: undefined })
  const name = `p-${'x'.repeat(21)}`
  const sent = { key: KEY, method: 'POST' }
  for (const path of ['/v2/users', '/_sandbox/reset', '/_sandbox/catch/a']) {
    expect((await shared.call(`${BASE}/w/${name}${path}`, sent)).status, path).toBe(404)
  }
  expect(await shared.names()).toEqual(['default'])
  const like = [name.slice(0, -1), `${name}x`, name.replace('p-', 'q-')]
  for (const each of like) await shared.ask(`${BASE}/w/${each}/_sandbox/clock`)
  expect(await shared.names()).toEqual(['default', ...like])
})

it('a fork starts from the state of its origin, and then each goes its own way', async () => {
  await using shared = openShared()
  const origin = await shared.create()
  const app = shared.app(origin)
  await using hooks = await openHooks(app)
  const kyc = '/simulate/users/alice@example.com/kyc'
  await app.control('POST', kyc, { status: 'in-review' })
  const fork = await shared.create({ from: {} }, { at: origin.baseUrl, token: '' })
  const other = shared.app(fork)
  const stateOf = async (world: typeof app) => withoutJournal(await readState(world))
  const before = await stateOf(app)
  expect(await stateOf(other)).toEqual(before)
  await other.control('POST', kyc, { status: 'verified' })
  await other.control('POST', '/clock/advance', { by: '1h' })
  expect(await stateOf(app)).toEqual(before)
  await app.control('POST', kyc, { status: 'verified' })
  await app.control('POST', '/clock/advance', { by: '1h' })
  expect(await stateOf(app)).toEqual(await stateOf(other))
  const [, first, second] = hooks.receiver.received
  expect(String(second?.bytes)).toBe(String(first?.bytes))
  expect(String(first?.bytes)).toContain('"status": "verified"')
})

it('a fork does not accept a token of its origin', async () => {
  await using shared = openShared()
  const origin = await shared.create()
  const app = shared.app(origin)
  const email = 'alice@example.com'
  await app.call('POST /v2/auth/login-codes', { body: { email } })
  const fork = shared.app(await shared.create({ from: { world: origin.name } }))
  const { messages } = await app.control('GET', '/inbox')
  const body = { email, code: messages[0].code }
  const { accessToken: token } = await app.call('POST /v2/auth/login-codes/verify', { body })
  expect(await fork.refused('GET /v2/limits', { token })).toMatchObject({ status: 401 })
  const own = await fork.call('POST /v2/auth/login-codes/verify', { body })
  await fork.call('GET /v2/limits', { token: own.accessToken })
})

it('the URL of a private world reaches no other world, plays no scenarios, signs nobody in, and lists itself alone', async () => {
  await using shared = openShared()
  const own = await shared.create()
  const other = await shared.create()
  const control = `${own.baseUrl}/_sandbox`
  expect(await shared.ask(`${control}/worlds`)).toMatchObject({
    total: 1,
    items: [{ name: own.name }],
  })
  for (const path of ['/worlds', '/scenarios/buy-completes/play']) {
    const refused = await shared.call(control + path, { method: 'POST' })
    expect(refused, path).toMatchObject({ status: 403, json: { code: 'private-world' } })
  }
  const from = { method: 'POST', body: { from: { world: other.name } } }
  const end = { method: 'DELETE' }
  const refused = [
    await shared.call(`${control}/worlds`, from),
    await shared.call(`${control}/worlds/${other.name}`, end),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 404])
  expect(await shared.names()).toContain(other.name)
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
  const request = new Request(`${control}/sign-in`, { method: 'POST', headers, body: '{}' })
  expect((await shared.worlds.fetch(request)).headers.get('set-cookie')).toBeNull()
  expect(await shared.ask(`${control}/health`)).not.toHaveProperty('storage')
})
