import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/client/client.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { once } from '../helpers/once.ts'
import { FIXTURE, KEY, SECOND_KEY, USER } from './second-sandbox.ts'

const folder = createFolder()
const file = join(folder, 'provider.json')
const ENV = { KEY, KEY2: SECOND_KEY }
let provider: Sandbox

beforeAll(async () => {
  const settings = { 'quotes.fee': 0.01, 'status.createUser': 201 } as const
  provider = await createSandbox({ fixture: FIXTURE, settings })
  const inbox = `${provider.url}/_sandbox/inbox?kind=login-code&email={email}`
  const { code } = await runInProcess(
    [
      'calibrate',
      ...['--against', provider.url, '--api-key', 'env:KEY', '--second-api-key', 'env:KEY2'],
      ...['--level', 'write', '--yes', '--user', USER, '--new-users', 'qa+*@example.com'],
      ...['--code-from', inbox, '--out', file],
    ],
    ENV,
  )
  expect(code).toBe(2)
}, 60_000)
afterEach(() => provider.faults.clear())
afterAll(() => provider.close())

const weekly = (...more: string[]) => runInProcess(['calibrate', '--settings', file, ...more], ENV)

const wholeRun = once(() => weekly('--yes'))
const junit = join(folder, 'red.xml')
const troubled = (...args: string[]) =>
  once(() => weekly('--yes', '--junit', junit, '--out', file, ...args))
const MISTYPED = ['--user', 'alcie@example.com']
const brokenInboxRun = troubled('--code-from', 'exit 3')
const mistypedRun = troubled(...MISTYPED)

const countsIn = (text: string) =>
  (/(\d+) of (\d+) checked, (\d+) differs?, (\d+) could not/.exec(text) ?? []).slice(1).map(Number)

