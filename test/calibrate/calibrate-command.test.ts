import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCodeSource } from '../../src/cli/login-codes.ts'
import type { Sandbox } from '../../src/client/client.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { endCommands, startCommand } from '../helpers/command.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { FIXTURE, USER } from './second-sandbox.ts'

const KEY = 'provider-key'
const folder = createFolder()
const inFolder = (name: string) => join(folder, name)
let provider: Sandbox

beforeAll(async () => {
  const settings = { 'quotes.fee': 0.01, 'status.createUser': 201 } as const
  provider = await createSandbox({ fixture: FIXTURE, settings })
})
afterAll(() => provider.close())
afterEach(endCommands)

const calibrate = (...args: string[]) =>
  runInProcess(['calibrate', '--against', provider.url, '--api-key', 'env:KEY', ...args], {
    KEY,
  })

/** A command that prints the newest login code. */
function readsInbox(): string {
  const script = `fetch('${provider.url}/_sandbox/inbox?email=' + process.env.RAMP_SANDBOX_EMAIL)
    .then((response) => response.json()).then(({ messages }) => console.log(messages.at(-1).code))`
  return `'${process.execPath}' --eval "${script.replaceAll('\n', ' ')}"`
}

const readJson = (file: string) => JSON.parse(readFileSync(inFolder(file), 'utf8'))

