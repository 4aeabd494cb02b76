import http, { type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { HttpExchange } from '../http/services.ts'
import { realTime } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'

/** A certificate with its private key, both as PEM. */
export interface Certificate {
  cert: string
  key: string
}

export interface ListenOptions {
  fetch: (request: Request, socket: HttpExchange) => Response | Promise<Response>
  port: number
  /** Loopback by default, in both of its families. */
  host?: string | undefined
  /** Certificate for https; plain http without one. */
  tls?: Certificate | undefined
  /** Replaces the global Request and Response with faster ones. */
  overrideGlobals?: boolean | undefined
  /** Time that a client may leave a response unread. Default `UNREAD_MAX_MS`. */
  unreadMaxMs?: number | undefined
}

export interface Listening {
  url: string
  port: number
  /** Ends within a second, whatever is still open. */
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const LOOPBACK_V6 = '::1'
const FREE_PORT_TRIES_MAX = 20

/** Time for running calls to finish once the server closes. */
const CLOSE_GRACE_MS = 400
const SWEEP_EVERY_MS = 20
/**
 * Longer than the 90 s for which clients keep idle connections: closing one earlier would break
 * their next call.
 */
const KEEP_ALIVE_MS = 120_000
/** Limits for receiving a request. Responses, such as long polls, may take as long as they need. */
const HEADERS_TIMEOUT_MS = 60_000
const REQUEST_TIMEOUT_MS = 120_000
/** A connection ends if its client reads nothing of a response for this long. */
const UNREAD_MAX_MS = 60_000

/**
 * Listens on one host; on loopback at 127.0.0.1 and, where the machine has it, at ::1, because
 * `localhost`, and every name under it, means either.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { fetch, port, host = LOOPBACK, overrideGlobals = false } = options
  const { tls, unreadMaxMs = UNREAD_MAX_MS } = options
  const isLoopback = host === LOOPBACK || /^(.+\.)?localhost$/.test(host)
  // These servers speak HTTP/1 only.
  const listener = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    // Requests of HTTP/1.0 may lack a Host header.
    hostname: LOOPBACK,
    overrideGlobalObjects: overrideGlobals,
    errorHandler: respondToFailure,
  })
  const createServer = tls ? await prepareTls(tls) : http.createServer
  const handling = { createServer, listener, unreadMaxMs }
  const servers: Servers = isLoopback
    ? await bindLoopback(handling, port)
    : [await bind(handling, host, port)]
  const bound = portOf(servers[0])
  let closing: Promise<void> | undefined
  return {
    url: `${tls ? 'https' : 'http'}://${toUrlHost(isLoopback ? LOOPBACK : host)}:${bound}`,
    port: bound,
    close() {
      closing ??= closeAll(servers)
      return closing
    },
  }
}

/** Responds where no route did: to an invalid request, a client that left, or after a bug. */
function respondToFailure(error: unknown): Response {
  if (error instanceof RequestError) {
    return new Response(`This is not a valid HTTP request: ${error.message}.\n`, { status: 400 })
  }
  const { code } = error as { code?: unknown }
  if (code !== 'ECONNRESET') console.error(error)
  return new Response('The sandbox failed; see its log for the stack trace.\n', { status: 500 })
}

type CreateServer = (options: http.ServerOptions) => Server

async function prepareTls({ cert, key }: Certificate): Promise<CreateServer> {
  const https = await import('node:https')
  return (options) => https.createServer({ ...options, cert, key })
}

interface Handling {
  createServer: CreateServer
  listener: Listener
  unreadMaxMs: number
}
type Servers = [Server, ...Server[]]

/**
 * Binds both address families to one port, and tries another where a free port of one is taken in
 * the other.
 */
async function bindLoopback(handling: Handling, port: number): Promise<Servers> {
  for (let tries = 1; ; tries++) {
    const first = await bind(handling, LOOPBACK, port)
    try {
      return [first, await bind(handling, LOOPBACK_V6, portOf(first))]
    } catch (error) {
      if (hasNoAddress(error)) return [first]
      await closeAll([first])
      if (port !== 0 || tries === FREE_PORT_TRIES_MAX) throw error
    }
  }
}

function bind(handling: Handling, host: string, port: number): Promise<Server> {
  const { createServer, listener, unreadMaxMs } = handling
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  })
  server.on('request', listener)
  cutUnread(server, unreadMaxMs)
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port)))
    server.listen({ host, port }, () => {
      server.removeAllListeners('error')
      // Running out of sockets must not end the process.
      server.on('error', (error) => console.error(error))
      resolve(server)
    })
  })
}

type Listener = ReturnType<typeof getRequestListener>

/** Ends connections whose client reads nothing of a response; calls that still run may take longer. */
function cutUnread(server: Server, unreadMaxMs: number) {
  server.setTimeout(unreadMaxMs, (socket: Socket) => {
    // Node has another timeout for idle connections.
    if (socket.timeout !== unreadMaxMs || socket.writableLength > 0) socket.destroy()
  })
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

const toUrlHost = (host: string) => {
  if (host === '0.0.0.0') return LOOPBACK
  if (host === '::') return `[${LOOPBACK_V6}]`
  return host.includes(':') ? `[${host}]` : host
}

const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']

function hasNoAddress(error: unknown): boolean {
  return error instanceof DomainError && NO_ADDRESS.includes(error.code)
}

const WHY_NOT: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is already in use; free it, or choose another port (0 for any free one).`,
  EACCES: (_, port) =>
    `Port ${port} needs privileges that this process lacks; choose 1024 or above, or 0 for any free one.`,
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): DomainError {
  const { code = 'unknown', message } = error
  const why = WHY_NOT[code]?.(host, port)
  const field = why ? 'port' : 'host'
  return new DomainError(code, why ?? `Cannot listen on ${host}: ${message}.`, { field })
}

/**
 * Closes idle connections at once, others after their response, and the rest after a grace period.
 */
async function closeAll(servers: readonly Server[]): Promise<void> {
  const closed = servers.map(
    (server) => new Promise<void>((resolve) => server.close(() => resolve())),
  )
  const sweep = realTime.setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, SWEEP_EVERY_MS)
  const end = realTime.setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, CLOSE_GRACE_MS)
  await Promise.all(closed)
  realTime.clearInterval(sweep)
  realTime.clearTimeout(end)
}
