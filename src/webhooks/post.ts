import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { formatDuration } from '../world/duration.ts'
import { BlockedError, guardLookup } from './address.ts'
import type { Answer, Exchange, Outcome, Sent } from './delivery.ts'
import { hostOf, isAllowedHost, refuseDestination } from './destination.ts'
import { TIMER_MAX_MS } from './in-flight.ts'

/** Bytes of an answer's body that are kept. */
export const ANSWER_BODY_MAX = 64 * 1024
/** Shorter than receivers keep an idle connection open, so that they are not the ones to close it. */
const IDLE_MAX_MS = 1_000
const TARGETS_MAX = 1_000

/** Where a URL leads, taken apart once. */
export interface Target {
  host: string
  isTls: boolean
  /** `close` once the receiver has closed a connection: a POST on such a one could be lost. */
  connection: 'keep-alive' | 'close'
  request: Pick<RequestOptions, 'method' | 'hostname' | 'port' | 'path'>
}

export interface Poster {
  /** Throws a `Refusal` for a URL that webhooks may not go to. */
  targetOf(url: string): Target
  post(target: Target, sent: Sent, timeoutMs: number): Promise<Exchange>
  close(): void
}

/**
 * Posts over connections that it keeps for a second. A socket never keeps the process alive: whoever
 * waits for a delivery does, by the timer of the wait.
 */
export function createPoster(allowHosts: readonly string[]): Poster {
  const lookup = guardLookup((host) => isAllowedHost(host, allowHosts))
  const kept = { keepAlive: true, timeout: IDLE_MAX_MS, lookup }
  const agents = {
    http: { 'keep-alive': new http.Agent(kept), close: new http.Agent({ lookup }) },
    https: { 'keep-alive': new https.Agent(kept), close: new https.Agent({ lookup }) },
  }
  const targets = new Map<string, Target>()
  const active = new Set<ClientRequest>()

  return {
    targetOf(url) {
      const known = targets.get(url)
      if (known) return known
      refuseDestination(url, { httpsOnly: false, allowHosts })
      if (targets.size >= TARGETS_MAX) targets.clear()
      const target = toTarget(new URL(url))
      targets.set(url, target)
      return target
    },
    async post(target, { headers, body }, timeoutMs) {
      const { isTls, connection } = target
      const agent = agents[isTls ? 'https' : 'http'][connection]
      const request = (isTls ? https : http).request({ ...target.request, agent, headers })
      request.on('socket', (socket) => watchSocket(socket, request, target))
      active.add(request)
      try {
        return await exchange(request, body, timeoutMs)
      } finally {
        active.delete(request)
      }
    },
    close() {
      for (const request of active) request.destroy(new Error('The sandbox was closed.'))
      for (const pair of Object.values(agents)) {
        for (const agent of Object.values(pair)) agent.destroy()
      }
    },
  }
}

function toTarget(url: URL): Target {
  const { protocol, host, port, pathname, search } = url
  return {
    host,
    isTls: protocol === 'https:',
    connection: 'keep-alive',
    request: { method: 'POST', hostname: hostOf(url), port, path: pathname + search },
  }
}

/** Sockets whose handshake was completed. */
const secured = new WeakSet<Socket>()

function watchSocket(socket: Socket, { reusedSocket }: ClientRequest, target: Target) {
  socket.unref()
  if (reusedSocket) return
  socket.once('end', () => {
    target.connection = 'close'
    // At once, because the agent gives out a socket until it is destroyed.
    socket.destroy()
  })
  if (socket instanceof TLSSocket) socket.once('secureConnect', () => secured.add(socket))
}

/** Sends the body and takes the answer, all of it within the time. Never rejects. */
function exchange(request: ClientRequest, body: string, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const chunks: Buffer[] = []
    let response: IncomingMessage | undefined
    const timer = setTimeout(expire, Math.min(timeoutMs, TIMER_MAX_MS)).unref()

    function end(outcome: Outcome, error: string | null) {
      clearTimeout(timer)
      const answer = response ? toAnswer(response, chunks) : null
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10
      resolve({ outcome, answer, error, durationMs })
    }
    function expire() {
      end('timeout', `No whole answer came within ${formatDuration(timeoutMs)}.`)
      request.destroy()
    }

    request.on('error', (error) => end(outcomeOf(error, request), describe(error)))
    request.on('close', () => {
      if (!response) end('refused', 'The connection was closed without an answer.')
    })
    request.on('response', (incoming) => {
      response = incoming
      collect(incoming, chunks)
      incoming.on('close', () => {
        const { statusCode = 0, complete } = incoming
        const acknowledged = statusCode >= 200 && statusCode < 300
        const cut = complete || incoming.errored === null ? null : describe(incoming.errored)
        end(acknowledged ? 'delivered' : 'rejected', cut)
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
  // What broke it is told when it closes.
  incoming.on('error', () => undefined)
}

function toAnswer(response: IncomingMessage, chunks: readonly Buffer[]): Answer {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: response.headers as Answer['headers'],
    body: Buffer.concat(chunks).toString(),
  }
}

function outcomeOf(error: NodeJS.ErrnoException, { socket }: ClientRequest): Outcome {
  if (error instanceof BlockedError) return 'blocked'
  const { code = '', syscall = '' } = error
  if (/^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) return 'tls'
  const isUnconnected = error instanceof AggregateError || /^(connect|getaddrinfo)$/.test(syscall)
  return socket instanceof TLSSocket && !secured.has(socket) && !isUnconnected ? 'tls' : 'refused'
}

/** The message, its code, and what several failed addresses said each. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  const { message, code } = error as NodeJS.ErrnoException
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}
