import type { Context } from 'hono'
import type { CallProblem, CallRecord } from '../../engine/request-journal.ts'
import type { DomainError, Problem } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import { findError, NO_CATALOGUE } from '../../world/settings/errors.ts'
import { shorten } from '../../world/shorten.ts'
import type { OperationDescription } from '../operation-description.ts'
import type { Env } from '../services.ts'
import { findName, isSameName, namesOf, toPlain } from './fields.ts'

/** Problems of one call that are looked into: a body may have thousands. */
const EXAMINED_MAX = 20
/** Hints of one call; a request of another shape altogether would fill pages. */
const HINTS_MAX = 5
/** What the journal keeps of one call: problems, and characters of each text. */
const PROBLEMS_MAX = 100
const TEXT_LENGTH_MAX = 500

/** A call that ended with an error, as hints look at it. */
interface RejectedCall {
  /** None where no operation has the path. */
  operation: OperationDescription | undefined
  c: Context<Env>
  record: CallRecord
  /** The record's, parsed once for all problems. */
  body: unknown
}

interface Hint {
  hint: string
  nearest?: string
}

/**
 * An error with what would have worked. The caller is answered as the provider would answer; this
 * goes into the request journal, for the person who has to make the call work.
 */
export function explainError(error: DomainError, code: string, call: RejectedCall): CallProblem {
  try {
    return explain(error, code, { call, hints: findHints(error, call) })
  } catch (bug) {
    // A bug here must not change the response, which does not depend on it.
    console.error(bug)
    return explain(error, code, { call, hints: [] })
  }
}

function explain(
  { message, problems, detail }: DomainError,
  code: string,
  { call, hints }: { call: RejectedCall; hints: readonly (Hint | undefined)[] },
): CallProblem {
  const kept = problems.slice(0, PROBLEMS_MAX).map((problem, index) => {
    const nearest = problem.nearest ?? hints[index]?.nearest
    return shortened({ field: problem.field, message: problem.message, nearest })
  })
  const found = hints.flatMap((hint) => hint?.hint ?? []).slice(0, HINTS_MAX)
  const hint = [...found, detail.hint ?? []].flat().join(' ') || undefined
  const nearest = detail.nearest ?? kept.find((problem) => problem.nearest)?.nearest
  const rule = detail.rule ?? placeOf(code, call)
  const shown = { ...detail, ...shortened({ rule, hint, nearest }) }
  return { code, message: shorten(message, TEXT_LENGTH_MAX), problems: kept, detail: shown }
}

/** The place of the operation in the contract, where that of the error says only that it is open. */
function placeOf(code: string, { operation }: RejectedCall): string {
  const { ref } = findError(code) ?? { ref: NO_CATALOGUE }
  return ref === NO_CATALOGUE ? (operation?.ref ?? 'Endpoints') : ref
}

/** Without the fields that are undefined. */
function shortened<Texts extends Record<string, string | undefined>>(texts: Texts) {
  const entries = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, shorten(text, TEXT_LENGTH_MAX)]],
  )
  return Object.fromEntries(entries) as { [Name in keyof Texts]: NonNullable<Texts[Name]> }
}

function findHints({ problems }: DomainError, call: RejectedCall): (Hint | undefined)[] {
  return problems.slice(0, EXAMINED_MAX).map((problem) => {
    if (problem.field === 'x-api-key') return findKey(call)
    if (problem.code === 'missing') return findMisplaced(problem, call)
    const isValue = problem.code === 'wrong-type' || problem.code === 'wrong-value'
    return isValue ? findValue(problem, call) : undefined
  })
}

/** An API key that was sent in another header. */
function findKey({ c }: RejectedCall): Hint | undefined {
  const headers = c.req.header()
  if (headers['x-api-key']) return undefined
  const name = Object.keys(headers).find((sent) => toPlain(sent).endsWith('apikey'))
  if (name !== undefined) {
    return { hint: `${name} was sent; its name is x-api-key.`, nearest: 'x-api-key' }
  }
  if (headers.authorization === undefined) return undefined
  return { hint: 'Authorization takes the access token of a user, not the API key.' }
}

/** A required field that was sent in the query instead of the body, or under another name. */
function findMisplaced({ field, place }: Problem, call: RejectedCall): Hint | undefined {
  const { operation, c, body } = call
  if (operation === undefined || (place !== 'query' && place !== 'body')) return undefined
  const query = c.req.query()
  const inQuery = Object.keys(query).find((name) => isSameName(name, field))
  if (place === 'body' && inQuery !== undefined) {
    const nearest = JSON.stringify({ [field]: query[inQuery] })
    return { hint: `${inQuery} was sent in the query; it belongs in the body.`, nearest }
  }
  const names = namesOf(operation)[place]
  const isObject = body !== null && typeof body === 'object'
  const sent = Object.keys(place === 'query' ? query : isObject ? body : {})
  const unknown = sent.filter((name) => !names.includes(name)).slice(0, EXAMINED_MAX)
  const meant = unknown.find((name) => findName(name, names) === field)
  if (meant === undefined) return undefined
  return { hint: `${meant} was sent; its name is ${field}.`, nearest: field }
}

/** A value of the wrong type, or one that is not in the list, as it was probably meant. */
function findValue(problem: Problem, { body, c }: RejectedCall): Hint | undefined {
  const { field, code, expected = [] } = problem
  const value = valueAt(body, field) ?? c.req.query(field)
  const nearest = code === 'wrong-type' ? toType(value, expected[0]) : toListed(value, expected)
  if (nearest === undefined) return undefined
  const text = JSON.stringify(nearest)
  return { hint: `Send ${field} as ${text}.`, nearest: text }
}

function toType(value: unknown, type: string | undefined) {
  if (type === 'string' && typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  const isNumber = type === 'number' || type === 'int'
  return isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : undefined
}

function toListed(value: unknown, values: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined
  return values.find((known) => toPlain(known) === toPlain(value)) ?? findNearest(value, values)
}

/** The value under a path such as `corporation_base64_url.0.type`. */
function valueAt(sent: unknown, path: string): unknown {
  let value = sent
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
