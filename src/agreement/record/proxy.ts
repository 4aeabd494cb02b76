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
  /** Called for each call that was recorded, and each that was not. */
  onCall?: (call: PassedCall) => void
}

export interface PassedCall {
  event: 'call' | 'webhook'
  /** Method and path of a call. */
  name: string
  /** What was answered, or why nothing was. */
  status: number | string
}

export interface OpenServer {
  url: string
  /** Resolves when what was under way is recorded. */
  close(): Promise<void>
}

/** Passes calls on to the service as they are, and records each with its answer. */
export function openProxy(upstream: URL, options: ProxyOptions): Promise<OpenServer> {
  const { recorder, clock, onCall = () => undefined } = options
  const base = upstream.pathname.replace(/\/$/, '')
  return serve(options.port, async (incoming, outgoing) => {
    const { method = 'GET', url: target = '/' } = incoming
    if (!target.startsWith('/')) return reject(outgoing)
    const startedAt = Date.now()
    const isRecorded = !target.startsWith('/_sandbox')
    const n = isRecorded ? recorder.begin() : 0
    const passed = await pass(incoming, outgoing, { to: upstream, path: base + target })
    const { answer, failure } = passed
    const name = `${method} ${target.split('?')[0]}`
    onCall({ event: 'call', name, status: answer?.status ?? failure ?? '' })
    if (!isRecorded) return
    const at = await clock.ofCall(passed.headers, startedAt)
    const ms = Date.now() - startedAt
    const request = { headers: plain(incoming.headers), body: passed.sent }
    recorder.call(n, at, { method, target, request, response: answer, failure, ms })
  })
}

/** A whole URL would name the host to ask; only the upstream is asked. */
function reject(outgoing: http.ServerResponse) {
  outgoing.writeHead(400, { 'content-type': 'text/plain' }).end('A call names a path.\n')
}

/** Receives webhooks, records them, and passes them on to where they are to go. */
export function openReceiver(forward: URL | undefined, options: ProxyOptions): Promise<OpenServer> {
  const { recorder, clock, onCall = () => undefined } = options
  return serve(options.port, async (incoming, outgoing) => {
    const receivedAt = Date.now()
    const n = recorder.begin()
    const passed = forward
      ? await pass(incoming, outgoing, { to: forward, path: forward.pathname + forward.search })
      : await acknowledge(incoming, outgoing)
    const status = passed.answer?.status ?? passed.failure ?? ''
    onCall({ event: 'webhook', name: 'webhook', status })
    const at = await clock.ofWebhook(passed.sent, receivedAt)
    const message = { headers: plain(incoming.headers), body: passed.sent }
    recorder.webhook(n, at, message, passed.answer?.status ?? null)
  })
}

interface Passed {
  /** The body of the request, as text. */
  sent: string
  headers: http.IncomingHttpHeaders
  answer: (RawMessage & { status: number }) | null
  failure?: string
}

interface Place {
  /** Whose host is asked. */
  to: URL
  /** As it is sent: a URL would shorten `a/../b`, and take `//b` for a host. */
  path: string
}

/** Sends a request on and its answer back, piece by piece; a connection that breaks, breaks here. */
function pass(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  { to, path }: Place,
): Promise<Passed> {
  const { request } = to.protocol === 'https:' ? https : http
  const sent = collect(incoming)
  return new Promise((resolve) => {
    const onward = request(to, {
      method: incoming.method,
      path,
      headers: { ...withoutHops(incoming.headers), host: to.host, ...framingOf(incoming.headers) },
    })
    const fail = (failure: string, headers: http.IncomingHttpHeaders = {}) => {
      onward.destroy()
      outgoing.destroy()
      resolve({ sent: sent.text(), headers, answer: null, failure })
    }
    onward.setTimeout(SILENCE_MAX_MS, () => fail('Nothing came for 30 seconds.'))
    onward.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) fail('The client left.')
    })
    onward.on('response', (answer) => {
      const { statusCode: status = 502, headers } = answer
      const received = collect(answer)
      answer.on('error', () => fail('The answer broke off.', headers))
      outgoing.writeHead(status, withoutHops(headers))
      answer.pipe(outgoing)
      answer.on('end', () => {
        if (!answer.complete) return fail('The answer broke off.', headers)
        const body = received.text(headers['content-encoding'])
        resolve({ sent: sent.text(), headers, answer: { status, headers: plain(headers), body } })
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
  return { sent: sent.text(), headers: {}, answer: { status: 200, headers: {}, body: '' } }
}

function collect(stream: http.IncomingMessage) {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= RECORDED_MAX) chunks.push(chunk)
  })
  return {
    text(encoding?: string) {
      const bytes = Buffer.concat(chunks)
      return decode(bytes, encoding ?? stream.headers['content-encoding']).toString()
    },
  }
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  try {
    const options = { maxOutputLength: RECORDED_MAX }
    if (encoding === 'gzip') return gunzipSync(bytes, options)
    if (encoding === 'br') return brotliDecompressSync(bytes, options)
    return encoding === 'deflate' ? inflateSync(bytes, options) : bytes
  } catch {
    return bytes
  }
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
