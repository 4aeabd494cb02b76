import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHelper, startSandbox } from './processes.mjs'

/** Users who call, and connections they call by: more users would only log in for longer. */
export const CALLERS = 32

const KEY = 'sandbox-key'
const CLOCK = '2026-07-01T12:00:00Z'
const BUY = {
  leftSideLabel: 'CAD',
  leftSideValue: 100,
  rightSideLabel: 'USDC-ETH',
  wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  externalSessionId: 'session-1',
}

/** Gone when the benchmark ends, however it ends. */
const folders = mkdtempSync(join(tmpdir(), 'ramp-bench-'))
process.on('exit', () => rmSync(folders, { recursive: true, force: true }))

const emailOf = (user) => `user-${user}@example.com`
/** Said in the fixture, so that a call can name a user whom nobody asked for. */
const idOf = (user) => `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`

/** So many pending buys in a fixture, of the users in turn, created when `createdAt` says. */
export function toBuys({ count, users, createdAt = () => '-0s' }) {
  const { leftSideLabel, leftSideValue, rightSideLabel } = BUY
  return Array.from({ length: count }, (_, i) => ({
    user: emailOf(i % users),
    leftSideLabel,
    leftSideValue,
    rightSideLabel,
    createdAt: createdAt(i),
  }))
}

/** A sandbox with verified users whose login code is known; `isKept` keeps it on disk. */
export async function openSandbox({ users, transactions = [], isKept, nodeArgs = [] }) {
  const folder = mkdtempSync(join(folders, 'sandbox-'))
  const emails = Array.from({ length: users }, (_, i) => emailOf(i))
  const fixture = {
    integrators: [{ name: 'bench', apiKey: KEY, actsWithoutToken: true }],
    users: emails.map((email, i) => {
      const accessibleBy = ['jwt', 'apiKey']
      return { email, id: idOf(i), status: 'verified', loginCode: '0000', accessibleBy }
    }),
    transactions,
  }
  const file = join(folder, 'fixture.json')
  writeFileSync(file, JSON.stringify(fixture))
  // The limit is there to be checked, not to be met.
  const args = ['--fixture', file, '--clock', CLOCK, '--set', 'limits.active=1000000000']
  if (isKept) args.push('--data', join(folder, 'worlds'))
  const { url, port, stop } = await startSandbox({ args, nodeArgs })
  return { port, folder, call, take, restore, openSessions, createMany, stop }

  async function call(method, path, { body, token } = {}) {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
    if (token) headers.authorization = `Bearer ${token}`
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(url + path, init)
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${method} ${path} responded with ${response.status}: ${text}`)
    return { text, json: text === '' ? null : JSON.parse(text) }
  }

  /** Keeps the world as it is now, for `restore`. */
  async function take() {
    await call('POST', '/_sandbox/snapshots', { body: { name: 'taken' } })
  }

  async function restore() {
    await call('POST', '/_sandbox/snapshots/taken/restore', { body: {} })
  }

  /** Some of its users, logged in, and a buy that each of them could make. */
  async function openSessions() {
    const quoteId = await quote()
    const sessions = []
    for (const email of emails.slice(0, CALLERS)) {
      await call('POST', '/v2/auth/login-codes', { body: { email } })
      const body = { email, code: '0000' }
      const { json } = await call('POST', '/v2/auth/login-codes/verify', { body })
      sessions.push({ token: json.data.accessToken, body: { ...BUY, quoteId } })
    }
    return sessions
  }

  /** Creates many for all users in turn, fast: by the key alone, and several at once on a connection. */
  async function createMany(count) {
    const quoteId = await quote()
    const requests = emails.map((_, i) =>
      toRequest(...toCreation({ body: { ...BUY, quoteId, userId: idOf(i) } })),
    )
    const load = startHelper('load', 'load.mjs')
    const order = { port, requests, connections: CALLERS, depth: 16, count }
    const { received } = await load.ask('load', order)
    await load.stop()
    if (received !== count) throw new Error(`${received} of ${count} were created`)
  }

  /** One that never expires, because the clock stands. */
  async function quote() {
    const { leftSideLabel, leftSideValue, rightSideLabel } = BUY
    const asked = new URLSearchParams({ leftSideLabel, leftSideValue, rightSideLabel })
    const { json } = await call('GET', `/v2/quotes?${asked}`)
    return json.data.quoteId
  }
}

/** What can be called, as `[method, path, options]` for `call` and `toRequest`. */
export const toCreation = ({ token, body }) => ['POST', '/v2/transactions', { token, body }]
export const toRead = ({ token }, id) => ['GET', `/v2/transactions/${id}`, { token }]

/** A request as its bytes; without a token it is made by the key alone. */
export function toRequest(method, path, { token, body } = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `x-api-key: ${KEY}`,
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text && ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