describe('ramp-sandbox calibrate', () => {
  it('ends with 2 where a setting differs, and writes the settings and a report', async () => {
    const files = ['--out', inFolder('p.json'), '--report', inFolder('p.md')]
    const { code, out } = await calibrate('--user', USER, ...files)
    expect(code).toBe(2)
    expect(out).toContain('quotes.fee 0.01 (0.005)')
    expect(out).toContain('(set for you)')
    expect(readJson('p.json').settings).toMatchObject({
      'quotes.fee': 0.01,
      'fields.findUsers': 'contract',
    })
    expect(readJson('p.json').settings).not.toHaveProperty('status.createUser')
    const report = readFileSync(inFolder('p.md'), 'utf8')
    expect(report.split('\n')[2]).toMatch(/^Only reads were made\. .*\.$/)
    for (const secret of [KEY, USER, 'alice']) expect(report).not.toContain(secret)
  })

  it('hides a key and an address also where the provider returns them', async () => {
    await using echo = await createSandbox({ fixture: FIXTURE })
    const server = createServer(async ({ url, method = '', headers }, outgoing) => {
      const sent = { method, headers: { 'x-api-key': String(headers['x-api-key']) } }
      const response = await fetch(echo.url + url, sent)
      const body = JSON.stringify({ ...((await response.json()) as object), [KEY]: USER })
      outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(body)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const against = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const files = ['p.md', 'p.xml', 'p.json'].map((name) => join(createFolder(), name))
    const [report = '', junit = '', out = ''] = files
    const given = ['--against', against, '--api-key', 'env:KEY', '--user', USER]
    const written = ['--report', report, '--junit', junit, '--out', out]
    const both = ['--ignore-additional', 'no', '--json']
    const ran = await runInProcess(['calibrate', ...given, ...written, ...both], { KEY })
    const texts = [ran.out, ran.err, ...[report, junit].map((file) => readFileSync(file, 'utf8'))]
    expect(texts[0]).toContain('(hidden)')
    for (const text of texts) for (const secret of [KEY, USER]) expect(text).not.toContain(secret)
    // It names the user, who was given, for later runs.
    expect(readFileSync(out, 'utf8')).not.toContain(KEY)
  })

  it('ends with 0 when it compares with the settings that it wrote', async () => {
    const { code } = await calibrate('--settings', inFolder('p.json'))
    expect(code).toBe(0)
  })

  it('says that a setting is set for you only where it writes it', async () => {
    const { out } = await calibrate()
    expect(out).toContain('quotes.fee 0.01 (0.005)')
    expect(out).toContain('(can be set)')
    expect(out).toContain('can be set (--out FILE writes them)')
    expect(out).not.toContain('set for you')
  })

  it('writes settings that a play takes', async () => {
    // It counts on the fee.
    const { code } = await runInProcess(['play', 'buy-completes', '--settings', inFolder('p.json')])
    expect(code).toBe(1)
  })

  it.runIf(isFullDepth)('writes settings that a start takes', async () => {
    const file = inFolder('p.json')
    // What is set one by one wins; the other setting is of the file.
    const script = `fetch(process.env.RAMP_SANDBOX_CONTROL_URL + '/settings')
      .then((response) => response.json())
      .then((all) => [all['quotes.fee'] === 0.02, all['fields.findUsers'] === 'contract'])
      .then((found) => process.exit(found.every(Boolean) ? 0 : 9))`
    const args = ['exec', '--settings', file, '--set', 'quotes.fee=0.02']
    const started = await runInProcess([...args, '--', process.execPath, '--eval', script])
    expect(started.code).toBe(0)
  })

  it('goes further than reading only with --yes, and then logs in with a code from a command', async () => {
    const args = ['--level', 'write', '--user', USER, '--code-from', readsInbox(), '--json']
    const more = ['--new-users', 'qa+*@example.com']
    expect(await calibrate(...args)).toMatchObject({ code: 1, out: '' })
    const { code, out } = await calibrate(...args, ...more, '--yes')
    expect(code).toBe(2)
    const { settings, drift, notPutBack } = JSON.parse(out)
    expect(settings).toMatchObject({
      'status.createUser': 201,
      'login.token.ttl': '1h',
      'fields.sendLoginCode': 'full',
    })
    expect([drift, notPutBack]).toEqual([[], []])
  })

  it('prints every call of a dry run, and sends none', async () => {
    const { requests: before } = await provider.control<{ requests: object[] }>('GET', '/requests')
    const { code, out } = await calibrate('--level', 'write', '--user', USER, '--dry-run')
    const { requests: after } = await provider.control<{ requests: object[] }>('GET', '/requests')
    expect([code, after.length - before.length]).toEqual([0, 0])
    expect(out).toContain('GET /v2/quotes?leftSideLabel=CAD')
    expect(out).toContain('PUT /v2/webhook-configurations')
  })

  it('puts everything back at SIGINT', async () => {
    const url = 'https://ours.example.com/hooks'
    const integrators = [{ name: 'ours', apiKey: KEY, webhook: { url } }]
    await using held = await createSandbox({ fixture: { integrators } })
    // After its URL was changed, it waits for this response for as long as anybody wants.
    const match = { operation: 'testWebhookConfiguration' } as const
    await held.faults.add({ on: 'api', match, times: 1, then: { delay: '60s' } })
    const args = ['--against', held.url, '--api-key', 'env:KEY', '--level', 'write', '--yes']
    args.push('--webhooks', '0')
    const running = startCommand(['calibrate', ...args], { env: { KEY } })
    const headers = { 'x-api-key': KEY }
    const urlOf = async () => {
      const response = await held.fetch('/v2/webhook-configurations', { headers })
      return ((await response.json()) as { data: { url: string } }).data.url
    }
    await vi.waitUntil(async () => (await urlOf()) !== url, { timeout: 20_000, interval: 50 })
    running.process.kill('SIGINT')
    const { code, out } = await running.ended
    expect([code, out, await urlOf()]).toEqual([1, expect.stringContaining('interrupted'), url])
  }, 60_000)

  it('finds the code in the text of a message in JSON, beside dates, ids and sizes', async () => {
    const mail = {
      ID: 'ab12-2026-9999',
      Hex: 'f7596c',
      Created: '2026-11-23T00:00:00Z',
      Size: 2345,
    }
    const inbox: object[] = [mail]
    const server = createServer((_, response) => response.end(JSON.stringify({ inbox }))).listen(0)
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/?to={email}`
    const read = await createCodeSource(url, new AbortController().signal)(USER)
    inbox.push({ ...mail, ID: 'ab12-1111-8888', Hex: 'a7597b', Text: 'Your code:\n0417\n' })
    expect(await read()).toBe('0417')
  })

  it('waits for no code once it is stopped, whatever the command has started', async () => {
    const [stop, started] = [new AbortController(), inFolder('started')]
    const command = `sleep 60 & echo $! >'${started}'; wait`
    const read = await createCodeSource(command, stop.signal)(USER)
    const code = read()
    const pid = await vi.waitUntil(
      () => existsSync(started) && +readFileSync(started, 'utf8'),
      20_000,
    )
    onTestFinished(() => void process.kill(pid))
    stop.abort()
    expect(await code).toBeUndefined()
  }, 30_000)

  it.each([
    [['--level', 'all'], '--level must be'],
    [['--api-key', 'sandbox-key'], '--api-key must be env:NAME'],
    [['--new-users', 'qa@example.com'], '--new-users must be a plus address'],
    [['--against', 'example.com'], '--against must be a base URL'],
    [['--settings', '/nowhere.json'], '--settings /nowhere.json cannot be read'],
  ])('ends with 1 for %j', async (args, message) => {
    const { code, err } = await calibrate(...args)
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
  })

  it('ends with 1 where nothing responds, or where no call is let in', async () => {
    const gone = ['--against', 'http://127.0.0.1:1']
    expect((await calibrate(...gone)).code).toBe(1)
    const { code, err } = await runInProcess(
      ['calibrate', '--against', provider.url, '--api-key', 'env:KEY'],
      { KEY: 'unknown-key' },
    )
    expect([code, err]).toEqual([1, expect.stringContaining('401')])
  })
})
