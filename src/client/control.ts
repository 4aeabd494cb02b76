import { SandboxError, toSandboxError } from './error.ts'
import type { HttpClient, HttpRequest } from './http.ts'
import { UnreadableResponse } from './read-body.ts'

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What goes with a call: `query`, `body` and `signal`. */
export type ControlCall = Pick<HttpRequest, 'query' | 'signal'> & { body?: object | undefined }

/** The control API of one world: the library, the command line, scenarios and pages all use it. */
export interface ControlClient {
  /** Base URL of the world. */
  readonly url: string
  /** Resolves with the JSON of the answer, or throws a `SandboxError`; `path` is below `/_sandbox`. */
  call<Answer>(method: ControlMethod, path: string, call?: ControlCall): Promise<Answer>
}

/** Only `send` is needed, so that a caller can record or log what is sent. */
export function createControl({ url, send }: Pick<HttpClient, 'url' | 'send'>): ControlClient {
  return {
    url,
    async call(method, path, { query, body, signal } = {}) {
      const takesBody = method !== 'GET' && method !== 'DELETE'
      const sent = send({
        method,
        path: `/_sandbox${path}`,
        query,
        headers: { 'content-type': 'application/json' },
        body: body ?? (takesBody ? {} : undefined),
        signal,
      })
      const target = `${method} ${url}/_sandbox${path}`
      const answer = await sent.catch((error) => {
        if (!(error instanceof UnreadableResponse)) throw error
        const message = `${target}: ${error.message}.`
        throw new SandboxError(message, { code: 'unreadable', cause: error })
      })
      if (answer.status === 204) return undefined
      const isJson = typeof answer.body !== 'string'
      if (answer.status < 300 && isJson) return answer.body
      throw toSandboxError(answer, target)
    },
  }
}
