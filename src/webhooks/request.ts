import type { World } from '../world/world.ts'
import type { Delivery, SentRequest } from './delivery.ts'
import { signWebhook } from './mutate.ts'
import { MUTATION_WORDS, type Mutation } from './mutation.ts'
import type { Destination } from './post.ts'

export const UNSIGNED =
  'Unsigned: the integrator has no signing secret yet, and webhooks.withoutSecret is unsigned. ' +
  'POST /webhook-signing-secret makes one.'
const USER_AGENT = `ramp-sandbox/${__VERSION__}`

export interface RequestOptions {
  at: number
  destination: Pick<Destination, 'host'>
  /** Given for a resend; a fault has its own. */
  mutation: Mutation | undefined
}

/** The time with which a receiver compares the timestamp of a signature, in ms. */
export const signingClock = ({ settings, now }: World, wallNow: number): number =>
  settings['webhooks.time'] === 'world' ? now : wallNow

/** A request, and what is unusual about it. */
interface BuiltRequest {
  sent: SentRequest
  mutation: Mutation | null
  reason: string | null
}

/** Renders and signs a delivery as it goes over the wire now, and says what is unusual about it. */
export function buildRequest(
  world: World,
  { body, secret, fault, reason }: Delivery,
  { at, destination, mutation: given }: RequestOptions,
): BuiltRequest {
  const mutation = given ?? fault?.effect.mutate ?? null
  const seconds = Math.floor(signingClock(world, at) / 1000)
  const signed = signWebhook({ body, seconds, secret }, mutation)
  const prefix = world.settings['names.headerPrefix']
  const headers: Record<string, string> = {
    Host: destination.host,
    'Content-Type': signed.contentType,
  }
  if (signed.isChunked) headers['Transfer-Encoding'] = 'chunked'
  else headers['Content-Length'] = String(Buffer.byteLength(signed.body))
  headers['User-Agent'] = USER_AGENT
  headers[`${prefix}-Timestamp`] = signed.timestamp
  if (signed.signature !== null) headers[`${prefix}-Signature`] = signed.signature
  const reasons = [reason, given && describeResend(given), signed.signature === null && UNSIGNED]
  return {
    sent: { at, headers, body: signed.body },
    mutation,
    reason: reasons.filter((each) => typeof each === 'string').join(' ') || null,
  }
}

/** `Signed with another secret.` */
function describeResend(mutation: Mutation): string {
  const { done } = MUTATION_WORDS[mutation]
  return `${done.charAt(0).toUpperCase()}${done.slice(1)}.`
}
