import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { endCommands, runCommand, startCommand, startSandbox } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

afterAll(endCommands)

const folder = createFolder()
const exec = (...command: string[]) => runCommand(['exec', '--', ...command])
/** Prints its id, then waits for good. */
const WAIT = 'echo "pid $$"; while :; do sleep 60 & wait $!; done'
/** Prints its id once the sandbox has responded, so once `exec` is fully started. */
const CALL_AND_WAIT = `
  await fetch(process.env.RAMP_SANDBOX_CONTROL_URL + '/health')
  console.log('pid', process.pid)
  setInterval(() => 0, 1_000)`

describe('exec', () => {
  it.concurrent('says on stderr why a call was refused, with --log errors', async () => {
    const post = `
      const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
      const body = JSON.stringify({ Email: 'ana@example.com' })
      await fetch(process.env.RAMP_SANDBOX_URL + '/v2/users', { method: 'POST', headers, body })
      process.exitCode = 3`
    const args = ['exec', '--log', 'errors', '--', process.execPath, '--input-type=module']
    const { code, out, err } = await runCommand([...args, '--eval', post])
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain('email is required. Email was sent; its name is email.')
  })

  it.concurrent('takes the options of start, and leaves those of the command to it', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, 'secret')
    const script = `
      const { RAMP_SANDBOX_CONTROL_URL: control, RAMP_SANDBOX_CONTROL_TOKEN: token, NO_PROXY, no_proxy } = process.env
      const headers = { authorization: 'Bearer ' + token }
      fetch(control + '/info', { headers }).then(async (response) => {
        const { now, preset } = await response.json()
        console.log(JSON.stringify({ now, preset, token, NO_PROXY, no_proxy, option: process.argv[1] }))
      })`
    const options = ['--contract-only', '--clock', '2026-07-01T12:00:00Z', '--verbose']
    const { code, out, err } = await runCommand(
      [
        ...['exec', ...options, '--control-token-file', file, '--'],
        ...[process.execPath, '--eval', script, '--', '--clock'],
      ],
      { env: { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'internal, .example.com' } },
    )
    expect(code).toBe(0)
    // Loopback is kept out of the proxy, beside what is kept out already.
    const hosts = 'internal,.example.com,localhost,127.0.0.1,::1'
    expect(JSON.parse(out)).toEqual({
      now: '2026-07-01T12:00:00.000Z',
      preset: 'contract',
      token: 'secret',
      NO_PROXY: hosts,
      no_proxy: hosts,
      option: '--clock',
    })
    // It says where the sandbox is when it is asked to, on stderr alone.
    expect(err).toMatch(/^ramp-sandbox: http:\/\/127\.0\.0\.1:\d+ \(API key sandbox-key\)\n/)
  })

  it.concurrent('runs a command with a private world of another sandbox, and ends it', async () => {
    const { url } = (await startSandbox(['--control-token', 'main'])).ready
    const script = `
      const { RAMP_SANDBOX_URL: url, RAMP_SANDBOX_API_KEY: key, RAMP_SANDBOX_CONTROL_URL: control, RAMP_SANDBOX_CONTROL_TOKEN: token } = process.env
      const user = await fetch(url + '/v2/users?email=alice@example.com', { headers: { 'x-api-key': key } })
      const { fixture, now } = await (await fetch(control + '/info')).json()
      const { total } = await (await fetch(control + '/worlds')).json()
      console.log(user.status, fixture, now, total, token)`
    const env = { RAMP_SANDBOX_CONTROL_TOKEN: 'main' }
    const options = ['--on', url, '--fixture', 'cast', '--clock', '2026-07-01T12:00:00Z']
    const command = [process.execPath, '--input-type=module', '--eval', script]
    const ended = await runCommand(['exec', ...options, '--', ...command], { env })
    const out = '200 cast 2026-07-01T12:00:00.000Z 1 undefined\n'
    expect(ended).toEqual({ code: 0, signal: null, out, err: '' })
    const headers = { authorization: 'Bearer main' }
    const left = await (await fetch(`${url}/_sandbox/worlds`, { headers })).json()
    expect(left).toMatchObject({ total: 1, items: [{ name: 'default' }] })
  })

  it.concurrent('hands its input on, and its output back untouched', async () => {
    const input = 'é漢🙂\0\r\n'
    const ended = await runCommand(['exec', '--', 'sh', '-c', 'cat; echo problem >&2'], { input })
    expect(ended).toEqual({ code: 0, signal: null, out: input, err: 'problem\n' })
  })

  it.each([
    [['sh', '-c', 'exit 42'], 42],
    [['sh', '-c', 'kill -TERM $$'], 128 + 15],
    [['/etc/passwd'], 126],
    [['no-such-command'], 127],
  ])('ends as %j does: %i', async (command, code) => {
    expect((await runInProcess(['exec', '--', ...command])).code).toBe(code)
  })

  it.each([
    [['exec', 'true'], 'exec needs -- before the command.'],
    [['exec', '--on', 'http://127.0.0.1:9', '--', 'true'], 'No sandbox responds at'],
    [['exec', '--on', 'http://127.0.0.1:9', '--data', 'f', '--', 'true'], 'so it takes no --data.'],
    [['exec', '--'], 'There is no command to run.'],
  ])('rejects %j and starts nothing', async (args, sentence) => {
    const { code, out, err } = await runInProcess(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })

  it.concurrent('passes signals on', async () => {
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

  it.concurrent('ends what the command left running', async () => {
    // Its output closes only when the background process is gone.
    const { code } = await exec('sh', '-c', 'sleep 600 & exit 3')
    expect(code).toBe(3)
  })

  it.concurrent.each([
    ['that ends when asked', CALL_AND_WAIT],
    ['that does not', `process.on('SIGTERM', () => 0)\n${CALL_AND_WAIT}`],
  ])('leaves no command behind when it is killed itself: one %s', async (_, script) => {
    const node = [process.execPath, '--input-type=module', '--eval', script]
    const running = startCommand(['exec', '--', ...node])
    await running.says(/pid \d+/)
    running.process.kill('SIGKILL')
    // Its output closes only when the command is gone.
    const { signal } = await running.ended
    expect(signal).toBe('SIGKILL')
  })

  it.skipIf(process.platform !== 'linux').concurrent(
    'leaves no command behind when it is killed as the command starts',
    async () => {
      const running = startCommand(['exec', '--', 'sleep', '600'])
      const { pid } = running.process
      const count = () =>
        readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').length
      // The shell that watches, and the command; the text ends with a space.
      await expect.poll(count, { interval: 1 }).toBe(3)
      running.process.kill('SIGKILL')
      // Its output closes only when the command is gone.
      expect((await running.ended).signal).toBe('SIGKILL')
    },
  )
})
