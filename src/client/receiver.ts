import { EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duration } from '../world/duration.ts'
import { toWaitMs } from './journal-reader.ts'

/** Requests that the error of a timeout lists. */
const LISTED_MAX = 5

/** A request as it arrived. */
export interface Received<Json = unknown> {
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

/** A status, or more of a response. The status is 200 unless it says otherwise. */
export type Reply =
  | number
  | { status?: number; headers?: Record<string, string | string[]>; body?: string | Uint8Array }
  | undefined

/** Response of a receiver; one that never resolves hangs, one that throws is a 500. */
export type Responder<Json = unknown> = (request: Received<Json>) => Reply | Promise<Reply>

export interface ReceiverOptions<Json = unknown> {
  respond?: Reply | Responder<Json>
  /** Default: any free one. */
  port?: number
  /** How many requests `received` holds, the newest; all by default. */
  keep?: number
}

export interface Receiver<Json = unknown> extends AsyncDisposable {
  readonly url: string
  /** Everything that was received, oldest first. */
  readonly received: readonly Received<Json>[]
  /**
   * The oldest request that matches and that no earlier `next` gave out, as soon as it is there.
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
export async function createReceiver<Json = unknown>({
  respond,
  port = 0,
  keep = Number.POSITIVE_INFINITY,
}: ReceiverOptions<Json> = {}): Promise<Receiver<Json>> {
  const received: Received<Json>[] = []
  const given = new WeakSet<Received<Json>>()
  /** Says `request` when one has come, and `error` at the end. */
  const arrivals = new EventEmitter().setMaxListeners(0)
  let responder = respond
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', () => undefined)
    incoming.on('end', () => {
      const request = toReceived<Json>(incoming, Buffer.concat(chunks))
      received.push(request)
      if (received.length > keep) received.shift()
      arrivals.emit('request')
      reply(outgoing, () => (typeof responder === 'function' ? responder(request) : responder))
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo

  const receiver: Receiver<Json> = {
    url: `http://127.0.0.1:${bound}`,
    received,
    async next(predicate = () => true, timeout) {
      const timeoutMs = toWaitMs(timeout)
      const late = AbortSignal.timeout(timeoutMs)
      try {
        for (;;) {
          const found = received.find((request) => !given.has(request) && predicate(request))
          if (found) {
            given.add(found)
            return found
          }
          await once(arrivals, 'request', { signal: late })
        }
      } catch (error) {
        throw late.aborted ? tooLate(received, timeoutMs) : error
      }
    },
    respondWith(next) {
      responder = next
    },
    async close() {
      const isAwaited = arrivals.listenerCount('request') > 0
      if (isAwaited) arrivals.emit('error', new Error('The receiver was closed.'))
      const closed = server.listening ? once(server, 'close') : undefined
      server.close()
      server.closeAllConnections()
      await closed
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  }
  return receiver
}

function toReceived<Json>(incoming: IncomingMessage, bytes: Buffer): Received<Json> {
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

function tooLate(received: readonly Received[], timeoutMs: number): Error {
  const listed = received
    .slice(-LISTED_MAX)
    .map(({ method, path, body }) => `${method} ${path} ${body}`)
  const summary = received.length === 0 ? 'nothing came' : `${received.length} came, at last:\n`
  return new Error(`No matching request within ${timeoutMs} ms; ${summary}${listed.join('\n')}`)
}
