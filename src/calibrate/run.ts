import {
  createHttpClient,
  fillPath,
  type HttpRequest,
  type HttpResponse,
  type Json,
  parseJson,
  pathOf,
} from '../client/http.ts'
import { UnreadableResponse } from '../client/read-body.ts'
import type { Received, Receiver } from '../client/receiver.ts'
import { type CallOptions, isOk, NotMeasured, notMeasured, type Reading } from './reading.ts'

export const LEVELS = ['read', 'write', 'money'] as const
/** How far a run may go: only reads; users, logins and webhooks; one smallest transaction. */
export type Level = (typeof LEVELS)[number]

/**
 * Called before a code is sent; what it returns reads the code that then arrives, or is null where a
 * person would have to wait for one that may not come.
 */
export type CodeSource = (
  email: string,
) => Promise<(maxMs?: number) => Promise<string | null | undefined>>

/** One side of a calibration: the provider, or a sandbox that gets the same calls. */
export interface Side {
  url: string
  fetch(url: string, init: RequestInit): Response | Promise<Response>
  apiKey: string
  secondApiKey?: string | undefined
  codes?: CodeSource | undefined
  /** Place where its events arrive, and how long one may take; where none is to come, a run waits that long. */
  receiver?: (Pick<Receiver, 'url' | 'next'> & { waitMs: number }) | undefined
}

export interface RunOptions {
  level: Level
  /** An existing, verified user of the provider. */
  user?: string | undefined
  /** The e-mail addresses of new users, with a `*` for what makes each unique. */
  newUsers?: string | undefined
  /** Text that makes the new users of this run unique. */
  tag: string
  timeoutMs: number
  /** How long all waits that a rate limit asks for may take together. */
  waitMaxMs: number
  /** This machine's clock. */
  now(): number
  wait(ms: number): Promise<void>
  signal: AbortSignal
}

/** Changes of a run that are not put back yet. */
export interface Changes {
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null
  /** The id of the transaction that was ordered; null while it is not known. */
  ordered?: string | null
}

/** Writes down what is about to change, so that this run or a later one puts it back. */
export interface ChangeJournal {
  readonly changes: Changes
  note(change: Changes): void
  end(): void
}

export interface ArrivedEvent {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Json
}

/** Findings of earlier steps that later ones need. */
interface Known {
  userId?: string
  token?: string
  created?: { id: string; email: string }
  /** The login code that was used. */
  code?: string
  ordered?: Ordered
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null | undefined
  testEvent?: ArrivedEvent
}

/** An order, as unusual as the provider lets it be. */
export interface Ordered {
  label: string
  amount: number
  quoteId: number
  /** The fields that are wrong or missing in it, as far as the provider has named none of them. */
  flaws: Set<string>
  /** The one transaction, and the last response before it. */
  created?: Reading
  error?: Reading
  /** The largest amount that was rejected, and how. */
  rejected?: number
  tooSmall?: Reading
}

/** A key that nobody has. */
const WRONG_KEY = 'no-key-of-anybody'
/** So many tries in a row without a response, and the rest is not tried. */
const FAILURES_MAX = 4
/** How long a code may take that may not come at all. */
const CODE_MAX_MS = 3_000
/** Reads that make something, such as a link, or that a provider may count. */
const NOT_A_READ = /\/kyc-url$/
/** The step of calls that are not compared: before the first, and after the last. */
export const PUT_BACK = 'put back'
const UNKNOWN_PATH = '/calibrate-unknown-path'

export type Run = ReturnType<typeof createRun>

