import { isUtf8 } from 'node:buffer'
import { verifySignature } from '../webhooks/sign.ts'
import { Entries } from '../world/entries.ts'
import type { World } from '../world/world.ts'

const CATCHES_MAX = 100
/** Requests that all catches of a world keep, and their bytes; beyond them the oldest go. */
const CAUGHT_MAX = 10_000
const CAUGHT_BYTES_MAX = 32 * 1024 * 1024

export type SignatureCheck = 'valid' | 'stale' | 'wrong' | 'missing'

export interface Caught {
  readonly id: string
  readonly pos: number
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  /** Text, or base64 where the bytes are not UTF-8 or hold control characters. */
  readonly body: string
  readonly bodyEncoding: 'utf-8' | 'base64'
  readonly receivedAt: number
  readonly signature: SignatureCheck
}

export interface CannedResponse {
  status: number
  body: string | null
  headers: Record<string, string>
  /** Requests that still get this response; null for all. */
  times: number | null
}

export interface Catch {
  requests: Entries<Caught>
  /** Number of requests received, including cleared ones. */
  received: number
  response: CannedResponse | null
}

/** A request as received, before it is in the journal. */
export interface IncomingRequest
  extends Pick<Caught, 'method' | 'path' | 'headers' | 'receivedAt' | 'signature'> {
  bytes: Buffer
}

/** A request that is kept, in the order of all catches. */
interface Kept {
  readonly of: Catch
  readonly bytes: number
}

export class Catcher {
  readonly #catches = new Map<string, Catch>()
  #kept: Kept[] = []
  #bytes = 0

  /** Creates a catch on first use; beyond the maximum, the least recently used is dropped. */
  open(name: string): Catch {
    const used = this.#catches.get(name) ?? openEmpty(0)
    this.#catches.delete(name)
    this.#catches.set(name, used)
    const [oldest] = this.#catches.keys()
    if (this.#catches.size > CATCHES_MAX && oldest !== undefined) this.#drop(oldest)
    return used
  }

  /** Forgets the requests and the canned response; ids and cursors go on. */
  clear(name: string): void {
    const { received } = this.open(name)
    this.#drop(name)
    this.#catches.set(name, openEmpty(received))
  }

  keep(name: string, { bytes, ...request }: IncomingRequest): Caught {
    const of = this.open(name)
    const pos = ++of.received
    const caught: Caught = { id: `caught_${pos}`, pos, ...request, ...toBody(bytes) }
    of.requests.push(caught)
    this.#add({ of, bytes: sizeOf(caught) })
    return caught
  }

  #add(kept: Kept): void {
    this.#kept.push(kept)
    this.#bytes += kept.bytes
    while (this.#kept.length > CAUGHT_MAX || this.#bytes > CAUGHT_BYTES_MAX) {
      const oldest = this.#kept.shift()
      oldest?.of.requests.forgetFirst()
      this.#bytes -= oldest?.bytes ?? 0
    }
  }

  #drop(name: string): void {
    const dropped = this.#catches.get(name)
    this.#catches.delete(name)
    this.#kept = this.#kept.filter(({ of }) => of !== dropped)
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

const openEmpty = (received: number): Catch => ({
  requests: new Entries({ max: CAUGHT_MAX }),
  received,
  response: null,
})

/** Control characters take six times their length in JSON. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROLS = /[\0-\x08]/

function toBody(bytes: Buffer): Pick<Caught, 'body' | 'bodyEncoding'> {
  const text = isUtf8(bytes) ? bytes.toString() : undefined
  if (text !== undefined && !CONTROLS.test(text)) return { body: text, bodyEncoding: 'utf-8' }
  return { body: bytes.toString('base64'), bodyEncoding: 'base64' }
}

/** In bytes, with some room for the row itself. */
function sizeOf({ path, headers, body }: Caught): number {
  const texts = [path, body, ...Object.entries(headers).flat()]
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 200)
}

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
    const anyAge = { toleranceSeconds: Number.POSITIVE_INFINITY, ...signed }
    if (verifySignature(signed).ok) return 'valid'
    if (verifySignature(anyAge).ok) return 'stale'
  }
  return 'wrong'
}
