import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/agreement/calibrate/findings.ts'
import { isSettingId, settingOf } from '../../src/world/settings/index.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { createForeignProvider } from './foreign/provider.mjs'

interface Choice {
  id: string
  setting?: string
  value?: string | number | string[]
}

const file = join(import.meta.dirname, 'foreign/choices.json')
const choices: Choice[] = JSON.parse(readFileSync(file, 'utf8'))
const folder = createFolder()
const inFolder = (name: string) => join(folder, name)
interface Outcome {
  code: number | null
  findings: Finding[]
  rows: { isNew: boolean }[]
}
let provider: Awaited<ReturnType<typeof createForeignProvider>>
let [first, second]: Outcome[] = []

beforeAll(async () => {
  // It fails as often as it does; http, so that events arrive on loopback.
  provider = await createForeignProvider({ latencyMs: [0, 0], allowHttpWebhooks: true })
  first = await run('--out', inFolder('p.json'), '--report', inFolder('p.md'))
  second = await run('--settings', inFolder('p.json'), '--junit', inFolder('drift.xml'))
}, 120_000)
afterAll(() => provider.close())

async function run(...more: string[]): Promise<Outcome> {
  const { code, out } = await calibrate('--json', ...more)
  return { ...JSON.parse(out), code }
}

function calibrate(...more: string[]) {
  const args = [
    ...['calibrate', '--against', provider.url, '--api-key', 'env:KEY'],
    ...['--second-api-key', 'env:KEY2', '--level', 'money', '--yes', '--user', provider.user],
    ...['--code-from', `${provider.operatorUrl}/mailbox?to={email}`],
    ...['--new-users', 'qa+*@example.com', '--webhooks', '0', ...more],
  ]
  return runInProcess(args, { KEY: provider.apiKey, KEY2: provider.secondApiKey })
}

/** What a choice is as a setting; undefined for one that no setting can say. */
function spell({ setting = '', value }: Choice): string | undefined {
  if (value === undefined || !isSettingId(setting)) return undefined
  const { parse, format } = settingOf(setting)
  const parsed = parse(Array.isArray(value) ? value.join(',') : value)
  return parsed === undefined ? undefined : String(format(parsed))
}

/** Another provider than the one of the file, so that its events can be received. */
const OTHERWISE = ['webhooks.url']

describe('a provider that shares no code with the sandbox', () => {
  it('makes more than sixty choices, each with a value wherever it is a setting', () => {
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length)
    expect(choices.length).toBeGreaterThan(60)
    const halves = choices.filter((row) => 'setting' in row !== 'value' in row)
    expect(halves).toEqual([])
  })

  it('is claimed to do nothing that it does not, and most of its choices are found', () => {
    const claims = [first, second].flatMap((outcome) =>
      (outcome?.findings ?? []).filter(({ actual }) => actual !== null),
    )
    const judged = choices.flatMap((choice) => {
      const expected = spell(choice)
      const own = claims.filter(({ setting }) => setting === choice.setting)
      return expected === undefined ? [] : [{ ...choice, expected, own }]
    })
    const wrong = judged.filter(({ setting = '', expected, own }) => {
      const isWrong = own.some(({ actual }) => String(actual) !== expected)
      return isWrong && !OTHERWISE.includes(setting)
    })
    expect(wrong).toEqual([])
    expect(judged.filter(({ own }) => own.length > 0).length).toBeGreaterThanOrEqual(52)
  })

  it('is no news to a second run, and the report fits a few pages', () => {
    expect(second?.rows.filter(({ isNew }) => isNew)).toEqual([])
    expect([first?.code, second?.code]).toEqual([2, 0])
    const report = readFileSync(inFolder('p.md'), 'utf8')
    expect(report.split('\n').length).toBeLessThan(150)
    expect(readFileSync(inFolder('drift.xml'), 'utf8')).toContain('failures="0"')
    const written = report + readFileSync(inFolder('p.json'), 'utf8')
    const secrets = [provider.apiKey, provider.secondApiKey, provider.user]
    for (const secret of secrets) expect(written).not.toContain(secret)
    expect(existsSync(inFolder('calibrate-journal.json'))).toBe(false)
  })

  it('is news where it changes', async () => {
    const other = await createForeignProvider({
      ...{ latencyMs: [0, 0], failEvery: 0, terms: { quoteTtlMs: 300_000 } },
    })
    const args = ['--against', other.url, '--api-key', 'env:KEY', '--user', other.user]
    const file = ['--settings', inFolder('p.json')]
    const { code } = await runInProcess(['calibrate', ...args, ...file], { KEY: other.apiKey })
    await other.close()
    expect(code).toBe(2)
  })
})
