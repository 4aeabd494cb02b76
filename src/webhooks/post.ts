import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { realTime, TIMER_MAX_MS } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'
import { formatDuration } from '../world/duration.ts'
import type { Outcome, ReceiverResponse, SentRequest } from './delivery.ts'
import {
  BlockedError,
  hostOf,
  isOwnCatch,
  lookupFor,
  parseDestination,
  type WebhookRules,
} from './destination.ts'

export const RESPONSE_BODY_MAX = 64 * 1024
const DESTINATIONS_MAX = 1_000
/** Shorter than the idle timeout of common receivers, so that this side closes first. */
const IDLE_MAX_MS = 1_000

export interface PostResult {
  outcome: Outcome
  response: ReceiverResponse | null
  error: string | null
  durationMs: number | null
}

/** A parsed URL with the agent that connects to it. */
export interface Destination {
  readonly host: string
  readonly options: RequestOptions
  /** One agent per URL, because a connection that one URL permits must not serve another. */
  agent: Agent
}

interface PostRequest extends Pick<SentRequest, 'headers'> {
  bytes: Uint8Array
  timeoutMs: number
}

/** Posts by http and https, and follows no redirects. */
export class Poster {
  readonly #rules: WebhookRules
  readonly #destinations = new Map<string, Destination>()
  readonly #active = new Set<ClientRequest>()

  constructor(rules: WebhookRules) {
    this.#rules = rules
  }

  /** Throws a `DomainError` for a URL that webhooks may not go to. */
  destinationOf(url: string): Destination {
    const known = this.#destinations.get(url)
    if (known) return known
    const destination = toDestination(parseDestination(url, this.#rules), this.#rules)
    // Connections of forgotten destinations close by themselves as soon as they are idle.
    if (this.#destinations.size >= DESTINATIONS_MAX) this.#destinations.clear()
    this.#destinations.set(url, destination)
    return destination
  }

  close(because: string): void {
    for (const request of this.#active) request.destroy(new Error(because))
    for (const { agent } of this.#destinations.values()) agent.destroy()
    this.#destinations.clear()
  }

  /** Sends the body and reads the response, all within the timeout. Never rejects. */
  post(to: Destination, { headers, bytes, timeoutMs }: PostRequest): Promise<PostResult> {
    return new Promise((resolve) => {
      const startedAt = realTime.elapsed()
      const timer = realTime.setTimeout(expire, Math.min(timeoutMs, TIMER_MAX_MS)).unref()
      const chunks: Buffer[] = []
      let incoming: IncomingMessage | undefined
      let broken: Error | undefined

      const end = (outcome: Outcome, error: string | null) => {
        if (!this.#active.delete(request)) return
        realTime.clearTimeout(timer)
        const durationMs = Math.round((realTime.elapsed() - startedAt) * 10) / 10
        resolve({
          outcome,
          response: incoming ? toResponse(incoming, chunks) : null,
          error,
          durationMs,
        })
      }
      function endWithResponse() {
        const { statusCode = 0, complete = false, errored = null } = incoming ?? {}
        const isAcknowledged = statusCode >= 200 && statusCode < 300
        const reason = broken ?? errored
        const cut = complete || reason === null ? null : describe(reason)
        end(isAcknowledged ? 'delivered' : 'rejected', cut)
      }
      function expire() {
        end('timeout', `The receiver had not responded after ${formatDuration(timeoutMs)}.`)
        request.destroy()
      }

      const request = open(to, headers)
      this.#active.add(request)
      request.on('error', (error) => {
        // A response that has begun closes, too, and its status counts.
        broken = error
        if (!incoming) end(outcomeOf(error, request), describe(error))
      })
      request.on('close', () => {
        if (!incoming) end('refused', 'The connection was closed without a response.')
      })
      request.on('response', (response) => {
        incoming = response
        collect(response, chunks)
        // The response of an interceptor may end without closing.
        response.on('end', endWithResponse).on('close', endWithResponse)
      })
      sendBody(request, bytes)
    })
  }
}

function toDestination(url: URL, rules: WebhookRules): Destination {
  const { protocol, host, port, pathname, search } = url
  const options = {
    method: 'POST',
    protocol,
    // Tools that intercept or trace requests read these two.
    host: hostOf(url),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    path: pathname + search,
    lookup: lookupFor(url, rules),
    ...(isOwnCatch(url, rules) && { ca: rules.ownCertificate }),
  }
  const { Agent } = clientOf(options)
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 1, timeout: IDLE_MAX_MS })
  return { host, options, agent }
}

/** Loads TLS only where a webhook needs it. */
const clientOf = ({ protocol }: RequestOptions) =>
  protocol === 'https:' ? process.getBuiltinModule('node:https') : http

function open(destination: Destination, headers: SentRequest['headers']): ClientRequest {
  const { options, agent } = destination
  const client = clientOf(options)
  // A spread of both makes a new hidden class for each request on Node 20.
  const request = client.request(Object.assign({ agent, headers }, options))
  return request.on('socket', (socket) => {
    // A delivery by itself must not keep the process alive; waiting for one does.
    socket.unref()
    if (request.reusedSocket) return
    socket.once('end', () => {
      // A receiver that closes connections might do so during the next POST, which would be lost.
      destination.agent = new client.Agent()
      socket.destroy()
    })
  })
}

/** Sends a body whole, or in two chunks where its headers announce chunks. */
function sendBody(request: ClientRequest, bytes: Uint8Array): void {
  if (!request.hasHeader('Transfer-Encoding')) {
    request.end(bytes)
    return
  }
  // Inside a character, if one has several bytes: a receiver must not decode chunk by chunk.
  const inside = bytes.findIndex((byte) => byte >= 0x80) + 1
  const end = inside || Math.ceil(bytes.length / 2)
  request.write(bytes.subarray(0, end))
  request.end(bytes.subarray(end))
}

function collect(incoming: IncomingMessage, chunks: Buffer[]) {
  let length = 0
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, RESPONSE_BODY_MAX - length))
    length += chunk.length
    if (length > RESPONSE_BODY_MAX) incoming.destroy()
  })
  // The close event reports what broke it.
  incoming.on('error', () => undefined)
}

function toResponse(response: IncomingMessage, chunks: readonly Buffer[]): ReceiverResponse {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: response.headers as ReceiverResponse['headers'],
    body: Buffer.concat(chunks).toString(),
  }
}

function outcomeOf(error: NodeJS.ErrnoException, { socket }: ClientRequest): Outcome {
  if (error instanceof BlockedError) return 'blocked'
  const { code = '', syscall = '' } = error
  if (/^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) return 'tls'
  const isUnconnected = error instanceof AggregateError || /^(connect|getaddrinfo)$/.test(syscall)
  const isHandshake = socket && 'authorized' in socket && !socket.authorized
  return isHandshake && !isUnconnected ? 'tls' : 'refused'
}

/** The result of a webhook that could not be posted. */
export function toFailure(error: unknown): PostResult {
  const outcome = error instanceof DomainError ? 'blocked' : 'refused'
  return { outcome, response: null, error: describe(error), durationMs: 0 }
}

/** The message and code of an error; of each address if several failed. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  const { message: said, code } = error as NodeJS.ErrnoException
  // Messages of OpenSSL end with a line break.
  const message = said.trim()
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}
