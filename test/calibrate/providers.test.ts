import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportRow } from '../../src/calibrate/judge.ts'
import { formatReport } from '../../src/calibrate/report.ts'
import type { Json } from '../../src/client/http.ts'
import { isSettingId, type SettingId, settingOf } from '../../src/world/settings/index.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { createForeignProvider } from './foreign/provider.mjs'
import { type Listening, type Measured, type MeasureOptions, measure } from './measure.ts'
import { CHOICES, createSecondProvider } from './providers/second.mjs'
import { STRANGER_CHOICES } from './providers/stranger-choices.ts'
import { createStranger } from './strangers/provider.mjs'

interface Transaction {
  leftSideValue: number
  status: string
}

interface Provider extends Listening {
  /** The provider's own books. */
  users(): readonly unknown[]
  transactions(): readonly Transaction[]
  close(): Promise<void>
}

interface Kind {
  /** Its choices as settings; undefined for what no setting says. */
  choices: Readonly<Record<string, string | undefined>>
  minimum: number
  open(isChanged?: boolean): Promise<Provider>
  /** What differs once three behaviours are changed. */
  changed: readonly string[]
  /** What goes wrong in one more run: another thing for each, as what a run says of it is the same. */
  trouble: keyof typeof TROUBLES
}

/** What a choice of the first provider is as a setting. */
function readChoices(): Record<string, string | undefined> {
  interface Choice {
    setting?: string
    value?: string | number | string[]
  }
  const text = readFileSync(join(import.meta.dirname, 'foreign/choices.json'), 'utf8')
  const choices: Choice[] = JSON.parse(text)
  const spelt = choices.flatMap(({ setting = '', value }): [string, string | undefined][] => {
    if (value === undefined || !isSettingId(setting)) return []
    const { parse, format } = settingOf(setting)
    const parsed = parse(Array.isArray(value) ? value.join(',') : value)
    return [[setting, parsed === undefined ? undefined : String(format(parsed))]]
  })
  return Object.fromEntries(spelt)
}

/** Six failures of the service at the start, after the key was looked at. */
const failAtStart: NonNullable<MeasureOptions['misbehave']> = (send) => {
  let calls = 0
  return async (url, init) => {
    const response = await send(url, init)
    calls++
    return calls > 1 && calls < 8 ? new Response('Out of order', { status: 500 }) : response
  }
}

/** What goes wrong in a run, and what it then says of a setting. */
const TROUBLES = {
  'the inbox is broken': {
    options: { codesUrl: 'http://127.0.0.1:9/' },
    setting: 'login.token.ttl',
    why: 'no login code came from --code-from',
  },
  'the user is mistyped': {
    options: { user: 'nobody@example.com' },
    setting: 'status.user-not-found',
    why: 'the provider does not find the user of --user',
  },
  'it fails at the start': {
    options: { misbehave: failAtStart },
    setting: 'quotes.fee',
    why: 'the response was 500',
  },
} satisfies Record<string, { options: MeasureOptions; setting: SettingId; why: string }>

const KINDS: Readonly<Record<string, Kind>> = {
  'the first provider': {
    choices: { ...readChoices(), 'webhooks.url': 'loopback-http' },
    minimum: 10,
    async open(isChanged = false) {
      const terms = isChanged
        ? { feeRate: 0.02, cancelledStatus: 'cancelled', listLimitMax: 40 }
        : {}
      const fast = { latencyMs: [0, 0], allowHttpWebhooks: true, failEvery: isChanged ? 0 : 200 }
      const own = await createForeignProvider({ ...fast, terms })
      return {
        ...own,
        codesUrl: `${own.operatorUrl}/mailbox?to={email}`,
        users: () => own.state.users,
        transactions: () => own.state.transactions,
      }
    },
    changed: ['quotes.fee', 'transactions.list.maximum', 'transactions.cancelledStatus'],
    trouble: 'the inbox is broken',
  },
  'the second provider': {
    choices: CHOICES,
    minimum: 10,
    async open(isChanged = false) {
      const own = await createSecondProvider()
      const { terms, state } = own
      if (isChanged) {
        Object.assign(terms, { feeRate: 0.02, wrongCodeStatus: 400, orderStatus: 200 })
      }
      return {
        ...own,
        users: () => state.users,
        transactions: () => state.transactions,
      }
    },
    changed: ['quotes.fee', 'status.wrong-code', 'status.createTransaction'],
    trouble: 'the user is mistyped',
  },
  'the stranger': {
    choices: STRANGER_CHOICES,
    minimum: 10,
    async open(isChanged = false) {
      const fast = { webhookDelayMs: 50, callsPerSecond: 1_000, maintenanceEvery: 0 }
      const changed = { terms: { feeShare: 0.02 }, statuses: { wrong_code: 400, createUser: 200 } }
      const own = await createStranger({
        allowHttpWebhooks: true,
        ...(isChanged && { ...fast, ...changed }),
      })
      return {
        ...own,
        codesUrl: `${own.mailboxUrl}?to={email}`,
        idle: () => own.books.idle(),
        users: () => own.books.users,
        transactions: () => own.books.transactions,
      }
    },
    changed: ['quotes.fee', 'status.wrong-code', 'status.createUser'],
    trouble: 'it fails at the start',
  },
}

interface Story {
  provider: Provider
  first: Measured
  second: Measured
  /** Users and transactions after each run. */
  counts: { users: number; transactions: number }[]
  /** Runs with the file of the first, each against a provider of its own. */
  changed: Measured
  troubled: Measured
}

