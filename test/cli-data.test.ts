import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { endCommands, startCommand } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

const folder = createFolder()
afterAll(() => {
  endCommands()
})

const WARNING =
  '--fixture, --seed, --clock, --contract-only, --set: the data file holds a world already'

const file = join(folder, 'worlds.json')

/** Opens the data file and closes it, as `start` does too; returns what is said meanwhile. */
async function open(...options: string[]): Promise<string> {
  const { code, err } = await runInProcess(['exec', '--data', file, ...options, '--', 'true'])
  expect(code).toBe(0)
  return err
}

/** Starts, waits for what it says once it responds, and ends it. */
async function start(...args: string[]) {
  const running = startCommand(['start', '--port', '0', '--data', file, ...args])
  await running.says(args.includes('--json') ? /\n/ : /fixture .*\n/)
  running.process.kill('SIGTERM')
  return running.ended
}

describe('start --data', () => {
  const options = [
    ...['--fixture', 'verified-user', '--seed', 'other', '--clock', '2026-07-01T12:00:00Z'],
    ...['--contract-only', '--set', 'limits.active=5'],
  ]

  it('takes what a world starts with, and says what it ignores once there is one', async () => {
    const first = await start(...options)
    expect(first.out).toContain('verified-user (seed other;')
    expect(first.out + first.err).not.toContain('ignored')
    const again = await start(...options)
    expect(again.out).toContain(`ignored    ${WARNING}`)
    expect(await open('--control-token', 'SECRET')).toBe('')
    // It says so beside the line of JSON, too.
    const { out, err } = await start(...options, '--json')
    expect(JSON.parse(out).event).toBe('ready')
    expect(err).toContain(`ramp-sandbox: ${WARNING}`)
  })

  it('says how much of a write that was cut short it leaves out', async () => {
    expect(await open()).toBe('')
    appendFileSync(file, 'half a li')
    const { out, err } = await start('--json')
    expect(JSON.parse(out).event).toBe('ready')
    expect(err.match(/the last 9 B of .*worlds\.json are left out/g)).toHaveLength(1)
    expect(err).toContain('nothing in it was ever acknowledged')
  })

  it('says that a file was cut short from outside, and not that nothing was acknowledged', async () => {
    expect(await open()).toBe('')
    const { size } = statSync(file)
    truncateSync(file, size - 9)
    const err = await open()
    expect(err).toMatch(
      /^ramp-sandbox: WARNING: .*worlds\.json was cut short by something else: the last \d+ B of what was saved are missing\.$/m,
    )
    expect(err).not.toContain('acknowledged')
    expect(await open()).toBe('')
  })

  it('says in a sentence why a path cannot be used', async () => {
    const { code, err } = await runInProcess(['start', '--port', '0', '--data', 'x'.repeat(300)])
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^ramp-sandbox: x+ cannot be used: .*\n$/),
    ])
  })
})
