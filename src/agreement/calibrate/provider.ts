import {
  createHttpClient,
  fillPath,
  type HttpRequest,
  type Json,
  pathOf,
} from '../../client/http.ts'
import { UnreadableResponse } from '../../client/read-body.ts'
import { isOk } from './reading.ts'
import { type CallOptions, NotMeasured, type Reading } from './step.ts'

/** One call that was made, with its response unless none came. */
export interface Exchange {
  step: string
  route: string
  /** Path and query as they were sent. */
  path: string
  options: CallOptions
  reading: Reading | null
  /** Why there is no response that says anything. */
  problem: string | null
  /** Whether the provider does not have the operation. */
  isAbsent: boolean
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

/** A key that nobody has. */
const WRONG_KEY = 'no-key-of-anybody'
/** So many tries in a row without a response, and the rest is not tried. */
const FAILURES_MAX = 4
/** Reads that make something, such as a link, or that a provider may count. */
const NOT_A_READ = /\/kyc-url$/
const UNKNOWN_PATH = '/calibrate-unknown-path'

/** The side that is measured. */
export function createProvider(options: ProviderOptions) {
  const { fetch, now, readsOnly, signal, timeoutMs } = options
  const http = createHttpClient({
    url: options.url,
    // A redirect would take the API key to another host.
    fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  })
  const exchanges: Exchange[] = []
  /** Response to a path of v1 that does not exist, and the routes with other responses. */
  let unknownPath: string | undefined
  const present = new Set<string>()
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
      const exchange = add('(webhook)', 'POST (webhook)')
      const at = { sentAt: now(), receivedAt: now() }
      const { route } = exchange
      exchange.reading = { route, status: 200, headers: {}, data: event, body: event, ...at }
    },
    /** Goes on after an interruption, to put back what was changed. */
    ignoreSignal() {
      isIgnoringSignal = true
      failures = 0
      waitLeftMs = options.waitMaxMs
    },
  }
  return provider

  function add(path: string, route: string, options: CallOptions = {}): Exchange {
    const { step } = provider
    const base = { reading: null, problem: null, isAbsent: false }
    const exchange: Exchange = { ...base, step, route, path, options }
    exchanges.push(exchange)
    return exchange
  }

  /** Throws `NotMeasured` where no response comes, or one that says nothing about a setting. */
  async function send(route: string, call: CallOptions = {}): Promise<Reading> {
    assertAllowed(route, call)
    const [method = '', template = ''] = route.split(' ')
    const { query, body, text } = call
    const path = fillPath(template, call.path ?? {})
    const request = { method, path, query, body, text, headers: headersOf(call) }
    const exchange = add(pathOf(request), route, call)
    try {
      const response = await sendAgain(request, method === 'GET' || call.isRepeatable === true)
      const reading = { ...response, route }
      exchange.reading = reading
      if (reading.status >= 500) throw failed(`the response was ${reading.status}`)
      exchange.isAbsent = isAbsent(reading)
      if (exchange.isAbsent) throw new NotMeasured(`the provider does not have ${route}`)
      if (isOk(reading) && !isOfService(reading)) {
        throw new NotMeasured(
          `${route} responded with ${reading.status} and nothing of the contract`,
        )
      }
      return reading
    } catch (error) {
      if (error instanceof NotMeasured) exchange.problem = error.message
      throw error
    }
  }

  function assertAllowed(route: string, { key }: CallOptions) {
    if (isStopped()) throw failed('the run was interrupted')
    if (failures >= FAILURES_MAX) throw failed('the provider did not respond to the calls before')
    if (waitLeftMs <= 0) throw failed('the provider limits the rate of calls')
    const isRead = route.startsWith('GET ') && !NOT_A_READ.test(route)
    if (readsOnly && !isRead) throw new Error(`${route} is no read.`)
    const isMissing = key === 'second' && options.secondApiKey === undefined
    if (isMissing) throw new NotMeasured('it needs --second-api-key')
  }

  /** Whether an operation of v1 gets what an unknown path gets. */
  function isAbsent({ route, status, body }: Reading): boolean {
    const [, path = ''] = route.split(' ')
    if (path.startsWith('/v2/')) return false
    const text = JSON.stringify(body).replaceAll(path, '')
    if (path === UNKNOWN_PATH) unknownPath = text
    else if (status === 404 && text === unknownPath) return !present.has(route)
    else if (status !== 401 && status !== 403) present.add(route)
    return false
  }

  /** A service fails now and then, so what changes nothing is asked once more. */
  async function sendAgain(request: HttpRequest, isRepeatable: boolean) {
    const first = await sendPatiently(request).catch((error: unknown) => {
      if (!isRepeatable || isStopped()) throw error
      return undefined
    })
    if (first !== undefined && (first.status < 500 || !isRepeatable)) return first
    return await sendPatiently(request)
  }

  function isStopped(): boolean {
    return !isIgnoringSignal && signal.aborted
  }

  /** Waits as long as a rate limit says, within bounds, and asks again. */
  async function sendPatiently(request: HttpRequest) {
    for (;;) {
      const response = await sendOnce(request)
      if (response.status !== 429) return response
      const waitMs = toWaitMs(response.headers['retry-after'], now())
      waitLeftMs -= waitMs
      if (waitLeftMs <= 0) throw failed('the provider limits the rate of calls (429)')
      await options.wait(waitMs)
    }
  }

  async function sendOnce(request: HttpRequest) {
    const sentAt = now()
    const timeout = AbortSignal.timeout(timeoutMs)
    // One that is broken off may arrive after the one that puts back what it changed.
    const isAwaited = isIgnoringSignal || request.method === 'PUT'
    const stop = isAwaited ? timeout : AbortSignal.any([timeout, signal])
    try {
      const { body, ...response } = await http.send({ ...request, signal: stop })
      const data = body?.success === true ? body.data : body
      failures = 0
      return { ...response, data, body, sentAt, receivedAt: now() }
    } catch (error) {
      failures++
      if (error instanceof UnreadableResponse) throw failed(error.message)
      if (timeout.aborted) throw failed(`no response came within ${timeoutMs / 1000} s`)
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

const RETRY_AFTER_MS = 1_000

/** `Retry-After` in seconds or as a date; a second where it says nothing. */
function toWaitMs(retryAfter = '', now: number): number {
  const seconds = Number(retryAfter)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now
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

/** A field that the payload of a success has in any case. */
const FIELDS: Readonly<Record<string, string>> = {
  'GET /v2/quotes': 'quoteId',
  'GET /v2/limits': 'leftSideCurrency',
  'GET /v2/webhook-configurations': 'url',
  'PUT /v2/webhook-configurations': 'url',
  'POST /v2/users': 'id',
  'PATCH /v2/users/:userId': 'id',
  'GET /v2/users/:userId/kyc-url': 'url',
  'POST /v2/auth/login-codes/verify': 'accessToken',
  'POST /v2/transactions': 'id',
  'GET /v2/transactions': 'items',
  'GET /v2/transactions/:txId': 'id',
  'PUT /v2/transactions/:txId/cancel': 'id',
  'GET /priceQuote': 'quoteId',
  'GET /apiFindUser': 'userId',
  'GET /webhooks': 'verifiedEmailEnabled',
}

/** Whether a success is one of the service; a server of something else responds with 200, too. */
function isOfService({ route, data, body }: Reading): boolean {
  const field = FIELDS[route]
  const isWrapped = body?.success === true
  if (route === 'POST /v2/auth/login-codes') return isWrapped
  if (route === 'GET /v2/webhook-configurations' && data === null) return isWrapped
  if (route === 'GET /v2/users') return Array.isArray(data) && data.every((user: Json) => user?.id)
  if (route.endsWith('/requirements')) {
    return Array.isArray(data) || Object.values(data ?? {}).some(Array.isArray)
  }
  return field === undefined || data?.[field] !== undefined
}