/** The calls of a run to one side, with what they brought. */
export function createRun(
  options: RunOptions,
  side: Side,
  { journal, warn }: { journal: ChangeJournal; warn(text: string): void },
) {
  const { now, signal, timeoutMs, user } = options
  const http = createHttpClient({
    url: side.url,
    // A redirect would take the API key to another host.
    fetch: (url, init) => side.fetch(url, { ...init, redirect: 'manual' }),
  })
  const readings: Reading[] = []
  const known: Known = { webhookUrl: journal.changes.webhookUrl }
  /** Response to a path of v1 that does not exist, and the routes with other responses. */
  let unknownPath: string | undefined
  const present = new Set<string>()
  let failures = 0
  let waitLeftMs = options.waitMaxMs
  let isEnding = false

  const run = {
    ...{ readings, known, journal, warn, now, user, send, askCode, nextEvent },
    /** Why steps had no result, by step: the reason of whatever needs them, too. */
    failed: new Map<string, NotMeasured>(),
    /** Which step the next calls belong to. */
    step: PUT_BACK,
    /** The address by which the provider reaches the receiver of its events. */
    receiverUrl: () => side.receiver?.url ?? notMeasured('it needs --webhooks'),
    /** An address that nobody has registered, from the pattern that was given. */
    newEmail(name: string): string {
      const { newUsers, tag } = options
      return (newUsers ?? notMeasured('it needs --new-users')).replace('*', `${tag}-${name}`)
    },
    /** Goes on after an interruption, to put back what was changed. */
    end() {
      run.step = PUT_BACK
      isEnding = true
      failures = 0
      waitLeftMs = options.waitMaxMs
    },
  }
  return run

  function add(route: string, path: string, sent: CallOptions = {}): Reading {
    const reading: Reading = {
      ...{ step: run.step, route, path, sent },
      ...{ status: 0, headers: {}, data: undefined, body: undefined },
      ...{ sentAt: now(), receivedAt: now(), problem: null, isAbsent: false },
    }
    readings.push(reading)
    return reading
  }

  /** Throws `NotMeasured` where no response comes, or one that says nothing about a setting. */
  async function send(route: string, sent: CallOptions = {}): Promise<Reading> {
    assertAllowed(route, sent)
    const [method = '', template = ''] = route.split(' ')
    const { query, body, text } = sent
    const path = fillPath(template, sent.path ?? {})
    const request = { method, path, query, body, text, headers: headersOf(sent) }
    const reading = add(route, pathOf(request), sent)
    try {
      const isRepeatable = method === 'GET' || sent.isRepeatable === true
      Object.assign(reading, await sendPatiently(request, isRepeatable))
      if (reading.status >= 500) throw failed(`the response was ${reading.status}`)
      reading.isAbsent = isAbsent(reading)
      if (reading.isAbsent) throw new NotMeasured(`the provider does not have ${route}`)
      if (isOk(reading) && !isOfService(reading)) {
        throw new NotMeasured(
          `${route} responded with ${reading.status} and nothing of the contract`,
        )
      }
      return reading
    } catch (error) {
      if (error instanceof NotMeasured) reading.problem = error.message
      throw error
    }
  }

  function assertAllowed(route: string, { key }: CallOptions) {
    if (isStopped()) throw failed('the run was interrupted')
    if (failures >= FAILURES_MAX) throw failed('the provider did not respond to the calls before')
    if (waitLeftMs <= 0) throw failed('the provider limits the rate of calls')
    const isRead = route.startsWith('GET ') && !NOT_A_READ.test(route)
    // A second lock behind the choice of steps.
    if (options.level === 'read' && !isRead) throw new Error(`${route} is no read.`)
    if (key === 'second' && side.secondApiKey === undefined)
      notMeasured('it needs --second-api-key')
  }

  function isStopped(): boolean {
    return !isEnding && signal.aborted
  }

  /** Asks once more what failed and changes nothing, and waits as long as a rate limit says. */
  async function sendPatiently(request: HttpRequest, isRepeatable: boolean) {
    for (let isLast = !isRepeatable; ; ) {
      const response = await sendOnce(request).catch((error: unknown) => {
        if (isLast || isStopped()) throw error
        return undefined
      })
      if (response?.status === 429) {
        await waitFor(response)
      } else {
        if (response && (isLast || response.status < 500)) return response
        isLast = true
      }
    }
  }

  async function waitFor({ headers }: HttpResponse) {
    const waitMs = toWaitMs(headers['retry-after'], now())
    waitLeftMs -= waitMs
    if (waitLeftMs <= 0) throw failed('the provider limits the rate of calls (429)')
    await options.wait(waitMs)
  }

  async function sendOnce(request: HttpRequest) {
    const sentAt = now()
    const timeout = AbortSignal.timeout(timeoutMs)
    // One that is broken off may arrive after the one that puts back what it changed.
    const isAwaited = isEnding || request.method === 'PUT'
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
    const { apiKey, secondApiKey } = side
    const sent = { first: apiKey, second: secondApiKey, none: undefined, wrong: WRONG_KEY }[key]
    return {
      accept: 'application/json',
      ...(type !== undefined && { 'content-type': type }),
      ...(sent !== undefined && { 'x-api-key': sent }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
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

  /** Sends a login code and reads the one that arrives, if any does; null where nothing can tell. */
  async function askCode(email: string, { isTrial } = { isTrial: false }) {
    if (side.codes === undefined && !isTrial) notMeasured('it needs --code-from')
    const read = await side.codes?.(email)
    const sent = await send('POST /v2/auth/login-codes', { body: { email }, isRepeatable: isTrial })
    if (read === undefined || !isOk(sent)) return { sent, code: null }
    const code = await read(isTrial ? CODE_MAX_MS : undefined).catch(() => null)
    return { sent, code }
  }

  /** The first event that matches, which is compared as responses are; undefined when none comes in time. */
  async function nextEvent(
    matches: (event: ArrivedEvent) => boolean,
  ): Promise<ArrivedEvent | undefined> {
    const { next, waitMs } = side.receiver ?? notMeasured('it needs --webhooks')
    const arriving = next((one) => matches(toEvent(one)), waitMs)
    const event = await arriving.then(toEvent, () => undefined)
    if (event) {
      const { body } = event
      Object.assign(add(WEBHOOK, WEBHOOK), { status: 200, data: body, body })
    }
    return event
  }
}

/** The route of an event. */
export const WEBHOOK = 'POST (webhook)'

const toEvent = ({ headers, body }: Received) => ({ headers, body: parseJson(body) })

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

/** Successes that need not say anything: a code is sent, and nothing is configured. */
const MAY_BE_EMPTY = /^(POST .*login-codes|(GET|DELETE) .*webhook-configurations)$/

/** Whether a success says something; a server of something else responds with 200, too. */
function isOfService({ route, status, data, body }: Reading): boolean {
  const fields = data !== null && typeof data === 'object' ? Object.keys(data) : []
  if (!route.includes(' /v2/')) return !Array.isArray(data) && fields.length > 1
  if (route === 'GET /v2/quotes') return data?.quoteId !== undefined
  if (status === 204 || body?.success !== true) return status === 204
  return fields.length > 0 || Array.isArray(data) || MAY_BE_EMPTY.test(route)
}
