import { createControl } from '../../client/control.ts'
import { createHttpClient, type Json } from '../../client/http.ts'
import { passOn, withoutFraming } from '../../client/pass-on.ts'
import { UnreadableResponse } from '../../client/read-body.ts'
import { createReceiver, type Received, type Reply } from '../../client/receiver.ts'
import type { RawResponse, SessionRecorder } from './recorder.ts'

/** How long the service may take to respond. */
const RESPONSE_MAX_MS = 60_000
/** The recording does not wait for a clock that does not respond. */
const CLOCK_MAX_MS = 2_000
const REQUEST_ID = /^req_\d{1,15}$/

export interface ProxyOptions {
  recorder: SessionRecorder
  /** Base URL of the service, without a slash at its end. */
  upstream: string
  /** Of a sandbox that responds there, to read its clock; sent to it alone. */
  controlToken?: string | undefined
  port: number
  /** Addresses where webhooks come in, if they do, and where they are passed on to. */
  webhooks?: { port: number; forward?: string | undefined } | undefined
  /** Called for each call and webhook with its status, or why there is none. */
  onCall?: (call: PassedCall) => void
}

export interface PassedCall {
  event: 'call' | 'webhook'
  name: string
  status: number | string
}

/** Passes calls on to the service, and webhooks to their receiver, and records each with its response. */
export async function openProxy(options: ProxyOptions) {
  const { recorder, upstream, controlToken, port, webhooks, onCall } = options
  const ending = new AbortController()
  const fetch = (target: string, init: RequestInit) =>
    globalThis.fetch(target, { ...init, redirect: 'manual' })
  const control = createControl(createHttpClient({ url: upstream, controlToken, fetch }))
  /** The time of the world where a sandbox responds, which may stand still or be ahead. */
  let worldNow: number | undefined
  const calls = await createReceiver({ port, keep: 0, respond: passCall })
  const hooks =
    webhooks &&
    (await createReceiver({ port: webhooks.port, keep: 0, respond: passWebhook }).catch(
      async (error) => {
        await calls.close()
        throw error
      },
    ))
  return {
    url: calls.url,
    webhookUrl: hooks?.url,
    /** Breaks off what is under way. */
    async close() {
      ending.abort()
      await Promise.all([calls.close(), hooks?.close()])
    },
  }

  async function passCall(received: Received) {
    const { method, path: target, body } = received
    // A whole URL would name the host to ask; only the upstream is asked.
    if (!target.startsWith('/')) return { status: 400, body: 'A call names a path.\n' }
    if (target.startsWith('/_sandbox')) return (await pass(received, upstream + target)).reply
    const startedAt = Date.now()
    const n = recorder.begin()
    const passed = await pass(received, upstream + target)
    const ms = Date.now() - startedAt
    const id = passed.response?.headers['x-sandbox-request'] ?? ''
    if (REQUEST_ID.test(id)) worldNow = await readInstant(id)
    const request = { headers: withoutFraming(received.headers), body }
    recorder.call(n, worldNow ?? startedAt, { method, target, request, ms, ...passed })
    onCall?.({ event: 'call', name: `${method} ${target.split('?')[0]}`, status: toStatus(passed) })
    return passed.reply
  }

  async function passWebhook(received: Received) {
    const receivedAt = worldNow ?? Date.now()
    const n = recorder.begin()
    const to = webhooks?.forward
    const passed = to === undefined ? ACKNOWLEDGED : await pass(received, to)
    const occurredAt = Date.parse(/"occurredAt":"([^"]+)"/.exec(received.body)?.[1] ?? '')
    const at = Number.isFinite(occurredAt) ? occurredAt : receivedAt
    const message = { headers: withoutFraming(received.headers), body: received.body }
    recorder.webhook(n, at, message, passed.response?.status ?? null)
    onCall?.({ event: 'webhook', name: 'webhook', status: toStatus(passed) })
    return passed.reply
  }

  async function pass(received: Received, to: string): Promise<Passed> {
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(RESPONSE_MAX_MS)])
    try {
      const reply = await passOn(received, to, { signal })
      const headers = withoutFraming(reply.headers)
      return { reply, response: { ...reply, headers, body: reply.body.toString() } }
    } catch (error) {
      // Other messages may name the target, and with it a person.
      const { cause, name, message } = error as Error & { cause?: { code?: string } }
      const failure = error instanceof UnreadableResponse ? message : (cause?.code ?? name)
      return { reply: { status: 502, body: `${failure}\n` }, response: null, failure }
    }
  }

  /** When a sandbox got a call, by the id that it gave it. */
  async function readInstant(id: string): Promise<number | undefined> {
    const signal = AbortSignal.timeout(CLOCK_MAX_MS)
    const call = await control
      .call<Json>('GET', `/requests/${id}`, { signal })
      .catch(() => undefined)
    const instant = Date.parse(call?.at)
    return Number.isFinite(instant) ? instant : undefined
  }
}

interface Passed {
  reply: Reply
  response: RawResponse | null
  failure?: string
}

const EMPTY = { status: 200, headers: {}, body: '' }
const ACKNOWLEDGED: Passed = { reply: EMPTY, response: EMPTY }
const toStatus = ({ response, failure }: Passed) => response?.status ?? failure ?? ''
