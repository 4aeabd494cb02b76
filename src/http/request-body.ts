import type { Context } from 'hono'
import type { CallRecord } from '../engine/request-journal.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { shortenAndCount } from '../world/shorten.ts'
import { decodeUtf8 } from '../world/utf8.ts'
import { headerOf } from './headers.ts'
import type { OperationDescription } from './operation-description.ts'
import type { Env } from './services.ts'
import { HttpError } from './status.ts'

/** Longest body of most operations, in bytes. */
export const BODY_MAX = 1024 * 1024
/** Longest body that the request journal keeps whole, in characters. */
export const KEPT_MAX = 64 * 1024
/** Deeper JSON can be parsed but not printed: printing is recursive and would overflow the stack. */
const NESTING_MAX = 100

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

type BodyRules = Pick<OperationDescription, 'dialect' | 'bodyMax'>

/** The text of the body. Throws when it is too long, if possible before reading it. */
export async function readText(
  { bodyMax = BODY_MAX }: BodyRules,
  c: Context<Env>,
): Promise<string> {
  if (Number(headerOf(c, 'content-length') ?? 0) > bodyMax) throw tooLong(bodyMax)
  const isStream = headerOf(c, 'transfer-encoding') !== undefined
  // Where a handler looks that reads the body once more.
  if (isStream) Object.assign(c.req.bodyCache, { arrayBuffer: readStream(c, bodyMax) })
  return decodeUtf8(await fromCaller(c.req.arrayBuffer()))
}

export function assertNotEncoded(c: Context<Env>): void {
  const encoding = headerOf(c, 'content-encoding')
  if (encoding === undefined || /^(identity)?$/i.test(encoding)) return
  const message = `Send the body as it is, without the header Content-Encoding: ${encoding}.`
  throw new HttpError(415, 'content-encoding', message)
}

/** What is read of a body. A caller that leaves in the middle of it is no bug of ours. */
export const fromCaller = <T>(read: Promise<T>): Promise<T> => read.catch(failIncomplete)

function failIncomplete(error: unknown): never {
  if (error instanceof DomainError) throw error
  const message = 'The connection ended before the whole body was received.'
  throw new HttpError(400, 'body', message, { code: 'incomplete-body' })
}

/** The JSON object in a body. Throws for anything else, before anything looks into it. */
export function parseBody(
  { dialect, bodyMax = BODY_MAX }: BodyRules,
  { text, type, record }: { text: string; type: string | undefined; record: CallRecord },
): object {
  // A character takes at most three bytes, so most bodies need no counting.
  if (text.length * 3 > bodyMax && Buffer.byteLength(text) > bodyMax) throw tooLong(bodyMax)
  record.sent = shortenAndCount(text, KEPT_MAX)
  assertJsonType(type)
  // A control call without options may leave its body out; PHP writes an empty object as [].
  const parsed = parse(text === '' && !dialect.journalled ? '{}' : text)
  const sent = isEmptyArray(parsed) && !dialect.journalled ? {} : parsed
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) {
    throw new DomainError('malformed-json', 'The body must be a JSON object.')
  }
  if (isNestedDeeper(sent, NESTING_MAX)) {
    throw new DomainError('malformed-json', `The body may be nested at most ${NESTING_MAX} deep.`)
  }
  record.isJson = text.length <= KEPT_MAX
  return sent
}

const isEmptyArray = (value: unknown) => Array.isArray(value) && value.length === 0

function assertJsonType(type: string | undefined): void {
  if (type !== undefined && JSON_TYPE.test(type)) return
  const actual = type ? `, not ${type}` : ''
  const message = `Send the body as JSON with the header Content-Type: application/json${actual}.`
  throw new HttpError(415, 'content-type', message)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = messageOf(error)
    const message = text === '' ? 'The body is empty; send JSON.' : `The body is not JSON: ${why}.`
    throw new DomainError('malformed-json', message)
  }
}

/** Whether arrays and objects are nested more than `levels` deep. */
function isNestedDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  if (levels === 0) return true
  for (const name in value) {
    if (isNestedDeeper((value as Record<string, unknown>)[name], levels - 1)) return true
  }
  return false
}

/** Whether a text is JSON other than null, and can be printed again. */
export function isPrintable(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && !isNestedDeeper(value, NESTING_MAX)
  } catch {
    return false
  }
}

/** A stream of unknown length is read only as far as the limit. */
async function readStream(c: Context<Env>, bodyMax: number): Promise<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of readPieces(c, bodyMax)) pieces.push(piece)
  return new Blob(pieces).arrayBuffer()
}

/** A body as it comes, for what need not be in one text. */
export async function* readPieces(
  c: Context<Env>,
  bodyMax: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (Number(headerOf(c, 'content-length') ?? 0) > bodyMax) throw tooLong(bodyMax)
  const reader = c.req.raw.body?.getReader()
  if (reader === undefined) return
  let length = 0
  let hasEnded = false
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length
      if (length > bodyMax) throw tooLong(bodyMax)
      yield read.value
    }
    hasEnded = true
  } finally {
    if (!hasEnded) discard(reader).catch(() => {})
  }
}

/** How much of a body that is too long is read past, so that its connection can be used again. */
const DISCARDED_MAX = 64 * 1024 * 1024

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    if (length > DISCARDED_MAX) return reader.cancel()
  }
}

function tooLong(bodyMax: number): HttpError {
  return new HttpError(413, 'body', `The body may have at most ${bodyMax} bytes.`)
}
