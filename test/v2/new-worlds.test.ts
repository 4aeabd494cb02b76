import { describe, expect, it } from 'vitest'
import type { WorldsOptions } from '../../src/host/worlds.ts'
import type { Answer } from '../contract.ts'
import { KEY, openApp, type TestApp } from '../helpers/app.ts'
import { register } from '../helpers/story.ts'

const TOKEN = { authorization: 'Bearer secret' }
const JSON_TYPE = { 'content-type': 'application/json' }
const html = { accept: 'text/html' }
const users = '/v2/users?email=a@example.com'

async function names(app: TestApp): Promise<string[]> {
  const { text } = await app.send('/_sandbox/worlds', { headers: TOKEN })
  return JSON.parse(text).items.map(({ name }: { name: string }) => name)
}

/** The status of one call for the world `new`, and whether that made it. */
async function callNew(options: WorldsOptions, path: string, init: RequestInit) {
  const app = openApp(options)
  const { status } = await app.send(`/w/new${path}`, init)
  const isMade = (await names(app)).includes('new')
  await app.close()
  return { status, isMade }
}

describe('without a control token, a world', () => {
  it.each([
    ['a call with a known key', users, { headers: { 'x-api-key': KEY } }, 200],
    ['one that does not succeed', '/v2/limits', { headers: { 'x-api-key': KEY } }, 401],
    ['a v1 call', '/priceQuote', { headers: { 'x-api-key': KEY } }, 400],
    ['a control call', '/_sandbox/health', {}, 200],
    ['the dashboard', '/_sandbox/', { headers: html }, 200],
    ['a page of its own', '/_sandbox/info', { headers: { 'sec-fetch-site': 'same-origin' } }, 200],
  ])('is made by %s', async (_, path, init, status) => {
    expect(await callNew({}, path, init)).toEqual({ status, isMade: true })
  })

  it.each([
    ['a call without a key', users, {}, 401],
    ['an unknown key', users, { headers: { 'x-api-key': 'x' } }, 401],
    ['v1 without a key', '/priceQuote', {}, 401],
    ['the document', '/openapi.json', {}, 401],
    ['an unknown path', '/x', {}, 401],
    ['a KYC link', '/_sandbox/kyc/x', { headers: html }, 404],
    ['a bank link', '/_sandbox/bank/x', { headers: html }, 404],
    ['a webhook', '/_sandbox/catch/me', { method: 'POST' }, 404],
    ['a file of a page', '/_sandbox/assets/none.css', {}, 404],
    ['a reset without JSON', '/_sandbox/reset', { method: 'POST' }, 415],
    ['a start page', '/', { headers: html }, 302],
  ])('is not made by %s', async (_, path, init, status) => {
    expect(await callNew({}, path, init)).toEqual({ status, isMade: false })
  })

  it.each(['cross-site', 'same-site'])('is not made for a page that is %s', async (site) => {
    const fromPage = { 'sec-fetch-site': site }
    for (const path of [users, '/_sandbox/health', '/_sandbox/', '/_sandbox/events/stream']) {
      const init = { headers: { ...fromPage, ...html, 'x-api-key': KEY } }
      expect(await callNew({}, path, init), path).toEqual({ status: 403, isMade: false })
    }
  })

  it('is not made for a foreign host, even where the contract’s side answers it', async () => {
    const headers = { host: 'evil.example', 'x-api-key': KEY }
    for (const path of [users, '/_sandbox/health']) {
      const listens = { isLoopback: false, port: () => undefined }
      const call = callNew({ listens }, path, { headers })
      expect(await call, path).toEqual({ status: 403, isMade: false })
    }
  })

  it('answers everyone once it exists', async () => {
    const app = openApp()
    await register(app.world('new'))
    expect((await app.send('/w/new/openapi.json')).status).toBe(200)
    expect((await app.send('/w/new/v2/limits')).status).toBe(401)
    await app.close()
  })
})

