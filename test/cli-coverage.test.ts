import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { describeSituation } from '../src/coverage/situations.ts'
import { createSandbox } from '../src/host/create-sandbox.ts'
import { CLI } from './helpers/command.ts'
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

const metIn = (file: string): string[] =>
  JSON.parse(readFileSync(path(file), 'utf8'))
    .situations.filter(({ met }: { met: boolean }) => met)
    .map(({ id }: { id: string }) => id)

describe('exec --coverage', () => {
  it('writes what the command has met, and says what it never saw', async () => {
    const { code, err } = await run('exec', '--coverage', path('quote.json'), '--', ...QUOTE)
    expect(code).toBe(0)
    expect(metIn('quote.json')).toEqual(['createQuote'])
    expect(err).toContain('Never seen, the worst first:\nA response is lost')
    expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  })

  it('says it in words where exec tells in JSON what happens', async () => {
    const args = ['--json', '--coverage', path('quote.json'), '--', ...QUOTE]
    const { err } = await run('exec', ...args)
    const said = expect.stringMatching(/^1 of \d+ situations met/)
    expect(err.split('\n')).toEqual(expect.arrayContaining([said]))
    expect(err).not.toMatch(/^\{$/m)
  })

  it.each(['close', 'leave'])('counts a sandbox of the command itself: %s', async (end) => {
    const { code } = await run('exec', '--coverage', path('own.json'), '--', ...OWN, end)
    expect(code).toBe(0)
    expect(metIn('own.json')).toEqual(
      expect.arrayContaining(['createTransaction', 'created-buy', 'network-ETH']),
    )
  })

  it.each(['forks', 'threads'])('counts sandboxes of Vitest workers: %s', async (pool) => {
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
    const suite = [process.execPath, vitest, 'run', '--root', folder, '--pool', pool]
    const { code, err } = await run('exec', '--coverage', path('vitest.json'), '--', ...suite)
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('by 2 calls') })
    expect(metIn('vitest.json')).toEqual(['findUsers/missing-key', 'getLimits/missing-token'])
  })

  it('leaves out what a process was writing when it was killed', async () => {
    const half = `sh ${path('quote.sh')}; printf '{"calls":' > "$RAMP_SANDBOX_COVERAGE/1-a.json.part"`
    const file = path('half.json')
    const { code, err } = await run('exec', '--coverage', file, '--', 'sh', '-c', half)
    expect([code, err]).toEqual([0, expect.stringContaining('by 1 call of the contract')])
  })

  it('is never green for a suite that made no call', async () => {
    const ended = await run('exec', '--coverage', path('idle.json'), '--', 'true')
    expect(ended.code).toBe(1)
    expect(ended.err).toContain('made no call of the contract')
  })

  it.each([
    ['a situation that it did not meet', ['--coverage-require', 'expired-sell'], 'tx ID expired'],
    ['a situation that cannot occur', ['--coverage-require', 'flying-sell'], 'cannot occur'],
  ])('ends with 3 for %s', async (_, demands, problem) => {
    const { code, err } = await run('exec', ...demands, '--', ...QUOTE)
    expect(code).toBe(3)
    expect(err.trimEnd().split('\n').at(-1)).toContain(problem)
  })

  it('ends with 0 where what is demanded was met', async () => {
    const { code } = await run('exec', '--coverage-require', 'createQuote', '--', ...QUOTE)
    expect(code).toBe(0)
  })

  it('counts a sandbox that the command starts by itself, in another exec as well', async () => {
    const own = [process.execPath, CLI, 'exec', '--', ...QUOTE]
    const { code } = await run('exec', '--coverage', path('inner.json'), '--', ...own)
    expect([code, metIn('inner.json')]).toEqual([0, ['createQuote']])
  })

  it('ends as the command where that failed', async () => {
    const failing = ['sh', '-c', 'exit 7']
    writeFileSync(path('typo.json'), '{"flying-sell": {"why": "It cannot occur."}}')
    const demands = ['--coverage-require', 'createQuote', '--coverage-accept', path('typo.json')]
    expect((await run('exec', ...demands, '--', ...failing)).code).toBe(7)
    const { code, err } = await run('exec', ...demands, '--', ...QUOTE)
    expect([code, err]).toEqual([2, expect.stringContaining('names flying-sell, which cannot')])
  })

  beforeAll(() => writeFileSync(path('blank.json'), '{"expired-sell": {"why": " "}}'))

  it.each([
    [['--coverage-require', 'a b'], 'must be ids such as expired-sell,response-lost'],
    [['--coverage-accept', path('none.json')], 'cannot be read'],
    [['--coverage-accept', path('blank.json')], 'with a reason each'],
  ])('refuses %j', async (options, problem) => {
    const { code, err } = await run('exec', ...options, '--', ...QUOTE)
    expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  })
})

