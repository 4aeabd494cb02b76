import type { Context } from 'hono'
import type { CallProblem } from '../engine/call-record.ts'
import type { DomainError, DomainErrorDetail, Problem } from '../world/domain-error.ts'
import { didYouMean, findNearest } from '../world/nearest.ts'
import { PROFILE_FIELD_NAMES, toV1Name } from '../world/profile.ts'
import { findError, NO_CATALOGUE } from '../world/settings/errors.ts'
import { shorten } from '../world/shorten.ts'
import { toVisible } from '../world/word-list.ts'
import type { Env } from './operation.ts'
import { type OperationDescription, schemasOf } from './operation-description.ts'
import { hintOf } from './remedies.ts'

/** Most problems of one call that get hints; a body may have thousands. */
const EXAMINED_MAX = 20
/** Most hints for one call; a request of a wholly different shape would fill pages. */
const HINTS_MAX = 5
/** Limits of what the journal keeps of one call: problems, and characters of each text. */
const PROBLEMS_MAX = 100
const TEXT_LENGTH_MAX = 500

interface RejectedCall {
  operation: OperationDescription | undefined
  c: Context<Env>
  /** The body is parsed once for all problems. */
  body: unknown
}

interface Hint {
  hint: string
  nearest?: string
}

/**
 * An error with what would have worked. The caller gets the response of the provider; this
 * goes into the request journal, for the person who has to make the call work.
 */
export function explainError(
  { message, problems, detail }: DomainError,
  code: string,
  call: RejectedCall,
): CallProblem {
  const hints = problems.slice(0, EXAMINED_MAX).map((problem) => findHint(problem, call))
  const kept = problems.slice(0, PROBLEMS_MAX).map((problem, index) => {
    const nearest = problem.nearest ?? hints[index]?.nearest
    return shortened({ field: problem.field, message: problem.message, nearest })
  })
  const found = [...findMiscoded(call.c), ...hints.flatMap((hint) => hint?.hint ?? [])].slice(
    0,
    HINTS_MAX,
  )
  const hint = inV1([...found, hintOf(detail)].filter(Boolean).join(' '), call) || undefined
  const nearest = detail.nearest ?? kept.find((problem) => problem.nearest)?.nearest
  const rule = detail.rule ?? placeOf(code, call)
  const shown = { ...detail, ...shortened({ rule, hint, nearest }) }
  return { code, message: shorten(message, TEXT_LENGTH_MAX), problems: kept, detail: shown }
}

/** Names the routes of v1 where a hint for one of its calls names those of v2. */
function inV1(hint: string, { operation, c }: RejectedCall): string {
  if (operation?.dialect.name !== 'v1') return hint
  const routes = c.env.control.operations.flatMap(({ dialect, method, path, successor = '' }) => {
    const [v2] = /^[A-Z]+ \/v2[^\s,?]*/.exec(successor) ?? []
    return dialect.name === 'v1' && v2 !== undefined ? [{ v2, v1: `${method} ${path}` }] : []
  })
  // The longest first, because one may begin with another.
  routes.sort((one, other) => other.v2.length - one.v2.length)
  return routes.reduce((text, { v2, v1 }) => text.replaceAll(v2, v1), hint)
}

/** The place of an error in the contract; that of the operation where the error has none. */
function placeOf(code: string, { operation }: RejectedCall): string {
  const { ref } = findError(code) ?? { ref: NO_CATALOGUE }
  return ref === NO_CATALOGUE ? (operation?.contract?.ref ?? 'Endpoints') : ref
}

/** Shortens the texts, and leaves out those that are undefined. */
function shortened<Texts extends Record<string, string | undefined>>(texts: Texts) {
  const entries = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, shorten(text, TEXT_LENGTH_MAX)]],
  )
  return Object.fromEntries(entries) as { [Name in keyof Texts]: NonNullable<Texts[Name]> }
}

function findHint(problem: Problem, call: RejectedCall): Hint | undefined {
  if (problem.field === 'x-api-key') return findKey(call)
  return problem.code === 'missing' ? findMisplaced(problem, call) : undefined
}

