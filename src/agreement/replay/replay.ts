import { createControl } from '../../client/control.ts'
import { SandboxError } from '../../client/error.ts'
import { createHttpClient, type Json, parseJson } from '../../client/http.ts'
import type { Fetch } from '../../client/transport.ts'
import { createWebhooks, findCatchUrl } from '../../client/webhooks.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { type Difference, isIgnored } from '../differences.ts'
import { mapFields } from '../fields.ts'
import type { RecordedCall, RecordedWebhook, RecordingEntry } from '../recording.ts'
import { compareJson, compareWebhooks, createMatches, TOLERANCE_MS } from './compare.ts'
import { type Outside, partsOf, readHistory } from './history.ts'

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
  /** Base URL of a world that may be reset. */
  url: string
  fetch?: Fetch | undefined
  controlToken?: string | undefined
  settings?: Readonly<Record<string, SettingValue>> | undefined
  /** Paths that are not compared. */
  ignored?: readonly string[] | undefined
  /** Whether a field that only the recording has is no difference; by default it is none. */
  ignoresAdditional?: boolean | undefined
}

const SEED = 'replay'

/** Drives a world with a recording, and compares every response and webhook. */
export async function replayRecording(
  entries: readonly RecordingEntry[],
  options: ReplayOptions,
): Promise<Compared[]> {
  const { url, controlToken, settings = {}, ignored = [], ignoresAdditional = true } = options
  const { fetch = (request: Request) => globalThis.fetch(request) } = options
  const open = (target: string, init: RequestInit) => fetch(new Request(target, init))
  const client = createControl(createHttpClient({ url, fetch: open, controlToken }))
  const control = client.call
  const catchUrl = await findCatchUrl(client, url)
  const history = readHistory(entries)
  const matches = createMatches()
  /** Codes of the recording that were right once. */
  const rightCodes = new Set<string>()
  const hooks = isConfiguredBefore(entries) && {
    ...{ webhook: { url: catchUrl }, signingSecret: 'from-before' },
  }
  const { start } = history
  const integrators = start.integrators.map((integrator) => ({ ...integrator, ...hooks }))
  const fixture = { ...start, integrators, settings }
  const clock = entries[0]?.at
  await control('POST', '/reset', { body: { fixture, seed: SEED, ...(clock && { clock }) } })
  let now = Date.parse((await control<Json>('GET', '/clock')).now)
  const compared: Unjudged[] = []
  const expected: { entry: RecordedWebhook; unmet: Difference[] }[] = []
  for (const [index, entry] of entries.entries()) {
    await happenAt(index, true)
    await advanceTo(Date.parse(entry.at))
    const unmet = await happenAt(index, false)
    if (entry.kind === 'call') compared.push(await call(entry))
    else expected.push({ entry, unmet })
  }
  if (history.hasWebhooks) compared.push(...(await compareAll()))
  return compared.map(judge)

  function judge({ operation, why, ...one }: Unjudged): Compared {
    const compared = one.differences.filter(({ path }) => !isIgnored({ operation, path }, ignored))
    const isExtra = ({ breaks }: Difference) => ignoresAdditional && breaks === 'additional'
    const differences = compared.filter((difference) => !isExtra(difference))
    const additional = compared.filter(isExtra).map(({ path }) => path)
    const base = { ...one, operation, differences, additional }
    if (why !== undefined) return { ...base, why, verdict: 'cannot be compared' }
    if (differences.length === 0) return { ...base, verdict: 'same' }
    const isStatus = differences.some(({ breaks }) => breaks === 'status')
    return { ...base, verdict: isStatus ? 'other status' : 'other fields' }
  }

  /** Moves the clock on to an instant; never back. */
  async function advanceTo(instant: number) {
    if (instant <= now) return
    await control('POST', '/clock/advance', { body: { to: new Date(instant).toISOString() } })
    now = instant
  }

  /** Does what happened outside by now; says what this world did not do by itself. */
  async function happenAt(index: number, isBefore: boolean): Promise<Difference[]> {
    const unmet: Difference[] = []
    for (const { what, ...place } of history.outside) {
      if (place.index !== index || place.isBefore !== isBefore) continue
      if (what.kind !== 'move') await happen(what)
      else if (!(await move(what.transaction, what.status))) {
        const actual = 'another status'
        unmet.push({ breaks: 'status', path: 'status', expected: what.status, actual })
      }
    }
    return unmet
  }

  async function happen(what: Exclude<Outside['what'], { kind: 'move' }>) {
    const path = `/simulate/users/${encodeURIComponent(what.email)}`
    if (what.kind === 'review') return attempt(`${path}/kyc`, { status: what.status })
    return attempt(`${path}/access`, { accessibleBy: what.has ? ['jwt', 'apiKey'] : ['jwt'] })
  }

  /** Gives a transaction a status; false where this world does not have it so. */
  async function move(recorded: string, status: string): Promise<boolean> {
    const path = `/transactions/${matches.find(recorded) ?? recorded}`
    const found = await control<Json>('GET', path).catch(ignoreRejected)
    // This world does not know a status in between.
    const to = status.startsWith('sending ') ? 'complete' : spelt(status)
    if (found === undefined) return false
    if (spelt(found.status) === to) return to === spelt(status)
    // An expiry is for the clock of this world; it is done so that what follows can be compared.
    return (await attempt(`/simulate${path}/status`, { status: to })) && OUTSIDE.includes(to)
  }

  async function attempt(path: string, body: object): Promise<boolean> {
    return (await control('POST', path, { body }).catch(ignoreRejected)) !== undefined
  }

  async function call(entry: RecordedCall): Promise<Unjudged> {
    const { n, operation, method, request } = entry
    const base = { n, operation: operation ?? `${method} of no operation` }
    const parts = partsOf(entry)
    const why = findObstacle(entry, parts.bearer)
    if (why !== undefined) return { ...base, why, differences: [] }
    await prepare(entry, parts)
    const headers: Record<string, string> = { ...request.headers }
    const { bearer } = parts
    if (bearer) headers.authorization = `Bearer ${matches.find(bearer) ?? bearer}`
    const body = matches.body(operation, request.body)
    // What a client sends stands for itself, unless it stands for something that was made.
    mapFields(operation, request.body, (value, kind) => {
      if (kind === 'wallet' && value && !matches.find(value)) matches.bind(value, value)
    })
    const text = request.text ?? (body === null || method === 'GET' ? null : JSON.stringify(body))
    const target = url + matches.target(method, entry.target)
    const received = await open(target, { method, headers, body: method === 'GET' ? null : text })
    const receivedText = await received.text()
    const response = {
      status: received.status,
      body: receivedText === '' ? null : parseJson(receivedText),
    }
    return { ...base, differences: compareResponse(entry, response) }
  }

  function findObstacle({ operation, response, failure }: RecordedCall, token?: string) {
    if (operation === null) return 'The contract does not have this call.'
    if (response === null) return `No response was recorded: ${failure}`
    if (response.status >= 500) return `The service failed with ${response.status}.`
    if (response.status === 429) return 'The service limited the rate of calls.'
    const isKnown = token === undefined || history.tokens.has(token)
    if (!isKnown && response.status < 300) return 'Its access token is from before the recording.'
    return undefined
  }

  /** Lets the outside be as the response shows: codes, prices, and how a receiver responds. */
  async function prepare({ request }: RecordedCall, parts: ReturnType<typeof partsOf>) {
    const { name, data, isOk, userId } = parts
    await bindCode(parts)
    if (/^(createQuote|priceQuote)$/.test(name)) await setRate(data)
    const shareToken = request.body?.shareToken ?? request.body?.share_token
    if (isOk && typeof shareToken === 'string' && userId !== undefined) {
      const body = { email: history.emailOf(userId) }
      const made = await control<Json>('POST', '/simulate/share-tokens', { body })
      matches.bind(shareToken, made.shareToken)
    }
    if (isOk && /^(putWebhookConfiguration|patchWebhooks)$/.test(name)) {
      for (const [field, to] of Object.entries<Json>(request.body ?? {})) {
        if (/url$/i.test(field) && to) matches.bind(to, catchUrl)
      }
    }
    const status = data?.deliveredStatusCode
    if (name === 'testWebhookConfiguration' && status >= 200) {
      await control('POST', '/catch/integrator/respond', { body: { status, times: 1 } })
    }
  }

  /** The code that was right is the one in the inbox; a wrong one must not be right by chance. */
  async function bindCode({ email = '', code: recorded, isOk }: ReturnType<typeof partsOf>) {
    if (recorded === undefined) return
    const query = { email, kind: 'login-code' }
    const { messages } = await control<Json>('GET', '/inbox', { query })
    const code: string | undefined = messages.at(-1)?.code
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
    const rates = await control<Json>('GET', '/rates')
    if (rates[coin] === undefined || rates[coin].cad === cad) return
    await control('PUT', '/rates', { body: { [coin]: { cad } } })
  }

  function compareResponse(
    { response, operation, ms }: RecordedCall,
    actual: { status: number; body: Json },
  ) {
    if (response === null) return []
    const statuses = { expected: response.status, actual: actual.status }
    const status: Difference[] =
      response.status === actual.status ? [] : [{ breaks: 'status', path: 'status', ...statuses }]
    // What an error says follows from the status.
    const isOtherKind = response.status < 300 !== actual.status < 300
    if (response.text !== undefined || isOtherKind) return status
    const place = { path: '', operation, matches, toleranceMs: TOLERANCE_MS + ms }
    return [...status, ...compareJson(place, response.body, actual.body)]
  }

  async function compareAll(): Promise<Unjudged[]> {
    const webhooks = createWebhooks(client, true)
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

/** Ignores what a world rejects: it does not happen in it. */
function ignoreRejected(error: unknown): undefined {
  if (!(error instanceof SandboxError && error.status !== undefined)) throw error
}

const spelt = (status: string) => (status === 'canceled' ? 'cancelled' : status)

/** Statuses that somebody outside brings about. */
const OUTSIDE = ['processing request money transfer', 'complete', 'cancelled']

/** A webhook came, or a configuration was read, before any call could have asked for it. */
function isConfiguredBefore(entries: readonly RecordingEntry[]): boolean {
  const isConfiguring = /^(putWebhook|v1PatchWebhooks)/
  for (const entry of entries) {
    if (entry.kind === 'webhook') return true
    const { operation, response } = entry
    if (isConfiguring.test(operation ?? '')) return false
    if (operation === 'getWebhookConfiguration' && response?.body?.data?.url) return true
  }
  return false
}
