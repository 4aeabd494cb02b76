import type { DomainErrorDetail } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import type { Dialect } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'

const VERSION = /^\/v\d+(?=\/|$)/i

export interface LostCall {
  method: string
  path: string
  operations: readonly OperationDescription[]
  /** That the path would have been answered in. */
  dialect: Dialect
}

/** The route that an unknown path was probably meant for. */
export function suggestPath(call: LostCall): DomainErrorDetail {
  const { path } = call
  const rule = VERSION.test(path) ? 'Versioning: 1' : 'Endpoints'
  const meant = findMeant(call)
  if (meant === undefined) return { rule, hint: 'GET /llms.txt lists what there is.' }
  const { method, path: pattern, successor } = meant
  if (successor !== undefined && /^\/v[2-9]/i.test(path)) {
    const hint = `${method} ${pattern} of v1 is now ${successor}.`
    return { rule, hint, nearest: successor }
  }
  return {
    rule,
    hint: `The nearest route is ${method} ${pattern}.`,
    nearest: `${method} ${fill(pattern, path)}`,
  }
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

/** The route most like a path, whatever its version, case, slashes and ids. */
function findMeant({ path, method, dialect, operations }: LostCall) {
  // The control API is no answer to a path of the contract.
  const routes = operations
    .filter((operation) => operation.dialect.journalled === dialect.journalled)
    .map((operation) => ({ operation, plain: toPlain(operation.path) }))
  const plain = toPlain(path)
  const names = [...new Set(routes.map((route) => route.plain))]
  const nearest = names.includes(plain) ? plain : findNearest(plain, names)
  const near = routes.flatMap((route) => (route.plain === nearest ? [route.operation] : []))
  const ofMethod = near.filter((operation) => operation.method === method)
  const version = versionOf(path)
  return ofMethod.find((route) => versionOf(route.path) === version) ?? ofMethod[0] ?? near[0]
}

const versionOf = (path: string) => VERSION.exec(path)?.[0].toLowerCase()

/** An id has a digit, or is a parameter of a route. */
const toPlain = (path: string) =>
  path
    .replace(/\/{2,}/g, '/')
    .replace(VERSION, '')
    .replace(/\/(:|[^/]*[\d@])[^/]*/g, '/:')
    .replace(/(?<=.)\/$/, '')
    .toLowerCase()

/** The route with the ids of the path in it, in the case that they were sent in. */
function fill(pattern: string, path: string): string {
  const actual = path.split('/').filter(Boolean).reverse()
  const names = pattern.split('/').filter(Boolean).reverse()
  const filled = names.map((name, i) => (name.startsWith(':') ? actual[i] : name))
  return `/${filled.reverse().join('/')}`
}
