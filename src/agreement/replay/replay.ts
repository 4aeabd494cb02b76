import { type HttpAnswer, type Json, parseJson } from '../../client/http.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { type Difference, isIgnored } from '../differences.ts'
import { findKind } from '../fields.ts'
import type { RecordedCall, RecordedWebhook, RecordingEntry } from '../recording.ts'
import {
  bearerOf,
  dataOf,
  findRate,
  isSuccess,
  loginOf,
  shareTokenOf,
  userIdOf,
} from './call-parts.ts'
import { compareJson } from './compare.ts'
import { type Facts, gatherFacts } from './facts.ts'
import { createMatches } from './matches.ts'
import { type Planned, planOutside } from './plan.ts'
import { inferStart } from './start-world.ts'
import { compareWebhooks, type SentOrSeen, TOLERANCE_MS } from './webhooks.ts'
import { openReplayWorld, type ReplayWorld, type ReplayWorldOptions } from './world.ts'

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
}

type Unjudged = Omit<Compared, 'verdict'>

export interface ReplayOptions extends ReplayWorldOptions {
  settings?: Readonly<Record<string, SettingValue>> | undefined
  /** Paths that are not compared. */
  ignored?: readonly string[] | undefined
}

const SEED = 'replay'

/** Drives a world with a recording, and compares every answer and webhook. */
export async function replayRecording(
  entries: readonly RecordingEntry[],
  { settings, ignored = [], ...options }: ReplayOptions,
): Promise<Compared[]> {
  const world = await openReplayWorld(options)
  const facts = gatherFacts(entries)
  const fixture = inferStart(entries, facts, { settings, webhookUrl: world.catchUrl })
  const clock = entries[0]?.at
  await world.control('POST', '/reset', { body: { fixture, seed: SEED, ...(clock && { clock }) } })
  const run = createRun(facts, world)
  const compared: Unjudged[] = []
  for (const [index, entry] of entries.entries()) {
    await run.happen(index, true)
    await world.advanceTo(Date.parse(entry.at))
    const unmet = await run.happen(index, false)
    if (entry.kind === 'call') compared.push(await run.call(entry))
    else run.expect(entry, unmet)
  }
  return [...compared, ...(await run.compareAll())].map((one) => judge(one, ignored))
}

function judge({ operation, why, ...one }: Unjudged, ignored: readonly string[]): Compared {
  const differences = one.differences.filter(({ path }) => !isIgnored({ operation, path }, ignored))
  const base = { ...one, operation, differences }
  if (why !== undefined) return { ...base, why, verdict: 'cannot be compared' }
  if (differences.length === 0) return { ...base, verdict: 'same' }
  const isStatus = differences.some(({ breaks }) => breaks === 'status')
  return { ...base, verdict: isStatus ? 'other status' : 'other fields' }
}

