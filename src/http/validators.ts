import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type * as z from 'zod'
import { assertNoProblems, DomainError, messageOf, type Problem } from '../world/domain-error.ts'
import { isRefused } from '../world/settings/errors.ts'
import type { World } from '../world/world.ts'
import { parseFilled, toDomainError, type ZodIssues } from '../world/zod-problems.ts'
import { namesOf, toUnknownField } from './hints.ts'
import type { Env, Operation, RunningCall } from './operation.ts'
import { type OperationDescription, schemaOf } from './operation-description.ts'
import { readJsonText } from './request.ts'

/** Most unknown fields that are noted; each is compared with every known name. */
const UNKNOWN_FIELDS_MAX = 20

/** Middleware that validates the query and the body by the schemas of an operation. */
export function validatorsOf(operation: Operation): MiddlewareHandler<Env>[] {
  const { query, body } = operation
  return [
    ...(query ? [atFirstCall(() => validateQuery(schemaOf(query)))] : []),
    ...(body ? [atFirstCall(() => validateBody(schemaOf(body)))] : []),
  ]
}

/** Makes a validator at its first call, because schemas are slow to build and most processes need few. */
function atFirstCall(make: () => MiddlewareHandler<Env>): MiddlewareHandler<Env> {
  let made: MiddlewareHandler<Env> | undefined
  return (c, next) => {
    made ??= make()
    return made(c, next)
  }
}

const validateQuery = (schema: z.ZodType): MiddlewareHandler<Env> =>
  zValidator(
    'query',
    schema,
    (result) => {
      if (!result.success) throw toDomainError(result.error, result.data, 'query')
    },
    { validationFunction: (_, sent) => parseFilled(schema, sent, 'query') },
  )

/** A valid body, and all of what was sent. */
export interface ValidBody {
  body: object
  sent: object
}

function validateBody(schema: z.ZodType): MiddlewareHandler<Env> {
  const validate: MiddlewareHandler<Env> = zValidator(
    'json',
    schema,
    (result, c) => {
      const call = c.get('call')
      if (!result.success) throw toBodyError(call, result.error, result.data as object)
      checkUnknownFields(call, result.data as ValidBody)
    },
    { validationFunction: (_, json) => parseObject(schema, json) },
  )
  return (c, next) =>
    Promise.resolve(c.get('call').bytes).then((bytes) => {
      leaveText(c, bytes)
      return validate(c, next)
    })
}

/** Leaves the text where the validator looks for it; by itself it would take a body of any media type. */
function leaveText(c: Context<Env>, bytes: Buffer | undefined): void {
  const call = c.get('call')
  const text = readJsonText(call, bytes)
  // A control call without options may leave its body out; PHP writes an empty object as [].
  const isEmpty = !call.operation.dialect.isContract && /^(\s*\[\s*\]\s*)?$/.test(text)
  Object.assign(c.req.bodyCache, { text: Promise.resolve(isEmpty ? '{}' : text) })
}

function parseObject(schema: z.ZodType, sent: unknown): z.ZodSafeParseResult<unknown> {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) {
    throw new DomainError('malformed-json', 'The body must be a JSON object.')
  }
  const result = parseFilled(schema, sent, 'body')
  return result.success ? { success: true, data: { body: result.data, sent } } : result
}

function toBodyError(call: RunningCall, issues: ZodIssues, sent: object): DomainError {
  const { operation, record, world } = call
  const { body } = namesOf(operation)
  const unknown = Object.keys(sent).filter((name) => !body.includes(name))
  noteUnknownFields({ operation, record }, sent, unknown)
  return withOtherProblems(operation, { error: toDomainError(issues, sent, 'body'), sent, world })
}

function checkUnknownFields({ operation, record, world }: RunningCall, valid: ValidBody): void {
  if (!operation.dialect.isContract) return
  const unknown = findUnknownFields(valid.sent, valid.body)
  const problems = noteUnknownFields({ operation, record }, valid.sent, unknown)
  const { checksUnknownFields = operation.dialect.checksUnknownFields } = operation
  const isStrict = checksUnknownFields && isRefused(world.settings, 'unknown-field')
  if (isStrict) assertNoProblems(problems, { code: 'unknown-field' })
}

/** Says what is wrong with a body of which the validator only says that it is not JSON. */
export async function explainMalformed(thrown: unknown, c: Context<Env>): Promise<unknown> {
  if (!(thrown instanceof HTTPException)) return thrown
  const text = await c.req.text()
  if (text === '') return new DomainError('malformed-json', 'The body is empty; send JSON.')
  try {
    JSON.parse(text)
  } catch (error) {
    return new DomainError('malformed-json', `The body is not JSON: ${messageOf(error)}.`)
  }
  return new DomainError('malformed-json', 'The body is not JSON.')
}

/** Adds the problems of the readable fields, so that one response names everything. */
function withOtherProblems(
  operation: OperationDescription,
  { error, sent, world }: { error: DomainError; sent: object; world: World },
): DomainError {
  if (operation.findProblems === undefined) return error
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
  { operation, record }: Pick<RunningCall, 'operation' | 'record'>,
  sent: object,
  fields: readonly string[],
): Problem[] {
  if (!operation.dialect.isContract) return []
  const { body } = namesOf(operation)
  const given = Object.keys(sent)
  const problems = fields
    .slice(0, UNKNOWN_FIELDS_MAX)
    .map((field) => toUnknownField(field, body, { given }))
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
