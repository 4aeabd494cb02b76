import type { DomainErrorDetail } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import type { Dialect, Operation } from '../operation.ts'

const NEAREST_MAX = 3
/** Words of a path that are looked at; no route has as many. */
const WORDS_MAX = 20
/** How alike a route must be to be named. */
const LIKENESS_MIN = 0.3

export interface Lost {
  method: string
  path: string
  operations: readonly Operation[]
  /** In which the path would have been. */
  dialect: Dialect
}

/** The routes that a path without one was probably meant for. */
export function explainPath(lost: Lost): DomainErrorDetail {
  const { path } = lost
  const rule = path.startsWith('/v2') ? 'Versioning: 1' : 'Endpoints'
  const meant = findMeant(lost)
  if (meant.length > 0) return { rule, ...describe(lost, meant) }
  const near = findAlike(lost).map(routeOf)
  const [nearest] = near
  if (nearest === undefined) return { rule, hint: 'No route is near it.' }
  return { rule, nearest, hint: `The nearest routes are ${near.join(', ')}.` }
}

function describe({ path, method }: Lost, meant: readonly Operation[]): DomainErrorDetail {
  const best = meant.find((operation) => operation.method === method) ?? meant[0]
  if (best === undefined) return {}
  const { successor } = best
  if (successor !== undefined && path.startsWith('/v2')) {
    return { hint: `v1 has ${routeOf(best)}; in v2 that is ${successor}.`, nearest: successor }
  }
  return { hint: `The path is ${best.path}.`, nearest: `${best.method} ${fill(best.path, path)}` }
}

/** Routes that the path fits but for its version, its case or its slashes. */
function findMeant({ path, operations, dialect }: Lost): Operation[] {
  const plain = toPlain(path)
  const bare = plain.replace(/^\/v\d+(?=\/)/, '')
  const ways = new Set([plain, bare, `/v2${bare}`])
  return operations.filter(
    (operation) =>
      isOf(dialect, operation) && [...ways].some((way) => fits(toPlain(operation.path), way)),
  )
}

const toPlain = (path: string) =>
  path
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')

/** The route with the ids of the path in it, in the case that they were sent in. */
function fill(pattern: string, path: string): string {
  const given = path.split('/').filter(Boolean).reverse()
  const segments = pattern.split('/').filter(Boolean).reverse()
  const filled = segments.map((segment, i) => (segment.startsWith(':') ? given[i] : segment))
  return `/${filled.reverse().join('/')}`
}

/** Whether a path fits a route pattern, segment by segment. */
export function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every(
      (segment, i) => segment === given[i] || (segment.startsWith(':') && given[i] !== ''),
    )
  )
}

/** Routes that share the most words with a path, wherever a prefix was forgotten. */
function findAlike({ path, operations, dialect }: Lost): Operation[] {
  const own = operations.filter((operation) => isOf(dialect, operation))
  const known = [...new Set(own.flatMap((operation) => wordsOf(operation.path)))]
  const words = new Set(
    wordsOf(path)
      .slice(0, WORDS_MAX)
      .map((word) => toKnown(word, known)),
  )
  const scored = own
    .map((operation) => ({ operation, score: likeness(wordsOf(operation.path), words) }))
    .filter(({ score }) => score > LIKENESS_MIN)
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAREST_MAX)
    .map(({ operation }) => operation)
}

/** A mistyped word as the routes spell it. */
const toKnown = (word: string, known: readonly string[]) =>
  known.includes(word) ? word : (findNearest(word, known) ?? word)

/** `/v2/auth/login-codes` and `/login_code` share two words; versions and ids are none. */
const wordsOf = (path: string) =>
  path
    .replace(/:\w+|\bv\d+\b/g, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.replace(/s$/, ''))

function likeness(route: readonly string[], words: ReadonlySet<string>): number {
  const shared = route.filter((word) => words.has(word)).length
  return shared / Math.max(route.length, words.size)
}

/** The control API is no answer to a path of the contract. */
const isOf = (dialect: Dialect, operation: Operation) =>
  (operation.dialect.name === 'control') === (dialect.name === 'control')

const routeOf = ({ method, path }: Operation) => `${method} ${path}`
