import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { endCommands, runCommand, startCommand } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'

const folder = createFolder()
afterAll(() => {
  endCommands()
})

const WARNING =
  '--fixture, --seed, --clock, --contract-only, --set, because --data already holds a world'

const data = join(folder, 'worlds')

/** Starts, waits for what it says once it responds, and ends it. */
async function start(...args: string[]) {
  const running = startCommand(['start', '--port', '0', '--data', data, ...args])
  await running.says(args.includes('--json') ? /\n/ : /fixture .*\n/)
  running.process.kill('SIGTERM')
  return running.ended
}

const options = [
  ...['--fixture', 'verified-user', '--seed', 'other', '--clock', '2026-07-01T12:00:00Z'],
  ...['--contract-only', '--set', 'limits.active=5'],
]

it('start --data uses the options of a new world, and says which it ignores once the world exists', async () => {
  const first = await start(...options)
  expect(first.out).toContain('verified-user (seed other)')
  expect(first.out + first.err).not.toContain('ignored')
  const again = await start(...options)
  expect(again.out).toContain(`ignored    ${WARNING}`)
  expect((await start('--control-token', 'SECRET')).out).not.toContain('ignored')
  // It says so beside the line of JSON, too.
  const { out, err } = await start(...options, '--json')
  expect(JSON.parse(out).event).toBe('ready')
  expect(err).toContain(`ramp-sandbox: ignored ${WARNING}`)
})

it.runIf(existsSync('/proc/self'))(
  'start --data immediately refuses a folder that the system does not allow it to create',
  async () => {
    const { code, err } = await runCommand(['start', '--port', '0', '--data', '/proc/x/worlds'])
    expect(err).toMatch(
      /^ramp-sandbox: --data \/proc\/x\/worlds cannot be used: .+, mkdir '\/proc\/x'\.\n/,
    )
    expect(code).toBe(2)
  },
)

it('a reset does not say that ids repeat where it is the first to use the seed of a start with --data', async () => {
  const kept = { data: join(folder, 'reseeded'), listen: false }
  await (await createSandbox({ ...kept, seed: 'one' })).close()
  await using sandbox = await createSandbox({ ...kept, seed: 'two' })
  const reset = () => sandbox.control('POST', '/reset', { body: {} })
  expect(await reset()).toMatchObject({ seed: 'two', idsRepeat: false })
  expect(await reset()).toMatchObject({ seed: 'two', idsRepeat: true })
})
