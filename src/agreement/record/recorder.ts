import type { Json } from '../../client/http.ts'
import type { Masker } from '../mask.ts'
import { findOperation, parseTarget } from '../operations.ts'
import { formatLine, HEAD, type RecordedMessage, type RecordingEntry } from '../recording.ts'

/** One side of a call as it was sent; the body as text. */
export interface RawMessage {
  headers: Readonly<Record<string, string>>
  body: string
}

export interface RawCall {
  method: string
  /** Path and query, below the base URL. */
  target: string
  request: RawMessage
  response: (RawMessage & { status: number }) | null
  failure?: string | undefined
  ms: number
}

/** Writes calls and webhooks as lines of a recording, masked before anything is written. */
export interface SessionRecorder {
  /** Takes a place in the recording, when a call begins. */
  begin(): number
  call(n: number, at: number, call: RawCall): void
  webhook(n: number, at: number, webhook: RawMessage, status: number | null): void
}

export interface SessionRecorderOptions {
  masker: Masker
  write(line: string): void
}

export function createRecorder({ masker, write }: SessionRecorderOptions): SessionRecorder {
  let last = 0
  write(formatLine(HEAD))
  return {
    begin: () => ++last,
    call(n, at, { method, target, request, response, failure, ms }) {
      const { pathname } = parseTarget(target)
      const operation = findOperation(method, pathname)?.id
      put({
        kind: 'call',
        n,
        at: new Date(at).toISOString(),
        ms: Math.round(ms),
        operation: operation ?? null,
        method,
        target: masker.target(method, target),
        request: mask({ operation, side: 'request' }, request),
        response: response && {
          status: response.status,
          ...mask({ operation, side: 'answer' }, response),
        },
        ...(failure !== undefined && { failure }),
      })
    },
    webhook(n, at, webhook, status) {
      const request = mask({ operation: 'webhook', side: 'answer' }, webhook, 'request')
      const response = status === null ? null : { status }
      put({ kind: 'webhook', n, at: new Date(at).toISOString(), request, response })
    },
  }

  function put(entry: RecordingEntry) {
    write(formatLine(entry))
  }

  function mask(
    place: Parameters<Masker['body']>[0],
    { headers, body }: RawMessage,
    headerSide = place.side,
  ): RecordedMessage {
    const shown = masker.headers(headerSide, headers)
    const json = parse(body)
    if (json === undefined) return { headers: shown, body: null, text: masker.text(body) }
    return { headers: shown, body: masker.body(place, json) }
  }
}

/** The JSON of a text, null for none, undefined where it is no JSON. */
function parse(text: string): Json {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
