import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { CallRecord } from '../engine/request-journal.ts'
import { parseWith } from '../fixture/zod-problems.ts'
import { assertNoProblems, DomainError, messageOf, type Problem } from '../world/domain-error.ts'
import { isRefused } from '../world/settings/errors.ts'
import type { SettingId } from '../world/settings/index.ts'
import { shortenAndCount } from '../world/shorten.ts'
import type { World } from '../world/world.ts'
import { namesOf, toUnknownField } from './hints.ts'
import { assertJsonSize } from './json-size.ts'
import { type OperationDescription, schemasOf } from './operation-description.ts'
import type { Env } from './services.ts'
import { HttpError } from './status.ts'

/** Longest body of most operations, in bytes. */
export const BODY_MAX = 1024 * 1024
/** Longest body that the request journal keeps whole, in characters. */
const KEPT_MAX = 64 * 1024

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i
const PLAIN_TYPE = /^application\/json\s*(;|$)/i

type BodyLimits = Pick<OperationDescription, 'bodyMax' | 'bodyHint'>
type BodyRules = BodyLimits & Pick<OperationDescription, 'dialect' | 'valuesMax'>

interface Input {
  query: unknown
  body: unknown
}

interface CallState {
  world: World
  record: CallRecord
  assume(id: SettingId): void
}

/** Most unknown fields that are noted; each is compared with every known name. */
const UNKNOWN_FIELDS_MAX = 20

/** The query and the body of a request, as the operation's schemas describe them. */
export function readInput(
  operation: OperationDescription,
  c: Context<Env>,
  call: CallState,
): Input | Promise<Input> {
  const { query: schemaOfQuery, body: schema } = schemasOf(operation)
  if (schema) assertNotEncoded(c)
  const query = schemaOfQuery && readQuery(c, schemaOfQuery)
  if (!schema) return { query, body: undefined }
  return readText(operation, c).then((text) => ({
    query,
    body: readBody(operation, c, { text, schema, call }),
  }))
}

function readQuery(c: Context<Env>, schema: z.ZodType): unknown {
  const sent = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ])
  return parseWith(schema, Object.fromEntries(sent), 'query')
}

function readBody(
  operation: OperationDescription,
  c: Context<Env>,
  { text, schema, call }: { text: string; schema: z.ZodType; call: CallState },
): unknown {
  const type = headerOf(c, 'content-type')
  const { isContract } = operation.dialect
  const isExact = isContract && call.world.settings['body.mediaType'] === 'application/json'
  const sent = parseBody(operation, { text, type, record: call.record, isExact })
  if (isContract && !PLAIN_TYPE.test(type ?? '')) call.assume('body.mediaType')
  let parsed: unknown
  try {
    // Null leaves an optional field out.
    parsed = parseWith(schema, sent, 'body')
  } catch (error) {
    const { body } = namesOf(operation)
    const unknown = Object.keys(sent).filter((name) => !body.includes(name))
    noteUnknownFields(operation, call.record, unknown)
    throw withOtherProblems(operation, { error, sent, world: call.world })
  }
  if (!isContract) return parsed
  const unknown = findUnknownFields(sent, parsed as object)
  const problems = noteUnknownFields(operation, call.record, unknown)
  const { checksUnknownFields = operation.dialect.checksUnknownFields } = operation
  const isStrict = checksUnknownFields && isRefused(call.world.settings, 'unknown-field')
  if (isStrict) assertNoProblems(problems, { code: 'unknown-field' })
  return parsed
}

/** Adds the problems of the readable fields, so that one response names everything. */
function withOtherProblems(
  operation: OperationDescription,
  { error, sent, world }: { error: unknown; sent: object; world: World },
): unknown {
  if (operation.findProblems === undefined || !(error instanceof DomainError)) return error
  const unreadable = new Set(error.problems.map(topOf))
  const { body } = namesOf(operation)
  const readable = Object.entries(sent).filter(
    ([name, value]) => value !== null && body.includes(name) && !unreadable.has(name),
  )
  const others = operation
    .findProblems(world, Object.fromEntries(readable))
    .filter((problem) => !unreadable.has(topOf(problem)))
  return DomainError.ofMany([...error.problems, ...others])
}

const topOf = ({ field }: Problem) => field.split('.')[0]

/** Notes in the journal the fields that the contract does not name, which are ignored. */
function noteUnknownFields(
  operation: OperationDescription,
  record: CallRecord,
  fields: readonly string[],
): Problem[] {
  if (!operation.dialect.isContract) return []
  const problems = fields
    .slice(0, UNKNOWN_FIELDS_MAX)
    .map((field) => toUnknownField(field, namesOf(operation).body))
  for (const { message } of problems) record.note(message)
  return problems
}

