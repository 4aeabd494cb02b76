import type { Sandbox } from '../../client/client.ts'
import { SandboxError } from '../../client/error.ts'
import { type Json, parseJson } from '../../client/http.ts'
import { findCatchUrl } from '../../client/webhooks.ts'
import type { FixtureDocument } from '../../fixture/format.ts'
import { type Difference, isIgnored } from '../differences.ts'
import { mapFields } from '../fields.ts'
import type { RecordedCall, RecordedWebhook, RecordingEntry } from '../recording.ts'
import { compareJson, compareWebhooks, createMatches, TOLERANCE_MS } from './compare.ts'
import { type CallParts, type Outside, partsOf, readHistory } from './history.ts'

/** Another status is counted apart: it decides what a client does next. */
export type Verdict = 'same' | 'other status' | 'other fields' | 'cannot be compared'

export interface Compared {
  /** Its place in the recording; undefined for a webhook that only this run sent. */
  n: number | undefined
  /** The operation, or `webhook`. */
  operation: string
  verdict: Verdict
  why?: string
  differences: Difference[]
  /** Paths of ignored fields that only the recording has. */
  additional: string[]
}

type Unjudged = Omit<Compared, 'verdict' | 'additional'>

export interface ReplayOptions {
  settings?: FixtureDocument['settings'] | undefined
  /** Paths that are not compared. */
  ignored?: readonly string[] | undefined
  /** Whether a field that only the recording has is no difference; by default it is none. */
  ignoresAdditional?: boolean | undefined
}

const SEED = 'replay'

/** Drives a world, which is reset, with a recording, and compares every response and webhook. */
export async function replayRecording(
  entries: readonly RecordingEntry[],
  sandbox: Sandbox,
  options: ReplayOptions = {},
): Promise<Compared[]> {
  const { control, inbox, rates, simulate, transactions, url, webhooks } = sandbox
  const catchUrl = await findCatchUrl({ call: control }, url)
  const history = readHistory(entries, catchUrl)
  const matches = createMatches()
  /** Codes of the recording that were right once. */
  const rightCodes = new Set<string>()
  const fixture = { ...history.start, settings: options.settings ?? {} }
  await sandbox.reset({ fixture, seed: SEED, clock: entries[0]?.at })
  let now = (await sandbox.clock.now()).getTime()
  const compared: Unjudged[] = []
  const expected: { entry: RecordedWebhook; unmet: Difference[] }[] = []
  for (const [index, entry] of entries.entries()) {
    const happening = history.outside.filter((one) => one.index === index)
    for (const { what } of happening.filter(({ isBefore }) => isBefore)) await happen(what)
    await advanceTo(Date.parse(entry.at))
    const unmet: Difference[] = []
    for (const { what } of happening.filter(({ isBefore }) => !isBefore)) {
      unmet.push(...(await happen(what)))
    }
    if (entry.kind === 'call') compared.push(await call(entry))
    else expected.push({ entry, unmet })
  }
  if (expected.length > 0) compared.push(...(await compareAll()))
  return compared.map((one) => judge(one, options))

  /** Moves the clock on to an instant; never back. */
  async function advanceTo(instant: number) {
    if (instant <= now) return
    await sandbox.clock.advance({ to: new Date(instant) })
    now = instant
  }

  /** Does what happened outside; says what this world did not do by itself. */
  async function happen(what: Outside['what']): Promise<Difference[]> {
    if ('path' in what) await attempt(what.path, what.body)
    else if (!(await move(what.transaction, what.status))) {
      const actual = 'another status'
      return [{ breaks: 'status', path: 'status', expected: what.status, actual }]
    }
    return []
  }

  /** Gives a transaction a status; false where this world does not have it so. */
  async function move(recorded: string, status: string): Promise<boolean> {
    const id = String(matches.find(recorded) ?? recorded)
    const found = await transactions.get(id).catch(ignoreRejected)
    // This world does not know a status in between.
    const to = status.startsWith('sending ') ? 'complete' : spelt(status)
    if (found === undefined) return false
    if (spelt(found.status) === to) return to === spelt(status)
    // An expiry is for the clock of this world; it is done so that what follows can be compared.
    return (
      (await attempt(`/simulate/transactions/${id}/status`, { status: to })) && OUTSIDE.includes(to)
    )
  }

  async function attempt(path: string, body: object): Promise<boolean> {
    return (await control('POST', path, { body }).catch(ignoreRejected)) !== undefined
  }

  async function call(entry: RecordedCall): Promise<Unjudged> {
    const { n, operation, method, request } = entry
    const base = { n, operation: operation ?? `${method} of no operation` }
    const parts = partsOf(entry)
    const { bearer } = parts
    const isForeign = bearer !== undefined && !history.tokens.has(bearer)
    const why = findObstacle(entry, isForeign)
    if (why !== undefined) return { ...base, why, differences: [] }
    await prepare(entry, parts)
    const headers: Record<string, string> = { ...request.headers }
    if (bearer) headers.authorization = `Bearer ${matches.find(bearer) ?? bearer}`
    const sent = matches.body(operation, request.body)
    // What a client sends stands for itself, unless it stands for something that was made.
    mapFields(operation, request.body, (value, kind) => {
      if (kind === 'wallet' && value && !matches.find(value)) matches.bind(value, value)
    })
    const text = request.text ?? (sent === null ? null : JSON.stringify(sent))
    const target = matches.target(method, entry.target)
    const init = { method, headers, body: method === 'GET' ? null : text }
    const response = await sandbox.fetch(url + target, init)
    const received = await response.text()
    const body = received === '' ? null : parseJson(received)
    return { ...base, differences: compareResponse(entry, response.status, body) }
  }

  /** Lets the outside be as the response shows: codes, prices, and how a receiver responds. */
  async function prepare({ request }: RecordedCall, parts: CallParts) {
    const { name, data, isOk, userId } = parts
    await bindCode(parts)
    if (/^(createQuote|priceQuote)$/.test(name)) await setRate(data)
    const shareToken = request.body?.shareToken ?? request.body?.share_token
    if (isOk && typeof shareToken === 'string' && userId !== undefined) {
      matches.bind(shareToken, await simulate.shareToken(history.emailOf(userId)))
    }
    if (isOk && /^(putWebhookConfiguration|patchWebhooks)$/.test(name)) {
      for (const [field, to] of Object.entries<Json>(request.body ?? {})) {
        if (/url$/i.test(field) && to) matches.bind(to, catchUrl)
      }
    }
    const status = data?.deliveredStatusCode
    if (name === 'testWebhookConfiguration' && status >= 200) {
      await webhooks.catch('integrator').respond({ status, times: 1 })
    }
  }

  /** The code that was right is the one in the inbox; a wrong one must not be right by chance. */
  async function bindCode({ email = '', code: recorded, isOk }: CallParts) {
    if (recorded === undefined) return
    const code = (await inbox.list({ email, kind: 'login-code' })).at(-1)?.code
    if (!code) return
    if (isOk) {
      matches.bind(recorded, code)
      rightCodes.add(recorded)
    } else if (!rightCodes.has(recorded)) {
      matches.bind(recorded, String((Number(code) + 1) % 10_000).padStart(4, '0'))
    }
  }

  /** Sets what a coin cost, as a quote shows it; the market is outside. */
  async function setRate(data: Json) {
    const cad = data?.rate ?? data?.cadusd
    const labels = [data?.leftSideLabel, data?.rightSideLabel].map(String)
    const coin = labels.map((label) => label.split('-')[0] ?? '').find((label) => label !== 'CAD')
    if (typeof cad !== 'number' || !coin) return
    const before: Record<string, { cad: number }> = await rates.get()
    if (before[coin] !== undefined && before[coin].cad !== cad) await rates.set({ [coin]: { cad } })
  }

  function compareResponse(entry: RecordedCall, status: number, body: Json): Difference[] {
    const { response, operation, ms } = entry
    if (response === null) return []
    const statuses = { expected: response.status, actual: status }
    const other: Difference[] =
      response.status === status ? [] : [{ breaks: 'status', path: 'status', ...statuses }]
    // What an error says follows from the status.
    const isOtherKind = response.status < 300 !== status < 300
    if (response.text !== undefined || isOtherKind) return other
    const place = { path: '', operation, matches, toleranceMs: TOLERANCE_MS + ms }
    return [...other, ...compareJson(place, response.body, body)]
  }

  async function compareAll(): Promise<Unjudged[]> {
    await webhooks.drain()
    const sent = (await webhooks.deliveries()).filter(({ sentAt }) => sentAt !== null)
    const actual = sent.map(({ request }) => ({ ...request, body: parseJson(request.body) }))
    const recorded = expected.map(({ entry }) => entry.request)
    return compareWebhooks(recorded, actual, matches).map(({ index, differences }) => {
      const own = index === undefined ? undefined : expected[index]
      const all = [...(own?.unmet ?? []), ...differences]
      return { n: own?.entry.n, operation: 'webhook', differences: all }
    })
  }
}

