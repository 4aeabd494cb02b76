import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectSandbox } from '../../src/client/connect.ts'
import { createWorlds, type Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import type { LeaseCredentials } from '../../src/http/control/wire.ts'
import { openStore } from '../../src/store/open.ts'
import { KEY, KEY_2, NOON } from '../helpers/app.ts'
import fc from '../helpers/fast-check.ts'
import { createFolder } from '../helpers/folder.ts'

const BASE = 'http://127.0.0.1:4100'
const MAIN = 'main-secret'
const users = '/v2/users?email=a@example.com'

// biome-ignore lint/suspicious/noExplicitAny: each test names what it reads
type Json = any

interface Sent {
  method?: string
  token?: string | undefined
  key?: string | undefined
  body?: unknown
}

/** A shared sandbox with a wall clock that only the test moves. */
function openShared(options: WorldsOptions = {}) {
  let now = Date.parse(NOON)
  const worlds = createWorlds({
    controlToken: MAIN,
    fixture: 'verified-user',
    clock: NOON,
    wallClock: () => now,
    ...options,
  })
  const call = (url: string, sent: Sent = {}) => send(worlds, url, sent)
  return {
    worlds,
    call,
    pass: (ms: number) => {
      now += ms
    },
    async lease(body: object = {}, prefix = ''): Promise<LeaseCredentials> {
      const sent = { method: 'POST', token: MAIN, body: { ttl: '1m', ...body } }
      const { status, json } = await call(`${BASE}${prefix}/_sandbox/leases`, sent)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`)
      return json
    },
    async names(): Promise<string[]> {
      const { json } = await call(`${BASE}/_sandbox/worlds`, { token: MAIN })
      return json.items.map(({ name }: { name: string }) => name)
    },
    [Symbol.asyncDispose]: () => worlds.close(),
  }
}

async function send(worlds: Worlds, url: string, { method = 'GET', token, key, body }: Sent) {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(key !== undefined && { 'x-api-key': key }),
    ...(method !== 'GET' && { 'content-type': 'application/json' }),
  }
  const json = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
  const answer = await worlds.fetch(new Request(url, { method, headers, ...json }))
  const text = await answer.text()
  return {
    status: answer.status,
    text,
    json: (text.startsWith('{') ? JSON.parse(text) : null) as Json,
  }
}

describe('a lease', () => {
  it('names a world, a key and a token that reach it, and the world is made on first use', async () => {
    await using shared = openShared()
    const lease = await shared.lease({ world: 'team-1', owner: 'Ana' })
    expect(lease).toMatchObject({
      world: 'team-1',
      owner: 'Ana',
      baseUrl: `${BASE}/w/team-1`,
      controlUrl: `${BASE}/w/team-1/_sandbox`,
      ttl: '1m',
      expiresAt: '2026-07-01T12:01:00.000Z',
    })
    expect(await shared.names()).toEqual(['default'])
    expect((await shared.call(lease.baseUrl + users, { key: lease.apiKey })).status).toBe(200)
    expect(await shared.names()).toEqual(['default', 'team-1'])
    const info = await shared.call(`${lease.controlUrl}/info`, { token: lease.controlToken })
    expect(info.json.integrators[0]).toMatchObject({ name: 'main', apiKey: lease.apiKey })
  })

  it('is of the world in the path, or of one with a random name', async () => {
    await using shared = openShared()
    expect((await shared.lease({}, '/w/mine')).world).toBe('mine')
    expect(await shared.names()).toEqual(['default'])
    const [one, two] = [await shared.lease(), await shared.lease()]
    expect(one.world).toMatch(/^lease-[\w-]{12}$/)
    expect(two.world).not.toBe(one.world)
  })

  it('keeps the public keys out, also after a reset and an import', async () => {
    await using shared = openShared()
    const { baseUrl, controlUrl, apiKey, controlToken: token } = await shared.lease()
    const statuses = async () => {
      const keys = [apiKey, `${apiKey}.2`, KEY, KEY_2]
      const answers = keys.map((key) => shared.call(baseUrl + users, { key }))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200, 401, 401])
    await shared.call(`${controlUrl}/reset`, { method: 'POST', token, body: { fixture: 'cast' } })
    expect(await statuses()).toEqual([200, 200, 401, 401])
    const { json } = await shared.call(`${BASE}/_sandbox/state`, { token: MAIN })
    await shared.call(`${controlUrl}/state`, { method: 'PUT', token, body: json })
    expect(await statuses()).toEqual([200, 200, 401, 401])
  })

  it('has ids and links that no other lease can guess', async () => {
    await using shared = openShared()
    const newUser = async ({ baseUrl, apiKey: key }: LeaseCredentials) => {
      const sent = { method: 'POST', key, body: { email: 'new@example.com' } }
      return (await shared.call(`${baseUrl}/v2/users`, sent)).json.data.id
    }
    const one = await newUser(await shared.lease())
    expect(await newUser(await shared.lease())).not.toBe(one)
  })

  it.each([
    [{ ttl: '999ms' }, 400],
    [{ ttl: '1s' }, 200],
    [{ ttl: '30d' }, 200],
    [{ ttl: 30 * 24 * 3_600_000 + 1 }, 400],
    [{ world: 'x'.repeat(64), ttl: '1s' }, 200],
    [{ world: 'x'.repeat(65), ttl: '1s' }, 400],
    [{ world: 'default', ttl: '1s' }, 409],
    [{ owner: 'é'.repeat(64), ttl: '1s' }, 200],
    [{ owner: 'é'.repeat(65), ttl: '1s' }, 400],
    [{}, 400],
  ])('of %j answers %i', async (body, status) => {
    await using shared = openShared()
    const sent = { method: 'POST', token: MAIN, body }
    expect(await shared.call(`${BASE}/_sandbox/leases`, sent)).toMatchObject({ status })
  })

  it('is not of a world that exists, and needs a control token to be a boundary', async () => {
    await using shared = openShared()
    await shared.call(`${BASE}/w/a/_sandbox/info`, { token: MAIN })
    await expect(shared.lease({ world: 'a' })).rejects.toThrow('world-exists')
    await shared.lease({ world: 'b' })
    await expect(shared.lease({ world: 'b' })).rejects.toThrow('world-exists')
    await using open = openShared({ controlToken: undefined })
    await expect(open.lease()).rejects.toThrow('no-control-token')
  })
})

describe('a lease lasts', () => {
  it('until it was not used for its length, and ends with its world', async () => {
    await using shared = openShared()
    const lease = await shared.lease({ world: 'team' })
    const use = async () => (await shared.call(lease.baseUrl + users, { key: lease.apiKey })).status
    const control = async () =>
      (await shared.call(`${lease.controlUrl}/clock`, { token: lease.controlToken })).status
    for (const act of [use, control, use]) {
      shared.pass(59_999)
      expect(await act()).toBe(200)
    }
    shared.pass(59_999)
    expect((await shared.call(`${lease.controlUrl}/clock`, { token: 'wrong' })).status).toBe(401)
    shared.pass(1)
    expect([await use(), await control()]).toEqual([401, 401])
    expect(await shared.names()).toEqual(['default'])
    const again = await shared.lease({ world: 'team' })
    expect([await use(), await control()]).toEqual([401, 401])
    expect((await shared.call(again.baseUrl + users, { key: again.apiKey })).status).toBe(200)
  })

  it('as long as PATCH says, with the token of either', async () => {
    await using shared = openShared()
    const lease = await shared.lease()
    const patch = async (token: string, body: object) =>
      (await shared.call(lease.leaseUrl, { method: 'PATCH', token, body })).json.expiresAt
    expect(await patch(MAIN, { ttl: '1h' })).toBe('2026-07-01T13:00:00.000Z')
    shared.pass(3_599_999)
    expect(await patch(lease.controlToken, {})).toBe('2026-07-01T13:59:59.999Z')
    expect(await patch(lease.controlToken, { ttl: '1s' })).toBe('2026-07-01T13:00:00.999Z')
    shared.pass(1_000)
    expect(await patch(lease.controlToken, {})).toBeUndefined()
  })

  it('until it is deleted, even where its first length is not over', async () => {
    await using shared = openShared()
    const lease = await shared.lease()
    const { baseUrl, leaseUrl, controlToken: token, apiKey: key } = lease
    await shared.call(baseUrl + users, { key })
    expect(await shared.call(leaseUrl, { method: 'DELETE', token })).toMatchObject({ status: 200 })
    expect((await shared.call(baseUrl + users, { key })).status).toBe(401)
    expect(await shared.names()).toEqual(['default'])
  })

  it('through an upgrade from a file that does not say until when', async () => {
    const folder = createFolder(onTestFinished)
    const file = join(folder, 'data')
    const store = await openStore(file)
    const ms = { createdAt: Date.parse(NOON), firstTtlMs: 60_000, ttlMs: 60_000 }
    store.keepLease({ id: 'lse_1', world: 'w', owner: null, ...ms, endedUntil: null })
    await store.close()
    await using shared = openShared({ store: await openStore(file) })
    const { json } = await shared.call(`${BASE}/_sandbox/leases`, { token: MAIN })
    const expiresAt = new Date(Date.parse(NOON) + 60_000).toISOString()
    expect(json.items).toMatchObject([{ id: 'lse_1', expiresAt }])
  })

  it('no longer than its end for a call that a fault holds meanwhile', async () => {
    await using shared = openShared()
    const lease = await shared.lease()
    const fault = { on: 'api', then: { delay: '100ms' } }
    const added = { method: 'POST', token: MAIN, body: fault }
    expect((await shared.call(`${lease.baseUrl}/_sandbox/faults`, added)).status).toBe(200)
    const held = shared.call(lease.baseUrl + users, keyOf(lease))
    const path = `${BASE}/_sandbox/leases/${lease.id}`
    expect((await shared.call(path, { method: 'DELETE', token: MAIN })).status).toBe(200)
    const { status, text } = await held
    expect(status).toBe(200)
    expect(text).not.toContain(lease.id)
    expect(await shared.names()).toEqual(['default'])
  })

  it('through a restart with its data, for what was left of its time, also after a kill', async () => {
    const folder = createFolder(onTestFinished)
    const file = join(folder, 'data.json')
    await using first = openShared({ store: await openStore(file) })
    const lease = await first.lease({ owner: 'Ana' })
    const user = { method: 'POST', key: lease.apiKey, body: { email: 'new@example.com' } }
    expect((await first.call(`${lease.baseUrl}/v2/users`, user)).status).toBe(200)
    first.pass(30_000)
    await first.call(lease.baseUrl + users, keyOf(lease))
    const restart = async (name: string, laterMs: number) => {
      copyFileSync(file, join(folder, name))
      const wallClock = () => Date.parse(NOON) + laterMs
      return openShared({ store: await openStore(join(folder, name)), wallClock })
    }
    const find = `${lease.baseUrl}/v2/users?email=new@example.com`
    {
      await using within = await restart('within', 89_999)
      const { json } = await within.call(`${BASE}/_sandbox/leases`, { token: MAIN })
      expect(json.items).toMatchObject([{ id: lease.id, owner: 'Ana' }])
      expect((await within.call(find, keyOf(lease))).json.data).toHaveLength(1)
    }
    await using behind = await restart('behind', 90_000)
    expect((await behind.call(find, keyOf(lease))).status).toBe(401)
    expect(await behind.names()).toEqual(['default'])
  })

  it('through a restart as PATCH says, and not once it was ended', async () => {
    const folder = createFolder(onTestFinished)
    const file = join(folder, 'data.json')
    const first = openShared({ store: await openStore(file) })
    const [longer, shorter, ended, unused] = [
      await first.lease({ owner: 'Ana' }),
      await first.lease(),
      await first.lease(),
      await first.lease(),
    ]
    const patch = async ({ leaseUrl, controlToken: token }: LeaseCredentials, ttl: string) =>
      first.call(leaseUrl, { method: 'PATCH', token, body: { ttl } })
    await patch(longer, '1h')
    await patch(shorter, '5s')
    await first.call(ended.baseUrl + users, keyOf(ended))
    await first.call(ended.leaseUrl, { method: 'DELETE', token: ended.controlToken })
    const written = readFileSync(file, 'utf8')
    for (const secret of [MAIN, ...[longer, ended].map(({ controlToken }) => controlToken)])
      expect(written).not.toContain(secret)
    await first.worlds.close()

    await using second = openShared({ store: await openStore(file) })
    const { json } = await second.call(`${BASE}/_sandbox/leases`, { token: MAIN })
    expect(json.items).toMatchObject([
      { id: longer.id, owner: 'Ana', ttl: '1h' },
      { id: shorter.id, ttl: '5s' },
      { id: unused.id, ttl: '1m' },
    ])
    const statusOf = async (lease: LeaseCredentials) =>
      (await second.call(lease.baseUrl + users, keyOf(lease))).status
    expect(await statusOf(ended)).toBe(401)
    second.pass(4_999)
    expect(await statusOf(shorter)).toBe(200)
    second.pass(5_000)
    expect(await statusOf(shorter)).toBe(401)
    second.pass(3_600_000 - 9_999 - 1)
    expect(await statusOf(longer)).toBe(200)
    second.pass(3_600_000)
    expect(await statusOf(longer)).toBe(401)
  })
})

const keyOf = ({ apiKey: key }: LeaseCredentials) => ({ key })

describe('several processes with one control token', () => {
  it('know a lease that another one gave, and nobody else does', async () => {
    await using one = openShared()
    await using two = openShared()
    await using foreign = openShared({ controlToken: 'another' })
    const lease = await one.lease()
    const call = [lease.baseUrl + users, { key: lease.apiKey }] as const
    expect((await two.call(...call)).status).toBe(200)
    expect((await foreign.call(...call)).status).toBe(401)
    two.pass(59_999)
    expect((await two.call(...call)).status).toBe(200)
    two.pass(59_999)
    expect((await two.call(...call)).status).toBe(200)
    two.pass(60_000)
    expect((await two.call(...call)).status).toBe(401)
  })
})

describe('no lease reaches another world', () => {
  const paths = [
    '/v2/users?email=alice@example.com',
    '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH',
    '/v2/webhook-configurations',
    '/v2/webhook-configurations/signing-secret/rotate',
    '/v2/auth/login-codes',
    '/apiFindUser?email=alice@example.com',
    '/priceQuote?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH',
    '/loginCodeSend?email=alice@example.com',
    '/webhooks',
    '/submitKYB',
    ...['', '/ui/users', '/demo', '/info', '/users', '/inbox', '/state', '/reset', '/worlds'].map(
      (path) => `/_sandbox${path}`,
    ),
    ...['/clock/advance', '/snapshots', '/faults', '/rates', '/settings', '/leases', '/events'].map(
      (path) => `/_sandbox${path}`,
    ),
    '/_sandbox/leases/OTHER',
    '/_sandbox/worlds/other',
    '/_sandbox/worlds/default',
    '/_sandbox/simulate/users/alice@example.com/kyc',
    '/_sandbox/scenarios/buy-completes/play',
    '/_sandbox/kyc/LINK',
    '/_sandbox/bank/x',
    '/_sandbox/sign-in',
  ]
  const bodies = [
    {},
    { email: 'alice@example.com', status: 'rejected', ttl: '1s', by: '1h', name: 'x' },
    { url: 'https://example.com/hook' },
    { world: 'stolen', ttl: '1h' },
    { fixture: 'cast', seed: 'x' },
  ]
  const prefixes = ['', '/w/other', '/w/default', '/w/fresh', '/w/own/../other', '/w/other/w/own']
  const calls = fc.record({
    prefix: fc.constantFrom(...prefixes),
    path: fc.constantFrom(...paths),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    body: fc.constantFrom(...bodies),
    credentials: fc.constantFrom('key', 'token', 'both', 'swapped', 'junk', 'cookie'),
  })

  it('by any call with its credentials', async () => {
    const property = fc.asyncProperty(fc.array(calls, { maxLength: 40 }), async (drawn) => {
      await using shared = openShared()
      const own = await shared.lease({ world: 'own' })
      const other = await shared.lease({ world: 'other' })
      for (const { baseUrl, apiKey: key } of [own, other])
        await shared.call(baseUrl + users, { key })
      const stateOf = async (url: string) =>
        (await shared.call(`${url}/_sandbox/state`, { token: MAIN })).text
      const before = [await stateOf(other.baseUrl), await stateOf(BASE)]
      for (const { prefix, path, method, body, credentials } of drawn) {
        const url = `${BASE}${prefix}${path.replace('OTHER', other.id).replace('LINK', 'x')}`
        const answer = await shared.worlds.fetch(
          new Request(url, {
            method,
            headers: { 'content-type': 'application/json', ...toHeaders(own, credentials) },
            ...(method !== 'GET' && { body: JSON.stringify(body) }),
          }),
        )
        const isPublic =
          prefix === '' || prefix === '/w/default' ? path.startsWith('/priceQuote') : false
        const text = await answer.text()
        expect(isPublic || answer.status >= 300, `${method} ${url} ${answer.status} ${text}`).toBe(
          true,
        )
        expect(text).not.toContain(other.apiKey)
        expect(text).not.toContain(other.controlToken)
      }
      const after = [await stateOf(other.baseUrl), await stateOf(BASE)]
      expect(after[0]).toBe(before[0])
      expect(withoutQuotes(after[1])).toEqual(withoutQuotes(before[1]))
      expect(await shared.names()).toEqual(['default', 'own', 'other'])
    })
    await fc.assert(property, { numRuns: 30 })
  }, 60_000)

  /** Outside leases v1 needs no key for a quote. */
  const withoutQuotes = (text = '{}') => {
    const { quotes: _, nextQuoteId: __, ...state } = JSON.parse(text)
    return state
  }

  function toHeaders({ apiKey, controlToken }: LeaseCredentials, kind: string) {
    const key = { 'x-api-key': apiKey }
    const token = { authorization: `Bearer ${controlToken}` }
    const headers: Record<string, object> = {
      key,
      token,
      both: { ...key, ...token },
      swapped: { 'x-api-key': controlToken, authorization: `Bearer ${apiKey}` },
      junk: { 'x-api-key': `${apiKey}.2`, authorization: `Bearer ${controlToken}x` },
      cookie: { ...key, cookie: `ramp_sandbox_control=${controlToken}` },
    }
    return headers[kind]
  }
})

describe('the holder of a lease', () => {
  it('sees and ends its own world alone, and may not lease another', async () => {
    await using shared = openShared()
    const { controlUrl, controlToken: token } = await shared.lease({ world: 'own' })
    await shared.lease({ world: 'other' })
    const { json } = await shared.call(`${controlUrl}/worlds`, { token })
    expect(json).toMatchObject({ total: 1, items: [{ name: 'own' }] })
    for (const [method, path] of [
      ['GET', '/leases'],
      ['POST', '/leases'],
      ['POST', '/scenarios/buy-completes/play'],
    ] as const) {
      const sent = { method, token, body: path === '/leases' ? { ttl: '1h' } : {} }
      const answer = await shared.call(controlUrl + path, sent)
      expect(answer, path).toMatchObject({ status: 403, json: { code: 'lease' } })
    }
    const deleted = { method: 'DELETE', token }
    expect((await shared.call(`${controlUrl}/worlds/other`, deleted)).status).toBe(404)
    expect((await shared.call(`${controlUrl}/worlds/own`, deleted)).status).toBe(200)
  })

  it('connects with what the answer says', async () => {
    await using shared = openShared()
    const lease = await shared.lease()
    const fetch = async (request: Request) => shared.worlds.fetch(request)
    const sandbox = connectSandbox(lease, { fetch })
    await sandbox.simulate.kyc('alice@example.com', 'rejected')
    await sandbox.reset()
    expect([sandbox.url, sandbox.apiKey]).toEqual([lease.baseUrl, lease.apiKey])
    await expect(sandbox.world('other').info()).rejects.toMatchObject({ code: 'control-token' })
  })
})
