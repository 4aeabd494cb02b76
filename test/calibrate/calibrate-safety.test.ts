import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Calibration, createJournal } from '../../src/calibrate/calibrate.ts'
import { judge } from '../../src/calibrate/judge.ts'
import { formatReport, redact } from '../../src/calibrate/report.ts'
import type { Json } from '../../src/client/http.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { SettingId } from '../../src/world/settings/index.ts'
import { isFullDepth } from '../helpers/depth.ts'
import fc from '../helpers/fast-check.ts'
import { createFolder } from '../helpers/folder.ts'
import { once } from '../helpers/once.ts'
import { calibrateSecond, FIXTURE, KEY, NOW, type SecondSandbox, USER } from './second-sandbox.ts'

type Misbehave = NonNullable<SecondSandbox['misbehave']>

/** Writes down every call before it is sent, as `GET /v2/users`. */
function count(seen: string[], before?: () => void): Misbehave {
  return (send) => async (url, init) => {
    const { pathname, search } = new URL(url)
    seen.push(`${init.method} ${pathname}${search} ${init.body ?? ''}`.trim())
    before?.()
    return await send(url, init)
  }
}

/** Something else in place of the responses to the calls whose method and path match. */
const instead =
  (pattern: RegExp, respond: (real: Response) => Promise<Response> | Response): Misbehave =>
  (send) =>
  async (url, init) => {
    const real = await send(url, init)
    return pattern.test(`${init.method} ${new URL(url).pathname}`) ? respond(real) : real
  }

const withJson = async (real: Response, change: (json: Record<string, unknown>) => unknown) =>
  new Response(JSON.stringify(change((await real.json()) as Record<string, unknown>)), real)

const judged = (run: Calibration, ignored: string[] = [], ignoresAdditional = true) =>
  judge(run, { ignored, ignoresAdditional })
const outcomeOf = (run: Calibration) => judged(run).outcome
const reportOf = (run: Calibration) =>
  redact(formatReport(run, judged(run), 'http://127.0.0.1:1'), run.secrets)
const firstOf = (run: Calibration) => reportOf(run).split('\n\n')[1]
const claimsOf = ({ findings }: Calibration) => findings.filter(({ provider }) => provider !== null)
const findingOf = ({ findings }: Calibration, id: SettingId) =>
  findings.find(({ setting }) => setting === id)
const FAILED = { verdict: 'not known', isFailure: true }

const OURS = 'https://ours.example.com/hooks'
const CONFIGURED = {
  ...FIXTURE,
  integrators: [
    { name: 'ours', apiKey: KEY, webhook: { url: OURS } },
    ...(FIXTURE.integrators?.slice(1) ?? []),
  ],
}

/** A sandbox that outlives the run, to look at it afterwards. */
async function openProvider() {
  const sandbox = await createSandbox({ fixture: CONFIGURED, clock: NOW, listen: false })
  const headers = { 'x-api-key': KEY }
  const webhookUrl = async () => {
    const response = await sandbox.fetch('/v2/webhook-configurations', { headers })
    return ((await response.json()) as { data?: { url: string } }).data?.url
  }
  return { sandbox, webhookUrl }
}

/** A run that looks at the provider alone, which takes half of the time. */
const lookAt = (second: SecondSandbox) => calibrateSecond({ ...second, isCompared: false })

async function runWriting(second: SecondSandbox) {
  const seen: string[] = []
  const warnings: string[] = []
  const say = (text: string, how?: object) => void (how ?? warnings.push(text))
  await lookAt({ ...second, level: 'write', misbehave: count(seen), options: { say } })
  return { seen, warnings }
}

const unconfiguredRun = once(() => runWriting({}))
const configuredRun = once(() => runWriting({ fixture: CONFIGURED }))
const loggedOutRun = once(() => {
  const none = instead(/verify$/, () => new Response('{}', { status: 401 }))
  return lookAt({ level: 'money', fixture: CONFIGURED, misbehave: none })
})