function findUnknownFields(sent: object, parsed: object, prefix = ''): string[] {
  const unknown: string[] = []
  for (const name of Object.keys(sent)) {
    const outer = (sent as Record<string, unknown>)[name]
    const inner = (parsed as Record<string, unknown>)[name]
    if (outer === null) continue
    if (!Object.hasOwn(parsed, name)) {
      unknown.push(prefix + name)
    } else if (inner !== null && typeof inner === 'object') {
      // A single text may stand for a list of one.
      if (typeof outer !== 'object') continue
      // Pushed one by one, because a hundred thousand arguments would overflow the stack.
      for (const field of findUnknownFields(outer, inner, `${prefix}${name}.`)) unknown.push(field)
    }
  }
  return unknown
}

/**
 * Reads the body before a call has to wait, because it is lost once the client has left. Whatever is
 * wrong with it is said when the call reads it again.
 */
export async function takeBody(operation: OperationDescription, c: Context<Env>): Promise<void> {
  if (!operation.body) return
  try {
    await readBytes(operation, c)
  } catch {}
}

function readText(limits: BodyLimits, c: Context<Env>): Promise<string> {
  return readBytes(limits, c).then(decodeUtf8)
}

/** Reads the body, of any type, up to a length that is checked first if it is announced. */
export function readBytes(limits: BodyLimits, c: Context<Env>): Promise<Buffer> {
  const { bodyMax = BODY_MAX } = limits
  if (Number(headerOf(c, 'content-length') ?? 0) > bodyMax) throw tooLong(limits)
  const { socket } = c.env
  if (socket === undefined) return c.req.arrayBuffer().then(Buffer.from, failIncomplete)
  // Some handlers read the body a second time.
  socket.body ??= readIncoming(socket.incoming, limits)
  return socket.body
}

function assertNotEncoded(c: Context<Env>): void {
  const encoding = headerOf(c, 'content-encoding')
  if (encoding === undefined || /^(identity)?$/i.test(encoding)) return
  const message = `Send the body as it is, without the header Content-Encoding: ${encoding}.`
  throw new HttpError(415, 'content-encoding', message)
}

/** The caller left in the middle of its body, which is not a bug of the sandbox. */
function failIncomplete(): never {
  const message = 'The connection ended before the whole body was received.'
  throw new HttpError(400, 'body', message, { code: 'incomplete-body' })
}

interface SentBody {
  text: string
  type: string | undefined
  record: CallRecord
  /** Rejects media types of JSON other than `application/json`. */
  isExact?: boolean
}

function parseBody(rules: BodyRules, { text, type, record, isExact = false }: SentBody): object {
  const { dialect, bodyMax = BODY_MAX } = rules
  // A character takes at most three bytes, so most bodies need no counting.
  if (text.length * 3 > bodyMax && Buffer.byteLength(text) > bodyMax) throw tooLong(rules)
  record.sent = shortenAndCount(text, KEPT_MAX)
  assertJsonType(type, isExact)
  assertJsonSize(text, rules)
  // A control call without options may leave its body out; PHP writes an empty object as [].
  const parsed = parse(text === '' && !dialect.isContract ? '{}' : text)
  const sent = isEmptyArray(parsed) && !dialect.isContract ? {} : parsed
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) {
    throw new DomainError('malformed-json', 'The body must be a JSON object.')
  }
  record.isJson = text.length <= KEPT_MAX
  return sent
}

const isEmptyArray = (value: unknown) => Array.isArray(value) && value.length === 0

function assertJsonType(type: string | undefined, isExact: boolean): void {
  if (type !== undefined && (isExact ? PLAIN_TYPE : JSON_TYPE).test(type)) return
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

/**
 * Reads a body up to the limit and discards the rest, so that the connection stays usable. Hono would
 * copy the bytes once more.
 */
async function readIncoming(incoming: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { bodyMax = BODY_MAX } = limits
  const pieces: Buffer[] = []
  let length = 0
  const isWhole = await new Promise<boolean>((resolve) => {
    incoming.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= bodyMax) pieces.push(piece)
      else pieces.length = 0
      if (length <= bodyMax + DISCARDED_MAX) return
      incoming.pause()
      resolve(true)
    })
    incoming.on('end', () => resolve(true))
    incoming.on('error', () => resolve(false))
    incoming.on('close', () => resolve(false))
    if (incoming.destroyed) resolve(false)
  })
  if (!isWhole) failIncomplete()
  if (length > bodyMax) throw tooLong(limits)
  return Buffer.concat(pieces)
}

/** Most bytes of an overlong body that are read past. */
const DISCARDED_MAX = 64 * 1024 * 1024

function tooLong({ bodyMax = BODY_MAX, bodyHint: hint }: BodyLimits): HttpError {
  return new HttpError(413, 'body', `The body may have at most ${bodyMax} bytes.`, { hint })
}

/** A header by its name in lower case, from Node, which is faster than Hono here. */
export function headerOf({ env, req }: Context<Env>, name: string): string | undefined {
  if (env.socket === undefined) return req.header(name)
  const value = env.socket.incoming.headers[name]
  return typeof value === 'string' ? value : undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes a body. JSON is UTF-8; other encodings would silently lose letters. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new DomainError('invalid', 'The body is not UTF-8, as JSON must be.', { field: 'body' })
  }
}
