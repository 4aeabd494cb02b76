import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { DomainError } from '../world/domain-error.ts'
import { shortenAndCount } from '../world/shorten.ts'
import { assertJsonSize } from './json-size.ts'
import type { Env, RunningCall } from './operation.ts'
import type { OperationDescription } from './operation-description.ts'
import { HttpError } from './status.ts'

/** Longest body of most operations, in bytes. */
export const BODY_MAX = 1024 * 1024
/** Longest body that the request journal keeps whole, in characters. */
const KEPT_MAX = 64 * 1024
/** Most bytes of an overlong body that are read past. */
const DISCARDED_MAX = 64 * 1024 * 1024

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i
const PLAIN_TYPE = /^application\/json\s*(;|$)/i

type BodyLimits = Pick<OperationDescription, 'bodyMax' | 'bodyHint'>

/** A header by its name in lower case, from Node, which is faster than Hono here. */
export function headerOf({ env, req }: Context<Env>, name: string): string | undefined {
  if (env.socket === undefined) return req.header(name)
  const value = env.socket.incoming.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Takes a body of any type off the socket, up to a length that is checked first if it is announced. */
export function readBytes(c: Context<Env>, limits: BodyLimits = {}): Promise<Buffer> {
  const { bodyMax = BODY_MAX } = limits
  if (Number(headerOf(c, 'content-length') ?? 0) > bodyMax) return Promise.reject(tooLong(limits))
  const { socket } = c.env
  return socket ? readIncoming(socket.incoming, limits) : readRequest(c, limits)
}

/** Reads the body of a call without a socket. */
async function readRequest(c: Context<Env>, limits: BodyLimits): Promise<Buffer> {
  const bytes = await c.req.arrayBuffer().catch(() => undefined)
  if (bytes === undefined) throw incomplete()
  if (bytes.byteLength > (limits.bodyMax ?? BODY_MAX)) throw tooLong(limits)
  return Buffer.from(bytes)
}

/** Most bodies arrive in one piece, which needs no copy. */
const joined = (pieces: Buffer[]) =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)

/**
 * Reads a body up to the limit and discards the rest, so that the connection stays usable. Hono would
 * copy the bytes once more.
 */
function readIncoming(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { bodyMax = BODY_MAX } = limits
  const pieces: Buffer[] = []
  let length = 0
  return new Promise<Buffer>((resolve, reject) => {
    const end = () => (length > bodyMax ? reject(tooLong(limits)) : resolve(joined(pieces)))
    // A whole body closes too, and an error with its stack is slow to make.
    const fail = () => incoming.readableEnded || reject(incomplete())
    incoming.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= bodyMax) pieces.push(piece)
      else pieces.length = 0
      if (length <= bodyMax + DISCARDED_MAX) return
      incoming.pause()
      end()
    })
    incoming.on('end', end)
    incoming.on('error', fail)
    incoming.on('close', fail)
    if (incoming.destroyed) fail()
  })
}

/** The caller left in the middle of its body, which is not a bug of the sandbox. */
function incomplete(): HttpError {
  const message = 'The connection ended before the whole body was received.'
  return new HttpError(400, 'body', message, { code: 'incomplete-body' })
}

function tooLong({ bodyMax = BODY_MAX, bodyHint: hint }: BodyLimits): HttpError {
  return new HttpError(413, 'body', `The body may have at most ${bodyMax} bytes.`, { hint })
}

/** Shows in the journal the body of a call that ends before anything reads it. */
export async function noteBody({ bytes, record }: Pick<RunningCall, 'bytes' | 'record'>) {
  const sent = await bytes?.catch(() => undefined)
  if (sent?.length) record.sent ??= shortenAndCount(sent.toString(), KEPT_MAX)
}

/**
 * The text of the body that a call took off the socket. Its media type, its values and its depth are
 * checked here, before anything parses it.
 */
export function readJsonText(call: RunningCall, bytes: Buffer | undefined): string {
  const { c, operation, record, world } = call
  assertNotEncoded(headerOf(c, 'content-encoding'))
  const text = decodeUtf8(bytes)
  record.sent = shortenAndCount(text, KEPT_MAX)
  const type = headerOf(c, 'content-type') ?? ''
  const { isContract } = operation.dialect
  const isExact = isContract && world.settings['body.mediaType'] === 'application/json'
  if (!(isExact ? PLAIN_TYPE : JSON_TYPE).test(type)) throw notJson(type)
  if (isContract && !PLAIN_TYPE.test(type)) record.note(noteOtherType(type))
  assertJsonSize(text, operation)
  return text
}

function assertNotEncoded(encoding = ''): void {
  if (/^(identity)?$/i.test(encoding)) return
  const message = `Send the body uncompressed, without the header Content-Encoding: ${encoding}.`
  throw new HttpError(415, 'content-encoding', message)
}

const noteOtherType = (type: string) =>
  `The Content-Type is ${type}. The contract shows only application/json (body.mediaType).`

function notJson(type: string): HttpError {
  const actual = type ? `, not ${type}` : ''
  const message = `Send the body as JSON with the header Content-Type: application/json${actual}.`
  return new HttpError(415, 'content-type', message)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes a body. JSON is UTF-8; other encodings would silently lose letters. */
function decodeUtf8(bytes: Buffer | undefined): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new DomainError('invalid', 'The body is not UTF-8, as JSON must be.', { field: 'body' })
  }
}
