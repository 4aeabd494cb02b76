import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLive } from './control/live.ts'
import { CLI, endCommands, runCommand, startCommand } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

afterAll(endCommands)

const folder = createFolder()
/** What a command of `exec` writes down where `exec` runs in this process. */
const said = join(folder, 'said')
const readSaid = () => readFileSync(said, 'utf8')
/** Prints its id, then waits for good. */
const WAIT = 'echo "pid $$"; while :; do sleep 60 > /dev/null 2>&1 & wait $!; done'

it('exec says on stderr why a call was refused, with --log errors', async () => {
  const send = `curl --silent --header 'content-type: application/json' \\
      --header "x-api-key: $RAMP_SANDBOX_API_KEY" --data '{"Email":"ana@example.com"}'`
  const post = `${send} "$RAMP_SANDBOX_URL/v2/users" > /dev/null; exit 3`
  const options = ['--log', 'errors']
  const { code, out, err } = await runInProcess(['exec', ...options, '--', 'sh', '-c', post])
  expect([code, out]).toEqual([3, ''])
  expect(err).toContain('email is required. You sent Email; the field is called email.')
})

it('exec says only once that a field is unknown when the call is refused for it', async () => {
  const send = `curl --silent --json '{"email":"ana@example.com","first_name":"Ana"}'`
  const post = `${send} --header "x-api-key: $RAMP_SANDBOX_API_KEY" "$RAMP_SANDBOX_URL/v2/users" > /dev/null; exit 3`
  const options = ['--set', 'status.unknown-field=400', '--', 'sh', '-c', post]
  const { err } = await runInProcess(['exec', ...options])
  expect(err.match(/first_name is not a field/g)).toHaveLength(1)
})

/** Calls with three mistakes, and a webhook that nobody receives; then everything is reset. */
const MISTAKES = `
    call() { curl --silent --output /dev/null --header 'content-type: application/json' \\
      --header "x-api-key: $RAMP_SANDBOX_API_KEY" --request "$1" --data "$3" "$RAMP_SANDBOX_URL$2"; }
    call POST /v2/users '{"Email":"ana@example.com"}'
    call POST /v2/users '{"Email":"bob@example.com"}'
    call POST /v2/users '{"email":"ana@example.com","first_name":"Ana"}'
    call PUT /v2/webhook-configurations '{"url":"http://127.0.0.1:9/hooks"}'
    call POST /v2/webhook-configurations/test '{}'
    call POST /_sandbox/reset '{}'
    call GET '/v2/users?email=nobody@example.com' ''`