async function play(kind: Kind): Promise<Story> {
  const provider = await kind.open()
  const count = () => ({
    users: provider.users().length,
    transactions: provider.transactions().length,
  })
  const counts = [count()]
  const first = await measure(provider)
  counts.push(count())
  const { file } = first
  const [changed, second, troubled] = await Promise.all([
    again(kind, { file }, true),
    measure(provider, { file }),
    again(kind, { file, ...TROUBLES[kind.trouble].options }),
  ])
  counts.push(count())
  return { provider, first, second, counts, changed, troubled }
}

/** A run with the file of another one, against a provider of its own. */
async function again(kind: Kind, options: MeasureOptions, isChanged = false): Promise<Measured> {
  const provider = await kind.open(isChanged)
  try {
    return await measure(provider, options)
  } finally {
    await provider.close()
  }
}

const newsOf = ({ judged }: Measured) =>
  judged.rows.filter(({ isNew }) => isNew).map((row) => nameOf(row))

const nameOf = ({ where, what, provider, sandbox }: ReportRow) =>
  where === '' ? what : `${where} ${what}: ${provider}, ${sandbox}`

/** Whether a value, or an entry of a list in it, has a field. */
function hasPath(value: Json, path: readonly string[]): boolean {
  const [name = '', ...rest] = path
  if (Array.isArray(value)) return value.some((entry) => hasPath(entry, path))
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return false
  return rest.length === 0 || hasPath(value[name], rest)
}

/** By default, the provider that differs most from the sandbox. */
const PLAYED = Object.entries(KINDS).filter(
  ([name]) => isFullDepth || name === 'the second provider',
)

const stories = new Map<string, Promise<Story>>()
// They wait more than they work, so all of them run at once.
beforeAll(() => {
  for (const [name, kind] of PLAYED) stories.set(name, play(kind))
})
afterAll(async () => {
  for (const story of stories.values()) await story.then(({ provider }) => provider.close())
})

const storyOf = (name: string): Promise<Story> =>
  stories.get(name) ?? Promise.reject(new Error(`There is no ${name}.`))

describe.each(PLAYED)('%s', (name, kind) => {
  it('is claimed to do nothing that it does not', async () => {
    const { first, second } = await storyOf(name)
    const claims = [first, second].flatMap(({ run }) =>
      run.findings.filter(({ provider }) => provider !== null),
    )
    const wrong = claims.filter(({ setting, provider }) => {
      return setting in kind.choices && String(provider) !== kind.choices[setting]
    })
    expect(wrong.map(({ setting, provider }) => [setting, provider])).toEqual([])
    const judged = claims.filter(({ setting }) => setting in kind.choices)
    expect(judged.length).toBeGreaterThan(80)
  }, 300_000)

  it('is checked as far by a second run, and is no news to it', async () => {
    const { first, second } = await storyOf(name)
    const known = first.run.findings.filter(({ verdict }) => verdict !== 'not known').length
    expect([first.judged.outcome, second.judged.outcome]).toEqual(['differs', 'confirmed'])
    expect([newsOf(second), second.judged.unchecked]).toEqual([[], []])
    expect(second.judged.claimed.length).toBe(known)
  })

  it('has rows that the response beside them shows', async () => {
    const { first } = await storyOf(name)
    const { readings } = first.run
    const rows = first.judged.rows.filter(({ calls }) => calls.length > 0)
    expect(rows.length).toBeGreaterThan(40)
    const wrong = rows.filter(({ verdict, breaks, what, provider, calls }) => {
      const reading = readings[(calls[0] ?? 0) - 1]
      if (reading === undefined) return true
      const isStatus = what.startsWith('status') && /^\d{3}$/.test(provider)
      // Where an error is none, any success shows it.
      const shown = provider === '200' && reading.status < 300 ? 200 : reading.status
      if (isStatus) return provider !== String(shown)
      const isField = breaks === 'missing' && /^(data|headers)\./.test(what)
      if (verdict !== 'cannot imitate' || !isField) return false
      return hasPath({ headers: reading.headers, ...reading.body }, what.split('.'))
    })
    expect(wrong).toEqual([])
  })

  it('has fewer than 100 lines in a first report, and fewer than 40 where nothing changed', async () => {
    const { first, second, provider } = await storyOf(name)
    const linesOf = ({ run, judged }: Measured) =>
      formatReport(run, judged, provider.url).split('\n')
    expect(linesOf(first).length).toBeLessThan(100)
    expect(linesOf(second).length).toBeLessThan(40)
    expect(linesOf(first).filter((line) => /…$|\bundefined\b/.test(line))).toEqual([])
  })

  it('has no transaction above twice its minimum in its books, and one a week', async () => {
    const { provider, counts } = await storyOf(name)
    const amounts = provider.transactions().map(({ leftSideValue }) => leftSideValue)
    expect(Math.max(...amounts)).toBeLessThanOrEqual(2 * kind.minimum)
    const open = provider.transactions().filter(({ status }) => !/^cancell?ed$/.test(status))
    expect(open).toEqual([])
    const [, afterFirst, afterSecond] = counts
    expect((afterSecond?.transactions ?? 0) - (afterFirst?.transactions ?? 0)).toBe(1)
    expect((afterSecond?.users ?? 0) - (afterFirst?.users ?? 0)).toBeLessThanOrEqual(3)
  })

  it('differs in three behaviours that changed, which are named, and in nothing else', async () => {
    const { changed } = await storyOf(name)
    expect(newsOf(changed).sort()).toEqual([...kind.changed].sort())
    expect(changed.judged.outcome).toBe('differs')
  })

  it(`is not green where ${kind.trouble}, and says so`, async () => {
    const { run, judged } = (await storyOf(name)).troubled
    expect([judged.outcome, judged.unchecked.length > 10]).toEqual(['failed', true])
    const { setting, why } = TROUBLES[kind.trouble]
    expect(run.findings.find((finding) => finding.setting === setting)?.why).toBe(why)
  })
})
