import type { World } from '../world/world.ts'
import type { Delivery } from './delivery.ts'
import { signWebhook } from './mutate.ts'
import { MUTATION_WORDS, type Mutation } from './mutation.ts'

export const UNSIGNED =
  'Unsigned: the integrator has no signing secret yet, and webhooks.withoutSecret is unsigned. ' +
  'POST /webhook-signing-secret creates one.'
const USER_AGENT = `ramp-sandbox/${__VERSION__}`

/** The time with which a receiver compares the timestamp of a signature, in ms. */
export const signingClock = ({ settings, now }: World, wallNow: number): number =>
  settings['webhooks.time'] === 'world' ? now : wallNow

interface RequestOptions {
  at: number
  host: string
  /** Given for a resend; a fault has its own. */
  mutation: Mutation | undefined
}

/** Signs a delivery as it is sent now, notes what is unusual about it, and returns its bytes. */
export function prepare(
  world: World,
  delivery: Delivery,
  { at, host, mutation: given }: RequestOptions,
): Uint8Array {
  const { body, secret, fault, reason } = delivery
  const mutation = given ?? fault?.effect.mutate ?? null
  const signedAt = signingClock(world, at)
  const seconds = Math.floor(signedAt / 1000)
  const signed = signWebhook({ body, seconds, secret }, mutation)
  const prefix = world.settings['names.headerPrefix']
  const headers: Record<string, string> = { Host: host, 'Content-Type': signed.contentType }
  if (signed.isChunked) headers['Transfer-Encoding'] = 'chunked'
  else headers['Content-Length'] = String(signed.bytes.length)
  headers['User-Agent'] = USER_AGENT
  headers[`${prefix}-Timestamp`] = signed.timestamp
  if (signed.signature !== null) headers[`${prefix}-Signature`] = signed.signature
  const reasons = [reason, given && describeResend(given), signed.signature === null && UNSIGNED]
  delivery.sent = { at, signedAt, headers, body: signed.body }
  delivery.mutation = mutation
  delivery.reason = reasons.filter((each) => typeof each === 'string').join(' ') || null
  return signed.bytes
}

/** `Signed with another secret.` */
function describeResend(mutation: Mutation): string {
  const { done } = MUTATION_WORDS[mutation]
  return `${done.charAt(0).toUpperCase()}${done.slice(1)}.`
}