it('sends at the level read fewer than sixty reads and nothing else, and makes no link', async () => {
  const seen: string[] = []
  await lookAt({ misbehave: count(seen) })
  expect(seen.length).toBeGreaterThan(20)
  expect(seen.length).toBeLessThan(60)
  expect(seen.filter((call) => !call.startsWith('GET') || /kyc-url|verify/i.test(call))).toEqual([])
})

it('registers users by the pattern alone, creates no transaction and submits no business', async () => {
  const { seen } = await unconfiguredRun()
  const created = seen.filter((call) => /^POST \/v2\/users .*"email":/.test(call))
  expect(created.length).toBeGreaterThan(3)
  for (const call of created) expect(call).toMatch(/"email":"qa\+run-[\w-]+@example\.com"/)
  const harmful = /submitKYB|rotate|secret|^(POST|PUT) .*transactions/
  expect(seen.filter((call) => harmful.test(call))).toEqual([])
})

describe('the webhook configuration', () => {
  it('is put back when a run is interrupted at a call that concerns it', async () => {
    const { seen: whole } = await configuredRun()
    // The last two put back what was changed.
    const touching = whole.slice(0, -2).flatMap((call, i) => {
      return /webhook/.test(call) && !call.startsWith('GET') ? [i + 1, i + 2] : []
    })
    expect(touching.length).toBeGreaterThan(3)
    for (const at of touching.filter((_, i) => i % (isFullDepth ? 3 : 6) === 0)) {
      const { sandbox, webhookUrl } = await openProvider()
      const stop = new AbortController()
      const seen: string[] = []
      const misbehave = count(seen, () => seen.length === at && stop.abort())
      const options = { signal: stop.signal }
      const run = await lookAt({ level: 'write', sandbox, misbehave, options })
      expect([run.isInterrupted, run.notPutBack, outcomeOf(run)]).toEqual([true, [], 'failed'])
      expect(await webhookUrl(), `after ${at} calls`).toBe(OURS)
    }
  })

  it('is printed where it cannot be put back', async () => {
    let puts = 0
    const misbehave: Misbehave = (send) => async (url, init) => {
      const isPut = init.method === 'PUT' && url.endsWith('webhook-configurations')
      if (isPut && ++puts > 1) throw new TypeError('fetch failed')
      return await send(url, init)
    }
    const run = await lookAt({ level: 'write', fixture: CONFIGURED, misbehave })
    expect(run.notPutBack).toEqual([expect.stringContaining(OURS)])
    expect(outcomeOf(run)).toBe('failed')
  })

  it('is put back by the next run after one that was killed, from its journal', async () => {
    const { sandbox, webhookUrl } = await openProvider()
    const file = join(createFolder(onTestFinished), 'calibrate-journal.json')
    let isKilled = false
    const misbehave: Misbehave = (send) => async (url, init) => {
      if (isKilled) throw new TypeError('fetch failed')
      isKilled = init.method === 'PUT' && String(init.body).includes('127.0.0.1:9')
      return await send(url, init)
    }
    const options = { journal: createJournal(file, sandbox.url) }
    const killed = await lookAt({ level: 'write', sandbox, misbehave, options })
    expect(await webhookUrl()).toBe('http://127.0.0.1:9/')
    expect(killed.notPutBack).toHaveLength(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(KEY)
    expect(() => createJournal(file, 'http://127.0.0.1:2')).toThrow('of another provider')
    const again = { tag: 'again', journal: createJournal(file, sandbox.url) }
    const next = await lookAt({ level: 'write', sandbox, options: again })
    expect(next.notPutBack).toEqual([])
    expect(await webhookUrl()).toBe(OURS)
    expect(existsSync(file)).toBe(false)
  })

  it('is not touched where a success does not say what it is', async () => {
    const url = 'https://ours.example.com/hooks'
    const others = [
      { success: true, data: { webhookUrl: url } },
      ...(isFullDepth ? [{ success: true, url }] : []),
    ]
    for (const body of others) {
      const seen: string[] = []
      const read = instead(/^GET .*webhook-conf/, () => Response.json(body))
      const misbehave: Misbehave = (send) => count(seen)(read(send))
      const run = await lookAt({ level: 'write', fixture: CONFIGURED, misbehave })
      expect(seen.filter((call) => /^(PUT|DELETE|POST) .*webhook-conf/.test(call))).toEqual([])
      expect(findingOf(run, 'webhooks.url')).toMatchObject({ verdict: 'not known' })
    }
  })

  it('is said beforehand to show its secret to the run, where there is none', async () => {
    const { warnings } = await unconfiguredRun()
    expect(warnings).toEqual([expect.stringContaining('signing secret')])
    expect((await configuredRun()).warnings).toEqual([])
  })
})

describe('the one transaction', () => {
  it('is the smallest, and is cancelled', async () => {
    const { sandbox } = await openProvider()
    await lookAt({ level: 'money', sandbox })
    const items = await sandbox.transactions.list()
    const seen = items.map(({ status, leftSideValue }) => [status, leftSideValue])
    // The second has the quote of the first, and a little more in its body.
    expect(seen.sort()).toEqual([
      ['cancelled', 10],
      ['cancelled', 11],
    ])
  })

  it('is the smallest also where the quote decides the amount, of which nothing is claimed', async () => {
    const { sandbox } = await openProvider()
    const quoted = new Map<number, string | null>()
    const misbehave: Misbehave = (send) => async (url, init) => {
      const { pathname, searchParams } = new URL(url)
      const isOrder = init.method === 'POST' && pathname === '/v2/transactions'
      if (!isOrder) {
        const response = await send(url, init)
        const { data }: Json = pathname === '/v2/quotes' ? await response.clone().json() : {}
        if (data) quoted.set(data.quoteId, searchParams.get('leftSideValue'))
        return response
      }
      const body = JSON.parse(String(init.body))
      const leftSideValue = Number(quoted.get(body.quoteId) ?? body.leftSideValue)
      return await send(url, { ...init, body: JSON.stringify({ ...body, leftSideValue }) })
    }
    const run = await lookAt({ level: 'money', sandbox, misbehave })
    const items = await sandbox.transactions.list()
    expect(items.map(({ leftSideValue }) => leftSideValue)).toEqual([10, 10, 10])
    expect(items.filter(({ status }) => status !== 'cancelled')).toEqual([])
    expect(findingOf(run, 'status.quote-amount')).toMatchObject({ provider: null })
    expect(findingOf(run, 'limits.minimum')).toMatchObject({ provider: 10 })
  })

  it.each(isFullDepth ? ['is interrupted', 'loses the response'] : ['is interrupted'])(
    'is cancelled when the run %s',
    async (how) => {
      const { sandbox } = await openProvider()
      const stop = new AbortController()
      const misbehave: Misbehave = (send) => async (url, init) => {
        const response = await send(url, init)
        if (init.method !== 'POST' || !url.endsWith('/transactions') || !response.ok)
          return response
        if (how === 'is interrupted') stop.abort()
        throw new TypeError('fetch failed')
      }
      const options = { signal: stop.signal }
      const run = await lookAt({ level: 'money', sandbox, misbehave, options })
      expect(run.notPutBack).toEqual([])
      const items = await sandbox.transactions.list()
      expect(items.map(({ status }) => status)).toEqual(['cancelled'])
      expect(findingOf(run, 'transactions.required')?.verdict).toBe('not known')
    },
  )

  it('is said to be left behind where the list of a success does not have it', async () => {
    const LIST = /^GET \/v2\/transactions$/
    const misbehave: Misbehave = (send) => async (url, init) => {
      if (url.endsWith('/cancel')) return new Response('{}', { status: 403 })
      const rename = ({ data, ...json }: Json) => ({
        ...json,
        data: data && { transactions: data.items },
      })
      return await instead(LIST, (real) => withJson(real, rename))(send)(url, init)
    }
    const { sandbox } = await openProvider()
    const run = await lookAt({ level: 'money', sandbox, misbehave })
    const [{ id } = { id: 'none' }] = await sandbox.transactions.list()
    expect(run.notPutBack).toEqual([expect.stringContaining(`/v2/transactions/${id}/cancel`)])
  })

  it('is not said to be left behind where nobody could log in', async () => {
    expect((await loggedOutRun()).notPutBack).toEqual([])
  })

  it('alone stays in the journal where only it could not be cancelled, as the report says', async () => {
    const { sandbox } = await openProvider()
    const file = join(createFolder(onTestFinished), 'calibrate-journal.json')
    const fails: Misbehave = (send) => async (url, init) =>
      url.endsWith('cancel') ? new Response('{}', { status: 403 }) : await send(url, init)
    const options = { journal: createJournal(file, sandbox.url) }
    const run = await lookAt({ level: 'money', sandbox, misbehave: fails, options })
    const journal = JSON.parse(readFileSync(file, 'utf8'))
    expect(Object.keys(journal)).toEqual(['provider', 'ordered'])
    expect(firstOf(run)).toMatch(/^A buy was made, and not cancelled\. /)
  })
})

describe('a provider that misbehaves', () => {
  const LIMITS = /^GET \/v2\/limits$/
  const never: Misbehave = (send) => (url, init) =>
    url.includes('/v2/limits')
      ? new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        })
      : send(url, init)
  const drops = instead(LIMITS, () => Promise.reject(new TypeError('fetch failed')))
  const fails = instead(LIMITS, () => new Response('oops', { status: 500 }))

  it.each([
    ['fails', fails] as const,
    ...(isFullDepth
      ? [['drops a connection', drops] as const, ['is too slow', never] as const]
      : []),
  ])('is not confirmed where it %s', async (_, misbehave) => {
    const run = await calibrateSecond({ misbehave, options: { timeoutMs: 40 } })
    expect(findingOf(run, 'auth.getLimits')).toMatchObject(FAILED)
    expect(findingOf(run, 'errors.v1')?.verdict).toBe('agrees')
    expect(outcomeOf(run)).toBe('failed')
  })

  it('is left alone after a few calls in a row without a response', async () => {
    const seen: string[] = []
    const drop: Misbehave = () => () => Promise.reject(new TypeError('fetch failed'))
    const run = await calibrateSecond({ misbehave: (send) => count(seen)(drop(send)) })
    expect(seen.length).toBeLessThanOrEqual(5)
    expect(reportOf(run)).toContain('\n\nNothing was measured: the connection failed.\n\n')
    expect([claimsOf(run), outcomeOf(run)]).toEqual([[], 'failed'])
  })

  it('is waited for where it limits the rate, within bounds', async () => {
    const waits: number[] = []
    const options = { wait: async (ms: number) => void waits.push(ms), waitMaxMs: 60_000 }
    const limit = (seconds: number) =>
      new Response('', { status: 429, headers: { 'retry-after': `${seconds}` } })
    let limits = 0
    const limitOnce = instead(LIMITS, (real) => (limits++ === 0 ? limit(7) : real))
    const run = await calibrateSecond({ misbehave: limitOnce, options })
    expect([waits, outcomeOf(run)]).toEqual([[7_000], 'confirmed'])
    const seen: string[] = []
    const always = instead(LIMITS, () => limit(40))
    const other = await calibrateSecond({ misbehave: (send) => count(seen)(always(send)), options })
    expect([waits, seen.at(-1)]).toEqual([[7_000, 40_000], 'GET /v2/limits'])
    expect(findingOf(other, 'auth.getLimits')).toMatchObject(FAILED)
  })

  it('has drift where it responds with another status', async () => {
    const misbehave = instead(LIMITS, () => new Response('{}', { status: 402 }))
    const run = await calibrateSecond({ misbehave })
    expect(findingOf(run, 'auth.getLimits')?.verdict).toBe('not known')
    const drift = { breaks: 'status', operations: ['getLimits'], provider: 402 }
    expect(run.drift).toContainEqual(expect.objectContaining(drift))
    expect(outcomeOf(run)).toBe('differs')
  })

  it('has drift where it has another field, unless that is ignored', async () => {
    const misbehave = instead(/^GET \/v2\/quotes$/, (real) =>
      withJson(real, (json) => (json.data ? { ...json, data: { ...json.data, a: 1 } } : json)),
    )
    const run = await calibrateSecond({ misbehave })
    const row = { breaks: 'additional', operations: ['createQuote'], path: 'data.a' }
    expect(run.drift).toMatchObject([row])
    expect(outcomeOf(run)).toBe('confirmed')
    expect(judged(run, [], false).outcome).toBe('differs')
    expect(judged(run, ['createQuote.data.a'], false).outcome).toBe('confirmed')
  })

  it('has drift where it has another header, or lacks one, but for those of the way there', async () => {
    const misbehave = instead(/^GET /, (real) => {
      real.headers.set('x-region', 'ca-1')
      real.headers.set('server', 'edge')
      real.headers.append('set-cookie', 'route=1')
      real.headers.delete('deprecation')
      return real
    })
    const run = await calibrateSecond({ misbehave })
    expect(run.drift).toMatchObject([
      { breaks: 'missing', path: 'headers.deprecation' },
      { breaks: 'additional', path: 'headers.x-region' },
    ])
    expect(judged(run, ['headers.deprecation']).outcome).toBe('confirmed')
    expect(judged(run).outcome).toBe('differs')
  })

  it('has drift, and the same lengths of time, where its clock is slower', async () => {
    const late = (text: string) => new Date(Date.parse(text) - 5 * 60_000)
    const misbehave = instead(/./, async (real) => {
      const text = await real.text()
      const body = text.replace(/2026-09-01T[\d:.]+Z/g, (instant) => late(instant).toISOString())
      const response = new Response(body, real)
      response.headers.set('date', late(NOW).toUTCString())
      return response
    })
    const run = await calibrateSecond({ misbehave })
    expect(run.drift.map(({ path }) => path)).toEqual(['headers.date'])
    expect(findingOf(run, 'quotes.ttl')?.verdict).toBe('agrees')
  })

  it('has a row for an operation of v1 that it does not have', async () => {
    const none = { message: 'Not found', status: 'error' }
    const gone = (real: Response) =>
      real.status === 401 ? real : Response.json(none, { status: 404 })
    const run = await calibrateSecond({ misbehave: instead(/apiFindUser|unknown-path/, gone) })
    expect(run.drift.filter(({ operations }) => operations.includes('v1FindUser'))).toMatchObject([
      { breaks: 'missing', path: 'the operation' },
    ])
    expect(findingOf(run, 'status.unknown-email')?.verdict).toBe('not known')
    expect(findingOf(run, 'errors.v1')?.verdict).toBe('agrees')
  })

  it('is not said to have the statuses of v2 in v1 where it has no v1', async () => {
    const none = { message: 'Not found', status: 'error' }
    const gone = instead(/^GET \/(?!v2)/, () => Response.json(none, { status: 404 }))
    const run = await calibrateSecond({ misbehave: gone })
    expect(findingOf(run, 'errors.v1')?.verdict).toBe('not known')
    expect(reportOf(run)).toContain('errors.v1 (every status of v1)')
  })

  it('has a status that no option is where it differs from call to call', async () => {
    const misbehave = instead(/^GET \/v2\/users$/, (real) =>
      real.status === 400 ? new Response(real.body, { status: 422 }) : real,
    )
    const run = await calibrateSecond({ misbehave })
    const why = 'it is 400 or 422, by call'
    expect(findingOf(run, 'status.invalid-query')).toMatchObject({ verdict: 'cannot imitate', why })
    expect(run.drift).toEqual([])
  })

  it('is not said to refuse the key where it is that nobody gets a KYC link', async () => {
    const settings = { 'status.already-verified': 409, 'auth.createKycLink': 'token' } as const
    const run = await calibrateSecond({ level: 'write', settings })
    const why = 'no user of the run gets a link (409)'
    expect(findingOf(run, 'kyc.linkTtl')).toMatchObject({ verdict: 'not known', why })
  })

  const texts = ['[]', '<html>', '{}', '{"success":true}']
  const emptyData = ['null', '{}'].map((data) => `{"success":true,"data":${data}}`)
  const EMPTY = '{"success":true,"data":{}}'
  it.each(isFullDepth ? [...texts, ...emptyData] : [EMPTY])(
    'is not confirmed where all is %s',
    async (text) => {
      // At full depth, the steps above reading are tried with two of the texts.
      const isWhole = isFullDepth && (text === '[]' || text === EMPTY)
      const level = isWhole ? 'money' : 'read'
      const misbehave: Misbehave = () => async () => new Response(text)
      expect(claimsOf(await calibrateSecond({ level, misbehave }))).toEqual([])
      const other = instead(/./, (real) => new Response(text, { status: real.status }))
      const run = await calibrateSecond({ level, misbehave: other })
      expect(outcomeOf(run)).not.toBe('confirmed')
    },
  )

  it('is not confirmed where every path is a page that is not found', async () => {
    const misbehave: Misbehave = () => async () => new Response('<html>', { status: 404 })
    expect(claimsOf(await calibrateSecond({ level: 'money', misbehave }))).toEqual([])
  })
})