describe('with a control token, a world', () => {
  const options = { controlToken: 'secret' }

  it.each([
    ['a control call', '/_sandbox/health', { headers: TOKEN }],
    ['a page that signed in', '/_sandbox/', { headers: { cookie: 'ramp_sandbox_control=secret' } }],
  ])('is made by %s', async (_, path, init) => {
    expect(await callNew(options, path, init)).toEqual({ status: 200, isMade: true })
  })

  it.each([
    ['a key, which is public', users, { headers: { 'x-api-key': KEY } }],
    ['no token', '/_sandbox/health', {}],
    ['another token', '/_sandbox/health', { headers: { authorization: 'Bearer x' } }],
    ['a page that asks to sign in', '/_sandbox/', { headers: html }],
    ['a failed sign-in', '/_sandbox/sign-in', { method: 'POST', headers: JSON_TYPE }],
  ])('is not made by %s', async (_, path, init) => {
    expect(await callNew(options, path, init)).toEqual({ status: 401, isMade: false })
  })
})

describe('what worlds hold together', () => {
  /** An empty world and four: the estimate of each is 32,000 bytes. */
  const worldsBytesMax = 5 * 36_000

  it('is bounded: the last world that fits is made, and the next is not', async () => {
    const app = openApp({ worldsBytesMax })
    for (const name of ['a', 'b', 'c', 'd']) await app.world(name).control('GET', '/health')
    for (const path of ['/w/e/_sandbox/health', `/w/e${users}`]) {
      const { status, text } = await app.send(path, { headers: { 'x-api-key': KEY } })
      expect([status, text]).toEqual([507, expect.stringContaining('DELETE /_sandbox/worlds/')])
    }
    await app.control('DELETE', '/worlds/a')
    await app.world('e').control('GET', '/health')
    expect(await names(app)).toEqual(['default', 'b', 'c', 'd', 'e'])
    await app.close()
  })

  it('stops growing at the bound, and can be read and reset', async () => {
    const app = openApp({ worldsBytesMax: 36_000 + 10_000 })
    const statuses: number[] = []
    const register = async (at: number) => {
      const headers = { 'x-api-key': KEY, ...JSON_TYPE }
      const body = JSON.stringify({ email: `u${at}@example.com` })
      return (await app.send('/v2/users', { method: 'POST', headers, body })).status
    }
    for (let at = 0; at < 6; at++) statuses.push(await register(at))
    expect(statuses).toEqual([200, 200, 200, 507, 507, 507])
    expect((await app.send(users, { headers: { 'x-api-key': KEY } })).status).toBe(200)
    await app.control('POST', '/reset')
    expect(await register(0)).toBe(200)
    await app.close()
  })

  it('counts what was done to it on the timeline, and what came of that', async () => {
    const quote = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
    const statusAfter = async (worldsBytesMax: number, advances: number, fixture: object) => {
      const app = openApp({ worldsBytesMax, fixture })
      for (let i = 0; i < advances; i++) await app.control('POST', '/clock/advance', { by: '2h' })
      const { status } = await app.send(quote, { headers: { 'x-api-key': KEY } })
      const { events, messages, quotes } = await app.control('GET', '/state')
      await app.close()
      const quotesBefore = quotes.length - 1
      return { status, bytes: 1_000 * events.length + 700 * messages.length + 600 * quotesBefore }
    }
    const user = { email: 'a@example.com', status: 'verified' }
    const bound = 36_000 + 1_400 + 2 * 1_500
    expect(await statusAfter(bound, 2, { users: [user] })).toMatchObject({ status: 200 })
    expect(await statusAfter(bound, 3, { users: [user] })).toMatchObject({ status: 507 })
    const sides = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
    const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
    const pending = { user: user.email, ...sides, wallet, createdAt: '-1m' }
    const fixture = { users: [user], transactions: [pending, pending, pending] }
    const { bytes } = await statusAfter(1e9, 1, fixture)
    const expired = 36_000 + 1_400 + 3 * (1_900 + 2_500) + bytes + 1_500 + 3 * 120
    expect(await statusAfter(expired, 1, fixture)).toMatchObject({ status: 200 })
    expect(await statusAfter(expired - 1, 1, fixture)).toMatchObject({ status: 507 })
  })

  it('refuses the reads, the simulations and the snapshots that would add to them', async () => {
    const app = openApp({ worldsBytesMax: 36_000 + 1_400, fixture: 'verified-user' })
    const state = await app.control('GET', '/state')
    const headers = { 'x-api-key': KEY, ...JSON_TYPE }
    const statusOf = async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      return (await app.send(path, init)).status
    }
    const quote = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
    const kyc = '/_sandbox/simulate/users/alice@example.com/kyc'
    expect(await statusOf('POST', kyc, { status: 'in-review' })).toBe(200)
    const full = [
      await statusOf('GET', quote),
      await statusOf('POST', kyc, { status: 'verified' }),
      await statusOf('POST', '/_sandbox/snapshots', { name: 'x' }),
    ]
    expect(full).toEqual([507, 507, 507])
    for (const path of [users, '/_sandbox/users', '/_sandbox/state', '/_sandbox/info'])
      expect(await statusOf('GET', path), path).toBe(200)
    expect(await statusOf('POST', '/_sandbox/clock/advance', { by: '1h' })).toBe(200)
    expect(await statusOf('PUT', '/_sandbox/state', state)).toBe(200)
    await app.close()
  })

  it('counts long texts by their length', async () => {
    const app = openApp({ worldsBytesMax: 200_000 })
    const headers = { 'x-api-key': KEY, ...JSON_TYPE }
    const long = 'x'.repeat(500)
    const post = async (i: number) => {
      const body = { email: `u${i}@example.com`, firstName: long, lastName: long, city: long }
      return (await app.send('/v2/users', { method: 'POST', headers, body: JSON.stringify(body) }))
        .status
    }
    let made = 0
    while ((await post(made)) === 200) made++
    const estimate = (200_000 - 36_000) / (1_400 + 3 * 500 - 500)
    expect(made).toBeLessThan(estimate)
    await app.close()
  })

  it('says how much it is, the bound, and how it is raised', async () => {
    const app = openApp({ worldsBytesMax: 40_000_000 })
    const headers = { 'content-type': 'application/json', 'content-length': '900000000' }
    const { status, text } = await app.send('/_sandbox/state', {
      method: 'PUT',
      headers,
      body: '{}',
    })
    expect([status, JSON.parse(text).code]).toEqual([507, 'worlds-full'])
    for (const words of ['900 MB more', '40 MB are the most', '--max-old-space-size'])
      expect(text).toContain(words)
    await app.close()
  })

  it('counts what an import, a reset or a snapshot would bring', async () => {
    const big = openApp({
      fixture: { users: [1, 2].map((n) => ({ email: `u${n}@example.com` })) },
    })
    const state = await big.control('GET', '/state')
    await big.close()
    const room = 36_000 + 2 * 1_400 - 1
    const app = openApp({ worldsBytesMax: room })
    const put = (body: unknown) =>
      app.send('/_sandbox/state', {
        method: 'PUT',
        headers: JSON_TYPE,
        body: JSON.stringify(body),
      })
    expect((await put(state)).status).toBe(507)
    expect((await put({ ...state, users: state.users.slice(0, 1) })).status).toBe(200)
    await app.close()
  })

  it('counts what imports need that are under way, and no longer', async () => {
    const app = openApp({ worldsBytesMax: 4_000_000 })
    const state = JSON.stringify(await app.control('GET', '/state'))
    const put = (path: string, body: string | ReadableStream) =>
      app.send(`${path}/_sandbox/state`, {
        method: 'PUT',
        headers: JSON_TYPE,
        body,
        duplex: 'half',
      } as RequestInit)
    const padded = state + ' '.repeat(1_500_000)
    let end = () => {}
    let first: Promise<Answer> | undefined
    await new Promise<void>((resolve) => {
      const slow = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(state + ' '.repeat(2_400_000)))
          end = () => controller.close()
        },
        pull: () => resolve(),
      })
      first = put('', slow)
    })
    expect(await put('/w/other', padded)).toMatchObject({
      status: 507,
      text: expect.stringContaining('calls under way need 5 MB'),
    })
    end()
    expect(await first).toMatchObject({ status: 200 })
    expect((await put('/w/other', padded)).status).toBe(200)
    await app.close()
  })
})
