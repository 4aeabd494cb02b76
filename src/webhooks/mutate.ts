import { isSpaced, writeSpaced } from './body.ts'
import { type Mutation, STALE_SECONDS, WRONG_SECRET } from './mutation.ts'
import { signBody } from './sign.ts'

/** So far ahead that a delay on the way does not make it right. */
const AHEAD_SECONDS = 3_600

interface Unsigned {
  body: string
  /** Unix time in seconds. */
  seconds: number
  /** Null for a webhook that goes out unsigned. */
  secret: string | null
}

/** The parts of a webhook that a mutation can change. */
export interface SignedWebhook {
  body: string
  /** The body as it is sent. */
  bytes: Uint8Array
  timestamp: string
  signature: string | null
  contentType: string
  isChunked: boolean
}

/** Signs a webhook, changed by a mutation before or after that. */
export function signWebhook(
  { body, seconds, secret }: Unsigned,
  mutation: Mutation | null,
): SignedWebhook {
  const signed = mutation === null ? body : rewrite(body, mutation)
  const signedBytes = Buffer.from(signed)
  const sent = mutation === 'body' ? changeBody(signed) : signed
  const timestamp = String(seconds + shiftOf(mutation))
  const key = mutation === 'signature' ? WRONG_SECRET : secret
  return {
    body: sent,
    bytes: sent === signed ? signedBytes : Buffer.from(sent),
    timestamp,
    signature: key === null ? null : signBody({ secret: key, timestamp, body: signedBytes }),
    contentType: mutation === 'charset' ? 'application/json; charset=utf-8' : 'application/json',
    isChunked: mutation === 'chunked',
  }
}

function shiftOf(mutation: Mutation | null): number {
  if (mutation === 'timestamp') return -STALE_SECONDS
  return mutation === 'timestamp-ahead' ? AHEAD_SECONDS : 0
}

/** The body of a webhook, fresh from its JSON: v2 has an envelope around its payload. */
interface Event {
  id?: string | undefined
  eventId?: string | undefined
  type?: string
  payload?: Record<string, unknown>
  [field: string]: unknown
}

/** Changes of an event before it is signed. */
const CHANGES: Partial<Record<Mutation, (event: Event) => void>> = {
  field(event) {
    event.sequence = 1
    const payload = event.payload ?? event
    payload.note = 'new'
  },
  eventId(event) {
    event.eventId ??= event.id
    event.id = undefined
  },
  'unknown-status'(event) {
    changeId(event, 'unknown-status')
    const payload = event.payload ?? event
    payload.status = 'under review by partner'
  },
  'unknown-type'(event) {
    changeId(event, 'unknown-type')
    event.type = 'account.note'
    event.payload = { note: 'new' }
  },
}

/** Another event has another id, or a receiver would ignore it as one that came before. */
function changeId(event: Event, mutation: Mutation): void {
  if (event.id !== undefined) event.id += `-${mutation}`
  if (event.eventId !== undefined) event.eventId += `-${mutation}`
}

/** Writes a body again with the spaces that it had, except for other wording. */
function rewrite(body: string, mutation: Mutation): string {
  if (mutation === 'wording') {
    return JSON.stringify(JSON.parse(body)).replaceAll('@', '\\u0040')
  }
  const change = CHANGES[mutation]
  if (change === undefined) return body
  const event: Event = JSON.parse(body)
  change(event)
  return isSpaced(body) ? writeSpaced(event) : JSON.stringify(event)
}

/** Changes the status to one that matters, and makes the amount ten times as much. */
function changeBody(body: string): string {
  const amount = /("leftSideValue": ?)([\d.]+)/
  const [good, bad] = amount.test(body) ? ['complete', 'expired'] : ['verified', 'rejected']
  return body
    .replace(/("status": ?")([^"]*)/, (_, name, status) => name + (status === good ? bad : good))
    .replace(amount, (_, name, value) => name + Number(value) * 10)
}
