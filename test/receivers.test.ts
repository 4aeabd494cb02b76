import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { isFalse, MUTATIONS, type Mutation } from '../src/webhooks/mutation.ts'
import { isFullDepth } from './helpers/depth.ts'
import { findFreePort } from './helpers/sandbox.mjs'

const SECRET = 'whsec_test'
const WITH_SECRET = {
  integrators: [{ name: 'main', apiKey: 'sandbox-key', signingSecret: SECRET }],
  users: [{ email: 'zoé@example.com' }],
}
const LINES_MAX = 36
const STARTS_MAX_MS = 60_000
const PAGE = readFileSync(join(import.meta.dirname, '../docs/webhooks.md'), 'utf8')

/** How each is started; C# needs a project around it, and is read only. */
const COMMANDS: Readonly<Record<string, (file: string, port: string) => string[]>> = {
  python: (file) => ['python3', file],
  go: (file) => ['go', 'run', file],
  java: (file) => ['java', file],
  php: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  ruby: (file) => ['ruby', file],
}
const FILES: Readonly<Record<string, string>> = {
  python: 'receiver.py',
  go: 'receiver.go',
  java: 'Receiver.java',
  php: 'receiver.php',
  ruby: 'receiver.rb',
}
const receivers = [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
  .map(([, language = '', code = '']) => ({ language, code }))
  .filter(({ language }) => language in COMMANDS || language === 'csharp')
const folders = (process.env.PATH ?? '').split(delimiter)
const isInstalled = (command: string) => folders.some((each) => existsSync(join(each, command)))
/** Languages that `.ci/run` installs: there, one that is missing is a failure. */
const INSTALLED = ['python', 'go', 'php', 'ruby']
/** These take seconds to start, so only `.ci/run` tries them. */
const COMPILED = ['go', 'java']
const skipped = receivers
  .map(({ language }) => language)
  .filter((language) => !canRun(language) && !(isFullDepth && INSTALLED.includes(language)))
if (skipped.length > 0) console.warn(`Not installed, so not tested: ${skipped.join(', ')}.`)

function canRun(language: string): boolean {
  const [command] = COMMANDS[language]?.('', '') ?? []
  return command !== undefined && isInstalled(command)
}

let running: ChildProcess | undefined
let folder: string | undefined
afterEach(() => {
  // Its own group, as `go run` starts another process.
  if (running?.pid) process.kill(-running.pid)
  running = undefined
  if (folder) rmSync(folder, { recursive: true })
  folder = undefined
})

describe('the page on webhooks', () => {
  it('the page on webhooks shows how a status only moves forward', async () => {
    const { applyEvent } = await import('./examples/receivers/orders.js')
    const become = (from: string, ...statuses: string[]) =>
      statuses.reduce(
        (order, status) => applyEvent(order, { type: 'transaction.update', payload: { status } }),
        { id: 'order-1', status: from },
      ).status
    const pending = 'pending request money transfer'
    const processing = 'processing request money transfer'
    expect(become(pending, processing, 'complete')).toBe('complete')
    expect(become(pending, 'complete', processing, 'complete')).toBe('complete')
    expect(become(pending, 'expired', pending)).toBe('expired')
    expect(become(pending, 'a status of next year')).toBe(pending)
  })

  it(`the page on webhooks has receivers in six other languages, of at most ${LINES_MAX} lines each`, () => {
    expect(receivers.map(({ language }) => language)).toEqual([...Object.keys(COMMANDS), 'csharp'])
    for (const { language, code } of receivers) {
      expect(code.trimEnd().split('\n').length, language).toBeLessThanOrEqual(LINES_MAX)
    }
  })

  for (const { language, code } of receivers) {
    it.skipIf(skipped.includes(language) || (COMPILED.includes(language) && !isFullDepth))(
      `a receiver in ${language} accepts only what is signed`,
      async () => {
        const url = await start(language, code)
        const now = Math.floor(Date.now() / 1000)
        const body = '{"id":"evt_1","email":"é漢🙂@example.com"}'
        expect(await post(url, { body, at: now })).toBe(204)
        expect(await post(url, { body, at: now, secret: 'another' })).toBe(401)
        expect(await post(url, { body, at: now - 301 })).toBe(401)
        expect(await post(url, { body, at: now, sent: `${body} ` })).toBe(401)
        expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
        expect(await postChunks(url, { body, at: now })).toBe(204)
        expect(await postChunks(url, { body, at: now, sent: `${body} ` })).toBe(401)
        for (const end of CUTS) await cutInChunk(url, { body, at: now }, end)
        expect(await postChunks(url, { body, at: now })).toBe(204)
        expect(await judgeMutations(url)).toEqual(MUTATIONS.map(toExpected))
      },
      STARTS_MAX_MS,
    )
  }
})

it('a receiver in Next accepts only what is signed', async () => {
  const { POST } = await import('./examples/receivers/app/webhooks/route.js')
  vi.stubEnv('RAMP_SANDBOX_SIGNING_SECRET', SECRET)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const at = Math.floor(Date.now() / 1000)
  const body = '{"id":"evt_1","type":"user.update","payload":{"email":"é漢🙂@example.com"}}'
  const receive = async (signed: Omit<Sent, 'body'>) => {
    const init = { method: 'POST', headers: sign({ body, ...signed }), body: signed.sent ?? body }
    return (await POST(new Request('http://localhost/webhooks', init))).status
  }
  expect(await receive({ at })).toBe(204)
  expect(await receive({ at, secret: 'another' })).toBe(401)
  expect(await receive({ at: at - 301 })).toBe(401)
  expect(await receive({ at, sent: `${body} ` })).toBe(401)
  vi.stubEnv('RAMP_SANDBOX_SIGNING_SECRET', '')
  expect(await receive({ at, secret: '' })).toBe(401)
})

const toExpected = (mutation: Mutation) => `${mutation}: ${isFalse(mutation) ? 401 : 204}`

/** How a receiver responds to each webhook of a sandbox that is changed on purpose. */
async function judgeMutations(url: string): Promise<string[]> {
  await using sandbox = await createSandbox({ fixture: WITH_SECRET })
  await sandbox.webhooks.set(url)
  await sandbox.simulate.kyc('zoé@example.com', 'verified')
  const judged: string[] = []
  for (const mutate of MUTATIONS) {
    const { response } = await sandbox.webhooks.resend('dlv_1', { mutate })
    judged.push(`${mutate}: ${response?.status}`)
  }
  return judged
}

async function start(language: string, code: string): Promise<string> {
  folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  const file = join(folder, FILES[language] ?? '')
  writeFileSync(file, code)
  const port = String(await findFreePort())
  const [command = '', ...args] = COMMANDS[language]?.(file, port) ?? []
  const env = {
    ...process.env,
    RAMP_SANDBOX_SIGNING_SECRET: SECRET,
    PORT: port,
    GOFLAGS: '-mod=mod',
  }
  running = spawn(command, args, { env, detached: true, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/webhooks`
  const isUp = () => fetch(url, { method: 'POST' }).then(Boolean, () => false)
  await expect.poll(isUp, { timeout: STARTS_MAX_MS, interval: 100 }).toBe(true)
  return url
}

interface Sent {
  body: string
  at: number
  secret?: string
  /** What is sent in place of the signed body. */
  sent?: string
}

async function post(url: string, { sent, ...signed }: Sent) {
  const body = sent ?? signed.body
  return (await fetch(url, { method: 'POST', headers: sign(signed), body })).status
}

/** Posts without a Content-Length, in chunks that end in the middle of a character. */
async function postChunks(url: string, { sent, ...signed }: Sent) {
  const bytes = Buffer.from(sent ?? signed.body)
  const request = http.request(url, { method: 'POST', headers: sign(signed) })
  for (let at = 0; at < bytes.length; at += 3) request.write(bytes.subarray(at, at + 3))
  request.end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  response.resume()
  return response.statusCode
}

/** How a connection is cut: with its end, and with a reset. */
const CUTS = ['end', 'resetAndDestroy'] as const

/** Sends the length of a first chunk, and nothing more. */
async function cutInChunk(url: string, signed: Sent, end: (typeof CUTS)[number]) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).resume()
  const headers = Object.entries({ host: hostname, ...sign(signed), ...CHUNKED })
  const lines = ['POST / HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`)]
  await new Promise((resolve) => socket.write(`${lines.join('\r\n')}\r\n\r\n10\r\n`, resolve))
  socket[end]()
  await once(socket, 'close')
}
const CHUNKED = { 'transfer-encoding': 'chunked' }

function sign({ body, at, secret = SECRET }: Omit<Sent, 'sent'>) {
  const digest = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return { 'x-service-timestamp': String(at), 'x-service-signature': `v1=${digest}` }
}
