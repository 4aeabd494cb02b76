import { invalidValue, SandboxError, toUnreachable } from './error.ts'

/** Taken when the package is loaded, because a test may put fake ones in their place. */
const { setInterval, clearInterval } = globalThis
/** Interval of a timer that does nothing but keep the process alive. */
const ALIVE_MS = 60_000

/** Time limit of a response: longer than any call of a sandbox waits. */
const RESPONSE_MAX_MS = 90_000

/** Any JSON value. */
export type Json = ReturnType<typeof JSON.parse>

/** Responds to a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Response | Promise<Response>

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface HttpRequest {
  method: string
  /** Below the base URL, such as `/v2/quotes` or `/_sandbox/clock`. */
  path: string
  query?: Query | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged instead of `body`. */
  text?: string | undefined
  signal?: AbortSignal | undefined
  /** Time limit for the response. Default: 90 s. */
  limitMs?: number | undefined
}

export interface HttpResponse {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** The parsed JSON, or the text of anything else. */
  body: Json
}

/** Sends requests to one world. It runs in Node and in a browser. */
export interface HttpClient {
  /** Base URL of the world. */
  readonly url: string
  /** Resolves with any status; throws a `SandboxError` only if nothing responds. */
  send(request: HttpRequest): Promise<HttpResponse>
  /** The response before its body is read, for event streams. */
  open(request: HttpRequest): Promise<Response>
}

export interface HttpClientOptions {
  /** Base URL of the world; in a browser it may be a path such as `/w/worker-1`, or empty. */
  url: string
  /** Default: the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
  /** Sent with every call of the control API. */
  controlToken?: string | null | undefined
  /** The first signal that aborts ends running calls and rejects later ones. */
  ends?: readonly AbortSignal[] | undefined
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { url, fetch = (target, init) => globalThis.fetch(target, init) } = options
  const { controlToken, ends = [] } = options
  return {
    url,
    open,
    async send(request) {
      const { limitMs = RESPONSE_MAX_MS } = request
      const limit = AbortSignal.timeout(limitMs)
      try {
        return await until([request.signal, limit, ...ends], (signal) =>
          read({ ...request, signal }),
        )
      } catch (error) {
        if (error !== limit.reason) throw error
        const message = `No response from ${url}${request.path} within ${limitMs / 1_000} s.`
        throw new SandboxError(message, { code: 'timeout', cause: error })
      }
    },
  }

  async function read(request: HttpRequest): Promise<HttpResponse> {
    const response = await open(request)
    const { status } = response
    const headers = Object.fromEntries(response.headers)
    return { status, headers, body: parseJson(await response.text()) }
  }

  async function open(request: HttpRequest): Promise<Response> {
    assertPath(request.path)
    const target = url + pathOf(request)
    const token = request.path.startsWith('/_sandbox') ? controlToken : undefined
    try {
      return await fetch(target, toInit(request, token))
    } catch (error) {
      throw request.signal?.aborted ? error : toUnreachable(error, url + request.path)
    }
  }
}

function toInit(request: HttpRequest, token: string | null | undefined): RequestInit {
  const { method, headers, body, signal } = request
  const { text = body === undefined ? undefined : JSON.stringify(body) } = request
  return {
    method,
    headers: {
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(token != null && { authorization: `Bearer ${token}` }),
    },
    ...(text !== undefined && { body: text }),
    ...(signal && { signal }),
  }
}

/**
 * Runs some work, and rejects with the signal's reason as soon as a signal aborts: a sandbox in
 * this process does not watch signals.
 */
export async function until<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  for (const signal of signals) signal?.throwIfAborted()
  const ending = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason))
  })
  const end = () => ending.abort(signals.find((signal) => signal?.aborted)?.reason)
  // Without a socket nothing else would keep the process alive, and a script would end with 0 here.
  const alive = setInterval(() => undefined, ALIVE_MS)
  for (const signal of signals) signal?.addEventListener('abort', end)
  try {
    return await Promise.race([work(ending.signal), aborted])
  } finally {
    clearInterval(alive)
    // A long-lived signal would otherwise collect a listener from each call.
    for (const signal of signals) signal?.removeEventListener('abort', end)
  }
}

/** A path with a value in the place of each `:name`. */
export const fillPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))

/** JavaScript callers may leave the path out, and a path without a slash would change the port. */
function assertPath(path: unknown): void {
  if (typeof path === 'string' && path.startsWith('/')) return
  throw invalidValue('path', `path must begin with /, unlike ${JSON.stringify(path)}.`)
}

export function pathOf({ path, query = {} }: HttpRequest): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

/** Parses JSON; returns the text if it is not JSON. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