describe('coverage', () => {
  const open = async () => {
    const sandbox = await createSandbox()
    onTestFinished(() => sandbox.close())
    await sandbox.fetch(`/v2/quotes?${PRICE}`, { headers: { 'x-api-key': sandbox.apiKey } })
    return (...args: string[]) => run('coverage', '--url', sandbox.url, ...args)
  }

  it('leaves accepted gaps out of the figures, each with its reason', async () => {
    const coverage = await open()
    const { rows, total } = JSON.parse((await coverage('--json')).out)
    const gaps = rows.filter(({ met }: { met: boolean }) => !met)
    const accepted = gaps.map(({ id }: { id: string }) => [id, { why: 'We only quote.' }])
    writeFileSync(path('gaps.json'), JSON.stringify(Object.fromEntries(accepted)))
    const args = ['--coverage-accept', path('gaps.json'), '--json']
    const ended = await coverage(...args)
    expect([ended.code, JSON.parse(ended.out).total, total > 100]).toEqual([0, 1, true])
    writeFileSync(path('gaps.json'), '{"flying-sell": {"why": "It cannot occur."}}')
    const wrong = await coverage(...args)
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('flying-sell')])
  })

  it('names accepted gaps that are none any more, and keeps its exit code', async () => {
    const coverage = await open()
    const gaps = {
      createQuote: { why: 'We never quote.' },
      'expired-sell': { why: 'We only buy.' },
    }
    writeFileSync(path('met.json'), JSON.stringify(gaps))
    const { code, out } = await coverage('--coverage-accept', path('met.json'))
    expect(out).toContain('--coverage-accept need not name what was met: createQuote.\n')
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 40])
  })

  it('writes to a file what it reports, and requires situations as exec does', async () => {
    const coverage = await open()
    const options = ['--out', path('out.json'), '--coverage-require', 'created-buy']
    const { code, err } = await coverage(...options)
    expect([code, err]).toEqual([3, expect.stringContaining('created-buy was not met')])
    expect(metIn('out.json')).toEqual(['createQuote'])
  })
})

it('describes every situation in words, and says what makes it happen', async () => {
  await using sandbox = await createSandbox()
  const { out } = await run('coverage', '--url', sandbox.url, '--json')
  const { rows } = JSON.parse(out) as { rows: { id: string; text: string; how: string }[] }
  expect(rows.length).toBeGreaterThan(200)
  expect(rows.filter(({ text, how }) => text === '' || how === '')).toEqual([])
  expect(new Set(rows.map(({ text }) => text)).size).toBe(rows.length)
  expect(describeSituation('expired-sell', null)).toEqual({
    id: 'expired-sell',
    area: 'Transactions',
    text: 'A sell expires',
    how: 'tx ID expired',
  })
})

it('names commands that work', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user' })
  const { situations } = await sandbox.coverage()
  const all = situations.map(({ id, call }) => describeSituation(id, call).how)
  const commands = [...new Set(all)].filter((how) =>
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
