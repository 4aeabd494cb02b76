import { createHttpClient, type Json, pathOf } from '../../client/http.ts'
import { UnreadableResponse } from '../../client/read-body.ts'
import { assertShowsSomething } from './evidence.ts'
import { type CallOptions, NotMeasured, type Reading } from './step.ts'

/** One call that was made, with its answer unless none came. */
export interface Exchange {
  step: string
  route: string
  /** Path and query as they were sent. */
  path: string
  options: CallOptions
  reading: Reading | null
  /** Why there is no answer that says anything. */
  problem: string | null
}

export interface ProviderOptions {
  url: string
  fetch(url: string, init: RequestInit): Response | Promise<Response>
  apiKey: string
  secondApiKey?: string | undefined
  /** Rejects whatever could change something, as a second lock behind the choice of steps. */
  readsOnly: boolean
  timeoutMs: number
  /** How long all waits that a rate limit asks for may take together. */
  waitMaxMs: number
  now(): number
  wait(ms: number): Promise<void>
  signal: AbortSignal
}

export type Provider = ReturnType<typeof createProvider>

/** A key that nobody has. */
const WRONG_KEY = 'no-key-of-anybody'
/** So many tries in a row without a response, and the rest is not tried. */
const FAILURES_MAX = 4
/** Reads that make something, such as a link, or that a provider may count. */
const NOT_A_READ = /\/kyc-url$/

/** The side that is measured. */
export function createProvider(options: ProviderOptions) {
  const { fetch, now, readsOnly, signal, timeoutMs } = options
  const http = createHttpClient({
    url: options.url,
    // A redirect would take the API key to another host.
    fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  })
  const exchanges: Exchange[] = []
  let failures = 0
  let waitLeftMs = options.waitMaxMs
  let isIgnoringSignal = false

  const provider = {
    exchanges,
    /** Which step the next calls belong to. */
    step: '',
    send,
    /** Adds an event that the provider sent to what is compared. */
    note(event: Json) {
      const [sentAt, receivedAt] = [now(), now()]
      const route = 'POST (webhook)'
      const reading = { route, status: 200, headers: {}, data: event, body: event }
      const { step } = provider
      const exchange = { step, route, path: '(webhook)', options: {}, problem: null }
      exchanges.push({ ...exchange, reading: { ...reading, sentAt, receivedAt } })
    },
    /** Goes on after an interruption, to put back what was changed. */
    ignoreSignal() {
      isIgnoringSignal = true
      failures = 0
      waitLeftMs = options.waitMaxMs
    },
  }
  return provider

  /** Throws `NotMeasured` where no answer comes, or one that says nothing about a setting. */
  async function send(route: string, call: CallOptions = {}): Promise<Reading> {
    assertAllowed(route)
    const exchange: Exchange = {
      step: provider.step,
      route,
      path: pathOf({ method: '', path: fillPath(route, call.path), query: call.query }),
      options: call,
      reading: null,
      problem: null,
    }
    exchanges.push(exchange)
    try {
      const reading = await sendAgain(route, call)
      exchange.reading = reading
      if (reading.status >= 500) throw failed(`the response was ${reading.status}`)
      if (call.isRefusal !== true || reading.status < 300) assertShowsSomething(reading)
      return reading
    } catch (error) {
      if (error instanceof NotMeasured) exchange.problem = error.message
      throw error
    }
  }

  function assertAllowed(route: string) {
    if (isStopped()) throw failed('the run was interrupted')
    if (failures >= FAILURES_MAX) throw failed('the provider did not answer the calls before')
    if (waitLeftMs <= 0) throw failed('the provider limits the rate of calls')
    const isRead = route.startsWith('GET ') && !NOT_A_READ.test(route)
    if (readsOnly && !isRead) throw new Error(`${route} is no read.`)
  }

  /** A service fails now and then, so what changes nothing is asked once more. */
  async function sendAgain(route: string, call: CallOptions): Promise<Reading> {
    const isRepeatable = route.startsWith('GET ') || call.isRefusal === true
    const first = await sendPatiently(route, call).catch((error: unknown) => {
      if (!isRepeatable || isStopped()) throw error
      return undefined
    })
    if (first !== undefined && (first.status < 500 || !isRepeatable)) return first
    return await sendPatiently(route, call)
  }

  function isStopped(): boolean {
    return !isIgnoringSignal && signal.aborted
  }

  /** Waits as long as a rate limit says, within bounds, and asks again. */
  async function sendPatiently(route: string, call: CallOptions): Promise<Reading> {
    for (;;) {
      const reading = await sendOnce(route, call)
      if (reading.status !== 429) return reading
      const waitMs = toWaitMs(reading.headers['retry-after'], now())
      waitLeftMs -= waitMs
      if (waitLeftMs <= 0) throw failed('the provider limits the rate of calls (429)')
      await options.wait(waitMs)
    }
  }

  async function sendOnce(route: string, call: CallOptions): Promise<Reading> {
    const sentAt = now()
    const timeout = AbortSignal.timeout(timeoutMs)
    const stop = isIgnoringSignal ? timeout : AbortSignal.any([timeout, signal])
    try {
      const answer = await http.send({
        method: route.split(' ')[0] ?? 'GET',
        path: fillPath(route, call.path),
        query: call.query,
        headers: headersOf(call),
        body: call.body,
        text: call.text,
        signal: stop,
      })
      const { status, headers, body } = answer
      const data = body?.success === true ? body.data : body
      failures = 0
      return { route, status, headers, data, body, sentAt, receivedAt: now() }
    } catch (error) {
      failures++
      if (error instanceof UnreadableResponse) throw failed(error.message)
      if (timeout.aborted) throw failed(`no answer came within ${timeoutMs / 1000} s`)
      if (stop.aborted) throw failed('the run was interrupted')
      throw failed(`the connection failed${reasonOf(error)}`)
    }
  }

  function headersOf({ key = 'first', token, type }: CallOptions): Record<string, string> {
    const { apiKey, secondApiKey } = options
    const sent = { first: apiKey, second: secondApiKey, none: undefined, wrong: WRONG_KEY }[key]
    return {
      accept: 'application/json',
      ...(type !== undefined && { 'content-type': type }),
      ...(sent !== undefined && { 'x-api-key': sent }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
  }
}

const failed = (reason: string) => new NotMeasured(reason, { isFailure: true })

function fillPath(route: string, values: Readonly<Record<string, string>> = {}): string {
  const [, path = ''] = route.split(' ')
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

const RETRY_AFTER_MS = 1_000

/** `Retry-After` in seconds or as a date; a second where it says nothing. */
function toWaitMs(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return RETRY_AFTER_MS
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(ms) ? Math.max(ms, RETRY_AFTER_MS) : RETRY_AFTER_MS
}

/** The code of a network error; its text may hold an address, or whatever the other side sent. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (typeof code === 'string' && code !== 'unreachable') return ` (${code})`
  }
  return ''
}
