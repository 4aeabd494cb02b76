import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/calibrate/findings.ts'
import type { ReportRow } from '../../src/calibrate/judge.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { PROFILE } from '../helpers/story.ts'
import { createForeignProvider } from './foreign/provider.mjs'
import { playSession } from './foreign/session.mjs'
import { measure } from './measure.ts'

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
  rows: ReportRow[]
}
type Provider = Awaited<ReturnType<typeof createForeignProvider>>
let provider: Provider
let first: Outcome | undefined

beforeAll(async () => {
  // It fails as often as it does; http, so that events arrive on loopback.
  provider = await createForeignProvider({ latencyMs: [0, 0], allowHttpWebhooks: true })
  first = await run('--out', inFolder('p.json'), '--report', inFolder('p.md'))
}, 60_000)
afterAll(() => provider.close())

async function run(...more: string[]): Promise<Outcome> {
  const { code, out } = await calibrate(provider, '--json', ...more)
  return { ...JSON.parse(out), code }
}

function calibrate(of: Provider, ...more: string[]) {
  const args = [
    ...['calibrate', '--against', of.url, '--api-key', 'env:KEY'],
    ...['--second-api-key', 'env:KEY2', '--level', 'money', '--yes', '--user', of.user],
    ...['--code-from', `${of.operatorUrl}/mailbox?to={email}`],
    ...['--new-users', 'qa+*@example.com', '--webhooks', '0', ...more],
  ]
  return runInProcess(args, { KEY: of.apiKey, KEY2: of.secondApiKey })
}

describe.runIf(isFullDepth)('a provider that shares no code with the sandbox', () => {
  it('makes more than sixty choices, each with a value wherever it is a setting', () => {
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length)
    expect(choices.length).toBeGreaterThan(60)
    const halves = choices.filter((row) => 'setting' in row !== 'value' in row)
    expect(halves).toEqual([])
  })

  it('is reported in rows of two lines of a terminal at most, and without its keys', () => {
    expect(first?.code).toBe(2)
    const report = readFileSync(inFolder('p.md'), 'utf8')
    const rows = report.split('\n').filter((line) => line.startsWith('|'))
    expect(rows.filter((line) => line.length > 160)).toEqual([])
    const keys = [provider.apiKey, provider.secondApiKey]
    for (const secret of [...keys, provider.user]) expect(report).not.toContain(secret)
    // The file names the user, whom a later run needs.
    for (const key of keys) expect(readFileSync(inFolder('p.json'), 'utf8')).not.toContain(key)
    expect(existsSync(inFolder('calibrate-journal.json'))).toBe(false)
  })

  it('differs in five statuses from a sandbox that was calibrated, in the table where a client meets them', async () => {
    const other = await createForeignProvider({ latencyMs: [0, 0], failEvery: 0 })
    const { apiKey, user } = other
    const { settings } = JSON.parse(readFileSync(inFolder('p.json'), 'utf8'))
    const users = [{ email: user, status: 'verified' as const, profile: PROFILE }]
    const fixture = { integrators: [{ name: 'ours', apiKey }], users }
    await using sandbox = await createSandbox({ settings, fixture })
    const theirs = await playSession({ ...other, tag: 'a', readCode: () => readMailbox(other) })
    const ours = await playSession({
      ...{ url: sandbox.url, apiKey, user, tag: 'a' },
      readCode: () => sandbox.inbox.loginCode(user),
    })
    await other.close()
    const different = theirs.flatMap(({ call, status }, i) =>
      status === ours[i]?.status ? [] : [`${call}: ${status}, ${ours[i]?.status}`],
    )
    expect([theirs.length, ours.length]).toEqual([82, 82])
    expect(different).toEqual([
      'PUT /v2/webhook-configurations: 201, 200',
      'POST /v2/users: 201, 415',
      'DELETE /v2/users: 404, 405',
      'GET /apiFindUser?email=none@example.com: 200, 404',
      'GET /apiFindUser: 400, 422',
    ])
    const named = first?.rows.filter(
      ({ verdict, breaks }) => verdict === 'cannot imitate' && breaks === 'status',
    )
    expect(
      named?.map(({ where, what, provider }) => `${where} ${what}: ${provider}`.trim()),
    ).toEqual([
      'errors.v1: it is 400 or as-v2, by call',
      'status.unknown-email: it is 200',
      'status.putWebhookConfiguration: it is 200 or 201, by call',
    ])
  })

  it('has a status that no option is where a malformed id is no unknown one', async () => {
    const terms = { checksIds: true }
    const other = await createForeignProvider({ latencyMs: [0, 0], failEvery: 0, terms })
    const codesUrl = `${other.operatorUrl}/mailbox?to={email}`
    const options = { level: 'write', receives: false } as const
    const { run } = await measure({ ...other, codesUrl }, options)
    await other.close()
    const found = run.findings.find(({ setting }) => setting === 'status.unknown-transaction')
    expect(found).toMatchObject({ verdict: 'cannot imitate', why: 'it is 404 or 422, by call' })
  })
})

async function readMailbox({ operatorUrl, user }: Provider): Promise<string> {
  const response = await fetch(`${operatorUrl}/mailbox?to=${user}`)
  const { messages } = (await response.json()) as { messages: { code: string }[] }
  return messages[0]?.code ?? ''
}