function createRun(facts: Facts, world: ReplayWorld) {
  const matches = createMatches()
  const planned = planOutside(facts)
  const expected: { entry: RecordedWebhook; unmet: Difference[] }[] = []
  /** Codes of the recording that were right once. */
  const rightCodes = new Set<string>()
  return { happen, call, expect, compareAll }

  /** Does what happened outside by now; answers what this world did not do by itself. */
  async function happen(index: number, isBefore: boolean): Promise<Difference[]> {
    const due = planned.filter((plan) => plan.index === index && plan.isBefore === isBefore)
    const unmet: Difference[] = []
    for (const plan of due) {
      if (await world.happen(toActual(plan))) continue
      if (plan.outside.kind !== 'move') continue
      const actual = 'another status'
      unmet.push({ breaks: 'status', path: 'status', expected: plan.outside.status, actual })
    }
    return unmet
  }

  function toActual({ outside }: Planned) {
    if (outside.kind !== 'move') return outside
    const transaction = String(matches.find(outside.transaction) ?? outside.transaction)
    return { ...outside, transaction }
  }

  async function call(entry: RecordedCall): Promise<Unjudged> {
    const { n, operation } = entry
    const why = findObstacle(entry)
    const base = { n, operation: operation ?? `${entry.method} of no operation` }
    if (why !== undefined) return { ...base, why, differences: [] }
    await prepare(entry)
    const answer = await send(entry)
    return { ...base, differences: compareAnswer(entry, answer) }
  }

  function findObstacle(entry: RecordedCall) {
    const { operation, response, failure } = entry
    if (operation === null) return 'The contract does not have this call.'
    if (response === null) return `No answer was recorded: ${failure}`
    if (response.status >= 500) return `The service failed with ${response.status}.`
    if (response.status === 429) return 'The service limited the rate of calls.'
    const token = bearerOf(entry)
    const isKnown = token === undefined || facts.tokens.has(token)
    if (!isKnown && response.status < 300) return 'Its access token is from before the recording.'
    return undefined
  }

  /** Lets the outside be as the answer shows: codes, prices, and how a receiver answers. */
  async function prepare(entry: RecordedCall) {
    const { operation, request } = entry
    const data = dataOf(entry)
    await bindCode(entry)
    const found = findRate(entry)
    if (found) await setRate(found.coin, found.rate)
    await bindShareToken(entry)
    if (operation === 'putWebhookConfiguration' && isSuccess(entry)) {
      matches.bind(request.body.url, world.catchUrl)
    }
    if (operation === 'v1PatchWebhooks' && isSuccess(entry)) {
      for (const [name, url] of Object.entries<Json>(request.body ?? {})) {
        if (name.endsWith('Url') && url) matches.bind(url, world.catchUrl)
      }
    }
    const status = data?.deliveredStatusCode
    if (operation === 'testWebhookConfiguration' && status >= 200) {
      const body = { status, times: 1 }
      await world.control('POST', '/catch/integrator/respond', { body })
    }
  }

  /** The code that was right is the one in the inbox; a wrong one must not be right by chance. */
  async function bindCode(entry: RecordedCall) {
    const { email = '', code: recorded } = loginOf(entry)
    const code = recorded && (await world.findCode(email))
    if (!code) return
    if (isSuccess(entry)) {
      matches.bind(recorded, code)
      rightCodes.add(recorded)
    } else if (!rightCodes.has(recorded)) matches.bind(recorded, wrongCode(code))
  }

  async function setRate(coin: string, rate: number) {
    const rates = await world.control<Json>('GET', '/rates')
    if (rates[coin] === undefined || rates[coin].cad === rate) return
    await world.control('PUT', '/rates', { body: { [coin]: { cad: rate } } })
  }

  async function bindShareToken(entry: RecordedCall) {
    const token = shareTokenOf(entry)
    const user = facts.users.find(({ id }) => id === userIdOf(entry))
    if (token === undefined || user === undefined) return
    const body = { email: user.email }
    const { shareToken } = await world.control<Json>('POST', '/simulate/share-tokens', { body })
    matches.bind(token, shareToken)
  }

  async function send(entry: RecordedCall): Promise<HttpAnswer> {
    const { method, operation, request } = entry
    const token = bearerOf(entry)
    const headers: Record<string, string> = { ...request.headers }
    if (token !== undefined) headers.authorization = `Bearer ${matches.find(token) ?? token}`
    const target = matches.target(method, entry.target)
    const body = matches.body(operation, request.body)
    remember(operation ?? undefined, request.body)
    const text = request.text ?? (body === null ? undefined : JSON.stringify(body))
    return world.send({ method, target, headers, text })
  }

  /** What a client sends stands for itself, unless it stands for something that was made. */
  function remember(operation: string | undefined, body: Json, name = '') {
    if (Array.isArray(body)) for (const part of body) remember(operation, part, name)
    else if (body !== null && typeof body === 'object') {
      for (const [field, part] of Object.entries(body)) remember(operation, part, field)
    } else if (typeof body === 'string' && findKind(operation, name) === 'wallet') {
      if (matches.find(body) === undefined) matches.bind(body, body)
    }
  }

  function compareAnswer(entry: RecordedCall, actual: HttpAnswer): Difference[] {
    const { response, operation, ms } = entry
    if (response === null) return []
    const status: Difference[] =
      response.status === actual.status
        ? []
        : [{ breaks: 'status', path: 'status', expected: response.status, actual: actual.status }]
    if (response.text !== undefined) return status
    // What an error says follows from the status.
    const isOtherKind = status.length > 0 && response.status < 300 !== actual.status < 300
    if (isOtherKind) return status
    const place = {
      path: '',
      operation: operation ?? undefined,
      matches,
      toleranceMs: TOLERANCE_MS + ms,
    }
    return [...status, ...compareJson(place, response.body, actual.body)]
  }

  function expect(entry: RecordedWebhook, unmet: Difference[]) {
    expected.push({ entry, unmet })
  }

  async function compareAll(): Promise<Unjudged[]> {
    if (!facts.hasWebhooks) return []
    const actual: SentOrSeen[] = (await world.readDeliveries())
      .filter(({ sentAt }) => sentAt !== null)
      .map(({ request }) => ({ headers: request.headers, body: parseJson(request.body) }))
    const recorded = expected.map(({ entry }) => entry.request)
    return compareWebhooks(recorded, actual, matches).map(({ index, differences }) => {
      const own = index === undefined ? undefined : expected[index]
      const all = [...(own?.unmet ?? []), ...differences]
      return { n: own?.entry.n, operation: 'webhook', differences: all }
    })
  }
}

const wrongCode = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0')
