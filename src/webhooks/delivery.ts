import type { EventType, Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { EnvelopeId, MetFault } from './fault.ts'

export const OUTCOMES = [
  /** Queued or on its way. */
  'pending',
  /** Acknowledged with a 2xx status. */
  'delivered',
  /** Answered with any other status; a redirect is not followed. */
  'rejected',
  /** No usable answer: nobody listens, no such name, the connection broke. */
  'refused',
  /** No whole answer within `webhooks.timeout`. */
  'timeout',
  /** The TLS handshake failed, a certificate that is not trusted included. */
  'tls',
  /** The URL leads where webhooks may not go. */
  'blocked',
  /** Nothing to send it to, or an ordered fault kept it from leaving. */
  'suppressed',
  /** Too many were waiting for the same destination. */
  'overflow',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A family of webhooks with bodies and URLs of its own. */
export interface Generation {
  readonly name: 'v2' | 'v1'
  /** What must be posted for an event, and where. */
  plan(world: World, integrator: Integrator, event: WorldEvent): readonly Planned[]
  /** The exact body; an envelope names its id as the world's settings says, or as is asked for. */
  render(world: World, event: WorldEvent, envelopeId?: EnvelopeId): string
  /** The synthetic event of the test operation, for the generation that has one. */
  testEvent?(world: World, integrator: Integrator, ordinal: number): WorldEvent
}

export interface Planned {
  /** Which of several kinds of webhook the generation sends for one event. */
  hook: string | null
  url: string | null
  /** Why there is no URL. */
  reason: string | null
}

/** Makes the bodies of one generation's events, in one world. */
export interface Renderer {
  readonly name: Generation['name']
  render(event: WorldEvent, envelopeId?: EnvelopeId): string
}

/** What left, or tried to. */
export interface SentRequest {
  /** Wall time in ms. */
  at: number
  /** Names and values in turn, as they went over the wire. */
  headers: string[]
  body: string
}

export interface ReceiverAnswer {
  status: number
  statusText: string
  headers: Record<string, string | string[]>
  /** At most the first `ANSWER_BODY_MAX` bytes. */
  body: string
}

/** How an exchange with a receiver ended. */
export interface Exchange {
  outcome: Outcome
  answer: ReceiverAnswer | null
  error: string | null
  durationMs: number | null
}

/** What must be posted for an event. */
export interface Plan {
  event: WorldEvent
  renderer: Renderer
  planned: Planned
  /** The body, where it was made before. */
  body?: string
}

/** One POST of one event to one URL, or the record of why there was none. */
export class Delivery {
  /** Position in the journal. */
  readonly cursor: number
  readonly event: WorldEvent
  readonly hook: string | null
  readonly url: string | null
  outcome: Outcome
  /** Why it was not sent, or was sent otherwise than it should be. */
  reason: string | null
  /** What was ordered to go wrong with it. */
  fault: MetFault | null = null
  /** Settles once the event that it tells of is on disk; null where nothing is kept on disk. */
  kept: Promise<void> | null = null
  sent: SentRequest | null = null
  response: ReceiverAnswer | null = null
  error: string | null = null
  durationMs: number | null = null
  readonly #renderer: Renderer
  #body: string | null

  constructor(cursor: number, { event, renderer, planned, body }: Plan) {
    this.cursor = cursor
    this.event = event
    this.hook = planned.hook
    this.url = planned.url
    this.outcome = planned.url === null ? 'suppressed' : 'pending'
    this.reason = planned.reason
    this.#renderer = renderer
    this.#body = body ?? null
  }

  get id(): string {
    return `dlv_${this.cursor}`
  }

  get generation(): Generation['name'] {
    return this.#renderer.name
  }

  get eventId(): string {
    return this.event.id
  }

  get type(): EventType {
    return this.event.type
  }

  /** The transaction or user it is about. */
  get ref(): string {
    return this.event.ref
  }

  /** The status that it tells of. */
  get status(): string {
    return this.event.status
  }

  get integrator(): string {
    return this.event.integrator
  }

  /** World time. */
  get occurredAt(): number {
    return this.event.at
  }

  /** Wall time; null when nothing was sent. */
  get sentAt(): number | null {
    return this.sent?.at ?? null
  }

  /** The signed body, made when it is first wanted: most suppressed ones are never looked at. */
  get body(): string {
    this.#body ??= this.#renderer.render(this.event, this.fault?.effect.envelopeId)
    return this.#body
  }

  /** Exactly what was sent; for what was not, the body alone. */
  get request(): { headers: Record<string, string>; body: string } {
    const { headers = [], body = this.body } = this.sent ?? {}
    return { headers: toRecord(headers), body }
  }
}

function toRecord(flat: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (let i = 0; i + 1 < flat.length; i += 2) record[flat[i] as string] = flat[i + 1] as string
  return record
}

/** A delivery as the control API shows it. */
export function presentDelivery(delivery: Delivery) {
  const { id, eventId, type, ref, generation, hook, integrator, url } = delivery
  const { outcome, reason, request, response, error, sentAt, durationMs } = delivery
  return {
    id,
    eventId,
    type,
    ref,
    generation,
    hook,
    integrator,
    url,
    outcome,
    reason,
    request,
    response: response && showAnswer(response),
    error,
    occurredAt: new Date(delivery.occurredAt).toISOString(),
    sentAt: sentAt === null ? null : new Date(sentAt).toISOString(),
    durationMs,
  }
}

const showAnswer = ({ status, statusText, headers, body }: ReceiverAnswer) => ({
  status,
  statusText,
  headers,
  body,
})
