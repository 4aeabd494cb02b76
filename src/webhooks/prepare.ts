import type { World } from '../world/world.ts'
import type { Delivery, SentRequest } from './delivery.ts'
import { formatFault, STALE_SECONDS } from './fault.ts'
import type { Destination } from './post.ts'
import { signBody } from './sign.ts'

export const MUTATIONS = ['body', 'signature', 'timestamp'] as const
/** A way to send a delivery that no receiver should accept. */
export type Mutation = (typeof MUTATIONS)[number]

/** What a delivery is signed with that should not verify. */
export const WRONG_SECRET = 'whsec_of_somebody_else'
const UNSIGNED = 'Unsigned: the integrator has no signing secret yet.'

const REASONS: Record<Mutation, string> = {
  body: 'One byte of the body was changed after signing.',
  signature: 'Signed with another secret.',
  timestamp: `The timestamp is ${STALE_SECONDS} seconds old, and signed as such.`,
}

export interface Occasion {
  /** Wall time in ms. */
  at: number
  target: Pick<Destination, 'host' | 'connection'>
  mutation: Mutation | undefined
}

/** Renders and signs a delivery as it must go over the wire now. */
export function prepare(world: World, delivery: Delivery, occasion: Occasion): SentRequest {
  const { at, target, mutation } = occasion
  const { body, fault } = delivery
  const secret = world.integratorsByName.get(delivery.integrator)?.signingSecret ?? null
  const isForged = mutation === 'signature' || fault?.effect.signature === 'bad'
  const key = isForged ? WRONG_SECRET : secret
  const isStale = mutation === 'timestamp' || fault?.effect.timestamp === 'stale'
  const seconds = Math.floor(at / 1000) - (isStale ? STALE_SECONDS : 0)
  const timestamp = String(seconds)
  const sent = mutation === 'body' ? alterByte(body) : body
  const prefix = world.settings['names.headerPrefix']
  // One literal of the right length, because the journal keeps thousands of them.
  const headers = [
    'Host',
    target.host,
    'Connection',
    target.connection.mode,
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(sent)),
    'User-Agent',
    USER_AGENT,
    `${prefix}-Timestamp`,
    timestamp,
    `${prefix}-Signature`,
    key === null ? '' : signBody({ secret: key, timestamp, body }),
  ]
  if (key === null) headers.length -= 2
  delivery.reason = tellReason([
    fault && formatFault(fault),
    mutation && REASONS[mutation],
    key === null && UNSIGNED,
  ])
  return { at, headers, body: sent }
}

const USER_AGENT = `ramp-sandbox/${__VERSION__}`

function tellReason(reasons: (string | false | null | undefined)[]): string | null {
  return reasons.filter((reason) => typeof reason === 'string').join(' ') || null
}

/** Another letter at the start of the first text in the body, which stays JSON of the same length. */
function alterByte(body: string): string {
  return body.replace(/(:")([a-z0-9])/i, (_, before, first) => before + (first === 'x' ? 'y' : 'x'))
}