describe('a weekly run', () => {
  it('needs no option but --yes, as the file keeps how it was measured, without a key', async () => {
    const { measured } = JSON.parse(readFileSync(file, 'utf8'))
    expect(measured).toMatchObject({ level: 'write', user: USER, 'second-api-key': 'env:KEY2' })
    for (const key of [KEY, SECOND_KEY]) expect(readFileSync(file, 'utf8')).not.toContain(key)
    const { code, err } = await wholeRun()
    const [checked = 0, claimed = 0, differ, unchecked] = countsIn(err)
    expect([code, differ, unchecked]).toEqual([0, 0, 0])
    expect(claimed).toBeGreaterThan(55)
    expect(checked).toBe(claimed)
    expect(err).toContain('login codes come from: http')
  })

  it('sends nothing without --yes', async () => {
    const { code, err } = await weekly()
    expect([code, err]).toEqual([1, expect.stringContaining('--yes')])
  })

  it.each([
    ['the user is mistyped', mistypedRun] as const,
    ...(isFullDepth ? [['the command that reads codes is broken', brokenInboxRun] as const] : []),
  ])('ends with 1 and names what it could not check where %s', async (_, run) => {
    const before = readFileSync(file, 'utf8')
    const { code, err, out } = await run()
    // What it could not look at stays in the file.
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(err).toContain('is not written')
    const [checked = 0, claimed = 0, , unchecked = 0] = countsIn(err)
    expect([code, unchecked > 0, checked + unchecked]).toEqual([1, true, claimed])
    expect(err).toContain('login.token.ttl')
    expect(out).toContain('| **not checked** |')
    const errors = Number(/errors="(\d+)"/.exec(readFileSync(junit, 'utf8'))?.[1])
    expect(errors).toBeGreaterThanOrEqual(unchecked)
  })

  it.runIf(isFullDepth)(
    'ends with 1 where the provider fails for a while at the start, and says so',
    async () => {
      const match = { operation: 'createQuote' } as const
      await provider.faults.add({ on: 'api', match, times: 6, then: { status: 500 } })
      const { code, err, out } = await weekly('--yes')
      expect(code).toBe(1)
      expect(countsIn(err)[3]).toBeGreaterThan(10)
      expect(out).toContain('because the response was 500')
    },
  )

  it('is not compared with a first run that an outage kept from most settings: it writes no file', async () => {
    const match = { operation: 'createQuote' } as const
    await provider.faults.add({ on: 'api', match, times: 1_000, then: { status: 503 } })
    const thin = join(folder, 'thin.json')
    const args = ['--against', provider.url, '--api-key', 'env:KEY', '--user', USER, '--out', thin]
    const { code, err } = await runInProcess(['calibrate', ...args], ENV)
    expect([code, existsSync(thin)]).toEqual([1, false])
    expect(err).toMatch(
      /thin\.json is not written: \d+ settings could not be looked at, and \d+ could/,
    )
  })

  it.runIf(isFullDepth)(
    'says of what needs the user why it is not there, and not that nobody has the address',
    async () => {
      const match = { operation: 'findUsers' } as const
      await provider.faults.add({ on: 'api', match, times: 4, then: { status: 503 } })
      const { code, out } = await weekly('--yes')
      expect(code).toBe(1)
      expect(out).toContain('because the response was 503')
      expect(out).not.toContain('does not find the user')
    },
  )

  it('may leave unchecked as many settings as it was told', async () => {
    const { code, err } = await mistypedRun()
    const unchecked = countsIn(err)[3] ?? 0
    const args = ['--yes', ...MISTYPED, '--allow-unchecked']
    expect(code).toBe(1)
    expect((await weekly(...args, `${unchecked}`)).code).toBe(0)
    if (isFullDepth) expect((await weekly(...args, `${unchecked - 1}`)).code).toBe(1)
  })

  it('looks at less where a lower level is asked for, and at all of that', async () => {
    const whole = countsIn((await wholeRun()).err)[1] ?? 0
    const { code, err } = await weekly('--level', 'read')
    const [checked, claimed = 0, , unchecked] = countsIn(err)
    expect([code, checked, unchecked]).toEqual([0, claimed, 0])
    expect(claimed).toBeLessThan(whole)
  })

  it('does not replace the file by one that claims less, whatever was allowed', async () => {
    const before = readFileSync(file, 'utf8')
    const few = ['--level', 'read'] as const
    const unchecked = ['--yes', ...MISTYPED, '--allow-unchecked', '90'] as const
    for (const args of [few, unchecked]) {
      const { code, err } = await weekly(...args, '--out', file)
      expect([code, readFileSync(file, 'utf8') === before]).toEqual([1, true])
      expect(err).toMatch(/is not written: \d+ settings of the file would be lost/)
    }
    const other = join(folder, 'read.json')
    expect((await weekly(...few, '--out', other)).code).toBe(0)
    expect(existsSync(other)).toBe(true)
  })

  it('is not green where its file claims nothing that a run can look at', async () => {
    const none = join(folder, 'none.json')
    for (const text of ['{"settings":{}}', '{"settings":{"limits.active":4}}']) {
      writeFileSync(none, text)
      const args = ['--against', provider.url, '--api-key', 'env:KEY', '--settings', none]
      const { code, err, out } = await runInProcess(['calibrate', ...args], ENV)
      expect([code, err]).toEqual([1, expect.stringContaining('0 of 0 checked')])
      expect(out).toContain('The file of --settings claims nothing that was looked at')
    }
  })

  it('does not say that it was told of a difference of which its file knows nothing', async () => {
    const thin = join(folder, 'fee.json')
    writeFileSync(thin, '{"settings":{"quotes.fee":0.01,"fields.createQuote":"full"}}')
    await provider.control('PATCH', '/settings', { body: { 'quotes.ttl': '5m' } })
    const args = ['--against', provider.url, '--api-key', 'env:KEY', '--settings', thin]
    const { code, out } = await runInProcess(['calibrate', ...args], ENV)
    await provider.control('PATCH', '/settings', { body: { 'quotes.ttl': '30m' } })
    expect([code, out]).toEqual([0, expect.not.stringContaining('accepted before')])
    expect(out).toMatch(/\d differences? of which the file says nothing: .*quotes\.ttl/)
  })

  it('sends nothing where its file was damaged by hand, and says where', async () => {
    const damaged = join(folder, 'damaged.json')
    const parts = [
      null,
      'x',
      { steps: null },
      { steps: [1] },
      { differences: { 'status a': null } },
    ]
    const more = [{ settings: null }, { shownBy: { 'quotes.fee': 3 } }, { checked: { write: 5 } }]
    const { requests: before } = await provider.control<{ requests: object[] }>('GET', '/requests')
    for (const accepted of [...parts, ...more]) {
      writeFileSync(damaged, JSON.stringify({ settings: { 'quotes.fee': 0.01 }, accepted }))
      const args = ['--against', provider.url, '--api-key', 'env:KEY', '--settings', damaged]
      const { code, err } = await runInProcess(['calibrate', ...args], ENV)
      const said = expect.stringContaining('accepted must be as calibrate --out wrote it')
      expect([code, err]).toEqual([1, said])
    }
    const { requests: after } = await provider.control<{ requests: object[] }>('GET', '/requests')
    expect(after.length).toBe(before.length)
  })

  it('compares with a file that keeps nothing, and then says what it could not check', async () => {
    const old = join(folder, 'old.json')
    const { measured: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(old, JSON.stringify(rest))
    const args = ['--against', provider.url, '--api-key', 'env:KEY', '--settings', old]
    const { code, err } = await runInProcess(['calibrate', ...args], ENV)
    expect(code).toBe(1)
    expect(countsIn(err)[3]).toBeGreaterThan(20)
  })

  it('writes settings with which the levers still take a user of whom nothing is known', async () => {
    const { settings } = JSON.parse(readFileSync(file, 'utf8'))
    const required = 'email,firstName,lastName,dob'
    const set = { ...settings, 'users.create.required': required }
    await using calibrated = await createSandbox({ settings: set })
    const email = 'ana@example.com'
    expect(await calibrated.users.add(email, { verified: true })).toMatchObject({
      user: { email, status: 'verified' },
    })
    const response = await calibrated.fetch('/v2/users', {
      method: 'POST',
      headers: { 'x-api-key': calibrated.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ben@example.com' }),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('firstName')
  })

  it('ends with 2 where one behaviour differs, and names it', async () => {
    await provider.control('PATCH', '/settings', { body: { 'quotes.fee': 0.02 } })
    const { code, err, out } = await weekly('--level', 'read')
    await provider.control('PATCH', '/settings', { body: { 'quotes.fee': 0.01 } })
    expect([code, countsIn(err)[2]]).toEqual([2, 1])
    expect(out).toMatch(/\*\*can be set\*\* \| quotes\.fee \| 0\.02/)
  })
})

describe.runIf(isFullDepth)('docs/calibrate.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/calibrate.md'), 'utf8')
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
      ([, text = '']) => text,
    )

  /** The arguments of a command of the page, with what a reader puts in place of the examples. */
  function toArgs(command: string): string[] {
    const inbox = `${provider.url}/_sandbox/inbox?kind=login-code&email={email}`
    const own: Record<string, string> = {
      'https://api.example.com': provider.url,
      'https://inbox.example.com/?to={email}': inbox,
      'qa@example.com': USER,
    }
    const [, text = ''] =
      /npx ramp-sandbox (.*)$/s.exec(command.replaceAll('\\\n', ' ').trim()) ?? []
    return text.split(/\s+/).map((word) => {
      const plain = word.replaceAll("'", '')
      return own[plain] ?? plain
    })
  }

  const cwd = createFolder()

  it('goes from nothing to a green weekly job with its own commands and its own YAML', async () => {
    const env = { PROVIDER_KEY: KEY }
    const [reads = '', plan = ''] = blocks('sh')
    const [yaml = ''] = blocks('yaml')
    const [, weekly = ''] = /run: >\n\s+(.*)\n/.exec(yaml) ?? []
    expect((await runInProcess(toArgs(reads), env)).out).toContain('Only reads were made.')
    const planned = await runInProcess(toArgs(plan), env, cwd)
    expect(planned.out).toContain('makes 2 transactions (10 CAD, 11 CAD), to the wallet 0x0')
    const yes = toArgs(plan).map((word) => (word === '--dry-run' ? '--yes' : word))
    expect((await runInProcess(yes, env, cwd)).code).toBe(2)
    const { code, out, err } = await runInProcess(toArgs(weekly), env, cwd)
    expect([code, err]).toEqual([0, expect.stringMatching(/(\d+) of \1 checked, 0 differ/)])
    expect(out).toContain('Nothing changed')
    expect(readFileSync(join(cwd, 'drift.md'), 'utf8')).toContain('Nothing changed')
    expect(readFileSync(join(cwd, 'drift.xml'), 'utf8')).toContain('failures="0"')
  }, 60_000)
})
