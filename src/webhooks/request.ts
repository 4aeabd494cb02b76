import type { World } from '../world/world.ts'
import type { Delivery, SentRequest } from './delivery.ts'
import type { Destination } from './post.ts'
import { signBody } from './sign.ts'
import { type AppliedFault, type Mutation, STALE_SECONDS } from './webhook-fault.ts'

/** Secret for signatures that are meant to be wrong. */
export const WRONG_SECRET = 'whsec_of_somebody_else'
export const UNSIGNED =
  'Unsigned: the integrator has no signing secret yet, and webhooks.withoutSecret is unsigned.'
const USER_AGENT = `ramp-sandbox/${__VERSION__}`

const REASONS: Record<Mutation, string> = {
  body: 'One byte of the body was changed after signing.',
  signature: 'Signed with another secret.',
  timestamp: `Signed with a timestamp ${STALE_SECONDS} seconds old.`,
}

export interface RequestOptions {
  at: number
  destination: Pick<Destination, 'host'>
  mutation: Mutation | undefined
}

/** The time with which a receiver compares the timestamp of a signature, in ms. */
export const signingClock = ({ settings, now }: World, wallNow: number): number =>
  settings['webhooks.time'] === 'world' ? now : wallNow

/** A request, and what is unusual about it. */
interface BuiltRequest {
  sent: SentRequest
  damage: Mutation | null
  reason: string | null
}

/** Renders and signs a delivery as it goes over the wire now, and says what is unusual about it. */
export function buildRequest(
  world: World,
  delivery: Delivery,
  { at, destination, mutation }: RequestOptions,
): BuiltRequest {
  const { body, fault } = delivery
  const isForged = mutation === 'signature' || fault?.effect.signature === 'bad'
  const isStale = mutation === 'timestamp' || fault?.effect.timestamp === 'stale'
  const secret = isForged ? WRONG_SECRET : delivery.secret
  const signedAt = Math.floor(signingClock(world, at) / 1000)
  const timestamp = String(signedAt - (isStale ? STALE_SECONDS : 0))
  const sentBody = mutation === 'body' ? changeByte(body) : body
  const prefix = world.settings['names.headerPrefix']
  const reasons = [delivery.reason, mutation && REASONS[mutation], secret === null && UNSIGNED]
  const headers: Record<string, string> = {
    Host: destination.host,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(sentBody)),
    'User-Agent': USER_AGENT,
  }
  headers[`${prefix}-Timestamp`] = timestamp
  if (secret !== null) headers[`${prefix}-Signature`] = signBody({ secret, timestamp, body })
  return {
    sent: { at, headers, body: sentBody },
    damage: mutation ?? damageBy(fault),
    reason: reasons.filter((reason) => typeof reason === 'string').join(' ') || null,
  }
}

function damageBy(fault: AppliedFault | null): Mutation | null {
  if (fault?.effect.signature === 'bad') return 'signature'
  return fault?.effect.timestamp === 'stale' ? 'timestamp' : null
}

/** Changes one character of the body, which stays JSON of the same length. */
function changeByte(body: string): string {
  return body.replace(/(:")([a-z0-9])/i, (_, before, first) => before + (first === 'x' ? 'y' : 'x'))
}
