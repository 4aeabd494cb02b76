import { isUtf8 } from 'node:buffer'
import { verifySignature } from '../webhooks/sign.ts'
import { createJournal, type Journal } from '../world/journal.ts'
import type { World } from '../world/world.ts'

const CATCHES_MAX = 100
/** Requests that one catch keeps, and their characters; beyond them the oldest are forgotten. */
const CAUGHT_MAX = 1_000
const CAUGHT_LENGTH_MAX = 4 * 1024 * 1024

export type SignatureCheck = 'valid' | 'stale' | 'wrong' | 'missing'

/** A request that a catch received. */
export interface Caught {
  readonly id: string
  readonly cursor: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Record<string, string>
  /** Text, or base64 where the bytes are not UTF-8 or hold control characters. */
  readonly body: string
  readonly bodyEncoding: 'utf-8' | 'base64'
  /** Wall time. */
  readonly receivedAt: number
  readonly signature: SignatureCheck
}

export interface CannedResponse {
  status: number
  body: string | null
  headers: Record<string, string>
  /** How many more requests get this; null for all. */
  times: number | null
}

/** A named receiver. */
export interface Catch {
  requests: Journal<Caught>
  response: CannedResponse | null
}

/** A request as received, before it is in the journal. */
export interface IncomingRequest
  extends Pick<Caught, 'method' | 'path' | 'headers' | 'receivedAt' | 'signature'> {
  bytes: Buffer
}

export type CatchList = ReturnType<typeof createCatcher>

/** The receivers of one world. */
export function createCatcher() {
  const catches = new Map<string, Catch>()
  return {
    open,
    /** Forgets the requests and the canned response; ids and cursors go on. */
    clear(name: string) {
      const { requests } = open(name)
      catches.set(name, openEmpty(requests.last))
    },
    keep(name: string, { bytes, ...request }: IncomingRequest): Caught {
      const { requests } = open(name)
      const cursor = requests.last + 1
      const bodyEncoding = isText(bytes) ? 'utf-8' : 'base64'
      const content = { body: bytes.toString(bodyEncoding), bodyEncoding } as const
      const id = `caught_${cursor}`
      const caught: Caught = { id, cursor, ...request, ...content }
      requests.push(caught)
      requests.weigh(cursor, lengthOf(caught))
      return caught
    },
  }

  /** Creates it on first use; beyond the maximum, the least recently used is dropped. */
  function open(name: string): Catch {
    const used = catches.get(name) ?? openEmpty(0)
    catches.delete(name)
    catches.set(name, used)
    const [oldest] = catches.keys()
    if (catches.size > CATCHES_MAX && oldest !== undefined) catches.delete(oldest)
    return used
  }
}

const openEmpty = (count: number): Catch => ({
  requests: createJournal({ max: CAUGHT_MAX, lengthMax: CAUGHT_LENGTH_MAX, count }),
  response: null,
})

/** Control characters would take six times their length in JSON. */
const isText = (bytes: Buffer) => isUtf8(bytes) && !bytes.some((byte) => byte < 9)

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
    if (verifySignature({ toleranceSeconds: Number.POSITIVE_INFINITY, ...signed }).ok)
      return 'stale'
  }
  return 'wrong'
}
