import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { createReceiver } from '../src/client/receiver.ts'
import {
  CLI,
  endCommands,
  runCommand,
  startProgram,
  startSandbox,
  untilReady,
} from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

afterAll(endCommands)

const folder = createFolder()
/** What a command of `exec` writes down. */
const said = join(folder, 'said')

const readIf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const start = (...args: string[]) => startSandbox(args)

// biome-ignore lint/suspicious/noExplicitAny: the control API has tests and shapes of its own
const read = async (url: string): Promise<any> => (await fetch(url)).json()

it('the command line prints its version and its help', async () => {
  expect(await runCommand(['--version'])).toMatchObject({
    code: 0,
    out: `${manifest.version}\n`,
    err: '',
  })
  const { code, out } = await runInProcess(['--help'])
  expect(code).toBe(0)
  for (const command of ['start', 'user', 'settings']) expect(out).toContain(command)
})

it.each([
  [[], 'Usage: ramp-sandbox COMMAND'],
  [['strat'], 'There is no command strat; did you mean start?'],
  [['start', '--prot', '1'], 'start has no option --prot; did you mean --port?'],
  [['start', '--port'], '--port needs a value: --port PORT.'],
  [['start', '--foo'], 'start has no option --foo.\n'],
  [['start', '--settings', 'README.md'], '--settings README.md is not JSON: '],
  [['start', '--settings', 'none.json'], '--settings none.json cannot be read: '],
  [
    ['openapi', '--url', 'foo'],
    '--url must be a base URL such as https://api.example.com, not foo.',
  ],
  [['users', '--control-token', 'a b'], '--control-token must be printable ASCII without spaces'],
  [['start', '--clock', 'soon'], '--clock must be running, frozen, '],
  [['start', '--log', 'some'], '--log must be all, errors or off, not some.'],
  [['start', '--fixture', 'casts'], 'There is no fixture casts; did you mean cast?'],
  [['start', '--fixture', 'casts'], 'fixture of your own, give its path, such as ./mine.json.\n'],
  [['start', '--allow-webhook-host', 'a:b:c'], 'as receiver or receiver:8080; a:b:c is not one.'],
  [['start', '--allow-host', 'a:b:c'], 'such as sandbox.example.com; a:b:c is not one.'],
  [['start', '--allow-host', 'http://x'], 'you need --allow-host only for the control API.'],
  [['start', '--set', 'quotes.tll=1h'], 'There is no setting quotes.tll; did you mean quotes.ttl?'],
  [['start', '--data', '/dev/null'], '--data /dev/null cannot be used: '],
  [['exec', '--variants', 'quotse', '--', 'true'], 'no group quotse; did you mean quotes?'],
  [['start', '--host', '0.0.0.0'], 'set RAMP_SANDBOX_CONTROL_TOKEN, or add --no-control.'],
  [
    ['start', '--host', '0.0.0.0', '--control-token', '15-characters-x'],
    'The control token needs at least 16 characters',
  ],
])('the command line rejects %j with a sentence', async (args, sentence) => {
  const { code, out, err } = await runInProcess(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(sentence)
  expect(err).not.toMatch(/^\s+at /m)
})

it('the command line exits with 2 and prints only a sentence', async () => {
  const key = ['--tls-key', '/no/such/folder/f']
  const { code, out, err } = await runCommand(['start', '--port', '0', ...key])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^ramp-sandbox: Give --tls-cert and --tls-key together/)
  expect(err).not.toMatch(/^\s+at /m)
})

it('start prints its URL for scripts, and a second start says that the port is taken', async () => {
  const { ready } = await start()
  const { url, port } = ready
  expect(ready).toEqual({
    event: 'ready',
    url: `http://127.0.0.1:${port}`,
    port: expect.any(Number),
    apiKey: 'sandbox-key',
    controlUrl: `${url}/_sandbox`,
    inspectorUrl: `${url}/_sandbox/`,
    version: manifest.version,
  })
  expect(await read(`${url}/_sandbox/health`)).toMatchObject({ status: 'ok' })
  const second = await runInProcess(['start', '--port', String(port)])
  expect(second.code).toBe(2)
  expect(second.err).toContain(
    `is taken by another ramp-sandbox (${manifest.version}), which responds at`,
  )
  await using other = await createReceiver()
  const taken = await runInProcess(['start', '-p', new URL(other.url).port])
  expect(taken.code).toBe(2)
  expect(taken.err).toContain('on 127.0.0.1 is already in use')
})