describe('a report', () => {
  it('holds nothing that is secret or personal, wherever it was', async () => {
    const word = fc.stringMatching(/^[a-z]{8,12}[0-9]{4}$/)
    const holds = fc.asyncProperty(word, word, word, async (name, secret, note) => {
      const email = `${name}@example.com`
      const fixture = { ...FIXTURE, users: FIXTURE.users?.map((row) => ({ ...row, email })) }
      const misbehave = instead(/^GET/, (real) =>
        withJson(real, ({ data, ...json }: Json) => {
          // A row of its own shows the whole response.
          delete data?.rate
          return { ...json, data, note, [`${secret}@example.com`]: secret }
        }),
      )
      const run = await calibrateSecond({ fixture, misbehave, options: { user: email } })
      expect(reportOf(run)).toContain('"note":"<note')
      const text = reportOf(run) + JSON.stringify([run.findings, run.drift])
      for (const hidden of [name, secret, note, KEY]) expect(text).not.toContain(hidden)
    })
    await fc.assert(holds, { numRuns: isFullDepth ? 4 : 1 })
  })

  it('begins with what was done, and with how much could not be looked at', async () => {
    expect(firstOf(await loggedOutRun())).toMatch(/^\d users were created; nothing was bought\. /)
    const nobody = await calibrateSecond({ options: { user: 'nobody@example.com' } })
    expect(firstOf(nobody)).toMatch(/^Only reads .*, but \d settings could not be looked at\.$/)
    expect(outcomeOf(nobody)).toBe('failed')
  })

  it('has for each row a response, with its numbers and the words of the service', async () => {
    const misbehave = instead(/^GET \/v2\/quotes$/, (real) =>
      withJson(real, ({ data, errors, ...json }) =>
        errors ? { errors, ...json } : { data: { ...(data as object), rate: undefined }, ...json },
      ),
    )
    const run = await calibrateSecond({ misbehave, settings: { 'quotes.fee': 0.01 } })
    const report = reportOf(run)
    const [, number = ''] = /fields\.createQuote \| no rate \| full \| (\d+)/.exec(report) ?? []
    expect(report).toMatch(new RegExp(`^${number}\\. \`GET /v2/quotes[^\`]*\`: 200.*"fee":`, 'm'))
    expect(report).toContain('quotes.fee 0.01 (0.005)')
    expect(report).not.toContain('must be a plain decimal number')
    expect(report).not.toContain(USER)
  })
})
