import { fillPath, type HttpRequest, type Json, parseJson, pathOf } from '../client/http.ts'
import type { Received, Receiver } from '../client/receiver.ts'
import type { Settings } from '../world/settings/index.ts'
import { Connection, type ConnectionOptions, failed, isPage, type Target } from './connection.ts'
import {
  type CallOptions,
  isOk,
  NotMeasured,
  notMeasured,
  type Reading,
  successesOf,
} from './reading.ts'

export const LEVELS = ['read', 'write', 'money'] as const
/** The levels of a run: only reads; also users, logins and webhooks; also a smallest transaction. */
export type Level = (typeof LEVELS)[number]

/**
 * Called before a code is sent; returns a function that reads the code. That one returns null if a
 * person would have to wait for a code that may never come.
 */
export type CodeSource = (
  email: string,
) => Promise<(maxMs?: number) => Promise<string | null | undefined>>

/** One side of a calibration: the provider, or a sandbox that gets the same calls. */
export interface Side extends Target {
  apiKey: string
  secondApiKey?: string | undefined
  codes?: CodeSource | undefined
  /** Receives its events. A run waits `waitMs` for an event, or to see that none comes. */
  receiver?: (Pick<Receiver, 'url' | 'next'> & { waitMs: number }) | undefined
}

/** Findings of an earlier run, so that a later one looks at the same without a search. */
export interface Earlier {
  settings: Readonly<Record<string, unknown>>
  /** Behaviour that matches no option, by setting. */
  others: Readonly<Record<string, string>>
}

export interface RunOptions extends ConnectionOptions {
  /** The operations of the contract. */
  operations: readonly { id: string; method: string; path: string }[]
  level: Level
  /** Settings of the sandbox, to compare with. */
  settings: Settings
  /** Undefined for a first run. */
  earlier?: Earlier | undefined
  /** An existing, verified user of the provider. */
  user?: string | undefined
  /** Pattern for the e-mail addresses of new users; `*` becomes a unique text. */
  newUsers?: string | undefined
  /** Text that makes the new users of this run unique. */
  tag: string
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
  created?: CreatedUser
  /** The login code that was used. */
  code?: string
  /** Open transactions of the user that are not of this run. */
  others?: OtherTransaction[]
  ordered?: Ordered
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null | undefined
  /** Reason why there may be a configuration although a read does not show it. */
  webhookDoubt?: string
  /** True once the run has changed the webhook URL. */
  isUrlChanged?: boolean
  testEvent?: ArrivedEvent
}

/** User that the run created, with as many unusual values as the provider accepts. */
export interface CreatedUser {
  id: string
  email: string
  reading: Reading
  /** Fields whose unusual values were accepted; those that were rejected, with the response. */
  accepted: ReadonlySet<string>
  refused: ReadonlyMap<string, Reading>
  /** True if a user of the expected minimum age may register. */
  isAgeAccepted: boolean
}

export interface OtherTransaction {
  id: string
  status: string
}

/** The one transaction, and how its amount was found. */
export interface Ordered {
  label: string
  amount: number
  quoteId: number
  created?: Reading
  /** Last error before the transaction. */
  error?: Reading
  /** The largest amount that was rejected, and how. */
  rejected?: number
  tooSmall?: Reading
  /** True if smaller amounts were rejected with different statuses. */
  isMixed?: boolean
  /** An order whose quote has another amount. */
  other?: OtherAmount
}

export interface OtherAmount {
  asked: number
  quoted: number
  reading: Reading
}

const WRONG_KEY = 'no-key-of-anybody'
/** The longest wait for a code that may not come at all. */
const CODE_MAX_MS = 3_000
/** Reads that make something, such as a link, or that a provider may count. */
const NOT_A_READ = /\/kyc-url$/
/** Step of calls before the first step and after the last; they are not compared. */
export const PUT_BACK = 'put back'

interface RunServices {
  journal: ChangeJournal
  warn(text: string): void
}

/** Makes the calls of a run to one side, and keeps the responses. */
export class Run {
  readonly readings: Reading[] = []
  readonly known: Known
  readonly options: RunOptions
  readonly journal: ChangeJournal
  readonly warn: (text: string) => void
  /** Result of each step; a `NotMeasured` where it has none. */
  readonly results = new Map<string, unknown>()
  /** The step that the next calls belong to. */
  step = PUT_BACK
  #side: Side
  #connection: Connection
  #paths = new Paths()

