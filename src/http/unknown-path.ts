import type { Context } from 'hono'
import type { AppOptions } from './app.ts'
import { explainPath, fits, type Lost } from './hints/paths.ts'
import type { Operation } from './operation.ts'
import { openRecord, refuse } from './run.ts'
import type { Env } from './services.ts'
import { HttpError } from './status.ts'

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
      : notEmulated({ method, path, operations, dialect })
  const response = refuse({ dialect, operation: undefined, c, record, headers, error })
  if (dialect.journalled) c.env.services.requests.close(record)
  return response
}

function wrongMethod(method: string, path: string, operations: readonly Operation[]): HttpError {
  const methods = [...new Set(operations.map((operation) => operation.method))]
  const allow = methods.join(', ')
  return new HttpError(405, 'method', `${path} takes ${allow}, not ${method}.`, {
    headers: { allow },
    rule: operations[0]?.ref ?? 'Endpoints',
    nearest: `${methods[0]} ${path}`,
  })
}

function notEmulated(lost: Lost): HttpError {
  return new HttpError(404, 'path', `There is no ${lost.method} ${lost.path}.`, {
    headers: { 'x-sandbox-hint': 'not emulated' },
    ...explainPath(lost),
  })
}
