import { toUnreachable } from './error.ts'
import { assertShallow, readText } from './read-body.ts'

/** Any JSON value. */
export type Json = ReturnType<typeof JSON.parse>

export type Query = Readonly<Record<string, string | number | undefined>>

export interface HttpRequest {
  method: string
  /** Below the base URL, such as `/v2/quotes` or `/_sandbox/clock`. */
  path: string
  query?: Query | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, in place of a body. */
  text?: string | undefined
  signal?: AbortSignal | undefined
}

export interface HttpAnswer {
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
  /** Resolves whatever the status is; throws a `SandboxError` only where nothing answers. */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** The response before its body is read, for event streams. */
  open(request: HttpRequest): Promise<Response>
}

export interface HttpClientOptions {
  /** Base URL of the world; in a browser it may be a path such as `/w/worker-1`, or empty. */
  url: string
  /** Default: the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
  /** Whether a long or deep response of this server is an error, and not read. */
  isUntrusted?: boolean | undefined
  /** Sent with every call of the control API. */
  controlToken?: string | null | undefined
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { url, fetch = (target, init) => globalThis.fetch(target, init), controlToken } = options
  return {
    url,
    open,
    async send(request) {
      const response = await open(request)
      const { status } = response
      const headers = Object.fromEntries(response.headers)
      if (options.isUntrusted !== true) {
        return { status, headers, body: parseJson(await response.text()) }
      }
      const body = parseJson(await readText(response))
      assertShallow(body)
      return { status, headers, body }
    },
  }

  async function open(request: HttpRequest): Promise<Response> {
    const { method, signal } = request
    const target = url + pathOf(request)
    const init = {
      method,
      headers: headersOf(request),
      ...bodyOf(request),
      ...(signal && { signal }),
    }
    try {
      return await fetch(target, init)
    } catch (error) {
      throw signal?.aborted ? error : toUnreachable(error, target)
    }
  }

  function headersOf({ path, headers = {}, body, text }: HttpRequest): Record<string, string> {
    const isControl = path.startsWith('/_sandbox')
    return {
      ...((body ?? text) !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(isControl && controlToken != null && { authorization: `Bearer ${controlToken}` }),
    }
  }
}

export function pathOf({ path, query = {} }: HttpRequest): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

function bodyOf({ body, text }: HttpRequest): { body?: string } {
  if (text !== undefined) return { body: text }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** The JSON of a text; the text itself where it is none. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
