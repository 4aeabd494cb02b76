import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { CallRecord } from '../engine/request-journal.ts'
import { DomainError } from '../world/domain-error.ts'
import type { World } from '../world/world.ts'
import { KEPT_MAX, parseBody, readText, toKept } from './body.ts'
import { describeUnknown, NOTES_MAX } from './hints/names.ts'
import { parsePrintable } from './nesting.ts'
import type { Operation } from './operation.ts'
import { toProblems } from './problems.ts'
import type { Env } from './services.ts'

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
  { world, record }: { world: World; record: CallRecord },
) {
  const input: { query: unknown; body: unknown } = { query: undefined, body: undefined }
  const { query, body } = validatorsOf(operation)
  if (query) {
    await query(c as never, nothing).catch((error) => keepStrayBody(operation, c, record, error))
    input.query = c.req.valid('query' as never)
  }
  if (body) {
    const text = await readText(operation, c)
    const sent = parseBody(operation, { text, type: c.req.header('content-type'), record })
    const parsed = body.safeParse(sent)
    if (!parsed.success) throw DomainError.ofMany(toProblems(parsed.error.issues, 'json', sent))
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
  record: CallRecord,
  error: unknown,
): Promise<never> {
  const isShort = Number(c.req.header('content-length') ?? 0) <= KEPT_MAX
  const isWhole = c.req.header('transfer-encoding') === undefined
  if (!body && dialect.journalled && isShort && isWhole && c.req.method !== 'GET') {
    const text = await c.req.text()
    if (text !== '') record.sent = toKept(text)
    record.isJson = text.length <= KEPT_MAX && (parsePrintable(text) ?? null) !== null
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
    if (!result.success)
      throw DomainError.ofMany(toProblems(result.error.issues, 'query', result.data))
  }) as unknown as Check
}

/** Fields the contract does not name are ignored or refused, and told to whoever reads the journal. */
function noteUnknownFields(
  operation: Operation,
  record: CallRecord,
  { world, sent, parsed }: { world: World; sent: object; parsed: unknown },
) {
  if (operation.dialect.name !== 'v2') return
  const unknown = findUnknownFields(sent, parsed as object)
  if (unknown.length === 0) return
  // Each is compared with every name there is, so only as many are told as are kept.
  const problems = unknown.slice(0, NOTES_MAX).map((field) => {
    return { field, message: describeUnknown(field, operation) }
  })
  if (world.settings['requests.unknownFields'] === 'refuse') throw DomainError.ofMany(problems)
  for (const { message } of problems) record.note(message)
}

function findUnknownFields(sent: object, parsed: object, prefix = ''): string[] {
  const unknown: string[] = []
  for (const name of Object.keys(sent)) {
    const inner = (parsed as Record<string, unknown>)[name]
    if (!Object.hasOwn(parsed, name)) unknown.push(prefix + name)
    else if (isObject(inner)) {
      const outer = (sent as Record<string, object>)[name] ?? {}
      // One by one: as arguments of one call, a hundred thousand would end the stack.
      for (const field of findUnknownFields(outer, inner, `${prefix}${name}.`)) unknown.push(field)
    }
  }
  return unknown
}

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
