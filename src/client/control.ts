import type { Connection } from './connection.ts'
import { toSandboxError } from './error.ts'

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Query = Readonly<Record<string, string | number | undefined>>

export interface ControlCall {
  query?: Query | undefined
  body?: object | undefined
  signal?: AbortSignal | undefined
}

/** The control API of one world. */
export interface Control {
  /** Base URL of the world. */
  readonly url: string
  /** Answers with the JSON of the answer, or throws a `SandboxError`; `path` is below `/_sandbox`. */
  call<Answer>(method: ControlMethod, path: string, call?: ControlCall): Promise<Answer>
}

export function createControl(connection: Connection, url: string): Control {
  const { controlToken } = connection
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (controlToken !== undefined) headers.authorization = `Bearer ${controlToken}`
  return {
    url,
    async call<Answer>(method: ControlMethod, path: string, options: ControlCall = {}) {
      const { query = {}, body = {}, signal } = options
      const target = `${url}/_sandbox${path}${toSearch(query)}`
      const request = new Request(target, {
        method,
        headers,
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
      const response = await connection.send(request)
      if (!response.ok) throw await toSandboxError(response, `${method} ${target}`)
      return (response.status === 204 ? undefined : await response.json()) as Answer
    },
  }
}

function toSearch(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}
