import { afterEach, describe, expect, it } from 'vitest'
import { endCommands, runCommand, startCommand } from './helpers/command.ts'

afterEach(endCommands)

const exec = (...command: string[]) => runCommand(['exec', '--', ...command])
/** Prints its id, then waits for good. */
const WAIT = 'echo "pid $$"; while :; do sleep 60 & wait $!; done'
/** Prints its id once the sandbox has answered, so once `exec` goes about its work. */
const CALL_AND_WAIT = `
  await fetch(process.env.RAMP_SANDBOX_CONTROL_URL + '/health')
  console.log('pid', process.pid)
  setInterval(() => 0, 1_000)`

describe('exec', () => {
  it('runs a command that finds a sandbox in its environment', async () => {
    const script = `
      const { RAMP_SANDBOX_URL: url, RAMP_SANDBOX_API_KEY: key, RAMP_SANDBOX_CONTROL_URL: control } = process.env
      const answer = await fetch(url + '/v2/users?email=a@example.com', { headers: { 'x-api-key': key } })
      const { status } = await (await fetch(control + '/health')).json()
      console.log(answer.status, status)`
    const ended = await exec(process.execPath, '--input-type=module', '--eval', script)
    expect(ended).toEqual({ code: 0, signal: null, out: '200 ok\n', err: '' })
  })

  it('takes the options of start, and leaves those of the command to it', async () => {
    const print =
      'fetch(process.env.RAMP_SANDBOX_CONTROL_URL + "/clock").then(async (a) => console.log((await a.json()).now, process.argv[1]))'
    const { out } = await runCommand([
      ...['exec', '--clock', '2026-07-01T12:00:00Z', '--'],
      ...[process.execPath, '--eval', print, '--', '--clock'],
    ])
    expect(out).toBe('2026-07-01T12:00:00.000Z --clock\n')
  })

  it('hands its input on, and its output back untouched', async () => {
    const input = 'é漢🙂\0\r\n'
    const ended = await runCommand(['exec', '--', 'sh', '-c', 'cat; echo problem >&2'], { input })
    expect(ended).toEqual({ code: 0, signal: null, out: input, err: 'problem\n' })
  })

  it('says where the sandbox is when it is asked to, on stderr alone', async () => {
    const { out, err } = await runCommand(['exec', '--verbose', '--', 'true'])
    expect(out).toBe('')
    expect(err).toMatch(/^ramp-sandbox: http:\/\/127\.0\.0\.1:\d+ \(API key sandbox-key\)\n/)
  })

  it.each([
    [['false'], 1],
    [['true'], 0],
    [['sh', '-c', 'exit 42'], 42],
    [['sh', '-c', 'kill -TERM $$'], 128 + 15],
    [['sh', '-c', 'kill -KILL $$'], 128 + 9],
    [['/etc/passwd'], 126],
    [['no-such-command'], 127],
  ])('ends as %j does: %i', async (command, code) => {
    expect((await exec(...command)).code).toBe(code)
  })

  it.each([
    [['exec'], 'exec needs -- before the command.'],
    [['exec', 'true'], 'exec needs -- before the command.'],
    [['exec', '--'], 'There is no command to run.'],
    [['exec', '--fixture', 'casts', '--', 'true'], 'did you mean cast?'],
  ])('refuses %j and starts nothing', async (args, sentence) => {
    const { code, out, err } = await runCommand(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)('passes %s on', async (signal) => {
    const trap = `trap 'echo got it; exit 7' ${signal.slice(3)}; ${WAIT}`
    const running = startCommand(['exec', '--', 'sh', '-c', trap])
    await running.says(/pid \d+/)
    running.process.kill(signal)
    const { code, out } = await running.ended
    expect({ code, said: out.includes('got it') }).toEqual({ code: 7, said: true })
  })

  it('ends with the command what the command has left behind', async () => {
    // Its output closes only when the background process is gone.
    const { code } = await exec('sh', '-c', 'sleep 600 & exit 3')
    expect(code).toBe(3)
  })

  it.each([
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
})
