import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isFullDepth } from './helpers/depth.ts'
import { findFreePort } from './webhooks/servers.ts'

const SECRET = 'whsec_test'
const LINES_MAX = 25
const STARTS_MAX_MS = 60_000
const PAGE = readFileSync(join(import.meta.dirname, '../docs/receivers.md'), 'utf8')

/** How each is started; C# needs a project around it, and is read only. */
const COMMANDS: Readonly<Record<string, (file: string, port: string) => string[]>> = {
  python: (file) => ['python3', file],
  go: (file) => ['go', 'run', file],
  java: (file) => ['java', file],
  php: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  ruby: (file) => ['ruby', file],
}
const FILES: Readonly<Record<string, string>> = {
  node: 'receiver.mjs',
  python: 'receiver.py',
  go: 'receiver.go',
  java: 'Receiver.java',
  php: 'receiver.php',
  ruby: 'receiver.rb',
}
const receivers = [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(
  ([, language = '', code = '']) => ({ language, code }),
)
const folders = (process.env.PATH ?? '').split(delimiter)
const isInstalled = (command: string) => folders.some((each) => existsSync(join(each, command)))

let running: ChildProcess | undefined
let folder: string | undefined
afterEach(() => {
  // Its own group, as `go run` starts another process.
  if (running?.pid) process.kill(-running.pid)
  running = undefined
  if (folder) rmSync(folder, { recursive: true })
  folder = undefined
})

describe('the page of receivers', () => {
  it('has six, of at most 25 lines each', () => {
    expect(receivers.map(({ language }) => language)).toEqual([...Object.keys(COMMANDS), 'csharp'])
    for (const { language, code } of receivers) {
      expect(code.trimEnd().split('\n').length, language).toBeLessThanOrEqual(LINES_MAX)
    }
  })

  for (const { language, code } of receivers) {
    const [command = ''] = COMMANDS[language]?.('', '') ?? []
    it.skipIf(command === '' || !isInstalled(command))(
      `takes in ${language} what is signed, and nothing else`,
      async () => {
        const url = await start(language, code)
        const now = Math.floor(Date.now() / 1000)
        const body = '{"id":"evt_1","email":"é漢🙂@example.com"}'
        expect(await post(url, { body, at: now })).toBe(204)
        expect(await post(url, { body, at: now, secret: 'another' })).toBe(401)
        expect(await post(url, { body, at: now - 301 })).toBe(401)
        expect(await post(url, { body, at: now, sent: `${body} ` })).toBe(401)
        expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
      },
      STARTS_MAX_MS,
    )

    it.skipIf(command === '' || !isInstalled(command) || !isFullDepth)(
      `takes in ${language} nothing that is signed with a missing secret`,
      async () => {
        const url = await start(language, code, '')
        const at = Math.floor(Date.now() / 1000)
        expect(await post(url, { body: '{"id":"evt_1"}', at, secret: '' })).toBe(401)
      },
      STARTS_MAX_MS,
    )
  }
})

describe('the receivers of the examples', () => {
  it.runIf(isFullDepth).each([
    ['node', 'receiver.mjs'],
    ['python', 'receiver.py'],
  ])('take in %s nothing that is signed with a missing secret', async (language, name) => {
    const code = readFileSync(join(import.meta.dirname, 'examples/receivers', name), 'utf8')
    const url = await start(language, code, '')
    const at = Math.floor(Date.now() / 1000)
    expect(await post(url, { body: '{"id":"evt_1"}', at, secret: '' })).toBe(401)
  })
})

async function start(language: string, code: string, secret = SECRET): Promise<string> {
  folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  const file = join(folder, FILES[language] ?? '')
  writeFileSync(file, code)
  const port = String(await findFreePort())
  const [command = '', ...args] = COMMANDS[language]?.(file, port) ?? ['node', file]
  const env = {
    ...process.env,
    RAMP_SANDBOX_SIGNING_SECRET: secret,
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

async function post(url: string, { body, at, secret = SECRET, sent = body }: Sent) {
  const digest = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  const headers = { 'x-service-timestamp': String(at), 'x-service-signature': `v1=${digest}` }
  return (await fetch(url, { method: 'POST', headers, body: sent })).status
}
