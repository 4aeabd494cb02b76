import { toSandboxError } from './error.ts'
import type { HttpClient, HttpRequest } from './http.ts'

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Options of a call: `query`, `body` and `signal`. */
export type ControlCall = Pick<HttpRequest, 'query' | 'signal'> & { body?: object | undefined }

/** The control API of one world: the library, the command line, scenarios and pages all use it. */
export interface ControlClient {
  /** Base URL of the world. */
  readonly url: string
  /** Resolves with the JSON of the response, or throws a `SandboxError`; `path` is below `/_sandbox`. */
  call<Result>(method: ControlMethod, path: string, call?: ControlCall): Promise<Result>
}

/** Takes `send` alone, so that a caller can record or log each request. */
export function createControl({ url, send }: Pick<HttpClient, 'url' | 'send'>): ControlClient {
  return {
    url,
    async call(method, path, { query, body, signal } = {}) {
      const takesBody = method !== 'GET' && method !== 'DELETE'
      const response = await send({
        method,
        path: `/_sandbox${path}`,
        query,
        headers: { 'content-type': 'application/json' },
        body: body ?? (takesBody ? {} : undefined),
        signal,
      })
      const { status, headers } = response
      const isOurs = status < 300 && headers['x-sandbox-version'] !== undefined
      if (isOurs && status === 204) return undefined
      if (isOurs && typeof response.body !== 'string') return response.body
      throw toSandboxError(response, `${method} ${url}/_sandbox${path}`)
    },
  }
}