it.concurrent('start starts the requested world', async () => {
  const { ready } = await start(
    ...['--fixture', 'cast', '--seed', 'mine', '--clock', '2026-07-01T12:00:00Z'],
    ...['--contract-only', '--set', 'responses.fields=full'],
    ...['--set', 'transactions.settlement=auto'],
  )
  const info = await read(`${ready.controlUrl}/info`)
  expect(info).toMatchObject({
    fixture: 'cast',
    seed: 'mine',
    now: '2026-07-01T12:00:00.000Z',
    mode: 'frozen',
  })
  const readSetting = async (id: string) => (await read(`${ready.controlUrl}/settings/${id}`)).value
  expect(await readSetting('auth.updateUser')).toBe('token')
  expect(await readSetting('responses.fields')).toBe('full')
  const { tasks } = await read(`${ready.controlUrl}/clock`)
  expect(tasks.map(({ kind }: { kind: string }) => kind)).toEqual([
    'settle-transaction',
    'receive-funds',
    'expire-transaction',
  ])
})

it('start takes options from the environment, and its own options override them', async () => {
  const env = { RAMP_SANDBOX_OPTIONS: '--fixture cast  --seed random' }
  const read = `curl --silent "$RAMP_SANDBOX_CONTROL_URL/info" > "${said}"`
  const infos = []
  for (const options of [[], ['--fixture', 'default']]) {
    await runInProcess(['exec', ...options, '--', 'sh', '-c', read], env)
    infos.push(JSON.parse(readIf(said)))
  }
  expect(infos).toMatchObject([{ fixture: 'cast' }, { fixture: 'default' }])
  // Each start draws a seed of its own.
  expect(new Set([...infos.map(({ seed }) => seed), 'random', 'ramp-sandbox']).size).toBe(4)
})

it.concurrent('start requires the control token, or turns the control API off', async () => {
  const guarded = await start('--host', '0.0.0.0', '--control-token', 'a-secret-of-a-test')
  expect((await fetch(`${guarded.ready.controlUrl}/info`)).status).toBe(401)
  const without = await start('--host', '0.0.0.0', '--no-control')
  expect(without.ready).toMatchObject({ controlUrl: null, inspectorUrl: null })
  expect((await fetch(`${without.ready.url}/_sandbox/info`)).status).toBe(404)
})

it('start takes its control token from the environment, which ps does not show', async () => {
  const env = { RAMP_SANDBOX_CONTROL_TOKEN: 'from-env\n' }
  const get = `curl --silent --output /dev/null --write-out '%{http_code} '`
  const cases = [
    ['from-env', []],
    ['from-option', ['--control-token', 'from-option']],
  ] as const
  for (const [token, args] of cases) {
    const status = `${get} "$RAMP_SANDBOX_CONTROL_URL/info"`
    const script = `{ ${status}; ${status} --header 'authorization: Bearer ${token}'; } > "${said}"`
    await runInProcess(['exec', ...args, '--', 'sh', '-c', script], env)
    expect(readIf(said), token).toBe('401 200 ')
  }
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'start exits on %s without waiting for calls that hang',
  async (signal) => {
    const { process: child, ready } = await start()
    const hanging = fetch(`${ready.controlUrl}/events?timeout=60s&count=1`).then(
      (response) => response.text(),
      () => 'ended',
    )
    await read(`${ready.controlUrl}/health`)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
    await hanging
  },
)

describe.concurrent('the npx that started a sandbox', () => {
  const npm = { npm_execpath: '/usr/lib/npm-cli.cjs' }
  const command = `"${process.execPath}" "${CLI}" start --port 0 --json`

  /** npm, then a shell that prints its pid, then the sandbox: the family that npx makes. */
  async function family(env: Record<string, string>) {
    const shell = `echo $$; ${command}; exit $?`
    const program = startProgram(['sh', '-c', `sh -c '${shell}'; exit $?`], { env })
    const [pid] = await program.says(/^\d+$/m)
    const { ready } = await untilReady(program)
    expect(await read(`${ready.controlUrl}/health`)).toMatchObject({ status: 'ok' })
    return { ...program, shell: Number(pid) }
  }

  it('a sandbox that npx started ends with its shell, which npx ends on SIGTERM', async () => {
    const { shell, ended } = await family(npm)
    process.kill(shell, 'SIGKILL')
    await ended
  })

  it('a sandbox that npx started ends when npx is killed and leaves its shell behind', async () => {
    const { process: child, ended } = await family(npm)
    child.kill('SIGKILL')
    await ended
  })

  it('a sandbox that npx started in the background outlives the step of a CI job', async () => {
    const inBackground = 'npx --no -- ramp-sandbox start --port 0 --json & echo $!'
    const step = startProgram(['bash', '-ec', inBackground], { cwd: join(CLI, '../..') })
    const stepEnded = once(step.process, 'exit')
    const [npx] = await step.says(/^\d+$/m)
    await stepEnded
    const { ready } = await untilReady(step)
    const health = await runCommand(['health', '--wait', '30s', '--url', ready.url])
    expect(health.code).toBe(0)
    process.kill(Number(npx), 'SIGTERM')
    await step.ended
  })
})
