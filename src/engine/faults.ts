import type { DialectName } from '../webhooks/dialect.ts'
import { canMutate } from '../webhooks/mutation.ts'
import {
  type AppliedFault,
  describeWebhookEffect,
  type WebhookEffect,
} from '../webhooks/webhook-fault.ts'
import { DomainError } from '../world/domain-error.ts'
import { formatDuration } from '../world/duration.ts'
import { shorten } from '../world/shorten.ts'
import type { LegacyHook } from '../world/state.ts'
import { toVisible } from '../world/word-list.ts'

/** Faults that one world keeps at once. */
export const FAULTS_MAX = 200

/** Statuses of responses that never have a body. */
export const BODILESS: readonly number[] = [204, 205, 304]

/** Calls that an API fault applies to; a missing field matches anything. */
export interface ApiMatch {
  operation?: string | undefined
  method?: string | undefined
  /** A path below the base URL; `*` stands for any text. */
  path?: string | undefined
  integrator?: string | undefined
}

/** The deliveries that a webhook fault applies to. */
export interface WebhookMatch {
  type?: string | undefined
  status?: string | undefined
  ref?: string | undefined
  generation?: DialectName | undefined
  hook?: LegacyHook | undefined
  integrator?: string | undefined
}

export interface ApiEffect {
  /** Milliseconds of wall time before anything else. */
  delayMs?: number | undefined
  status?: number | undefined
  error?: { field?: string | undefined; message?: string | undefined } | undefined
  /** Text that is sent in place of an error. */
  body?: string | undefined
  headers?: Record<string, string> | undefined
  /** Breaks the connection before the call, in the middle of the response, or instead of it. */
  connection?: 'reset' | 'lost' | undefined
}

interface Counted {
  id: string
  times: number
  skip: number
  /** Calls or deliveries that matched, including skipped ones. */
  seen: number
  hits: number
}

export interface AppliedApiFault {
  id: string
  effect: ApiEffect
}

export type ApiFault = Counted & { on: 'api'; match: ApiMatch; then: ApiEffect }
export type WebhookFault = Counted & { on: 'webhook'; match: WebhookMatch; then: WebhookEffect }
export type Fault = ApiFault | WebhookFault

type Uncounted<Kind extends Fault> = Pick<Kind, 'on' | 'match' | 'then' | 'times' | 'skip'>
export type FaultRequest = Uncounted<ApiFault> | Uncounted<WebhookFault>

/** Values to match; null if the call or delivery has none. */
type Matched<Match> = { readonly [Field in keyof Match]-?: string | null }

/** The faults of one world, counted; the first that matches applies. */
export class FaultList {
  #faults: Fault[] = []
  #count = 0

  list(): readonly Fault[] {
    return this.#faults
  }

  add(request: FaultRequest): Fault {
    if (this.#faults.length >= FAULTS_MAX) {
      const message = `A world can have at most ${FAULTS_MAX} faults; delete some first.`
      throw new DomainError('too-many-faults', message, { field: 'faults' })
    }
    const id = `fault_${++this.#count}`
    const fault: Fault = Object.assign({}, request, { id, seen: 0, hits: 0 })
    this.#faults.push(fault)
    return fault
  }

  remove(id: string): void {
    if (!this.#faults.some((fault) => fault.id === id)) {
      throw new DomainError('not-found', `There is no fault ${toVisible(id)}.`, { field: 'id' })
    }
    this.#faults = this.#faults.filter((fault) => fault.id !== id)
  }

  clear(): void {
    this.#faults = []
  }

  takeApi(call: Matched<ApiMatch>): AppliedApiFault | undefined {
    const ofCalls = this.#faults.filter((fault) => fault.on === 'api')
    return toApplied(ofCalls.find((fault) => matchesCall(fault.match, call) && hit(fault)))
  }

  takeWebhook(delivery: Matched<WebhookMatch>): AppliedFault | undefined {
    const ofWebhooks = this.#faults.filter((fault) => fault.on === 'webhook')
    return toApplied(ofWebhooks.find((fault) => matchesDelivery(fault, delivery) && hit(fault)))
  }
}

const toApplied = <Effect>(fault: { id: string; then: Effect } | undefined) =>
  fault && { id: fault.id, effect: fault.then }

/** Returns true if a fault can still apply. Used-up faults stay in the list with their counts. */
export const isLeft = ({ hits, times }: Fault): boolean => hits < times

/** Words the calls or webhooks of a fault, such as `createTransaction, POST` or `any call`. */
export function describeMatch({ on, match }: Pick<Fault, 'on' | 'match'>): string {
  const values = Object.values(match).filter(Boolean)
  return values.join(', ') || (on === 'api' ? 'any call' : 'any webhook')
}

/** Words what a fault does, such as `waits 5s, responds with 503 without running the call`. */
export const describeEffect = (on: Fault['on'], effect: ApiEffect | WebhookEffect): string =>
  on === 'api' ? describeApiEffect(effect) : describeWebhookEffect(effect)

function describeApiEffect({ delayMs, status, error, body, ...effect }: ApiEffect): string {
  const headers = Object.entries(effect.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const parts = [
    delayMs !== undefined && `waits ${formatDuration(delayMs)}`,
    status !== undefined && `responds with ${status} without running the call`,
    headers.length > 0 && `with ${headers.join(', ')}`,
    body !== undefined && describeBody(body),
    error?.field !== undefined && `names the field ${toVisible(error.field)}`,
    error?.message !== undefined && `says “${toLine(error.message)}”`,
    effect.connection && BROKEN[effect.connection],
  ]
  return parts.filter((part) => typeof part === 'string').join(', ')
}

const BODY_SHOWN_MAX = 80

const describeBody = (body: string) =>
  body === '' ? 'with an empty body' : `with the body “${shorten(toLine(body), BODY_SHOWN_MAX)}”`

const toLine = (text: string) => text.trim().replace(/\s+/g, ' ')

const BROKEN: Record<Break, string> = {
  reset: 'resets the connection before the call is run',
  lost: 'resets the connection instead of responding',
}

export type Break = NonNullable<ApiEffect['connection']>

/**
 * Counts a match. Returns false if the fault is used up or still skips, so that the next one may
 * apply.
 */
function hit(fault: Fault): boolean {
  if (!isLeft(fault)) return false
  fault.seen++
  if (fault.seen <= fault.skip) return false
  fault.hits++
  return true
}

function matches<Match extends object>(match: Match, matched: Matched<Match>): boolean {
  const expected = Object.entries(match) as [keyof Match, string | undefined][]
  return expected.every(([field, value]) => value === undefined || matched[field] === value)
}

/** A fault passes webhooks that have nothing that it could change. */
function matchesDelivery({ match, then }: WebhookFault, delivery: Matched<WebhookMatch>): boolean {
  const { mutate } = then
  return matches(match, delivery) && (!mutate || canMutate(mutate, delivery.generation))
}

function matchesCall(
  { path, ...match }: ApiMatch,
  { path: actual, ...call }: Matched<ApiMatch>,
): boolean {
  return matches(match, call) && (path === undefined || matchesPath(path, actual ?? ''))
}

/** Matches a pattern with stars in linear time. */
function matchesPath(pattern: string, path: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return path === start
  if (path.length < start.length + end.length || !path.startsWith(start)) return false
  let at = start.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= path.length - end.length && path.endsWith(end)
}
