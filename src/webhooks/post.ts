import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { realTime } from '../real-time.ts'
import { formatDuration } from '../world/duration.ts'
import { BlockedError, createLookup } from './address.ts'
import { createConnection, type ReceiverConnection } from './connection.ts'
import type { Outcome, ReceiverAnswer, SentRequest } from './delivery.ts'
import {
  assertDestination,
  hostOf,
  isAllowedUrl,
  isOwnCatch,
  type WebhookRules,
} from './destination.ts'
import { TIMER_MAX_MS } from './in-flight.ts'

/** Bytes of an answer's body that are kept. */
export const ANSWER_BODY_MAX = 64 * 1024
const DESTINATIONS_MAX = 1_000

/** Where a URL leads, parsed once. */
export interface Destination {
  readonly host: string
  readonly path: string
  readonly connection: ReceiverConnection
}

export interface PostResult {
  outcome: Outcome
  answer: ReceiverAnswer | null
  error: string | null
  durationMs: number | null
}

/** Posts by http and https, and follows no redirects. */
export function createPoster(rules: WebhookRules) {
  const destinations = new Map<string, Destination>()
  const active = new Set<ClientRequest>()

  return {
    /** Throws a `DomainError` for a URL that webhooks may not go to. */
    destinationOf(url: string): Destination {
      const known = destinations.get(url)
      if (known) return known
      assertDestination(url, { httpsOnly: false, ...rules })
      if (destinations.size >= DESTINATIONS_MAX) closeDestinations()
      const destination = toDestination(new URL(url))
      destinations.set(url, destination)
      return destination
    },
    async post({ path, connection }: Destination, sent: SentRequest, timeoutMs: number) {
      const { headers, body } = sent
      const socket = connection.take()
      const options = { method: 'POST', path, headers, createConnection: () => socket }
      const request = openRequest(options)
      // Without an agent, Node would close the connection whatever the header says.
      request.shouldKeepAlive = connection.mode === 'keep-alive'
      active.add(request)
      return exchange(request, socket, { body, timeoutMs, onClose })

      function onClose(isComplete: boolean) {
        active.delete(request)
        if (isComplete && request.shouldKeepAlive) connection.giveBack(socket)
        else socket.destroy()
      }
    },
    /** Aborts what is on its way. */
    close() {
      for (const request of active) request.destroy(new Error('The sandbox was closed.'))
      closeDestinations()
    },
  }

  function closeDestinations() {
    for (const { connection } of destinations.values()) connection.close()
    destinations.clear()
  }

  function toDestination(url: URL): Destination {
    const { protocol, host, port, pathname, search } = url
    const isTls = protocol === 'https:'
    const endpoint = {
      hostname: hostOf(url),
      port: Number(port || (isTls ? 443 : 80)),
      isTls,
      certificate: isOwnCatch(url, rules) ? rules.ownCertificate : undefined,
    }
    const lookup = createLookup(() => isAllowedUrl(url, rules), rules.isShared)
    return { host, path: pathname + search, connection: createConnection(endpoint, lookup) }
  }
}

interface ExchangeOptions {
  body: string
  timeoutMs: number
  /** Called when the socket is free, with whether the whole answer was received. */
  onClose(isComplete: boolean): void
}

/** Sends the body and reads the answer, all within the timeout. Never rejects. */
function exchange(
  request: ClientRequest,
  socket: Socket,
  { body, timeoutMs, onClose }: ExchangeOptions,
): Promise<PostResult> {
  return new Promise((resolve) => {
    const startedAt = realTime.elapsed()
    const chunks: Buffer[] = []
    let response: IncomingMessage | undefined
    const timer = realTime.setTimeout(expire, Math.min(timeoutMs, TIMER_MAX_MS)).unref()

    function end(outcome: Outcome, error: string | null) {
      realTime.clearTimeout(timer)
      const answer = response ? toAnswer(response, chunks) : null
      const durationMs = Math.round((realTime.elapsed() - startedAt) * 10) / 10
      resolve({ outcome, answer, error, durationMs })
    }
    function expire() {
      end('timeout', `No whole answer came within ${formatDuration(timeoutMs)}.`)
      request.destroy()
    }

    request.on('error', (error) => end(outcomeOf(error, socket), describe(error)))
    request.on('close', () => {
      if (!response) end('refused', 'The connection was closed without an answer.')
      onClose(response?.complete === true)
    })
    request.on('response', (incoming) => {
      response = incoming
      collect(incoming, chunks)
      incoming.on('close', () => {
        const { statusCode = 0, complete, errored } = incoming
        const isAcknowledged = statusCode >= 200 && statusCode < 300
        const cut = complete || errored === null ? null : describe(errored)
        end(isAcknowledged ? 'delivered' : 'rejected', cut)
      })
    })
    request.end(body)
  })
}

function collect(incoming: IncomingMessage, chunks: Buffer[]) {
  let length = 0
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk.subarray(0, ANSWER_BODY_MAX - length))
    length += chunk.length
    if (length > ANSWER_BODY_MAX) incoming.destroy()
  })
  // The close event reports what broke it.
  incoming.on('error', () => undefined)
}

function toAnswer(response: IncomingMessage, chunks: readonly Buffer[]): ReceiverAnswer {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: response.headers as ReceiverAnswer['headers'],
    body: Buffer.concat(chunks).toString(),
  }
}

function outcomeOf(error: NodeJS.ErrnoException, socket: Socket): Outcome {
  if (error instanceof BlockedError) return 'blocked'
  const { code = '', syscall = '' } = error
  if (/^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) return 'tls'
  const isUnconnected = error instanceof AggregateError || /^(connect|getaddrinfo)$/.test(syscall)
  return socket instanceof TLSSocket && !socket.authorized && !isUnconnected ? 'tls' : 'refused'
}

/** The message and code of an error; of every address when several failed. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  const { message, code } = error as NodeJS.ErrnoException
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}
