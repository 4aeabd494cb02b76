import type { Json } from '../../client/http.ts'
import { findOperation } from '../operations.ts'
import { BrokenRecording } from '../recording.ts'
import type { SessionRecorder } from './recorder.ts'

/** Records the calls of the contract that a HAR file holds; answers how many there were. */
export function recordHar(text: string, recorder: SessionRecorder): number {
  const calls = readEntries(text).flatMap(toCall)
  for (const { at, ...call } of calls) recorder.call(recorder.begin(), at, call)
  return calls.length
}

function readEntries(text: string): Json[] {
  try {
    const { entries } = JSON.parse(text).log
    if (Array.isArray(entries)) return entries
  } catch {
    // Said below.
  }
  throw new BrokenRecording('It is not a HAR file: it has no log.entries.')
}

/** A page loads much else, so only what the contract has is taken. */
function toCall({ startedDateTime, time, request, response }: Json) {
  const at = Date.parse(startedDateTime)
  const target = findTarget(request?.method, request?.url)
  if (target === undefined || !Number.isFinite(at)) return []
  const status = Number(response?.status ?? 0)
  const answer = { status, headers: toHeaders(response?.headers), body: textOf(response?.content) }
  const call = {
    at,
    method: String(request.method),
    target,
    request: { headers: toHeaders(request.headers), body: request.postData?.text ?? '' },
    response: status === 0 ? null : answer,
    failure: status === 0 ? 'No answer came.' : undefined,
    ms: Number(time ?? 0),
  }
  return [call]
}

/** The path from where the contract knows it: what is before is the base URL. */
function findTarget(method: unknown, url: unknown): string | undefined {
  if (typeof method !== 'string' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { pathname, search } = new URL(url)
  const parts = pathname.split('/')
  for (let i = 1; i < parts.length; i++) {
    const path = `/${parts.slice(i).join('/')}`
    if (findOperation(method, path)) return path + search
  }
  return undefined
}

const toHeaders = (headers: Json): Record<string, string> =>
  Object.fromEntries(
    (Array.isArray(headers) ? headers : [])
      .filter((header: Json) => typeof header?.name === 'string')
      .map((header: Json) => [header.name.toLowerCase(), String(header.value ?? '')]),
  )

function textOf(content: Json): string {
  const text = String(content?.text ?? '')
  return content?.encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text
}
