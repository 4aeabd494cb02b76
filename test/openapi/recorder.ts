import assert from 'node:assert/strict'
import { OPERATIONS } from '../../src/host/operations.ts'
import type { Example, ExampleRequest } from '../../src/http/openapi/examples.ts'
import { KEY, type TestApp } from '../helpers/world-app.ts'
import type { Checker } from './checker.ts'
import { mask } from './mask.ts'

export interface Sent {
  path?: Record<string, string>
  query?: Record<string, string>
  /** A header that is null is not sent. */
  headers?: Record<string, string | null>
  body?: unknown
  /** Sent as it is, in place of the body. */
  raw?: string
}

/** Makes calls by the table of operations, checks each response against the documents, keeps both. */
export interface Recorder {
  readonly examples: Map<string, Example>
  /** Statuses that were seen, by operation. */
  readonly seen: Map<string, Set<number>>
  /** Fails unless the response has this status and is as documented. */
  // biome-ignore lint/suspicious/noExplicitAny: the documents say what it is
  call(app: TestApp, id: string, status: number, sent?: Sent): Promise<any>
}

export function createRecorder(checkers?: readonly Checker[]): Recorder {
  const examples = new Map<string, Example>()
  const seen = new Map<string, Set<number>>()
  return { examples, seen, call }

  async function call(app: TestApp, id: string, status: number, sent: Sent = {}) {
    const operation = OPERATIONS.find((row) => row.id === id)
    if (!operation) throw new Error(`There is no operation ${id}.`)
    const method = operation.method === 'ALL' ? 'POST' : operation.method
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(sent.path?.[name] ?? `no-${name}`),
    )
    const query = sent.query === undefined ? '' : `?${new URLSearchParams(sent.query)}`
    const init = { method, headers: headersOf(operation.dialect.isContract, method, sent) }
    const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const response = await app.send(
      `${path}${query}`,
      body === undefined ? init : { ...init, body },
    )
    const { headers, text } = response
    assert.equal(response.status, status, `${id}: ${text.slice(0, 500)}`)
    const actual = { method, path, status, type: headers.get('content-type'), text }
    const checker = checkers?.find((candidate) => candidate.find(method, path))
    assert.ok(!checkers || checker, `${id} is in no document`)
    assert.deepEqual(checker?.check(actual) ?? [], [])
    const isCommon = !operation.dialect.isContract && COMMON.includes(status)
    const isJson = text !== '' && actual.type?.includes('json') === true
    if (!isCommon && (isJson || text === '')) keep(id, status, sent, text)
    seen.set(id, (seen.get(id) ?? new Set()).add(status))
    return isJson ? JSON.parse(text) : undefined
  }

  function keep(id: string, status: number, sent: Sent, text: string) {
    const example = examples.get(id) ?? { responses: {} }
    examples.set(id, example)
    const isShort = JSON.stringify(sent).length <= KEPT_MAX
    if (text !== '' && text.length <= KEPT_MAX && !(status in example.responses)) {
      example.responses[status] = mask(JSON.parse(text))
    }
    if (status >= 300 || example.request || !isShort) return
    const request = toExampleRequest(sent)
    if (Object.keys(request).length > 0) example.request = mask(request)
  }
}

/** Without headers, whose tokens are of one world alone. */
function toExampleRequest({ path, query, body, raw }: Sent): ExampleRequest {
  return {
    ...(path && { path }),
    ...(query && { query }),
    ...((raw ?? body) !== undefined && { body: raw ?? body }),
  }
}

/** Errors that look the same for every control operation. */
const COMMON = [400, 401, 403, 413, 415]
/** A longer response makes a poor example. */
const KEPT_MAX = 4_000

function headersOf(isContract: boolean, method: string, { headers = {}, body, raw }: Sent) {
  const isTyped = body !== undefined || raw !== undefined || (!isContract && method !== 'GET')
  const all: Record<string, string | null> = {
    ...(isContract && { 'x-api-key': KEY }),
    ...(isTyped && { 'content-type': 'application/json' }),
    ...headers,
  }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  return Object.fromEntries(sent)
}
