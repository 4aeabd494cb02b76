import { toSandboxError } from './error.ts'
import type { HttpClient, HttpRequest, Query } from './http.ts'

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type ControlCall = Pick<HttpRequest, 'query' | 'signal' | 'limitMs'> & {
  body?: object | undefined
}

/** The control API of one world: the library, the command line, scenarios and pages all use it. */
export interface ControlClient {
  /** Base URL of the world. */
  readonly url: string
  /** Resolves with the JSON of the response, or throws a `SandboxError`; `path` is under `/_sandbox`. */
  call<Result>(method: ControlMethod, path: string, call?: ControlCall): Promise<Result>
}

/** Takes `send` alone, so that a caller can record or log each request. */
export function createControl({ url, send }: Pick<HttpClient, 'url' | 'send'>): ControlClient {
  return {
    url,
    async call(method, path, { body, ...rest } = {}) {
      const takesBody = method !== 'GET' && method !== 'DELETE'
      const response = await send({
        ...rest,
        method,
        path: `/_sandbox${path}`,
        headers: { 'content-type': 'application/json' },
        body: body ?? (takesBody ? {} : undefined),
      })
      const { status, headers } = response
      const isOurs = status < 300 && headers['x-sandbox-version'] !== undefined
      if (isOurs && status === 204) return undefined
      if (isOurs && typeof response.body !== 'string') return response.body
      throw toSandboxError(response, `${method} ${url}/_sandbox${path}`)
    },
  }
}

interface List {
  /** Field of a page with its rows. */
  field: string
  query?: Query
}

const ROWS_PER_PAGE = 1_000

/** Reads a list page by page, to its end. */
export async function readAll<Row>(
  call: ControlClient['call'],
  path: string,
  { field, query }: List,
): Promise<Row[]> {
  const all: Row[] = []
  for (let after: string | undefined; ; ) {
    const asked = { ...query, after, limit: ROWS_PER_PAGE }
    const page = await call<Page>('GET', path, { query: asked })
    for (const row of page[field] as Row[]) all.push(row)
    if (!page.more) return all
    after = page.cursor
  }
}

interface Page {
  more: boolean
  cursor: string
  [field: string]: unknown
}
