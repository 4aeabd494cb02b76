import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../src/host/create-sandbox.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

const root = join(import.meta.dirname, '..')
const folder = createFolder()
const path = (name: string) => join(folder, name)

const run = (...args: string[]) => runInProcess(args)

const PRICE = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'

/** A suite of one call, in the sandbox of `exec`. */
const QUOTE = ['sh', path('quote.sh')]
/** A suite that has a sandbox of its own, and closes it or not. */
const OWN = [process.execPath, path('own.mjs')]

beforeAll(() => {
  const header = '--header "x-api-key: $RAMP_SANDBOX_API_KEY"'
  const call = `curl --silent ${header} "$RAMP_SANDBOX_URL/v2/quotes?${PRICE}"`
  writeFileSync(path('quote.sh'), `${call} > /dev/null`)
  writeFileSync(
    path('own.mjs'),
    `import { createSandbox } from ${JSON.stringify(join(root, 'dist/index.js'))}
     const sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
     const alice = await sandbox.login('alice@example.com')
     await alice.buy({ cad: 100 })
     if (process.argv[2] === 'close') await sandbox.close()`,
  )
})

/** Runs a command under `exec --coverage`; returns what it met as well. */
async function cover(args: readonly string[], ...suite: string[]) {
  const ended = await run('exec', '--coverage', '--json', ...args, '--', ...suite)
  const events = ended.err.split('\n').filter((line) => line.startsWith('{'))
  const { met = [], calls } =
    events.map((line) => JSON.parse(line)).find(({ event }) => event === 'coverage') ?? {}
  return { ...ended, calls, met: met as string[] }
}

it('exec --coverage lists the situations that the command has not met, most important first, with how to meet each', async () => {
  const { code, err } = await run('exec', '--coverage', '--', ...QUOTE)
  expect(code).toBe(0)
  const [title, first, ...rest] = err.trimEnd().split('\n')
  expect(title).toBe('Not covered by 1 API call, most important first:')
  expect(first).toMatch(/^ {2}A buy is created +send POST \/v2\/transactions$/)
  expect(rest.at(-1)).toMatch(/… and \d+ more; --json lists them/)
  expect(err).not.toMatch(/%|v1/)
})

it('exec --coverage lists in JSON which situations were met and which were not', async () => {
  const { code, err, met } = await cover([], ...QUOTE)
  expect([code, met]).toEqual([0, ['createQuote']])
  const line = err.split('\n').find((each) => each.includes('"coverage"')) ?? ''
  expect(JSON.parse(line).neverMet).toContainEqual({
    id: 'expired-sell',
    text: 'A sell expires',
    how: 'tx ID expired',
  })
})

it.each(['close', 'leave'])(
  'exec --coverage counts a sandbox that the command itself creates: %s',
  async (end) => {
    const { code, met } = await cover([], ...OWN, end)
    expect(code).toBe(0)
    expect(met).toEqual(expect.arrayContaining(['createTransaction', 'created-buy', 'network-ETH']))
  },
)

it('exec --coverage counts sandboxes of Vitest workers', async () => {
  const folder = createFolder(onTestFinished)
  writeFileSync(
    join(folder, 'own.test.mjs'),
    `import { createSandbox } from ${JSON.stringify(join(root, 'dist/index.js'))}
       import { test } from ${JSON.stringify(join(root, 'dist/vitest.js'))}
       test('the fixture', ({ sandbox }) =>
         sandbox.fetch('/v2/limits', { headers: { 'x-api-key': sandbox.apiKey } }))
       test('left open', async () => (await createSandbox()).fetch('/v2/users?email=a@example.com'))`,
  )
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const suite = [process.execPath, vitest, 'run', '--root', folder, '--pool', 'threads']
  const { code, calls, met } = await cover([], ...suite)
  expect({ code, calls }).toEqual({ code: 0, calls: 2 })
  expect(met.sort()).toEqual(['findUsers/missing-key', 'getLimits/missing-token'])
})

it('exec --coverage exits with 1 for a command that made no API call', async () => {
  const ended = await run('exec', '--coverage', '--', 'true')
  expect(ended.code).toBe(1)
  expect(ended.err).toBe('ramp-sandbox: the command made no API calls, so nothing is covered\n')
})

it.each([
  ['a situation that it did not meet', 'expired-sell', 'tx ID expired'],
  [
    'a situation that cannot occur',
    'flying-sell',
    'is not a situation that can occur with these settings',
  ],
  ['a situation that is misspelled', 'expird-sell', 'these settings; did you mean expired-sell?'],
])('exec --coverage exits with 2 for %s', async (_, id, problem) => {
  const { code, err } = await run('exec', '--coverage-require', id, '--', ...QUOTE)
  expect(code).toBe(2)
  // The list is long, so it is shown only where it is asked for.
  expect(err.trimEnd().split('\n')).toEqual([expect.stringContaining(problem)])
  const both = await run('exec', '--coverage', '--coverage-require', id, '--', ...QUOTE)
  expect(both.err.trimEnd().split('\n').at(-1)).toContain(problem)
  expect(both.err).toContain('Not covered by 1 API call')
})

it('exec --coverage exits with 0 if the required situations were met', async () => {
  const { code } = await run('exec', '--coverage-require', 'createQuote', '--', ...QUOTE)
  expect(code).toBe(0)
})

it('exec --coverage exits with the status of the command if that failed', async () => {
  const failing = ['sh', '-c', 'exit 7']
  const { code } = await run('exec', '--coverage-require', 'createQuote', '--', ...failing)
  expect(code).toBe(7)
})

it('the command coverage lists the situations that no call of a running sandbox has met', async () => {
  await using sandbox = await createSandbox()
  await sandbox.fetch(`/v2/quotes?${PRICE}`, { headers: { 'x-api-key': sandbox.apiKey } })
  const { code, out } = await run('coverage', '--url', sandbox.url)
  expect([code, out]).toEqual([0, expect.stringMatching(/^A sell expires +tx ID expired$/m)])
  expect(out).not.toContain('GET /v2/quotes succeeds')
})

it('coverage names commands that work', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user' })
  const { neverMet } = await sandbox.coverage()
  const commands = [...new Set(neverMet.map(({ how }) => how))].filter((how) =>
    /^(clock|fault|set|settings|tx|user) /.test(how),
  )
  expect(commands.length).toBeGreaterThan(15)
  for (const command of commands) {
    const { transaction } = await sandbox.buy('alice@example.com', { cad: 100 })
    const named = { ID: transaction.id, USER: 'alice@example.com', EMAIL: 'alice@example.com' }
    const words = command.split(' ').map((word) => named[word as keyof typeof named] ?? word)
    const { code, err } = await run(...words, '--url', sandbox.url)
    expect([command, code, err]).toEqual([command, 0, ''])
    await sandbox.reset()
  }
})
