import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './folders.mjs'
import { startSandbox } from './processes.mjs'

const KEY = 'sandbox-key'
const CLOCK = '2026-07-01T12:00:00Z'
export const BUY = {
  leftSideLabel: 'CAD',
  leftSideValue: 100,
  rightSideLabel: 'USDC-ETH',
  wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  externalSessionId: 'session-1',
}

const emailOf = (user) => `user-${user}@example.com`
/** Said in the fixture, so that a call can name a user whom nobody asked for. */
export const idOf = (user) => `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`

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

/** A sandbox with verified users whose login code is known; `isKept` gives it a data file. */
export async function openSandbox({ users, transactions = [], isKept, nodeArgs = [] }) {
  const folder = await makeFolder()
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
  await writeFile(file, JSON.stringify(fixture))
  // The limit is there to be checked, not to be met.
  const args = ['--fixture', file, '--clock', CLOCK, '--set', 'limits.active=1000000000']
  if (isKept) args.push('--data', join(folder, 'data.json'))
  const { url, port, stop } = await startSandbox({ args, nodeArgs })
  return { port, folder, emails, call, take, restore, logIn, quote, stop }

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

  async function logIn(email) {
    await call('POST', '/v2/auth/login-codes', { body: { email } })
    const body = { email, code: '0000' }
    const { json } = await call('POST', '/v2/auth/login-codes/verify', { body })
    return json.data.accessToken
  }

  /** One that never expires, because the clock stands. */
  async function quote() {
    const { leftSideLabel, leftSideValue, rightSideLabel } = BUY
    const asked = new URLSearchParams({ leftSideLabel, leftSideValue, rightSideLabel })
    const { json } = await call('GET', `/v2/quotes?${asked}`)
    return json.data.quoteId
  }
}

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
