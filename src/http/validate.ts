import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import type * as z from 'zod'
import { Refusal } from '../world/errors.ts'
import type { World } from '../world/world.ts'
import type { Env } from './doors.ts'
import { describeUnknown, NOTES_MAX } from './explain/names.ts'
import { isNestedDeeper, NESTING_MAX, parsePrintable } from './nesting.ts'
import type { Operation } from './operation.ts'
import { toProblems } from './problems.ts'
import { note, type RequestRecord } from './requests.ts'
import { HttpRefusal } from './status.ts'

/** Longest body of most operations, in bytes. */
export const BODY_MAX = 1024 * 1024

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

interface Validators {
  query?: Check
  /** The body is parsed before, so that its form can be refused in words of our own. */
  body?: z.ZodType
}
type Check = ReturnType<typeof zValidator<z.ZodType, 'query', Env, string>>

/** Built on first use: most processes call few operations, and a schema costs a while to build. */
const validators = new Map<Operation, Validators>()

/** The query and body of a request as the operation's schemas describe them, or a refusal. */
export async function readInput(
  operation: Operation,
  c: Context<Env>,
  { world, record }: { world: World; record: RequestRecord },
) {
  const input: { query: unknown; body: unknown } = { query: undefined, body: undefined }
  const { query, body } = validatorsOf(operation)
  if (query) {
    await query(c as never, nothing).catch((error) => keepStrayBody(operation, c, record, error))
    input.query = c.req.valid('query' as never)
  }
  if (body) {
    const sent = await readBody(operation, c, record)
    const parsed = body.safeParse(sent)
    if (!parsed.success) throw Refusal.ofMany(toProblems(parsed.error.issues, 'json', sent))
    input.body = parsed.data
    noteUnknownFields(operation, record, { world, sent, parsed: input.body })
  }
  return input
}

const nothing = async () => {}

/** What is missing in the query may have come in a body that nobody asked for. */
async function keepStrayBody(
  { body, dialect }: Operation,
  c: Context<Env>,
  record: RequestRecord,
  error: unknown,
): Promise<never> {
  const isShort = Number(c.req.header('content-length') ?? 0) <= KEPT_MAX
  const isWhole = c.req.header('transfer-encoding') === undefined
  if (!body && dialect.journalled && isShort && isWhole && c.req.method !== 'GET') {
    const text = await c.req.text()
    const isKept = text.length <= KEPT_MAX
    if (text !== '') record.body = (isKept ? parsePrintable(text) : undefined) ?? toKept(text)
    record.bodyLength = Math.min(text.length, KEPT_MAX)
  }
  throw error
}

function validatorsOf(operation: Operation): Validators {
  const made = validators.get(operation)
  if (made) return made
  const built: Validators = {}
  if (operation.query) built.query = checkOf(operation.query())
  if (operation.body) built.body = operation.body()
  validators.set(operation, built)
  return built
}

function checkOf(schema: z.ZodType): Check {
  return zValidator('query', schema, function refuseIssues(result) {
    if (!result.success) throw Refusal.ofMany(toProblems(result.error.issues, 'query', result.data))
  }) as unknown as Check
}

/** Refuses what is not JSON, or too long, before anything looks into it. */
async function readBody(operation: Operation, c: Context<Env>, record: RequestRecord) {
  const type = c.req.header('content-type')
  const bodyMax = operation.bodyMax ?? BODY_MAX
  if (Number(c.req.header('content-length') ?? 0) > bodyMax) throw tooLong(bodyMax)
  if (c.req.header('transfer-encoding') !== undefined) await limitStream(c, bodyMax)
  const text = await readText(operation, c)
  // A character takes at most three bytes, so most bodies need no counting.
  if (text.length * 3 > bodyMax && Buffer.byteLength(text) > bodyMax) throw tooLong(bodyMax)
  record.body = toKept(text)
  record.bodyLength = Math.min(text.length, KEPT_MAX)
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new HttpRefusal(
      415,
      'content-type',
      `Send the body as JSON with the header Content-Type: application/json${type ? `, not ${type}` : ''}.`,
    )
  }
  const sent = parse(text)
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) {
    throw new Refusal('invalid', 'body', 'The body must be a JSON object.')
  }
  if (isNestedDeeper(sent, NESTING_MAX)) {
    throw new Refusal('invalid', 'body', `The body may be nested at most ${NESTING_MAX} deep.`)
  }
  if (text.length <= KEPT_MAX) record.body = sent
  return sent
}

/** A control call that has nothing to say may leave its body out. */
async function readText({ dialect }: Operation, c: Context<Env>): Promise<string> {
  const text = await c.req.text()
  if (text !== '' || dialect.name !== 'control') return text
  keepText(c, '{}')
  return '{}'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = text === '' ? 'The body is empty; send JSON.' : `The body is not JSON: ${why}.`
    throw new Refusal('invalid', 'body', message)
  }
}

/** Longest body that the request journal keeps whole, in characters. */
const KEPT_MAX = 64 * 1024

/** The beginning of a long body, as a copy: a slice would keep the whole alive. */
function toKept(text: string): string {
  if (text.length <= KEPT_MAX) return text
  const beginning = Buffer.from(text.slice(0, KEPT_MAX)).toString()
  return `${beginning}… (${text.length} characters)`
}

/** A stream of unknown length is kept only as far as the limit, where Hono looks for it. */
async function limitStream(c: Context<Env>, bodyMax: number) {
  const reader = c.req.raw.body?.getReader()
  if (reader === undefined) return
  const chunks: Uint8Array[] = []
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    chunks.push(read.value)
    if (length <= bodyMax) continue
    discard(reader).catch(() => {})
    throw tooLong(bodyMax)
  }
  keepText(c, new TextDecoder().decode(Buffer.concat(chunks)))
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

/** Hono keeps a promise where its types say text. */
function keepText(c: Context<Env>, text: string): void {
  c.req.bodyCache.text = Promise.resolve(text) as unknown as string
}

function tooLong(bodyMax: number): HttpRefusal {
  return new HttpRefusal(413, 'body', `The body may have at most ${bodyMax} bytes.`)
}

/** Fields the contract does not name are ignored or refused, and told to whoever reads the journal. */
function noteUnknownFields(
  operation: Operation,
  record: RequestRecord,
  { world, sent, parsed }: { world: World; sent: object; parsed: unknown },
) {
  if (operation.dialect.name !== 'v2') return
  const unknown = findUnknownFields(sent, parsed as object)
  if (unknown.length === 0) return
  // Each is compared with every name there is, so only as many are told as are kept.
  const problems = unknown.slice(0, NOTES_MAX).map((field) => {
    return { field, message: describeUnknown(field, operation) }
  })
  if (world.policy['requests.unknownFields'] === 'refuse') throw Refusal.ofMany(problems)
  for (const { message } of problems) note(record, message)
}

function findUnknownFields(sent: object, parsed: object, prefix = ''): string[] {
  const unknown: string[] = []
  for (const [name, value] of Object.entries(sent)) {
    const inner = (parsed as Record<string, unknown>)[name]
    if (!Object.hasOwn(parsed, name)) unknown.push(prefix + name)
    else if (isObject(inner)) {
      // One by one: as arguments of one call, a hundred thousand would end the stack.
      for (const field of findUnknownFields(value, inner, `${prefix}${name}.`)) unknown.push(field)
    }
  }
  return unknown
}

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
