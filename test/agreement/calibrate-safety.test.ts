import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Calibration } from '../../src/agreement/calibrate/calibrate.ts'
import { formatReport, judge, redact } from '../../src/agreement/calibrate/report.ts'
import { createJournal } from '../../src/agreement/calibrate/run.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { SettingId } from '../../src/world/settings/index.ts'
import fc from '../helpers/fast-check.ts'
import { createFolder } from '../helpers/folder.ts'
import { calibrateSecond, FIXTURE, KEY, NOW, type SecondSandbox, USER } from './second-sandbox.ts'

type Misbehave = NonNullable<SecondSandbox['misbehave']>

interface Seen {
  method: string
  path: string
  body: Record<string, unknown> | undefined
}

/** Writes down every call before it is sent. */
function count(seen: Seen[], before?: (call: Seen) => void): Misbehave {
  return (send) => async (url, init) => {
    const { pathname, search } = new URL(url)
    const body = init.body == null ? undefined : JSON.parse(String(init.body))
    const call = { method: String(init.method), path: pathname + search, body }
    seen.push(call)
    before?.(call)
    return await send(url, init)
  }
}

/** Another answer to the calls whose method and path match. */
const instead =
  (pattern: RegExp, answer: (real: Response) => Promise<Response> | Response): Misbehave =>
  (send) =>
  async (url, init) => {
    const real = await send(url, init)
    return pattern.test(`${init.method} ${new URL(url).pathname}`) ? answer(real) : real
  }

const withJson = async (real: Response, change: (json: Record<string, unknown>) => unknown) =>
  new Response(JSON.stringify(change((await real.json()) as Record<string, unknown>)), {
    status: real.status,
    headers: real.headers,
  })

const judged = (run: Calibration) => judge(run, { ignored: [], ignoresAdditional: true })
const outcomeOf = (run: Calibration) => judged(run).outcome
const reportOf = (run: Calibration, keep: string[] = []) =>
  redact(formatReport(run, judged(run), { url: 'http://127.0.0.1:1', keep }), run.secrets)
const claimsOf = ({ findings }: Calibration) => findings.filter(({ actual }) => actual !== null)

const findingOf = ({ findings }: Calibration, id: SettingId) =>
  findings.find(({ setting }) => setting === id)

const CONFIGURED = {
  ...FIXTURE,
  integrators: [
    { name: 'ours', apiKey: KEY, webhook: { url: 'https://ours.example.com/hooks' } },
    ...(FIXTURE.integrators?.slice(1) ?? []),
  ],
}

/** A sandbox that outlives the run, to look at it afterwards. */
async function openProvider(fixture = CONFIGURED) {
  const sandbox = await createSandbox({ fixture, clock: NOW, listen: false })
  const read = async () => {
    const answer = await sandbox.fetch('/v2/webhook-configurations', {
      headers: { 'x-api-key': KEY },
    })
    return ((await answer.json()) as { data?: { url: string } }).data?.url
  }
  return { sandbox, webhookUrl: read }
}

