import { type Context, Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { BrokenConnection } from './api-fault.ts'
import { answerWithError, openRecord, runCall } from './call.ts'
import { answerPreflight } from './cors.ts'
import type { Dialect } from './dialect.ts'
import { findFitting, suggestPath } from './hints.ts'
import type { Operation } from './operation.ts'
import type { OperationDescription } from './operation-description.ts'
import type { Env } from './services.ts'
import { HttpError, headersOf } from './status.ts'

/** The dialect of paths that begin with a prefix; of several rows, the first that fits counts. */
export interface DialectRow {
  prefix: string
  dialect: Dialect
}

export interface AppOptions {
  operations: readonly Operation[]
  dialects: readonly DialectRow[]
}

/** One app for every world: the bindings of a call say which one it means. */
export function createApp({ operations, dialects }: AppOptions): Hono<Env> {
  const app = new Hono<Env>({
    getPath: (request, options) => getPath(request).slice(options?.env?.skipped ?? 0) || '/',
  })
  for (const operation of operations) {
    app.on(operation.method, operation.path, (c) => runCall(operation, c))
  }
  app.onError((error) => {
    if (error instanceof BrokenConnection) throw error
    if (error instanceof HttpError) {
      const { message, status, headers } = error
      return new Response(`${message}\n`, { status, headers })
    }
    console.error(error)
    return new Response('The sandbox failed; its log has the stack.\n', { status: 500 })
  })
  app.notFound((c) => answerUnknownPath(c, { operations, dialects }))
  return app
}

/** A known path with another method is 405; any other is 404 and says that it is not emulated. */
function answerUnknownPath(c: Context<Env>, { operations, dialects }: AppOptions): Response {
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
      : new HttpError(404, 'path', `There is no ${method} ${path}.`, {
          code: 'unknown-path',
          headers: { 'x-sandbox-hint': 'not emulated' },
          ...suggestPath({ method, path, operations, journalled: dialect.journalled }),
        })
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