/** Finds an API key that was sent in another header, twice, or without a value. */
function findKey({ c }: RejectedCall): Hint | undefined {
  const headers = c.req.header()
  const key = headers['x-api-key']
  // No key has a space, and headers of one name are joined.
  if (key?.includes(', ')) return { hint: 'x-api-key was sent more than once; send it once.' }
  if (key && isNoValue(key)) {
    return { hint: `x-api-key is ${key}. Is the variable that holds it set?` }
  }
  if (key) return undefined
  if (key !== undefined) {
    return { hint: 'x-api-key is empty. Is the variable that holds it set?' }
  }
  const name = Object.keys(headers).find((sent) => toPlain(sent).endsWith('apikey'))
  if (name !== undefined) {
    return { hint: `You sent ${name}; the header is called x-api-key.`, nearest: 'x-api-key' }
  }
  if (headers.authorization === undefined) return undefined
  return {
    hint: 'The API key belongs in the x-api-key header; Authorization takes the access token of a user.',
  }
}

/** Texts that a missing value becomes in a string. */
const NO_VALUE = /^["'`]?(undefined|null|nil|none|nan|\[object \w+\])["'`]?$/i
/** The place of a value in a text that was never filled in. */
const UNFILLED = /^(\$\w+|\$?\{.*\}|<.*>|%\w+%)$/

export const isNoValue = (text: string): boolean => NO_VALUE.test(text) || UNFILLED.test(text)

/** Query parameters in which a + is read as a space, or that were encoded twice. */
function findMiscoded({ req }: Context<Env>): string[] {
  const query = req.url.split('?', 2)[1] ?? ''
  if (!/\+|%25/.test(query)) return []
  return query.split('&', EXAMINED_MAX).flatMap((part) => {
    const [name = '', value = ''] = part.split('=', 2)
    const [coded] = /%25[\da-f]{2}/i.exec(value) ?? []
    if (coded !== undefined) {
      return [`${name} was encoded twice: ${coded} is read as ${coded.replace('25', '')}.`]
    }
    return value.includes('+') ? [`In a query, + means a space; write %2B in ${name}.`] : []
  })
}

/** Notes what is wrong with the query of a call that succeeds. */
export function noteQuery(
  { c, operation }: { c: Context<Env>; operation: OperationDescription },
  record: { note(text: string): void },
): void {
  if (!c.req.url.includes('?')) return
  for (const mistake of findMiscoded(c)) record.note(mistake)
  const { query: own } = namesOf(operation)
  const names = operation.contract?.user === 'query' ? [...own, 'userId'] : own
  const sent = Object.keys(c.req.query())
  const unknown = sent.filter((name) => !names.includes(name))
  for (const name of unknown.slice(0, EXAMINED_MAX)) {
    record.note(toUnknownField(name, names, { given: sent, noun: 'a query parameter' }).message)
  }
}

/** A required field that was sent in the query instead of the body, or under another name. */
function findMisplaced({ field, place }: Problem, call: RejectedCall): Hint | undefined {
  const { operation, c, body } = call
  if (operation === undefined || (place !== 'query' && place !== 'body')) return undefined
  const query = c.req.query()
  const inQuery = Object.keys(query).find((name) => isSameName(name, field))
  if (place === 'body' && inQuery !== undefined) {
    const nearest = JSON.stringify({ [field]: query[inQuery] })
    return { hint: `You sent ${inQuery} in the query; it belongs in the body.`, nearest }
  }
  const names = namesOf(operation)[place]
  const fields = body !== null && typeof body === 'object' ? body : {}
  const sent = Object.keys(place === 'query' ? query : fields)
  const unknown = sent.filter((name) => !names.includes(name)).slice(0, EXAMINED_MAX)
  const meant = unknown.find((name) => findName(name, names) === field)
  if (meant === undefined) return undefined
  return { hint: `You sent ${meant}; the field is called ${field}.`, nearest: field }
}

/** Names that v2 changed by more than case (contract, Versioning: 3). */
const RENAMED: readonly (readonly [v1: string, v2: string])[] = [
  ...PROFILE_FIELD_NAMES.map((name) => [toV1Name(name), name] as const),
  ['login_code', 'code'],
]
/** Names by which other APIs page through a list. */
const PAGING: Readonly<Record<string, string>> = {
  page: 'offset',
  skip: 'offset',
  start: 'offset',
  cursor: 'offset',
  after: 'offset',
  perpage: 'limit',
  pagesize: 'limit',
  size: 'limit',
  count: 'limit',
}
/** Longer field names are cut, since a name may be as long as a body. */
const NAME_LENGTH_MAX = 200

export function namesOf(operation: OperationDescription) {
  const { query, body } = schemasOf(operation)
  return { query: namesIn(query), body: namesIn(body) }
}

const namesIn = (schema: object = {}): string[] =>
  'shape' in schema ? Object.keys(schema.shape ?? {}) : []

interface Unknown {
  /** All names that were sent: these were not meant. */
  given: readonly string[]
  noun?: string
}

/** A field that the operation does not know, with the name that was probably meant. */
export function toUnknownField(
  sent: string,
  names: readonly string[],
  { given, noun = 'a field' }: Unknown,
): Problem {
  const nearest = findName(sent, names)
  const meant = given.includes(nearest ?? '') ? undefined : nearest
  const field = shorten(sent, NAME_LENGTH_MAX)
  const message = `${toVisible(field)} is not ${noun} of this request`
  const problem = { field, code: 'unknown-field' } as const
  const whole = { ...problem, message: `${message}${didYouMean(meant)}` }
  return meant === undefined ? whole : { ...whole, nearest: meant }
}

/** Finds the name that was meant: other case, other version, or mistyped. */
const findName = (sent: string, names: readonly string[]): string | undefined =>
  names.find((name) => isSameName(sent, name) || PAGING[toPlain(sent)] === name) ??
  findNearest(sent, names)

/** `first_name`, `First-Name` and `firstName` are the same; so are names of v1 and of v2. */
const isSameName = (a: string, b: string): boolean =>
  toPlain(a) === toPlain(b) || RENAMED.some((pair) => pair.includes(a) && pair.includes(b))

const toPlain = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()

const VERSION = /^\/v\d+(?=\/|$)/i

interface LostCall {
  method: string
  path: string
  operations: readonly OperationDescription[]
  /** True for a path of the contract, false for one of the control API. */
  isContract: boolean
}

/** Says that there is no such route, and which one was probably meant. */
export function describeLost(call: LostCall): DomainErrorDetail & { message: string } {
  const { method, path } = call
  const rule = VERSION.test(path) ? 'Versioning: 1' : 'Endpoints'
  const lost = `There is no route ${method} ${path}`
  const meant = findMeant(call)
  if (meant === undefined) {
    const message =
      path === '/' ? 'This is the base URL; every route has a path below it.' : `${lost}.`
    return { message, rule, hint: 'GET /llms.txt gives an overview.' }
  }
  const route = `${meant.method} ${meant.path}`
  if (meant.successor !== undefined && /^\/v[2-9]/i.test(path)) {
    const message = `${lost}; v1’s ${route} is now ${meant.successor}.`
    return { message, rule, nearest: meant.successor }
  }
  const message = `${lost}; the nearest is ${route}.`
  return { message, rule, nearest: `${meant.method} ${fill(meant.path, path)}` }
}

/** The operations whose pattern a path fits, segment by segment. */
export function findFitting(
  operations: readonly OperationDescription[],
  path: string,
): OperationDescription[] {
  const actual = path.split('/')
  return operations.filter((operation) => {
    const expected = operation.path.split('/')
    return (
      expected.length === actual.length &&
      expected.every((name, i) => name === actual[i] || (name.startsWith(':') && actual[i] !== ''))
    )
  })
}

/** Finds the route most similar to a path, ignoring version, case, slashes and ids. */
function findMeant({ path, method, isContract, operations }: LostCall) {
  // A path of the contract is never meant for the control API.
  const routes = operations
    .filter((operation) => operation.dialect.isContract === isContract)
    .map((operation) => ({ operation, plain: toPlainPath(operation.path) }))
  const plain = toPlainPath(path)
  const names = [...new Set(routes.map((route) => route.plain))]
  const nearest = names.includes(plain) ? plain : findNearest(plain, names)
  const near = routes.flatMap((route) => (route.plain === nearest ? [route.operation] : []))
  const ofMethod = near.filter((operation) => operation.method === method)
  const version = versionOf(path)
  return ofMethod.find((route) => versionOf(route.path) === version) ?? ofMethod[0] ?? near[0]
}

const versionOf = (path: string) => VERSION.exec(path)?.[0].toLowerCase()

/** Normalizes a path for comparison. An id is a segment with a digit or an @, or a parameter. */
const toPlainPath = (path: string) =>
  path
    .replace(/\/{2,}/g, '/')
    .replace(VERSION, '')
    // What every route begins with must not make another one similar.
    .replace(/^\/_sandbox(?=\/)/, '')
    .replace(/\/(:|[^/]*[\d@])[^/]*/g, '/:')
    .replace(/(?<=.)\/$/, '')
    .toLowerCase()

/** Fills the ids of a path into a route, in the case in which they were sent. */
function fill(pattern: string, path: string): string {
  const actual = path.split('/').filter(Boolean).reverse()
  const names = pattern.split('/').filter(Boolean).reverse()
  const filled = names.map((name, i) => (name.startsWith(':') ? actual[i] : name))
  return `/${filled.reverse().join('/')}`
}
