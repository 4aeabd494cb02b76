import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { RecordingClock } from './clock.ts'
import type { RawMessage, SessionRecorder } from './recorder.ts'

/** Bytes of a body that are recorded; all of it is passed on. */
const RECORDED_MAX = 16 * 1024 * 1024
/** How long the other side may be silent. */
const SILENCE_MAX_MS = 30_000
/** How long calls under way have to end when the recording ends. */
const CLOSE_MAX_MS = 500
const LOOPBACK = '127.0.0.1'

export interface ProxyOptions {
  recorder: SessionRecorder
  clock: RecordingClock
  port: number
  /** Called for each call and webhook with its name, and its status or why there is none. */
  onCall?: (call: PassedCall) => void
}

export interface PassedCall {
  event: 'call' | 'webhook'
  name: string
  status: number | string
}

export interface OpenServer {
  url: string
  /** Resolves when what was under way is recorded. */
  close(): Promise<void>
}

/** Passes calls on to the service as they are, and records each with its response. */
export function openProxy(upstream: URL, options: ProxyOptions): Promise<OpenServer> {
  const { recorder, clock, onCall } = options
  const base = upstream.pathname.replace(/\/$/, '')
  return serve(options.port, async (incoming, outgoing) => {
    const { method = 'GET', url: target = '/' } = incoming
    if (!target.startsWith('/')) {
      // A whole URL would name the host to ask; only the upstream is asked.
      outgoing.writeHead(400, { 'content-type': 'text/plain' }).end('A call names a path.\n')
      return
    }
    const startedAt = Date.now()
    const isRecorded = !target.startsWith('/_sandbox')
    const n = isRecorded ? recorder.begin() : 0
    const passed = await pass(incoming, outgoing, upstream, base + target)
    const { response, failure, headers } = passed
    const name = `${method} ${target.split('?')[0]}`
    onCall?.({ event: 'call', name, status: response?.status ?? failure ?? '' })
    if (!isRecorded) return
    const at = await clock.ofCall(headers, startedAt)
    const ms = Date.now() - startedAt
    const request = { headers: plain(incoming.headers), body: passed.sent }
    recorder.call(n, at, { method, target, request, response, failure, ms })
  })
}

/** Receives webhooks, records them, and passes them on to where they are to go. */
export function openReceiver(forward: URL | undefined, options: ProxyOptions): Promise<OpenServer> {
  const { recorder, clock, onCall } = options
  return serve(options.port, async (incoming, outgoing) => {
    const receivedAt = Date.now()
    const n = recorder.begin()
    const { sent, response, failure } = forward
      ? await pass(incoming, outgoing, forward, forward.pathname + forward.search)
      : await acknowledge(incoming, outgoing)
    const name = 'webhook'
    onCall?.({ event: 'webhook', name, status: response?.status ?? failure ?? '' })
    const at = await clock.ofWebhook(sent, receivedAt)
    const message = { headers: plain(incoming.headers), body: sent }
    recorder.webhook(n, at, message, response?.status ?? null)
  })
}

interface Passed {
  /** The body of the request, as text. */
  sent: string
  headers: http.IncomingHttpHeaders
  response: (RawMessage & { status: number }) | null
  failure?: string
}

/**
 * Sends a request on and its response back, piece by piece; a connection that breaks, breaks here.
 * The path is as it is sent: a URL would shorten `a/../b`, and take `//b` for a host.
 */
function pass(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  to: URL,
  path: string,
): Promise<Passed> {
  const { request } = to.protocol === 'https:' ? https : http
  const sent = collect(incoming)
  return new Promise((resolve) => {
    const { method, headers: given } = incoming
    const headers = { ...withoutHops(given), host: to.host, ...framingOf(given) }
    const onward = request(to, { method, path, headers })
    const fail = (failure: string, headers: http.IncomingHttpHeaders = {}) => {
      onward.destroy()
      outgoing.destroy()
      resolve({ sent: sent(), headers, response: null, failure })
    }
    onward.setTimeout(SILENCE_MAX_MS, () => fail('Nothing came for 30 seconds.'))
    onward.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) fail('The client left.')
    })
    onward.on('response', (response) => {
      const { statusCode: status = 502, headers } = response
      const received = collect(response)
      response.on('error', () => fail('The response broke off.', headers))
      outgoing.writeHead(status, withoutHops(headers))
      response.pipe(outgoing)
      response.on('end', () => {
        if (!response.complete) return fail('The response broke off.', headers)
        const message = { status, headers: plain(headers), body: received() }
        resolve({ sent: sent(), headers, response: message })
      })
    })
    incoming.pipe(onward)
  })
}

async function acknowledge(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<Passed> {
  const sent = collect(incoming)
  await new Promise((resolve) => incoming.once('end', resolve).once('close', resolve))
  outgoing.end()
  return { sent: sent(), headers: {}, response: { status: 200, headers: {}, body: '' } }
}

/** Keeps what a stream brings; reads it as text. */
function collect(stream: http.IncomingMessage): () => string {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= RECORDED_MAX) chunks.push(chunk)
  })
  return () => {
    const bytes = Buffer.concat(chunks)
    const undo = DECODERS[stream.headers['content-encoding'] ?? '']
    try {
      return (undo?.(bytes, { maxOutputLength: RECORDED_MAX }) ?? bytes).toString()
    } catch {
      return bytes.toString()
    }
  }
}

const DECODERS: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Headers of one connection, which each side makes anew. */
const HOPS = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|expect)$/

function withoutHops(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/[ ,]+/)
  const isHop = (name: string) =>
    HOPS.test(name) || (named.includes(name) && name !== 'content-length')
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isHop(name)))
}

/** Without it, Node sends a DELETE's body in no frame, which is read as another call. */
const framingOf = ({ 'transfer-encoding': coding }: http.IncomingHttpHeaders) =>
  coding === undefined ? {} : { 'transfer-encoding': 'chunked' }

const plain = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )

type Handle = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => Promise<void>

function serve(port: number, handle: Handle): Promise<OpenServer> {
  const under = new Set<Promise<void>>()
  const server = http.createServer((incoming, outgoing) => {
    const handled = handle(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy()
      console.error(error)
    })
    under.add(handled)
    handled.finally(() => under.delete(handled))
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, () => {
      const { port: bound } = server.address() as AddressInfo
      resolve({ url: `http://${LOOPBACK}:${bound}`, close })
    })
  })

  async function close() {
    server.close()
    server.closeIdleConnections()
    const ended = Promise.all(under)
    await Promise.race([ended, sleep(CLOSE_MAX_MS, undefined, { ref: false })])
    // What is still under way is recorded as a call whose client left.
    server.closeAllConnections()
    await ended
  }
}
