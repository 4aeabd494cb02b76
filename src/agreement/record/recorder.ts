import type { Json } from '../../client/http.ts'
import { assertShallow } from '../../client/read-body.ts'
import type { Masker } from '../mask.ts'
import { findOperation, parseTarget } from '../operations.ts'
import { formatLine, HEAD, type RecordedMessage, type RecordingEntry } from '../recording.ts'

/** One side of a call as it was sent; the body as text. */
export interface RawMessage {
  headers: Readonly<Record<string, string>>
  body: string
}

export interface RawResponse extends RawMessage {
  status: number
}

export interface RawCall {
  method: string
  /** Path and query, below the base URL. */
  target: string
  request: RawMessage
  response: RawResponse | null
  failure?: string | undefined
  ms: number
}

export type SessionRecorder = ReturnType<typeof createRecorder>

export interface SessionRecorderOptions {
  masker: Masker
  write(line: string): void
}

/** Writes calls and webhooks as lines of a recording, masked before anything is written. */
export function createRecorder({ masker, write }: SessionRecorderOptions) {
  let last = 0
  write(formatLine(HEAD))
  return {
    /** Takes a place in the recording, when a call begins. */
    begin: () => ++last,
    call(n: number, at: number, { method, target, response, failure, request, ms }: RawCall) {
      const operation = findOperation(method, parseTarget(target).pathname)?.id
      put({
        kind: 'call',
        n,
        at: new Date(at).toISOString(),
        ms: Math.round(ms),
        operation: operation ?? null,
        method,
        target: masker.target(method, target),
        request: mask(request, { operation, side: 'request' }),
        response: response && {
          status: response.status,
          ...mask(response, { operation, side: 'response' }),
        },
        ...(failure !== undefined && { failure }),
      })
    },
    webhook(n: number, at: number, webhook: RawMessage, status: number | null) {
      const request = mask(webhook, { operation: 'webhook', side: 'response' }, 'request')
      const response = status === null ? null : { status }
      put({ kind: 'webhook', n, at: new Date(at).toISOString(), request, response })
    },
  }

  function put(entry: RecordingEntry) {
    write(formatLine(entry))
  }

  function mask(
    { headers, body }: RawMessage,
    place: Parameters<Masker['body']>[0],
    headerSide = place.side,
  ): RecordedMessage {
    const shown = masker.headers(headerSide, headers)
    if (body === '') return { headers: shown, body: null }
    try {
      const json: Json = JSON.parse(body)
      assertShallow(json)
      return { headers: shown, body: masker.body(place, json) }
    } catch {
      return { headers: shown, body: null, text: masker.text(body) }
    }
  }
}