describe('the level read', () => {
  it('sends reads and nothing else, and nothing that makes a link', async () => {
    const seen: Seen[] = []
    await calibrateSecond({ misbehave: count(seen) })
    expect(seen.length).toBeGreaterThan(20)
    expect(seen.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(seen.filter(({ path }) => /kyc-url|verify/i.test(path))).toEqual([])
  })

  it('takes fewer than sixty calls', async () => {
    const seen: Seen[] = []
    await calibrateSecond({ misbehave: count(seen) })
    expect(seen.length).toBeLessThan(60)
  })
})

describe('the level write', () => {
  it('registers users by the pattern alone, creates no transaction and submits no business', async () => {
    const seen: Seen[] = []
    await calibrateSecond({ level: 'write', misbehave: count(seen) })
    const created = seen.filter(({ method, path }) => method === 'POST' && path === '/v2/users')
    expect(created.length).toBeGreaterThan(3)
    const named = created.filter(({ body }) => body?.email !== undefined)
    for (const { body } of named) expect(body?.email).toMatch(/^qa\+run-[\w-]+@example\.com$/)
    const others = seen.filter(
      ({ method, path }) =>
        /submitKYB|rotate|secret/.test(path) || (method !== 'GET' && /transactions/.test(path)),
    )
    expect(others).toEqual([])
    expect(
      seen.filter(({ method, path }) => method === 'POST' && /transactions/.test(path)),
    ).toEqual([])
  })

  it('leaves the webhook configuration as it was', async () => {
    const { sandbox, webhookUrl } = await openProvider()
    const run = await calibrateSecond({ level: 'write', sandbox })
    expect(run.leftBehind).toEqual([])
    expect(await webhookUrl()).toBe('https://ours.example.com/hooks')
  })

  it('puts the webhook configuration back when it is interrupted at any of its calls', async () => {
    const whole: Seen[] = []
    await calibrateSecond({ level: 'write', fixture: CONFIGURED, misbehave: count(whole) })
    // The last two put back what was changed.
    const touching = whole.slice(0, -2).flatMap(({ method, path }, i) => {
      return /webhook/.test(path) && method !== 'GET' ? [i + 1, i + 2] : []
    })
    expect(touching.length).toBeGreaterThan(4)
    for (const at of touching) {
      const { sandbox, webhookUrl } = await openProvider()
      const stop = new AbortController()
      const seen: Seen[] = []
      const misbehave = count(seen, () => seen.length === at && stop.abort())
      const options = { signal: stop.signal }
      const run = await calibrateSecond({ level: 'write', sandbox, misbehave, options })
      expect([run.isInterrupted, run.leftBehind, outcomeOf(run)]).toEqual([true, [], 'failed'])
      expect(await webhookUrl(), `after ${at} calls`).toBe('https://ours.example.com/hooks')
    }
  })

  it('says what it could not put back', async () => {
    let puts = 0
    const misbehave: Misbehave = (send) => async (url, init) => {
      if (init.method === 'PUT' && url.endsWith('webhook-configurations') && ++puts > 1) {
        throw new TypeError('fetch failed')
      }
      return await send(url, init)
    }
    const run = await calibrateSecond({ level: 'write', fixture: CONFIGURED, misbehave })
    expect(run.leftBehind).toEqual([expect.stringContaining('https://ours.example.com/hooks')])
    expect(outcomeOf(run)).toBe('failed')
  })
})

describe('a run that is killed', () => {
  it('leaves a journal by which the next one puts back what it changed', async () => {
    const { sandbox, webhookUrl } = await openProvider()
    const file = join(createFolder(onTestFinished), 'calibrate-journal.json')
    let isKilled = false
    const misbehave: Misbehave = (send) => async (url, init) => {
      if (isKilled) throw new TypeError('fetch failed')
      isKilled = init.method === 'PUT' && String(init.body).includes('127.0.0.1:9')
      return await send(url, init)
    }
    const options = { journal: createJournal(file, sandbox.url) }
    const killed = await calibrateSecond({ level: 'write', sandbox, misbehave, options })
    expect(await webhookUrl()).toBe('http://127.0.0.1:9/')
    expect(killed.leftBehind).toHaveLength(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(KEY)
    const again = { tag: 'again', journal: createJournal(file, sandbox.url) }
    const next = await calibrateSecond({ level: 'write', sandbox, options: again })
    expect(next.leftBehind).toEqual([])
    expect(await webhookUrl()).toBe('https://ours.example.com/hooks')
    expect(existsSync(file)).toBe(false)
  })
})

describe('the level money', () => {
  const created = (sandbox: Awaited<ReturnType<typeof openProvider>>['sandbox']) =>
    sandbox.transactions.list()

  it('creates one transaction and cancels it', async () => {
    const { sandbox } = await openProvider()
    await calibrateSecond({ level: 'money', sandbox })
    const items = await created(sandbox)
    expect(items.map(({ status, leftSideValue }) => [status, leftSideValue])).toEqual([
      ['cancelled', 10],
    ])
  })

  it.each(['is interrupted', 'loses the answer'])('cancels it when the run %s', async (how) => {
    const { sandbox } = await openProvider()
    const stop = new AbortController()
    const misbehave: Misbehave = (send) => async (url, init) => {
      const answer = await send(url, init)
      if (init.method !== 'POST' || !url.endsWith('/transactions') || !answer.ok) return answer
      if (how === 'is interrupted') stop.abort()
      throw new TypeError('fetch failed')
    }
    const options = { signal: stop.signal }
    const run = await calibrateSecond({ level: 'money', sandbox, misbehave, options })
    expect(run.leftBehind).toEqual([])
    const items = await created(sandbox)
    expect(items.map(({ status }) => status)).toEqual(['cancelled'])
    expect(findingOf(run, 'transactions.required')?.verdict).toBe('not known')
  })
})

describe('a provider that misbehaves', () => {
  it('is not confirmed where it drops the connection', async () => {
    const misbehave: Misbehave = (send) => (url, init) =>
      url.includes('/v2/limits') ? Promise.reject(new TypeError('fetch failed')) : send(url, init)
    const run = await calibrateSecond({ misbehave })
    expect(findingOf(run, 'auth.getLimits')).toMatchObject({
      verdict: 'not known',
      isFailure: true,
    })
    expect(findingOf(run, 'errors.v1')?.verdict).toBe('agrees')
    expect(outcomeOf(run)).toBe('failed')
  })

  it('is left alone after three calls in a row without an answer', async () => {
    const seen: Seen[] = []
    const drop: Misbehave = () => () => Promise.reject(new TypeError('fetch failed'))
    const misbehave: Misbehave = (send) => count(seen)(drop(send))
    const run = await calibrateSecond({ misbehave })
    expect(seen.length).toBeLessThanOrEqual(5)
    expect(claimsOf(run)).toEqual([])
    expect(outcomeOf(run)).toBe('failed')
  })

  it('is not confirmed where it is too slow', async () => {
    const misbehave: Misbehave = (send) => (url, init) =>
      url.includes('/v2/limits')
        ? new Promise((_, reject) => {
            init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          })
        : send(url, init)
    const run = await calibrateSecond({ misbehave, options: { timeoutMs: 40 } })
    expect(findingOf(run, 'auth.getLimits')).toMatchObject({
      verdict: 'not known',
      isFailure: true,
    })
  })

  it('is waited for where it limits the rate, as long as it says, and then confirmed', async () => {
    const waits: number[] = []
    let limited = false
    const misbehave: Misbehave = (send) => (url, init) => {
      if (limited || !url.includes('/v2/limits')) return send(url, init)
      limited = true
      return Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '7' } }))
    }
    const wait = async (ms: number) => void waits.push(ms)
    const run = await calibrateSecond({ misbehave, options: { wait, waitMaxMs: 60_000 } })
    expect([waits, outcomeOf(run)]).toEqual([[7_000], 'confirmed'])
  })

  it('is not waited for beyond bounds, and then not called again', async () => {
    const seen: Seen[] = []
    const waits: number[] = []
    const wait = async (ms: number) => void waits.push(ms)
    const limit: Misbehave = (send) => (url, init) =>
      url.includes('/v2/limits')
        ? Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '40' } }))
        : send(url, init)
    const misbehave: Misbehave = (send) => count(seen)(limit(send))
    const run = await calibrateSecond({ misbehave, options: { wait, waitMaxMs: 60_000 } })
    expect(waits).toEqual([40_000])
    expect(seen.at(-1)?.path).toBe('/v2/limits')
    expect(findingOf(run, 'auth.getLimits')).toMatchObject({
      verdict: 'not known',
      isFailure: true,
    })
    expect(findingOf(run, 'errors.v1')?.verdict).toBe('not known')
  })

  it('has drift where it answers another status', async () => {
    const misbehave = instead(/^GET \/v2\/limits$/, () => new Response('{}', { status: 402 }))
    const run = await calibrateSecond({ misbehave })
    expect(findingOf(run, 'auth.getLimits')?.verdict).toBe('not known')
    expect(run.drift).toContainEqual(
      expect.objectContaining({ breaks: 'status', operations: ['getLimits'], actual: 402 }),
    )
    expect(outcomeOf(run)).toBe('differs')
  })

  it('has drift where it answers another field, or a header that no one knows', async () => {
    const misbehave = instead(/^GET \/v2\/quotes$/, async (real) => {
      const changed = await withJson(real, (json) => ({
        ...json,
        ...(json.data ? { data: { ...json.data, colour: 'blue' } } : {}),
      }))
      changed.headers.set('x-colour', 'blue')
      return changed
    })
    const run = await calibrateSecond({ misbehave })
    expect(run.drift).toMatchObject([
      { breaks: 'additional', operations: ['createQuote'], path: 'data.colour' },
    ])
    expect(outcomeOf(run)).toBe('confirmed')
    expect(judge(run, { ignored: [], ignoresAdditional: false }).outcome).toBe('differs')
    const ignored = ['createQuote.data.colour']
    expect(judge(run, { ignored, ignoresAdditional: false }).outcome).toBe('confirmed')
    expect(findingOf(run, 'fields.createQuote')?.verdict).toBe('agrees')
  })

  it('has drift, and no lengths of time, where its clock is slower', async () => {
    const late = (text: string) => new Date(Date.parse(text) - 5 * 60_000)
    const misbehave = instead(/./, async (real) => {
      const text = await real.text()
      const body = text.replace(/2026-09-01T[\d:.]+Z/g, (instant) => late(instant).toISOString())
      const headers = new Headers(real.headers)
      headers.set('date', late(NOW).toUTCString())
      return new Response(body, { status: real.status, headers })
    })
    const run = await calibrateSecond({ misbehave })
    expect(run.drift.map(({ path }) => path)).toEqual(['headers.date'])
    expect(findingOf(run, 'quotes.ttl')?.verdict).toBe('not known')
  })

  it('is not confirmed where it answers 500', async () => {
    const misbehave = instead(/priceQuote/, () => new Response('oops', { status: 500 }))
    const run = await calibrateSecond({ misbehave })
    expect(findingOf(run, 'auth.v1PriceQuote')).toMatchObject({ verdict: 'not known' })
  })

  it.each(['[]', '"text"', 'null', '<html>', '{"success":true}', '{"success":true,"data":7}'])(
    'breaks nothing with %s in place of every answer',
    async (text) => {
      const misbehave = instead(/./, (real) => new Response(text, { status: real.status }))
      const run = await calibrateSecond({ level: 'money', misbehave })
      expect(outcomeOf(run)).not.toBe('confirmed')
    },
  )

  const nothing = ['{}', '[]', 'null', '7', '"text"', '<html>', '', '{"success":true}']
  const emptyData = ['null', '{}', '[]', '7'].map((data) => `{"success":true,"data":${data}}`)
  const levels = (['read', 'money'] as const).flatMap((level) =>
    [...nothing, ...emptyData].map((text) => ({ level, text })),
  )
  it.each(levels)('confirms nothing at level $level where all is 200 $text', async (given) => {
    const { level, text } = given
    const misbehave: Misbehave = () => async () => new Response(text)
    const run = await calibrateSecond({ level, misbehave })
    expect(claimsOf(run)).toEqual([])
    expect(findingOf(run, 'quotes.labels')).toMatchObject({ verdict: 'not known' })
  })

  it('confirms nothing where every path is a page that is not found', async () => {
    const misbehave: Misbehave = () => async () => new Response('<html>', { status: 404 })
    const run = await calibrateSecond({ level: 'money', misbehave })
    expect(claimsOf(run)).toEqual([])
  })
})

