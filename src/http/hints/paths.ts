import type { DomainErrorDetail } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import type { Dialect } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'

/** Routes that a hint names. */
const NEAREST_MAX = 3
/** Words of a path that are compared; no route has as many. */
const WORDS_MAX = 20
/** Longest path that hints are looked for: no route is as long, and comparing takes a while. */
const PATH_LENGTH_MAX = 500
/** How alike a route must be to be named. */
const LIKENESS_MIN = 0.3

export interface LostCall {
  method: string
  path: string
  operations: readonly OperationDescription[]
  /** That the path would have been answered in. */
  dialect: Dialect
}

/** The routes that an unknown path was probably meant for. */
export function suggestPath(call: LostCall): DomainErrorDetail {
  const { path, dialect } = call
  const rule = VERSION.test(path) ? 'Versioning: 1' : 'Endpoints'
  if (path.length > PATH_LENGTH_MAX) return { rule, hint: 'No route is as long.' }
  // The control API is no answer to a path of the contract.
  const operations = call.operations.filter(
    (operation) => operation.dialect.journalled === dialect.journalled,
  )
  const meant = findMeant(call, operations)
  if (meant) return { rule, ...describeMeant(meant, path) }
  const near = findAlike(path, operations).map(routeOf)
  const [nearest] = near
  if (nearest === undefined) return { rule, hint: 'GET /llms.txt lists what there is.' }
  return { rule, nearest, hint: `The nearest routes are ${near.join(', ')}.` }
}

/** The operations whose pattern a path fits, segment by segment. */
export function findFitting(
  operations: readonly OperationDescription[],
  path: string,
  toPattern = (pattern: string) => pattern,
): OperationDescription[] {
  const actual = path.split('/')
  return operations.filter((operation) => {
    const expected = toPattern(operation.path).split('/')
    return (
      expected.length === actual.length &&
      expected.every((name, i) => name === actual[i] || (name.startsWith(':') && actual[i] !== ''))
    )
  })
}

const VERSION = /^\/v\d+(?=\/|$)/

const versionOf = (path: string) => VERSION.exec(path.toLowerCase())?.[0]

/** The route that a path fits but for its version, its case or its slashes. */
function findMeant(
  { path, method }: LostCall,
  operations: readonly OperationDescription[],
): OperationDescription | undefined {
  const fitting = findFitting(operations, toPlain(path), toPlain)
  const ofMethod = fitting.filter((operation) => operation.method === method)
  return (
    ofMethod.find((operation) => versionOf(operation.path) === versionOf(path)) ??
    ofMethod[0] ??
    fitting[0]
  )
}

function toPlain(path: string): string {
  const plain = path.toLowerCase().replace(/\/{2,}/g, '/')
  return plain.replace(VERSION, '').replace(/(?<=.)\/$/, '')
}

function describeMeant(meant: OperationDescription, path: string): DomainErrorDetail {
  const { successor, method } = meant
  if (successor !== undefined && /^\/v[2-9]/i.test(path)) {
    return { hint: `${routeOf(meant)} of v1 is now ${successor}.`, nearest: successor }
  }
  return { hint: `The path is ${meant.path}.`, nearest: `${method} ${fill(meant.path, path)}` }
}

/** The route with the ids of the path in it, in the case that they were sent in. */
function fill(pattern: string, path: string): string {
  const actual = path.split('/').filter(Boolean).reverse()
  const names = pattern.split('/').filter(Boolean).reverse()
  const filled = names.map((name, i) => (name.startsWith(':') ? actual[i] : name))
  return `/${filled.reverse().join('/')}`
}

/** Routes that share the most words with a path, even where a prefix was left out. */
function findAlike(
  path: string,
  operations: readonly OperationDescription[],
): OperationDescription[] {
  const known = [...new Set(operations.flatMap((operation) => wordsOf(operation.path)))]
  const spelt = wordsOf(path)
    .slice(0, WORDS_MAX)
    .map((word) => (known.includes(word) ? word : (findNearest(word, known) ?? word)))
  const words = new Set(spelt)
  return operations
    .map((operation) => ({ operation, likeness: likenessOf(wordsOf(operation.path), words) }))
    .filter(({ likeness }) => likeness > LIKENESS_MIN)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, NEAREST_MAX)
    .map(({ operation }) => operation)
}

/** `/v2/auth/login-codes` and `/login_code` share two words; versions and ids do not count. */
const wordsOf = (path: string) =>
  path
    .replace(/:\w+|\bv\d+\b/g, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.replace(/s$/, ''))

function likenessOf(route: readonly string[], words: ReadonlySet<string>): number {
  const shared = route.filter((word) => words.has(word)).length
  return shared / Math.max(route.length, words.size)
}

const routeOf = ({ method, path }: OperationDescription) => `${method} ${path}`
