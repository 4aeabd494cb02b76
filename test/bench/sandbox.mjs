import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** A sandbox with verified users, each of them logged in, and one quote that never lapses. */
export async function openSandbox({ users, transactions = [], args = [], nodeArgs = [] }) {
  const folder = await mkdtemp(join(tmpdir(), 'ramp-bench-'))
  const emails = Array.from({ length: users }, (_, i) => `user-${i}@example.com`)
  const fixture = {
    integrators: [{ name: 'bench', apiKey: KEY }],
    users: emails.map((email) => ({ email, status: 'verified', loginCode: '0000' })),
    transactions,
  }
  const file = join(folder, 'fixture.json')
  await writeFile(file, JSON.stringify(fixture))
  // The limit is there to be checked, not to be met.
  const settings = ['--set', 'limits.active=1000000000']
  const start = ['--fixture', file, '--clock', CLOCK, ...settings, ...args]
  const started = await startSandbox({ args: start, nodeArgs })
  const { url, port } = started
  return { port, emails, call, logIn, quote, stop }

  async function stop() {
    await started.stop()
    await rm(folder, { recursive: true })
  }

  async function call(method, path, { body, token } = {}) {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
    if (token) headers.authorization = `Bearer ${token}`
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(url + path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return { text, json: text === '' ? null : JSON.parse(text) }
  }

  async function logIn(email) {
    await call('POST', '/v2/auth/login-codes', { body: { email } })
    const body = { email, code: '0000' }
    const { json } = await call('POST', '/v2/auth/login-codes/verify', { body })
    return json.data.accessToken
  }

  async function quote() {
    const { leftSideLabel, leftSideValue, rightSideLabel } = BUY
    const asked = new URLSearchParams({ leftSideLabel, leftSideValue, rightSideLabel })
    const { json } = await call('GET', `/v2/quotes?${asked}`)
    return json.data.quoteId
  }
}

/** A request as its bytes. */
export function toRequest(method, path, { token, body } = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `x-api-key: ${KEY}`,
    `authorization: Bearer ${token}`,
    ...(text && ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
