// Sandboxes with users, and the calls that they and their peers are measured by.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from '../helpers/sandbox.mjs'
import { startHelper, startServer } from './processes.mjs'

export const root = join(import.meta.dirname, '../..')

export const KEY = 'sandbox-key'
const QUOTED = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
export const QUOTE_PATH = `/v2/quotes?${new URLSearchParams(QUOTED)}`
export const BUY = {
  ...QUOTED,
  wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  externalSessionId: 'session-1',
}

/** Gone when the benchmark ends, however it ends. */
const folders = mkdtempSync(join(tmpdir(), 'ramp-bench-'))
process.on('exit', () => rmSync(folders, { recursive: true, force: true }))
export const newFolder = () => mkdtempSync(join(folders, 'run-'))

const emailOf = (user) => `user-${user}@example.com`
/** Said in the fixture, so that a call can name a user whom nobody asked for. */
export const idOf = (user) => `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`

/** A fixture of verified users, and of pending buys of theirs in turn. */
export function toFixture({ users, buys = 0, createdAt = () => '-0s' }) {
  return {
    integrators: [{ name: 'bench', apiKey: KEY, actsWithoutToken: true }],
    users: Array.from({ length: users }, (_, i) => {
      const accessibleBy = ['jwt', 'apiKey']
      return { email: emailOf(i), id: idOf(i), status: 'verified', loginCode: '0000', accessibleBy }
    }),
    transactions: Array.from({ length: buys }, (_, i) => ({
      user: emailOf(i % users),
      ...QUOTED,
      createdAt: createdAt(i),
    })),
  }
}

/** Starts the sandbox of a package with a frozen clock; `isKept` keeps its worlds on disk. */
export async function openSandbox(build, { isKept, nodeArgs = [], ...contents }) {
  const folder = newFolder()
  const file = join(folder, 'fixture.json')
  writeFileSync(file, JSON.stringify(toFixture(contents)))
  const server = await startServer([
    ...nodeArgs,
    ...[join(build, 'dist/cli.cjs'), 'start', '--port', '0', '--json', '--fixture', file],
    // The limit is there to be checked, not to be met.
    ...['--clock', '2026-07-01T12:00:00Z', '--set', 'limits.active=1000000000'],
    ...(isKept ? ['--data', join(folder, 'worlds')] : []),
  ])
  const { users } = contents
  return { ...server, folder, call, toCalls, createMany }

  /** Makes a call and returns the parsed response. */
  function call(method, path, { token, body } = {}) {
    return ask(method, server.url + path, { key: KEY, token, body })
  }

  /** Logs so many users in; the calls that each of them makes. */
  async function toCalls(callers) {
    const quoteId = await quote()
    const calls = { get: [], list: [], post: [], anonymous: [] }
    for (let user = 0; user < callers; user++) {
      const email = emailOf(user)
      await call('POST', '/v2/auth/login-codes', { body: { email } })
      const login = { body: { email, code: '0000' } }
      const { data } = await call('POST', '/v2/auth/login-codes/verify', login)
      const token = data.accessToken
      const post = toCreation({ token, quoteId })
      const created = await call(...post)
      calls.get.push(['GET', `/v2/transactions/${created.data.id}`, { token }])
      calls.list.push(['GET', '/v2/transactions?limit=20', { token }])
      calls.post.push(post)
      calls.anonymous.push(toCreation({ token, quoteId, externalSessionId: undefined }))
    }
    return calls
  }

  /** Creates many for all users in turn, fast: by the key alone, and several at once on a connection. */
  async function createMany(count) {
    const quoteId = await quote()
    const requests = Array.from({ length: users }, (_, i) =>
      toRequest(...toCreation({ quoteId, userId: idOf(i) })),
    )
    const load = startHelper('load', 'load.mjs')
    await load.ask('load', { server, requests, depth: 16, count })
    await load.stop()
  }

  /** One that never expires, because the clock is frozen. */
  async function quote() {
    return (await call('GET', QUOTE_PATH)).data.quoteId
  }
}

function toCreation({ token, ...body }) {
  return ['POST', '/v2/transactions', { token, body: { ...BUY, ...body } }]
}

/** The bytes of a call; without a token it is made by the key alone. */
export function toRequest(method, path, { token, headers = {}, body } = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: '127.0.0.1',
    'x-api-key': KEY,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${text}`
}
