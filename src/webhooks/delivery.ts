import type { SettingId, Settings } from '../world/settings/index.ts'
import type { Cause, WorldEvent } from '../world/state.ts'
import type { EventType } from '../world/words.ts'
import type { DialectName, Hook, WebhookDialect } from './dialect.ts'
import { isFalse, keepsEvent, MUTATION_WORDS, type Mutation } from './mutation.ts'
import type { AppliedFault } from './webhook-fault.ts'

export const OUTCOMES = [
  /** Queued or on its way. */
  'pending',
  /** Acknowledged with a 2xx status. */
  'delivered',
  /** Any other status came back; a redirect is not followed. */
  'rejected',
  /** No usable response: nobody listens, no such name, the connection broke. */
  'refused',
  /** No whole response within `webhooks.timeout`. */
  'timeout',
  /** The TLS handshake failed, for example on an untrusted certificate. */
  'tls',
  /** The URL leads where webhooks may not go. */
  'blocked',
  /** Nowhere to send it, a fault dropped it, or the sandbox was closed before. */
  'suppressed',
  /** Too many were waiting, for this destination or in all. */
  'overflow',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** An outcome in words for people: its name `refused` is a promise. */
export const nameOutcome = (outcome: Outcome): string =>
  outcome === 'refused' ? 'no response' : outcome

/** One POST of one event to one URL, or the record of why there was none. */
export class Delivery {
  readonly id: string
  readonly pos: number
  readonly cause: Cause | null
  readonly event: WorldEvent
  readonly dialect: DialectName
  readonly hook: Hook
  /** Current destination until its turn comes, and then the URL that it was sent to. */
  url: string | null = null
  /** Signing secret at its turn; null before that, and where there was none. */
  secret: string | null = null
  outcome: Outcome = 'pending'
  /** Why it was not sent, or was sent with a fault. */
  reason: string | null = null
  fault: AppliedFault | null = null
  /** The first attempt at the same webhook, where this one was resent or sent twice by a fault. */
  first: Delivery | null = null
  /** Change that was made on purpose. Only an attempt with the event that happened can acknowledge it. */
  mutation: Mutation | null = null
  /** The setting that decided whether it is sent, where the contract says nothing. */
  assumption: SettingId | null = null
  /** Resolves once its event is on disk; null where the world is kept in memory only. */
  stored: Promise<void> | null = null
  sent: SentRequest | null = null
  response: ReceiverResponse | null = null
  error: string | null = null
  durationMs: number | null = null
  readonly #settings: Settings
  readonly #render: WebhookDialect['render']
  #body: string | null = null
  #isTried = false
  #acknowledgedBy: string | null = null
  #rejectedAt: string | null = null

  constructor({ id, pos, cause }: Place, request: DeliveryRequest) {
    const { event, dialect, hook, settings, render } = request
    this.id = id
    this.pos = pos
    this.cause = cause
    this.event = event
    this.dialect = dialect
    this.hook = hook
    this.#settings = settings
    this.#render = render
  }

  /** The body without a mutation, written at the first read: few read what was not sent. */
  get body(): string {
    this.#body ??= this.#render(this.#settings, this.event)
    return this.#body
  }

  get generation(): DialectName {
    return this.dialect
  }

  get repeatOf(): string | null {
    return this.first?.id ?? null
  }

  /** Id of the attempt at this webhook that acknowledged it with a 2xx status. */
  get acknowledgedBy(): string | null {
    return (this.first ?? this).#acknowledgedBy
  }

  /** True while no attempt at this webhook has acknowledged it. */
  get failed(): boolean {
    return (this.first ?? this).#isTried && this.acknowledgedBy === null
  }

  /** True if the receiver also rejected this webhook when nothing was changed. */
  get rejectsUnchanged(): boolean {
    return this.url !== null && (this.first ?? this).#rejectedAt === this.url
  }

  /** Gives this attempt its outcome, which counts for every attempt at the same webhook. */
  end(outcome: Outcome, reason: string | null) {
    this.outcome = outcome
    this.reason = reason
    if (outcome === 'suppressed') return
    const first = this.first ?? this
    first.#isTried = true
    if (this.mutation === null && this.response)
      first.#rejectedAt = hasRefused(this) ? this.url : null
    if (outcome === 'delivered' && keepsEvent(this.mutation)) first.#acknowledgedBy ??= this.id
  }

  get eventId(): string {
    return this.event.id
  }

  get type(): EventType {
    return this.event.type
  }

  get ref(): string {
    return this.event.ref
  }

  get status(): string {
    return this.event.status
  }

  get integrator(): string {
    return this.event.integrator
  }

  get occurredAt(): number {
    return this.event.at
  }

  /** The body that was signed, which a mutation may have written otherwise. */
  get signedBody(): string {
    return this.sent === null || this.mutation === 'body' ? this.body : this.sent.body
  }
}

type Place = Pick<Delivery, 'id' | 'pos' | 'cause'>

/** Content of the webhook, whenever and wherever it is sent. */
export interface DeliveryRequest extends Pick<Delivery, 'event' | 'dialect' | 'hook'> {
  /** Settings at the event. Nothing else of the world is kept, which a restore may replace. */
  settings: Settings
  render: WebhookDialect['render']
}

/** A delivery, and what it was made from. */
export interface Sent {
  request: DeliveryRequest
  delivery: Delivery
}

/** A delivery that has not been sent yet, as plain data. */
export type Queued = Pick<Delivery, 'event' | 'dialect' | 'hook' | 'body' | 'fault'>

export const isUnsent = ({ sent }: Delivery): boolean => sent === null

export const toQueued = ({ event, dialect, hook, body, fault }: Delivery): Queued => {
  return { event, dialect, hook, body, fault }
}

export interface SentRequest {
  at: number
  /** The time then of the clock that timestamps follow, with which a receiver compares them. */
  signedAt: number
  headers: Record<string, string>
  body: string
}

export interface ReceiverResponse {
  status: number
  statusText: string
  headers: Record<string, string | string[]>
  /** At most the first `RESPONSE_BODY_MAX` bytes. */
  body: string
}

export function lengthOf({ headers, body }: ReceiverResponse): number {
  let { length } = body
  for (const name in headers) length += name.length + String(headers[name]).length
  return length
}

/** The request that was sent, or the body alone if nothing was sent. */
export const requestOf = ({ sent, body }: Delivery) => ({
  headers: sent?.headers ?? {},
  body: sent?.body ?? body,
})

/** Returns true for an event that was not sent, because no webhook is configured. */
export const wasSuppressed = ({ url, fault }: Pick<Delivery, 'url' | 'fault'>) =>
  url === null && fault === null

/** Returns true for an attempt that went nowhere, because there was no URL for it. */
export const hadNoUrl = ({ outcome, url }: Pick<Delivery, 'outcome' | 'url'>): boolean =>
  outcome === 'suppressed' && url === null

interface Attempt extends Pick<Delivery, 'outcome' | 'mutation'> {
  response: Pick<ReceiverResponse, 'status'> | null
}

/** Returns true for an attempt whose receiver did not do what it should have done. */
export function isBadAttempt(attempt: Attempt): boolean {
  const { outcome, mutation } = attempt
  if (outcome === 'pending' || outcome === 'suppressed') return false
  return isFalse(mutation) ? !hasRefused(attempt) : outcome !== 'delivered'
}

/** Statuses about the path, the time or the rate of a call, for which nobody looks at a webhook. */
const UNREAD_STATUSES = [404, 405, 408, 410, 429]

/** Returns true for a response of a receiver that has looked at a webhook; a 5xx does not show it. */
function hasRefused({ response }: Pick<Attempt, 'response'>): boolean {
  const { status = 0 } = response ?? {}
  return status >= 400 && status < 500 && !UNREAD_STATUSES.includes(status)
}

interface MutatedAttempt extends Omit<Attempt, 'mutation'> {
  rejectsUnchanged?: boolean
}

/** Words what the response to a webhook that was changed on purpose says about the receiver. */
export function describeMutated(mutation: Mutation, attempt: MutatedAttempt): string {
  const { outcome, response } = attempt
  const { name } = MUTATION_WORDS[mutation]
  const isGenuine = !isFalse(mutation)
  const what = `a ${isGenuine ? 'genuine ' : ''}webhook with ${name}`
  if (response === null) return `Your receiver did not respond to ${what}, so nothing was tested.`
  if (outcome === 'delivered') {
    return `Your receiver accepted ${what}${isGenuine ? ', as it should' : ''}.`
  }
  const responded = `Your receiver responded with ${response.status} to ${what}`
  if (isGenuine) return `${responded}.`
  if (!hasRefused(attempt))
    return `${responded}; a ${response.status} does not show that it noticed.`
  const rejected = `Your receiver rejected ${what}`
  return attempt.rejectsUnchanged
    ? `${rejected}, but it also rejected the unchanged one.`
    : `${rejected}, as it should.`
}
