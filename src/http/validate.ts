import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as z from 'zod'
import { Refusal } from '../world/errors.ts'
import type { World } from '../world/world.ts'
import type { Env } from './doors.ts'
import type { Operation } from './operation.ts'
import { toProblems } from './problems.ts'
import { note, type RequestRecord } from './requests.ts'
import { HttpRefusal } from './status.ts'

/** Longest body of most operations, in bytes. */
export const BODY_MAX = 1024 * 1024

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

interface Validators {
  query?: Check
  body?: Check
}
type Check = ReturnType<typeof zValidator<z.ZodType, 'json' | 'query', Env, string>>

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
    await query(c as never, nothing)
    input.query = c.req.valid('query' as never)
  }
  if (body) {
    await readBody(operation, c, record)
    await body(c as never, nothing)
    input.body = c.req.valid('json' as never)
    noteUnknownFields(operation, record, { world, parsed: input.body })
  }
  return input
}

const nothing = async () => {}

function validatorsOf(operation: Operation): Validators {
  const made = validators.get(operation)
  if (made) return made
  const built: Validators = {}
  if (operation.query) built.query = checkOf('query', operation.query())
  if (operation.body) built.body = checkOf('json', operation.body())
  validators.set(operation, built)
  return built
}

function checkOf(target: 'json' | 'query', schema: z.ZodType): Check {
  return zValidator(target, schema, function refuseIssues(result) {
    if (!result.success) throw Refusal.ofMany(toProblems(result.error.issues, target, result.data))
  }) as unknown as Check
}

/** Refuses what is not JSON, or too long, before anything looks into it. */
async function readBody(operation: Operation, c: Context<Env>, record: RequestRecord) {
  const type = c.req.header('content-type')
  const bodyMax = operation.bodyMax ?? BODY_MAX
  if (Number(c.req.header('content-length') ?? 0) > bodyMax) throw tooLong(bodyMax)
  if (c.req.header('transfer-encoding') !== undefined) await limitStream(c, bodyMax)
  const text = await c.req.text()
  if (text.length > bodyMax) throw tooLong(bodyMax)
  record.body = text
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new HttpRefusal(
      415,
      'content-type',
      `Send the body as JSON with the header Content-Type: application/json${type ? `, not ${type}` : ''}.`,
    )
  }
  try {
    record.body = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = text === '' ? 'The body is empty; send JSON.' : `The body is not JSON: ${why}.`
    throw new Refusal('invalid', 'body', message)
  }
  if (record.body === null || typeof record.body !== 'object' || Array.isArray(record.body)) {
    throw new Refusal('invalid', 'body', 'The body must be a JSON object.')
  }
}

/** A stream of unknown length is read only as far as the limit. */
async function limitStream(c: Context<Env>, bodyMax: number) {
  const refuse = () => {
    throw tooLong(bodyMax)
  }
  await bodyLimit({ maxSize: bodyMax, onError: refuse })(c, nothing)
}

function tooLong(bodyMax: number): HttpRefusal {
  return new HttpRefusal(413, 'body', `The body may have at most ${bodyMax} bytes.`)
}

/** Fields the contract does not name are ignored or refused, and told to whoever reads the journal. */
function noteUnknownFields(
  operation: Operation,
  record: RequestRecord,
  { world, parsed }: { world: World; parsed: unknown },
) {
  const sent = record.body as Record<string, unknown>
  const known = parsed as Record<string, unknown>
  const unknown = Object.keys(sent).filter((field) => !Object.hasOwn(known, field))
  if (unknown.length === 0 || operation.dialect.name !== 'v2') return
  const problems = unknown.map((field) => ({ field, message: unknownField(field) }))
  if (world.policy['requests.unknownFields'] === 'refuse') throw Refusal.ofMany(problems)
  for (const { message } of problems.slice(0, NOTES_MAX)) note(record, message)
}

const NOTES_MAX = 20

function unknownField(field: string): string {
  const renamed = RENAMED[field] ?? toCamelCase(field)
  const hint = renamed === field ? '' : `; v2 calls it ${renamed}`
  return `${field} is not a field of this request${hint}.`
}

/** The contract's examples of what v2 renamed (Versioning: 3). */
const RENAMED: Record<string, string> = {
  address1: 'addressLine1',
  address2: 'addressLine2',
  postal: 'postalCode',
}

const toCamelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
