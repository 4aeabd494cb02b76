import {
  createHttpClient,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
} from '../client/http.ts'
import { UnreadableResponse } from '../client/read-body.ts'
import { NotMeasured } from './reading.ts'

/** After this many failures in a row, the run makes no further calls. */
const FAILURES_MAX = 4

export interface ConnectionOptions {
  timeoutMs: number
  /** Limit for the total time spent waiting for rate limits. */
  waitMaxMs: number
  /** This machine's clock. */
  now(): number
  wait(ms: number): Promise<void>
  signal: AbortSignal
}

/** The server that requests go to. */
export interface Target {
  url: string
  fetch(url: string, init: RequestInit): Response | Promise<Response>
}

/** The cases in which a request is sent once more. */
export type Repeats = 'always' | 'after-page' | 'never'

/** A response with the instants around it, by the clock of this machine. */
export interface TimedResponse extends HttpResponse {
  sentAt: number
  receivedAt: number
}

/** Sends requests to one side, with a timeout, harmless retries, and respect for rate limits. */
export class Connection {
  #options: ConnectionOptions
  #http: HttpClient
  #failures = 0
  #waitLeftMs: number
  #isEnding = false

  constructor(options: ConnectionOptions, target: Target) {
    this.#options = options
    this.#waitLeftMs = options.waitMaxMs
    this.#http = createHttpClient({
      url: target.url,
      // A redirect would take the API key to another host.
      fetch: (url, init) => target.fetch(url, { ...init, redirect: 'manual' }),
    })
  }

  /** Allows calls again, even after an interruption, so that changes can be undone. */
  end() {
    this.#isEnding = true
    this.#failures = 0
    this.#waitLeftMs = this.#options.waitMaxMs
  }

  assertOpen() {
    if (this.#isStopped()) throw failed('the run was interrupted')
    if (this.#failures >= FAILURES_MAX) {
      throw failed('the provider did not respond to the calls before')
    }
    if (this.#waitLeftMs <= 0) throw failed('the provider limits the rate of calls')
  }

  /** Sends a request; repeats it if that is allowed, and after the wait of a rate limit. */
  async send(request: HttpRequest, repeats: Repeats): Promise<TimedResponse> {
    for (let left = repeats; ; ) {
      const response = await this.#try(request, left !== 'always')
      if (response?.status === 429) {
        await this.#waitFor(response)
      } else {
        if (response && !isWorthAnother(response, left)) return response
        left = 'never'
      }
    }
  }

  /** Returns undefined if no response came and another try is left. */
  async #try(request: HttpRequest, isLast: boolean): Promise<TimedResponse | undefined> {
    try {
      return await this.#sendOnce(request)
    } catch (error) {
      if (isLast || this.#isStopped()) throw error
      return undefined
    }
  }

  async #sendOnce(request: HttpRequest): Promise<TimedResponse> {
    const { now, timeoutMs, signal } = this.#options
    const sentAt = now()
    const timeout = AbortSignal.timeout(timeoutMs)
    // An aborted PUT could still arrive after the PUT that undoes it.
    const isAwaited = this.#isEnding || request.method === 'PUT'
    const stop = isAwaited ? timeout : AbortSignal.any([timeout, signal])
    try {
      const response = await this.#http.send({ ...request, signal: stop })
      this.#failures = 0
      return { ...response, sentAt, receivedAt: now() }
    } catch (error) {
      this.#failures++
      if (error instanceof UnreadableResponse) throw failed(error.message)
      if (timeout.aborted) throw failed(`no response came within ${timeoutMs / 1000} s`)
      if (stop.aborted) throw failed('the run was interrupted')
      throw failed(`the connection failed${reasonOf(error)}`)
    }
  }

  async #waitFor({ headers, receivedAt }: TimedResponse) {
    const waitMs = toWaitMs(headers, receivedAt)
    this.#waitLeftMs -= waitMs
    if (this.#waitLeftMs <= 0) throw failed('the provider limits the rate of calls (429)')
    await this.#options.wait(waitMs)
  }

  #isStopped(): boolean {
    return !this.#isEnding && this.#options.signal.aborted
  }
}

/** Recognises a page from a proxy, such as a maintenance page: the service got no request. */
export const isPage = ({ status, body }: HttpResponse): boolean =>
  status < 300 && typeof body === 'string' && /^\s*</.test(body)

function isWorthAnother(response: HttpResponse, repeats: Repeats): boolean {
  if (isPage(response)) return repeats !== 'never'
  return repeats === 'always' && response.status >= 500
}

export const failed = (reason: string) => new NotMeasured(reason, { isFailure: true })

const RETRY_AFTER_MS = 1_000

/** Reads `Retry-After` as seconds or as a date on the provider's clock. Default: one second. */
function toWaitMs(headers: HttpResponse['headers'], receivedAt: number): number {
  const text = headers['retry-after'] ?? ''
  const now = Date.parse(headers.date ?? '') || receivedAt
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(ms, RETRY_AFTER_MS) : RETRY_AFTER_MS
}

/** Returns only the code of a network error, because its text may contain personal data. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (typeof code === 'string' && code !== 'unreachable') return ` (${code})`
  }
  return ''
}
