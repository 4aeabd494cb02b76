import type { Context } from 'hono'
import type { DomainErrorDetail } from '../world/domain-error.ts'
import { answerWithError, openRecord } from './call.ts'
import { answerPreflight } from './cors.ts'
import type { Dialect } from './dialect.ts'
import { findFitting, suggestPath } from './hints.ts'
import type { OperationDescription } from './operation-description.ts'
import type { Env } from './services.ts'
import { HttpError, headersOf } from './status.ts'

/** The dialect of paths that begin with a prefix; of several rows, the first that fits counts. */
export interface DialectRow {
  prefix: string
  dialect: Dialect
}

export interface Routes {
  operations: readonly OperationDescription[]
  dialects: readonly DialectRow[]
}

/** A known path with another method is 405; any other is 404 and says that it is not emulated. */
export function answerUnknownPath(c: Context<Env>, { operations, dialects }: Routes): Response {
  const { path, method } = c.req
  const allowed = findFitting(operations, path)
  const { dialect } = allowed[0] ?? findRow(path, dialects)
  if (method === 'OPTIONS' && dialect.journalled && allowed.length > 0) {
    const methods = allowed.map((operation) => operation.method)
    const { cors } = c.env.services.world.settings
    const preflight = answerPreflight(cors, { origin: c.req.header('origin'), methods })
    if (preflight) return preflight
  }
  const headers: Record<string, string> = {}
  const record = openRecord(dialect, c, headers)
  const error =
    allowed.length > 0
      ? wrongMethod(method, path, allowed)
      : notEmulated(
          method,
          path,
          suggestPath({ method, path, operations, journalled: dialect.journalled }),
        )
  return answerWithError({ dialect, operation: undefined, c, record, headers, error })
}

/** Answers a call that reaches no world, in the dialect that its path belongs to. */
export function answerOutside(
  path: string,
  error: HttpError,
  dialects: readonly DialectRow[],
): Response {
  const { dialect } = findRow(path, dialects)
  const text = JSON.stringify(dialect.error(error, error.status))
  const headers = { 'content-type': dialect.errorType, ...headersOf(error) }
  return new Response(text, { status: error.status, headers })
}

function findRow(path: string, dialects: readonly DialectRow[]): DialectRow {
  const found = dialects.find(({ prefix }) => path.startsWith(prefix)) ?? dialects.at(-1)
  if (found === undefined) throw new Error(`No dialect answers ${path}.`)
  return found
}

function wrongMethod(
  method: string,
  path: string,
  operations: readonly OperationDescription[],
): HttpError {
  const methods = [...new Set(operations.map((operation) => operation.method))]
  const allow = methods.join(', ')
  return new HttpError(405, 'method', `${path} takes ${allow}, not ${method}.`, {
    headers: { allow },
    rule: operations[0]?.ref ?? 'Endpoints',
    nearest: `${methods[0]} ${path}`,
  })
}

const notEmulated = (method: string, path: string, suggestion: DomainErrorDetail) =>
  new HttpError(404, 'path', `There is no ${method} ${path}.`, {
    code: 'unknown-path',
    headers: { 'x-sandbox-hint': 'not emulated' },
    ...suggestion,
  })