describe('a report', () => {
  it('holds nothing that is secret or personal, wherever it was answered', async () => {
    const word = fc.stringMatching(/^[a-z]{8,12}[0-9]{4}$/)
    const holds = fc.asyncProperty(word, word, word, async (name, secret, note) => {
      const email = `${name}@example.com`
      const fixture = { ...FIXTURE, users: FIXTURE.users?.map((row) => ({ ...row, email })) }
      const misbehave = instead(/^GET/, (real) =>
        withJson(real, (json) => ({ ...json, note, [`${secret}@example.com`]: secret })),
      )
      const options = { user: email, token: undefined }
      const run = await calibrateSecond({ fixture, misbehave, options })
      const report = reportOf(run)
      const findings = JSON.stringify([run.findings, run.drift])
      for (const hidden of [name, secret, note, KEY]) {
        expect(report).not.toContain(hidden)
        expect(findings).not.toContain(hidden)
      }
    })
    await fc.assert(holds, { numRuns: 8 })
  })

  it('names the answers that led to each finding', async () => {
    const run = await calibrateSecond({
      settings: { 'quotes.fee': 0.01, 'status.invalid-query': 422 },
    })
    const report = reportOf(run)
    const [, number = ''] = /quotes\.fee \| 0\.01 \| 0\.005 \| (\d+)/.exec(report) ?? []
    expect(report).toMatch(new RegExp(`^${number}\\. \`GET /v2/quotes[^\`]*\`: 200`, 'm'))
    expect(report).toContain('"fee":10,')
    expect(report).not.toContain('must be a plain decimal number')
    const kept = reportOf(run, ['errors.message'])
    expect(kept).toContain('must be a plain decimal number')
    expect(report).not.toContain(USER)
  })
})
