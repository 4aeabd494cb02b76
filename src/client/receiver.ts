import { EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duration } from '../world/duration.ts'
import { assertOptions } from './assert-options.ts'
import { assertRealTicks } from './fake-timers.ts'
import type { Json as AnyJson } from './http.ts'
import { toWaitMs } from './journal-reader.ts'

const CLOSED = 'The receiver was closed.'
/** Most requests that a timeout error lists. */
const LISTED_MAX = 5

/** A request as it arrived. */
export interface Received<Json = AnyJson> {
  method: string
  /** Path and query. */
  path: string
  /** Names in lower case. */
  headers: IncomingHttpHeaders
  /** The raw body, which is what a signature covers. */
  bytes: Buffer
  /** The body as text. */
  body: string
  /** The body parsed; reading it throws when it is not JSON. */
  readonly json: Json
}

/** A status code, or a response with status, headers and body. The default status is 200. */
export type Reply =
  | number
  | { status?: number; headers?: Record<string, string | string[]>; body?: string | Uint8Array }
  | undefined

/** Makes the response of a receiver. If it throws, the response is a 500. */
export type Responder<Json = AnyJson> = (request: Received<Json>) => Reply | Promise<Reply>

export interface ReceiverOptions<Json = AnyJson> {
  respond?: Reply | Responder<Json>
  /** Default: any free one. */
  port?: number
  /** Number of newest requests that `received` keeps. Default: all. */
  keep?: number
}

export interface Receiver<Json = AnyJson> extends AsyncDisposable {
  readonly url: string
  /** Requests that were received, oldest first. */
  readonly received: readonly Received<Json>[]
  /**
   * Returns the oldest matching request that no earlier `next` returned, as soon as there is one.
   * Rejects after `timeout`, `4s` by default, saying what was received instead.
   */
  next(
    predicate?: (request: Received<Json>) => boolean,
    timeout?: Duration,
  ): Promise<Received<Json>>
  /** Sets the response from now on. */
  respondWith(respond: Reply | Responder<Json>): void
  close(): Promise<void>
}

/**
 * A real HTTP receiver on 127.0.0.1 to point webhooks at.
 *
 * @example
 * await using receiver = await createReceiver({ respond: 204 })
 * // As the service does when receiver.url is the webhook URL:
 * const response = await fetch(receiver.url, { method: 'POST', body: '{"id":"evt_1"}' })
 * const { body } = await receiver.next()
 * assert.deepEqual([response.status, body], [204, '{"id":"evt_1"}'])
 */
export async function createReceiver<Json = AnyJson>(
  options: ReceiverOptions<Json> = {},
): Promise<Receiver<Json>> {
  assertOptions('createReceiver', options, ['respond', 'port', 'keep'])
  const receiver = new HttpReceiver<Json>(options)
  const url = await receiver.listen(options.port ?? 0)
  return {
    url,
    received: receiver.received,
    next: (predicate, timeout) => receiver.next(predicate, timeout),
    respondWith: (respond) => receiver.respondWith(respond),
    close: () => receiver.close(),
    [Symbol.asyncDispose]: () => receiver.close(),
  }
}

class HttpReceiver<Json> {
  readonly received: Received<Json>[] = []
  readonly #returned = new WeakSet<Received<Json>>()
  /** Emits `request` when one has come, and `error` at the end. */
  readonly #arrivals = new EventEmitter().setMaxListeners(0)
  readonly #server = createServer((incoming, outgoing) => this.#receive(incoming, outgoing))
  readonly #keep: number
  #responder: Reply | Responder<Json>

  constructor({ respond, keep = Number.POSITIVE_INFINITY }: ReceiverOptions<Json>) {
    this.#responder = respond
    this.#keep = keep
  }

  /** Listens on 127.0.0.1 and returns the URL. */
  async listen(port: number): Promise<string> {
    assertRealTicks()
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port: bound } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${bound}`
  }

  async next(
    predicate: (request: Received<Json>) => boolean = () => true,
    timeout?: Duration,
  ): Promise<Received<Json>> {
    const timeoutMs = toWaitMs(timeout)
    const late = AbortSignal.timeout(timeoutMs)
    try {
      for (;;) {
        const found = this.received.find((one) => !this.#returned.has(one) && predicate(one))
        if (found) {
          this.#returned.add(found)
          return found
        }
        // Nothing comes any more, and nothing would keep the process alive until it is late.
        if (!this.#server.listening) throw new Error(CLOSED)
        await once(this.#arrivals, 'request', { signal: late })
      }
    } catch (error) {
      throw late.aborted ? this.#tooLate(timeoutMs) : error
    }
  }

  respondWith(respond: Reply | Responder<Json>): void {
    this.#responder = respond
  }

  async close(): Promise<void> {
    assertRealTicks()
    const isAwaited = this.#arrivals.listenerCount('request') > 0
    if (isAwaited) this.#arrivals.emit('error', new Error(CLOSED))
    const closed = this.#server.listening ? once(this.#server, 'close') : undefined
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** Lists what arrived, but for requests that an earlier `next` returned. */
  #tooLate(timeoutMs: number): Error {
    const { length } = this.received
    const others = this.received.filter((request) => !this.#returned.has(request))
    const listed = others
      .slice(-LISTED_MAX)
      .map(({ method, path, body }) => `\n${method} ${path} ${body}`)
    const arrived = length === 0 ? 'nothing arrived' : `${length} arrived`
    const returned = length > others.length ? `, ${length - others.length} already returned` : ''
    const last = others.length > LISTED_MAX ? `; the last ${LISTED_MAX}` : ''
    const end = others.length === 0 ? '.' : `${last}:${listed.join('')}`
    return new Error(`No matching request within ${timeoutMs} ms; ${arrived}${returned}${end}`)
  }

  #receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const take = (request: Received<Json>) => {
      this.received.push(request)
      if (this.received.length > this.#keep) this.received.shift()
      this.#arrivals.emit('request')
      const responder = this.#responder
      reply(outgoing, () => (typeof responder === 'function' ? responder(request) : responder))
    }
    // A request that breaks off never came.
    readReceived<Json>(incoming).then(take, () => undefined)
  }
}

/** Reads a request to its end. */
export async function readReceived<Json>(incoming: IncomingMessage): Promise<Received<Json>> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const { method = '', url = '', headers } = incoming
  const body = bytes.toString()
  return {
    method,
    path: url,
    headers,
    bytes,
    body,
    get json() {
      return JSON.parse(body) as Json
    },
  }
}

async function reply(outgoing: ServerResponse, respond: () => Reply | Promise<Reply>) {
  try {
    const reply = await respond()
    const {
      status = 200,
      headers = {},
      body = '',
    } = typeof reply === 'number' ? { status: reply } : (reply ?? {})
    outgoing.writeHead(status, headers).end(body)
  } catch (error) {
    outgoing.writeHead(500).end(String(error))
  }
}
