import type { Context } from 'hono'
import type * as z from 'zod'
import type { CallRecord } from '../engine/request-journal.ts'
import { parseWith } from '../fixture/zod-problems.ts'
import { DomainError, type Problem } from '../world/domain-error.ts'
import { isRefused } from '../world/settings/errors.ts'
import { shortenAndCount } from '../world/shorten.ts'
import type { World } from '../world/world.ts'
import { headerOf } from './headers.ts'
import { namesOf, toUnknownField } from './hints/fields.ts'
import type { OperationDescription } from './operation-description.ts'
import {
  assertNotEncoded,
  fromCaller,
  isPrintable,
  KEPT_MAX,
  parseBody,
  readText,
} from './request-body.ts'
import type { Env } from './services.ts'

interface Input {
  query: unknown
  body: unknown
}

interface CallState {
  world: World
  record: CallRecord
}

/** Unknown fields that are noted: each is compared with every name there is. */
const UNKNOWN_FIELDS_MAX = 20

/** The query and the body of a request, as the operation's schemas describe them. */
export async function readInput(
  operation: OperationDescription,
  c: Context<Env>,
  call: CallState,
): Promise<Input> {
  const { query, body } = schemasOf(operation)
  if (body) assertNotEncoded(c)
  const isRead = body && !operation.readsBody
  return {
    query: query && (await readQuery(operation, c, { schema: query, record: call.record })),
    body:
      isRead && readBody(operation, c, { text: await readText(operation, c), schema: body, call }),
  }
}

async function readQuery(
  operation: OperationDescription,
  c: Context<Env>,
  { schema, record }: { schema: z.ZodType; record: CallRecord },
): Promise<unknown> {
  const sent = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ])
  try {
    return parseWith(schema, Object.fromEntries(sent), 'query')
  } catch (error) {
    await keepStrayBody(operation, c, record)
    throw error
  }
}

/** What the query lacks may have been sent in a body that the operation does not take. */
async function keepStrayBody(
  { body, dialect }: OperationDescription,
  c: Context<Env>,
  record: CallRecord,
): Promise<void> {
  if (body || !dialect.journalled || c.req.method === 'GET') return
  const isShort = Number(headerOf(c, 'content-length') ?? 0) <= KEPT_MAX
  if (!isShort || headerOf(c, 'transfer-encoding') !== undefined) return
  const text = await fromCaller(c.req.text())
  if (text !== '') record.sent = shortenAndCount(text, KEPT_MAX)
  record.isJson = text.length <= KEPT_MAX && isPrintable(text)
}

function readBody(
  operation: OperationDescription,
  c: Context<Env>,
  { text, schema, call }: { text: string; schema: z.ZodType; call: CallState },
): unknown {
  const type = headerOf(c, 'content-type')
  const body = parseBody(operation, { text, type, record: call.record })
  const sent = operation.dialect.journalled ? readNulls(body, call.world) : body
  let parsed: unknown
  try {
    parsed = parseWith(schema, sent, 'body')
  } catch (error) {
    const { body } = namesOf(operation)
    const unknown = Object.keys(sent).filter((name) => !body.includes(name))
    noteUnknownFields(operation, call.record, unknown)
    throw withOtherProblems(operation, { error, sent, world: call.world })
  }
  const unknown = findUnknownFields(sent, parsed as object)
  const problems = noteUnknownFields(operation, call.record, unknown)
  const { checksUnknownFields } = operation.dialect
  const isStrict = checksUnknownFields && isRefused(call.world.settings, 'unknown-field')
  if (isStrict && problems.length > 0) {
    throw DomainError.ofMany(problems, { code: 'unknown-field' })
  }
  return parsed
}

/** A body without its nulls: they leave fields out, or a setting refuses them. */
function readNulls(body: object, { settings }: World): object {
  if (settings['requests.null'] === 'absent') return withoutNulls(body)
  const problems = findNulls(body).map((field) => ({
    field,
    message: `${field} must not be null.`,
  }))
  if (problems.length > 0) throw DomainError.ofMany(problems)
  return body
}

function withoutNulls<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutNulls(inner)])) as Value
}

function findNulls(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (inner === null) return [prefix + name]
    return typeof inner === 'object' ? findNulls(inner, `${prefix}${name}.`) : []
  })
}

/** What else is wrong, in the fields that could be read: one answer names everything. */
function withOtherProblems(
  operation: OperationDescription,
  { error, sent, world }: { error: unknown; sent: object; world: World },
): unknown {
  if (operation.findProblems === undefined || !(error instanceof DomainError)) return error
  const unreadable = new Set(error.problems.map(topOf))
  const { body } = namesOf(operation)
  const readable = Object.entries(sent).filter(
    ([name]) => body.includes(name) && !unreadable.has(name),
  )
  const others = operation
    .findProblems(world, Object.fromEntries(readable))
    .filter((problem) => !unreadable.has(topOf(problem)))
  return DomainError.ofMany([...error.problems, ...others])
}

const topOf = ({ field }: Problem) => field.split('.')[0]

/** Fields that the contract does not name are ignored; the journal says so. */
function noteUnknownFields(
  operation: OperationDescription,
  record: CallRecord,
  fields: readonly string[],
): Problem[] {
  if (!operation.dialect.journalled) return []
  const problems = fields
    .slice(0, UNKNOWN_FIELDS_MAX)
    .map((field) => toUnknownField(field, namesOf(operation).body))
  for (const { message } of problems) record.note(message)
  return problems
}

function findUnknownFields(sent: object, parsed: object, prefix = ''): string[] {
  const unknown: string[] = []
  for (const name of Object.keys(sent)) {
    const inner = (parsed as Record<string, unknown>)[name]
    if (!Object.hasOwn(parsed, name)) {
      unknown.push(prefix + name)
    } else if (inner !== null && typeof inner === 'object' && !Array.isArray(inner)) {
      const outer = (sent as Record<string, object>)[name] ?? {}
      // One by one: as arguments of one call, a hundred thousand would overflow the stack.
      for (const field of findUnknownFields(outer, inner, `${prefix}${name}.`)) unknown.push(field)
    }
  }
  return unknown
}

const schemas = new WeakMap<OperationDescription, { query?: z.ZodType; body?: z.ZodType }>()

/** Built on first use: most processes call few operations, and a schema takes a while to build. */
function schemasOf(operation: OperationDescription): { query?: z.ZodType; body?: z.ZodType } {
  const known = schemas.get(operation)
  if (known) return known
  const { query, body } = operation
  const built = { ...(query && { query: query() }), ...(body && { body: body() }) }
  schemas.set(operation, built)
  return built
}
