import type { SettingId } from '../world/settings/index.ts'
import type { EventType, WorldEvent } from '../world/state.ts'
import type { DeliveryTarget, Generation } from './generation.ts'
import type { AppliedFault, EnvelopeId } from './webhook-fault.ts'

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
  /** The TLS handshake failed, for example on an untrusted certificate. */
  'tls',
  /** The URL leads where webhooks may not go. */
  'blocked',
  /** Nowhere to send it, or a fault dropped it. */
  'suppressed',
  /** Too many were waiting for the same destination. */
  'overflow',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** One POST of one event to one URL, or the record of why there was none. */
export interface Delivery {
  readonly id: string
  /** Position in the journal. */
  readonly cursor: number
  readonly event: WorldEvent
  readonly eventId: string
  readonly type: EventType
  /** The transaction or user that the event is about. */
  readonly ref: string
  readonly status: string
  readonly integrator: string
  readonly generation: Generation['name']
  readonly hook: string | null
  readonly url: string | null
  /** World time. */
  readonly occurredAt: number
  /** Signs it; of the moment when it was queued, however long it then waits. */
  readonly secret: string | null
  /** The signed body, rendered when it is first read: few suppressed ones ever are. */
  readonly body: string
  outcome: Outcome
  /** Why it was not sent, or was sent with a fault. */
  reason: string | null
  fault: AppliedFault | null
  /** The setting that decided whether it is sent, where the contract says nothing. */
  readonly assumption: SettingId | null
  /** Resolves once its event is on disk; null when nothing is stored on disk. */
  stored: Promise<void> | null
  sent: SentRequest | null
  response: ReceiverAnswer | null
  error: string | null
  durationMs: number | null
}

export interface SentRequest {
  /** Wall time in ms. */
  at: number
  headers: Record<string, string>
  body: string
}

export interface ReceiverAnswer {
  status: number
  statusText: string
  headers: Record<string, string | string[]>
  /** At most the first `ANSWER_BODY_MAX` bytes. */
  body: string
}

export interface DeliveryRequest {
  event: WorldEvent
  generation: Generation['name']
  target: DeliveryTarget
  secret: string | null
  render(envelopeId: EnvelopeId | undefined): string
}

export function createDelivery(
  cursor: number,
  { event, generation, target, secret, render }: DeliveryRequest,
): Delivery {
  let body: string | undefined
  const delivery: Delivery = {
    id: `dlv_${cursor}`,
    cursor,
    event,
    eventId: event.id,
    type: event.type,
    ref: event.ref,
    status: event.status,
    integrator: event.integrator,
    generation,
    hook: target.hook,
    url: target.url,
    occurredAt: event.at,
    secret,
    get body() {
      body ??= render(delivery.fault?.effect.envelopeId)
      return body
    },
    outcome: target.url === null ? 'suppressed' : 'pending',
    reason: target.reason,
    fault: null,
    assumption: target.assumption ?? null,
    stored: null,
    sent: null,
    response: null,
    error: null,
    durationMs: null,
  }
  return delivery
}

/** What was sent; of a delivery that was not, the body alone. */
export const requestOf = ({ sent, body }: Delivery) => ({
  headers: sent?.headers ?? {},
  body: sent?.body ?? body,
})

/** A delivery in the control API. */
export function presentDelivery(delivery: Delivery) {
  const { id, eventId, type, ref, generation, hook, integrator, url } = delivery
  const { outcome, reason, response, error, sent, durationMs } = delivery
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
    request: requestOf(delivery),
    response: response && presentAnswer(response),
    error,
    occurredAt: new Date(delivery.occurredAt).toISOString(),
    sentAt: sent && new Date(sent.at).toISOString(),
    durationMs,
  }
}

const presentAnswer = ({ status, statusText, headers, body }: ReceiverAnswer) => ({
  status,
  statusText,
  headers,
  body,
})
