import type { Context } from 'hono'
import type { AppOptions } from './app.ts'
import type { Env } from './doors.ts'
import type { Dialect, Operation } from './operation.ts'
import { openRecord, refuse } from './run.ts'
import { HttpRefusal } from './status.ts'

/** A known path with another method is 405; any other says that it is not emulated. */
export function unknownPath(c: Context<Env>, { operations, dialects }: AppOptions): Response {
  const { path, method } = c.req
  const allowed = operations.filter((operation) => fits(operation.path, path))
  const { dialect } =
    allowed[0] ?? dialects.find(({ prefix }) => path.startsWith(prefix)) ?? dialects[0] ?? {}
  if (dialect === undefined) return new Response(null, { status: 404 })
  const headers: Record<string, string> = {}
  const record = openRecord(dialect, c, headers)
  const error =
    allowed.length > 0
      ? wrongMethod(method, path, allowed)
      : notEmulated(method, path, nearest(path, { operations, dialect }))
  const response = refuse({ dialect, operation: undefined, c, record, headers, error })
  if (dialect.journalled) c.env.doors.requests.close(record)
  return response
}

function wrongMethod(method: string, path: string, operations: readonly Operation[]): HttpRefusal {
  const allow = [...new Set(operations.map((operation) => operation.method))].join(', ')
  return new HttpRefusal(405, 'method', `${path} takes ${allow}, not ${method}.`, {
    headers: { allow },
  })
}

function notEmulated(method: string, path: string, near: readonly Operation[]): HttpRefusal {
  const routes = near.map((operation) => `${operation.method} ${operation.path}`).join(', ')
  return new HttpRefusal(404, 'path', `There is no ${method} ${path}.`, {
    headers: { 'x-sandbox-hint': 'not emulated' },
    hint: routes === '' ? 'No route is near it.' : `The nearest routes are ${routes}.`,
  })
}

/** Whether a path fits a route pattern, segment by segment. */
function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every(
      (segment, i) => segment === given[i] || (segment.startsWith(':') && given[i] !== ''),
    )
  )
}

const NEAREST_MAX = 3

/** Routes that share the most segments with a path, wherever a prefix was forgotten. */
function nearest(
  path: string,
  { operations, dialect }: { operations: readonly Operation[]; dialect: Dialect },
): Operation[] {
  const words = new Set(path.toLowerCase().split(/[/?]/).filter(Boolean))
  const score = (operation: Operation) => {
    const segments = operation.path.toLowerCase().split('/').filter(Boolean)
    const shared = segments.filter((segment) => words.has(segment)).length
    return shared / Math.max(segments.length, words.size)
  }
  return operations
    .filter((operation) => operation.dialect.name !== 'control' || dialect.name === 'control')
    .map((operation) => ({ operation, score: score(operation) }))
    .filter((row) => row.score > 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAREST_MAX)
    .map((row) => row.operation)
}
