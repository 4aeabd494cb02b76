import { isUtf8 } from 'node:buffer'
import { type Budget, createBudget } from '../webhooks/budget.ts'
import { verifySignature } from '../webhooks/sign.ts'
import { createJournal, type Journal } from '../world/journal.ts'
import type { World } from '../world/world.ts'

export const CATCHES_MAX = 100
export const CAUGHT_MAX = 1_000
/** Characters of all that was caught together, in all worlds; then the oldest is forgotten. */
export const CAUGHT_LENGTH_MAX = 64 * 1024 * 1024
const SHORT_LENGTH = 200
const FORGOTTEN = '(forgotten, because too much came)'

export type SignatureCheck = 'valid' | 'stale' | 'wrong' | 'missing'

/** A request that a catch received. */
export interface Caught {
  readonly id: string
  readonly cursor: number
  readonly method: string
  /** Path and query. */
  path: string
  headers: Record<string, string>
  /** Text, or base64 where the bytes are no text. */
  body: string
  bodyEncoding: 'utf-8' | 'base64'
  /** Wall time. */
  readonly receivedAt: number
  readonly signature: SignatureCheck
}

export interface CannedResponse {
  status: number
  body: string | null
  headers: Record<string, string>
  /** How often this is still answered; null without end. */
  times: number | null
}

/** A receiver with a name. */
export interface Catch {
  requests: Journal<Caught>
  answer: CannedResponse | null
}

/** A request as received, before it is in the journal. */
export interface IncomingRequest
  extends Pick<Caught, 'method' | 'path' | 'headers' | 'receivedAt' | 'signature'> {
  bytes: Buffer
}

/** The receivers of one world. */
export interface CatchList {
  /** Makes it on first use; the one that was used longest ago makes room. */
  open(name: string): Catch
  /** Forgets the requests and the canned response; ids and cursors go on. */
  clear(name: string): void
  keep(name: string, request: IncomingRequest): Caught
}

export function createCatcher(budget: Budget = createBudget(CAUGHT_LENGTH_MAX)): CatchList {
  const catches = new Map<string, Catch>()
  const drops = new WeakMap<Caught, () => void>()
  return {
    open,
    clear(name) {
      const { requests } = open(name)
      catches.set(name, { requests: createJournal(CAUGHT_MAX, [], requests.last), answer: null })
    },
    keep(name, { method, path, headers, bytes, receivedAt, signature }) {
      const { requests } = open(name)
      const cursor = requests.last + 1
      const bodyEncoding = isUtf8(bytes) ? 'utf-8' : 'base64'
      const body = bytes.toString(bodyEncoding)
      const id = `caught_${cursor}`
      const request = { method, path, headers, body, bodyEncoding, receivedAt, signature } as const
      const caught: Caught = { id, cursor, ...request }
      const pushedOut = requests.at(cursor - CAUGHT_MAX)
      if (pushedOut) drops.get(pushedOut)?.()
      requests.push(caught)
      drops.set(caught, budget(caught, lengthOf(caught), forget))
      return caught
    },
  }

  function open(name: string): Catch {
    const known = catches.get(name)
    const used = known ?? { requests: createJournal<Caught>(CAUGHT_MAX), answer: null }
    catches.delete(name)
    catches.set(name, used)
    for (const oldest of catches.keys()) {
      if (catches.size <= CATCHES_MAX) break
      catches.delete(oldest)
    }
    return used
  }
}

function forget(caught: Caught) {
  const { path } = caught
  // A path may be nearly as long as all headers together.
  const shown = path.length > SHORT_LENGTH ? FORGOTTEN : path
  Object.assign(caught, { path: shown, headers: {}, body: FORGOTTEN, bodyEncoding: 'utf-8' })
}

/** A row takes some room itself. */
const lengthOf = ({ path, headers, body }: Caught) =>
  Object.entries(headers).reduce(
    (sum, pair) => sum + pair.join('').length,
    path.length + body.length + 200,
  )

/** Judges a request as its receiver should, by the secrets of the world's integrators. */
export function checkSignature(
  world: World,
  { headers, bytes, now }: { headers: Record<string, string>; bytes: Buffer; now: number },
): SignatureCheck {
  const headerPrefix = world.settings['names.headerPrefix']
  if (headers[`${headerPrefix}-signature`.toLowerCase()] === undefined) return 'missing'
  for (const { signingSecret: secret } of world.integrators) {
    if (secret === null) continue
    const signed = { secret, headers, body: bytes, headerPrefix, now }
    if (verifySignature(signed).ok) return 'valid'
    if (verifySignature({ ...signed, toleranceSeconds: Number.POSITIVE_INFINITY }).ok)
      return 'stale'
  }
  return 'wrong'
}