/** Why a call says nothing about this world. */
function findObstacle({ operation, response, failure }: RecordedCall, hasForeignToken: boolean) {
  if (operation === null) return 'The contract does not have this call.'
  if (response === null) return `No response was recorded: ${failure}`
  if (response.status >= 500) return `The service failed with ${response.status}.`
  if (response.status === 429) return 'The service limited the rate of calls.'
  const isForeign = hasForeignToken && response.status < 300
  return isForeign ? 'Its access token is from before the recording.' : undefined
}

function judge(one: Unjudged, { ignored = [], ignoresAdditional = true }: ReplayOptions): Compared {
  const { operation, why } = one
  const all = one.differences.filter(({ path }) => !isIgnored({ operation, path }, ignored))
  const isExtra = ({ breaks }: Difference) => ignoresAdditional && breaks === 'additional'
  const differences = all.filter((difference) => !isExtra(difference))
  const isStatus = differences.some(({ breaks }) => breaks === 'status')
  const verdict = why
    ? 'cannot be compared'
    : isStatus
      ? 'other status'
      : differences.length > 0
        ? 'other fields'
        : 'same'
  return { ...one, verdict, differences, additional: all.filter(isExtra).map(({ path }) => path) }
}

/** Ignores what a world rejects: it does not happen in it. */
function ignoreRejected(error: unknown): undefined {
  if (!(error instanceof SandboxError && error.status !== undefined)) throw error
}

const spelt = (status: string) => (status === 'canceled' ? 'cancelled' : status)

/** Statuses that somebody outside brings about. */
const OUTSIDE = ['processing request money transfer', 'complete', 'cancelled']