const SEEN = [
  /^ramp-sandbox: the command exited with 3\. What the sandbox saw:$/,
  /^ {2}1 × user\.update: connect ECONNREFUSED 127\.0\.0\.1:9 \(http.*Nothing is listening there\. /,
  /^ {2}2 × POST \/v2\/users → 400: .*email is required\. You sent Email; the field is called email\.$/,
  /^ {2}1 × POST \/v2\/users → 200: first_name is not a field .*did you mean firstName\?$/,
  /^$/,
].map((line) => expect.stringMatching(line))

it('exec says after a failed command what the sandbox saw, even across resets', async () => {
  const run = (options: string[], code: number) =>
    runInProcess(['exec', ...options, '--', 'sh', '-c', `${MISTAKES}; exit ${code}`])
  expect((await run([], 3)).err.split('\n')).toEqual(SEEN)
  expect(await run(['--log', 'off'], 3)).toMatchObject({ code: 3, err: '' })
  expect(await run([], 0)).toMatchObject({ code: 0, err: '' })
  const [, failed = ''] = (await run(['--json'], 3)).err.split('\n')
  expect(JSON.parse(failed)).toMatchObject({
    event: 'failed',
    findings: [
      { kind: 'webhook', count: 1 },
      { kind: 'call', count: 2 },
      { kind: 'call', count: 1 },
    ],
  })
})

it('exec mentions webhooks without a URL only if it has nothing else to say', async () => {
  const call = (path: string, data: string) => `curl --silent --output /dev/null \\
    --header 'content-type: application/json' --header "x-api-key: $RAMP_SANDBOX_API_KEY" \\
    --data '${data}' "$RAMP_SANDBOX_URL${path}"`
  const unsent = call('/_sandbox/simulate/users/alice@example.com/kyc', '{"status":"rejected"}')
  const refused = call('/v2/users', '{}')
  const run = async (script: string) => {
    const command = ['--', 'sh', '-c', `${script}; exit 3`]
    const { err } = await runInProcess(['exec', '--fixture', 'verified-user', ...command])
    return err.trimEnd().split('\n')
  }
  const [, ...alone] = await run(unsent)
  expect(alone).toEqual([
    // Both integrators of the user.
    '  2 × user.update was not sent: no webhook URL was configured, which may be intended.',
  ])
  const [, ...beside] = await run(`${unsent}; ${refused}`)
  expect(beside).toEqual([expect.stringMatching(/^ {2}1 × POST \/v2\/users → 400: /)])
})

it('exec says that the command made no calls', async () => {
  const { err } = await runInProcess(['exec', '--', 'false'])
  expect(err).toMatch(
    /What the sandbox saw: no API calls \(calls to the control API are not counted\)\. .* from RAMP_SANDBOX_URL\?\n$/,
  )
  const own = `const { createSandbox } = require('${CLI.replace('cli.cjs', 'index.cjs')}')
      void createSandbox().then(() => process.exit(3))`
  expect((await runInProcess(['exec', '--', 'node', '-e', own])).err).toBe('')
})

it('exec says once per process that v1 has ended, unless v1.sunset was set', async () => {
  const search = `const headers = { 'x-api-key': 'sandbox-key' }
      const get = (sandbox, times = 1) => sandbox.fetch('/webhooks', { headers })
      const { createSandbox } = require('${CLI.replace('cli.cjs', 'index.cjs')}')
      const run = async (options) => {
        const sandbox = await createSandbox({ listen: false, ...options })
        await get(sandbox)
        await get(sandbox)
        await sandbox.close()
      }`
  const end = { clock: '2026-09-01T00:00:00Z' }
  const run = (...starts: object[]) => {
    const runs = starts.map((start) => `.then(() => run(${JSON.stringify(start)}))`)
    return runCommand(['exec', '--', 'node', '-e', `${search}; Promise.resolve()${runs.join('')}`])
  }
  const said =
    /^ramp-sandbox: v1 still responds, although the contract’s shutdown date .*v1\.sunset=contract\..*\n$/
  expect((await run(end, end)).err).toMatch(said)
  const before = { clock: '2026-08-20T00:00:00Z' }
  const chosen = { ...end, settings: { 'v1.sunset': 'extended' } }
  const strict = { ...end, settings: { 'v1.sunset': 'contract' } }
  const fixed = { ...end, fixture: { settings: { 'v1.sunset': 'extended' } } }
  expect(await run(before, chosen, strict, fixed)).toMatchObject({ code: 0, err: '' })
})

it.each(['main', 'worker'])(
  'exec says that v1 has ended for a sandbox that its command creates in a %s thread',
  async (thread) => {
    const script = `
        const { isMainThread, Worker } = require('node:worker_threads')
        const { createSandbox } = require('${CLI.replace('cli.cjs', 'index.cjs')}')
        if (isMainThread && '${thread}' === 'worker') return void new Worker(__filename)
        void createSandbox({ listen: false }).then((sandbox) => sandbox.fetch('/v2/quotes', {
          headers: { 'x-api-key': sandbox.apiKey },
        }))`
    const file = join(folder, `${thread}.cjs`)
    writeFileSync(file, script)
    const command = ['exec', '--log', 'errors', '--', process.execPath, file]
    const { code, err } = await runInProcess(command)
    expect(code).toBe(0)
    expect(err).toMatch(/req_1 +GET \/v2\/quotes +400 /)
    const json = await runInProcess(['exec', '--json', ...command.slice(1)])
    expect(json.err).toContain('"event":"request","id":"req_1"')
  },
)

it.concurrent('exec takes the options of start, and passes the command’s own options to it', async () => {
  const script = `
      curl --silent --header "authorization: Bearer $RAMP_SANDBOX_CONTROL_TOKEN" \\
        "$RAMP_SANDBOX_CONTROL_URL/info"
      echo; curl --silent --header "authorization: Bearer $RAMP_SANDBOX_CONTROL_TOKEN" \\
        "$RAMP_SANDBOX_CONTROL_URL/settings/auth.updateUser"
      echo; printf '%s\\n' "$NO_PROXY" "$no_proxy" "$1"`
  const options = ['--contract-only', '--clock', '2026-07-01T12:00:00Z', '--json']
  const { code, out, err } = await runCommand(
    [
      ...['exec', ...options, '--control-token', 'secret', '--'],
      ...['sh', '-c', script, 'sh', '--clock'],
    ],
    { env: { http_proxy: 'http://127.0.0.1:9', NO_PROXY: 'internal, .example.com' } },
  )
  expect(code).toBe(0)
  // Loopback is kept out of the proxy, beside what is kept out already.
  const hosts = 'internal,.example.com,localhost,127.0.0.1,::1'
  const [info = '', setting = '', ...rest] = out.trimEnd().split('\n')
  expect(JSON.parse(info)).toMatchObject({ now: '2026-07-01T12:00:00.000Z' })
  expect(JSON.parse(setting)).toMatchObject({ value: 'token' })
  expect(rest).toEqual([hosts, hosts, '--clock'])
  // It says where the sandbox is when it is asked to, on stderr alone.
  const [ready = '', ended = ''] = err.split('\n')
  expect(JSON.parse(ready)).toMatchObject({ event: 'ready', apiKey: 'sandbox-key' })
  expect(JSON.parse(ended)).toEqual({ event: 'ended', command: 'sh', exitCode: 0 })
})

it('exec runs a command with a private world of another sandbox, and deletes the world afterwards', async () => {
  await using live = await openLive({ controlToken: 'main', fixture: 'default' })
  const { url } = live
  const script = `{
      curl --silent --output /dev/null --write-out '%{http_code}\\n' \\
        --header "x-api-key: $RAMP_SANDBOX_API_KEY" "$RAMP_SANDBOX_URL/v2/users?email=alice@example.com"
      echo "token: \${RAMP_SANDBOX_CONTROL_TOKEN-none}"
      curl --silent "$RAMP_SANDBOX_CONTROL_URL/info"; echo
      curl --silent "$RAMP_SANDBOX_CONTROL_URL/worlds"
    } > "${said}"`
  const env = { RAMP_SANDBOX_CONTROL_TOKEN: 'main' }
  const options = ['--on', url, '--fixture', 'cast', '--clock', '2026-07-01T12:00:00Z']
  const command = ['exec', ...options, '--', 'sh', '-c', script]
  const { code, err, out } = await runInProcess(command, env)
  const [status, token, info = '', worlds = ''] = readSaid().split('\n')
  expect([code, out + err, status, token]).toEqual([0, '', '200', 'token: none'])
  expect(JSON.parse(info)).toMatchObject({ fixture: 'cast', now: '2026-07-01T12:00:00.000Z' })
  expect(JSON.parse(worlds).total).toBe(1)
  const headers = { authorization: 'Bearer main' }
  const left = await (await fetch(`${url}/_sandbox/worlds`, { headers })).json()
  expect(left).toMatchObject({ total: 1, items: [{ name: 'default' }] })
})

it('exec says that its private world has ended if the command deletes it', async () => {
  await using live = await openLive()
  const end =
    'curl -s -X DELETE "$RAMP_SANDBOX_CONTROL_URL/worlds/$(basename $RAMP_SANDBOX_URL)" > /dev/null'
  const options = ['--on', live.url, '--coverage']
  const { code, err } = await runInProcess(['exec', ...options, '--', 'sh', '-c', end])
  expect([code, err]).toEqual([1, expect.stringContaining('This private world has ended.')])
})

it.concurrent('exec passes its input and its output on unchanged', async () => {
  const input = 'é漢🙂\0\r\n'
  const ended = await runCommand(['exec', '--', 'sh', '-c', 'cat; echo problem >&2'], { input })
  expect(ended).toEqual({ code: 0, signal: null, out: input, err: 'problem\n' })
})

it.each([
  [['sh', '-c', 'exit 42'], 42],
  [['sh', '-c', 'kill -TERM $$'], 128 + 15],
  [['/etc/passwd'], 126],
  [['no-such-command'], 127],
])('exec exits as %j does: %i', async (command, code) => {
  expect((await runInProcess(['exec', '--', ...command])).code).toBe(code)
})

it.each([
  [['exec', 'true'], 'exec needs -- before the command.'],
  [['exec', '--on', 'http://127.0.0.1:9', '--', 'true'], 'No sandbox responds at'],
  [
    ['exec', '--on', 'http://127.0.0.1:9', '--host', 'a', '--', 'true'],
    'so it cannot be combined with --host.',
  ],
  [['exec', '--port', '4100', '--', 'true'], 'exec has no option --port'],
  [['exec', '--data', 'folder', '--', 'true'], 'exec has no option --data'],
  [['exec', '--'], 'There is no command to run.'],
])('exec rejects %j and starts nothing', async (args, sentence) => {
  const { code, out, err } = await runInProcess(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(sentence)
})

it.concurrent('exec passes signals on', async () => {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const
  const traps = signals.map((signal) => `trap 'echo got ${signal}' ${signal.slice(3)}`)
  const running = startCommand(['exec', '--', 'sh', '-c', `${traps.join('; ')}; ${WAIT}`])
  const [, pid] = await running.says(/pid (\d+)/)
  for (const signal of signals) {
    running.process.kill(signal)
    await running.says(new RegExp(`got ${signal}`))
  }
  process.kill(Number(pid), 'SIGKILL')
  expect((await running.ended).code).toBe(128 + 9)
})
