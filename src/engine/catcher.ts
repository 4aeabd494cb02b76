import { isUtf8 } from 'node:buffer'
import { type Budget, createBudget } from '../webhooks/budget.ts'
import { verifySignature } from '../webhooks/sign.ts'
import { createJournal, type Journal } from '../world/journal.ts'
import type { World } from '../world/world.ts'

export const CATCHES_MAX = 100
export const CAUGHT_MAX = 1_000
/** Characters of all caught requests together, in all worlds; beyond it the oldest are dropped. */
export const CAUGHT_LENGTH_MAX = 64 * 1024 * 1024
const SHORT_LENGTH = 200
const DROPPED = '(dropped: too much was received)'

export type SignatureCheck = 'valid' | 'stale' | 'wrong' | 'missing'

/** A request that a catch received. */
export interface Caught {
  readonly id: string
  readonly cursor: number
  readonly method: string
  /** Path and query. */
  path: string
  headers: Record<string, string>
  /** Text, or base64 when the bytes are not UTF-8. */
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
  /** How many more times this is answered; null for always. */
  times: number | null
}

/** A named receiver. */
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
  /** Creates it on first use; beyond the maximum, the least recently used is dropped. */
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
      const caught: Caught = {
        id,
        cursor,
        method,
        path,
        headers,
        body,
        bodyEncoding,
        receivedAt,
        signature,
      }
      const pushedOut = requests.at(cursor - CAUGHT_MAX)
      if (pushedOut) drops.get(pushedOut)?.()
      requests.push(caught)
      drops.set(caught, budget(caught, lengthOf(caught), dropTexts))
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

function dropTexts(caught: Caught) {
  const { path } = caught
  // A path may be nearly as long as all headers together.
  const shown = path.length > SHORT_LENGTH ? DROPPED : path
  Object.assign(caught, { path: shown, headers: {}, body: DROPPED, bodyEncoding: 'utf-8' })
}

/** With some room for the row itself. */
const lengthOf = ({ path, headers, body }: Caught) =>
  Object.entries(headers).reduce(
    (sum, pair) => sum + pair.join('').length,
    path.length + body.length + 200,
  )

/** Checks a signature as a receiver should, with the secret of each integrator. */
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