  constructor(options: RunOptions, side: Side, { journal, warn }: RunServices) {
    this.options = options
    this.journal = journal
    this.warn = warn
    this.known = { webhookUrl: journal.changes.webhookUrl }
    this.#side = side
    this.#connection = new Connection(options, side)
  }

  /** The address by which the provider reaches the receiver of its events. */
  receiverUrl(): string {
    return this.#side.receiver?.url ?? notMeasured('it needs --webhooks')
  }

  /** An address that nobody has registered, from the pattern that was given. */
  newEmail(name: string): string {
    const { newUsers, tag } = this.options
    return (newUsers ?? notMeasured('it needs --new-users')).replace('*', `${tag}-${name}`)
  }

  /** Goes on after an interruption, to put back what was changed. */
  end() {
    this.step = PUT_BACK
    this.#connection.end()
  }

  /** The response of an earlier step that has one. */
  readingOf(step: string): Reading {
    const result = this.results.get(step)
    if (result instanceof NotMeasured) throw result
    return result as Reading
  }

  /** Throws the reason why an earlier step has no result, or else `otherwise`. */
  missing(step: string, otherwise: string, how?: { isFailure: boolean }): never {
    const result = this.results.get(step)
    throw result instanceof NotMeasured ? result : new NotMeasured(otherwise, how)
  }

  /** Throws `NotMeasured` where no response comes, or one that says nothing about a setting. */
  async send(route: string, sent: CallOptions = {}): Promise<Reading> {
    this.#assertAllowed(route, sent)
    const request = this.#toRequest(route, sent)
    const reading = this.#add(route, pathOf(request), sent)
    try {
      const isHarmless = request.method === 'GET' || sent.isRepeatable === true
      const repeats = isHarmless ? 'always' : sent.isOnce ? 'never' : 'after-page'
      const { body, ...response } = await this.#connection.send(request, repeats)
      const data = body?.success === true ? body.data : body
      Object.assign(reading, { ...response, data, body })
      this.#assertTelling(reading)
      return reading
    } catch (error) {
      if (error instanceof NotMeasured) reading.problem = error.message
      // A page from a proxy or a failure is not a response of the service.
      if (!(error instanceof NotMeasured) || error.isFailure) reading.isCompared = false
      throw error
    }
  }

  /** Tells if the provider responds to an operation as to a path that does not exist. */
  isMissing({ route }: Reading): boolean {
    return this.#paths.isAbsent(route)
  }

  /** Throws unless a call of the operation succeeded: its errors may all have another cause. */
  assertSucceeded(route: string) {
    if (successesOf(this, route).length === 0) notMeasured(`no call of ${route} succeeded`)
  }

  /** Sends a login code and reads it; null if nobody can say whether it arrived. */
  async askCode(email: string, { isTrial } = { isTrial: false }) {
    const { codes } = this.#side
    if (codes === undefined && !isTrial) notMeasured('it needs --code-from')
    const read = await codes?.(email)
    const body = { email }
    const sent = await this.send('POST /v2/auth/login-codes', { body, isRepeatable: true })
    if (read === undefined || !isOk(sent)) return { sent, code: null }
    const code = await read(isTrial ? CODE_MAX_MS : undefined).catch(() => null)
    return { sent, code }
  }

  /** Waits for the first matching event and records it; undefined if none comes in time. */
  async nextEvent(matches: (event: ArrivedEvent) => boolean): Promise<ArrivedEvent | undefined> {
    const { next, waitMs } = this.#side.receiver ?? notMeasured('it needs --webhooks')
    const arriving = next((one) => matches(toEvent(one)), waitMs)
    const event = await arriving.then(toEvent, () => undefined)
    if (event) {
      const { body } = event
      Object.assign(this.#add(WEBHOOK, WEBHOOK), { status: 200, data: body, body })
    }
    return event
  }

  #add(route: string, path: string, sent: CallOptions = {}): Reading {
    const now = this.options.now()
    const reading: Reading = {
      step: this.step,
      route,
      operation: this.#operationOf(route),
      path,
      // A copy, because a step may change the body later.
      sent: sent.body === undefined ? sent : structuredClone(sent),
      status: 0,
      headers: {},
      data: undefined,
      body: undefined,
      sentAt: now,
      receivedAt: now,
      isCompared: !sent.isTrial && this.step !== PUT_BACK,
      problem: null,
      isAbsent: false,
    }
    this.readings.push(reading)
    return reading
  }

  #operationOf(route: string): string {
    if (route === WEBHOOK) return 'webhook'
    const { operations } = this.options
    return operations.find(({ method, path }) => route === `${method} ${path}`)?.id ?? route
  }

  #assertAllowed(route: string, { key }: CallOptions) {
    this.#connection.assertOpen()
    const isRead = route.startsWith('GET ') && !NOT_A_READ.test(route)
    // Safety net: steps of a higher level should not get here.
    if (this.options.level === 'read' && !isRead) throw new Error(`${route} is not a read.`)
    if (key === 'second' && this.#side.secondApiKey === undefined) {
      notMeasured('it needs --second-api-key')
    }
  }

  #assertTelling(reading: Reading) {
    const { route, status } = reading
    if (status >= 500) throw failed(`the response was ${status}`)
    this.#paths.note(reading)
    // An id that is unknown may get the same response in v2: it shows once all calls were made.
    reading.isAbsent = !isV2(route) && this.isMissing(reading)
    if (reading.isAbsent) throw new NotMeasured(`the provider does not have ${route}`)
    if (isPage(reading)) throw failed('the response was a page, not JSON')
    if (isOk(reading) && !isOfService(reading)) {
      throw new NotMeasured(`${route} responded with ${status} and nothing of the contract`)
    }
  }

  #toRequest(route: string, sent: CallOptions): HttpRequest {
    const [method = '', template = ''] = route.split(' ')
    const { query, body } = sent
    const path = fillPath(template, sent.path ?? {})
    return { method, path, query, body, headers: this.#headersOf(sent) }
  }

  #headersOf({ key = 'first', token }: CallOptions): Record<string, string> {
    const { apiKey, secondApiKey } = this.#side
    const sent = { first: apiKey, second: secondApiKey, none: undefined, wrong: WRONG_KEY }[key]
    return {
      accept: 'application/json',
      ...(sent !== undefined && { 'x-api-key': sent }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
  }
}

/** A path that does not exist, of v1 and below `/v2`. */
const UNKNOWN_PATH = '/calibrate-unknown-path'

/** Remembers the responses of every operation, to recognise those that are missing. */
class Paths {
  #texts = new Map<string, Set<string>>()

  note({ route, status, body, path }: Reading) {
    const text = `${status} ${toComparable(route, path, body)}`
    this.#texts.set(route, (this.#texts.get(route) ?? new Set()).add(text))
  }

  /** Tells if the responses of an operation so far are those of a path that does not exist. */
  isAbsent(route: string): boolean {
    const texts = this.#texts.get(route) ?? new Set()
    const unknown = this.#texts.get(`GET ${isV2(route) ? '/v2' : ''}${UNKNOWN_PATH}`)
    if (unknown === undefined || route.endsWith(UNKNOWN_PATH)) return false
    // Where an unknown path takes credentials, too, their errors say nothing of an operation.
    const isGuarded = !isV2(route) || [...unknown].some(isOfCredentials)
    const told = [...texts].filter((text) => !(isGuarded && isOfCredentials(text)))
    const isOther = (text: string) => text.startsWith('404 ') && unknown.has(text)
    return told.length > 0 && told.every((text) => text.startsWith('405 ') || isOther(text))
  }
}

const isOfCredentials = (text: string): boolean => /^40[13] /.test(text)

const isV2 = (route: string): boolean => route.includes(' /v2/')

/** The text of a response without what it repeats of the call. */
function toComparable(route: string, sent: string, body: Json): string {
  const [method = '', template = ''] = route.split(' ')
  const [path = ''] = sent.split('?')
  const text = JSON.stringify(body) ?? ''
  return text.replaceAll(path, '').replaceAll(template, '').replaceAll(method, '')
}

/** The route of an event. */
export const WEBHOOK = 'POST (webhook)'

const toEvent = ({ headers, body }: Received) => ({ headers, body: parseJson(body) })

/** Successes that may have an empty body: a code was sent, or nothing is configured. */
const MAY_BE_EMPTY = /^(POST .*login-codes|(GET|DELETE) .*webhook-configurations)$/

/** Recognises a success of the service; other servers respond with 200, too. */
function isOfService({ route, status, data, body }: Reading): boolean {
  const fields = data !== null && typeof data === 'object' ? Object.keys(data) : []
  if (!isV2(route)) return !Array.isArray(data) && fields.length > 1
  if (route === 'GET /v2/quotes') return data?.quoteId !== undefined
  if (status === 204 || body?.success !== true) return status === 204
  return fields.length > 0 || Array.isArray(data) || MAY_BE_EMPTY.test(route)
}
