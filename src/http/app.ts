import { type Context, type Handler, Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { getPath } from 'hono/utils/url'
import { wordList } from '../world/word-list.ts'
import { BrokenConnection, runWithFault, takeFault } from './api-fault.ts'
import { OpenCall, StartedCall } from './call.ts'
import type { Dialect } from './dialect.ts'
import { describeLost, findFitting } from './hints.ts'
import type { Env, Operation } from './operation.ts'
import type { OperationDescription } from './operation-description.ts'
import type { Bindings } from './services.ts'
import { HttpError, headersOf } from './status.ts'
import { explainMalformed, validatorsOf } from './validators.ts'

/** Dialects by path prefix; the first match counts. */
export interface DialectRow {
  prefix: string
  dialect: Dialect
}

export interface AppOptions {
  operations: readonly Operation[]
  dialects: readonly DialectRow[]
}

/** App for all worlds: the bindings of a call name its world. */
export function createApp({ operations, dialects }: AppOptions): Hono<Env> {
  // The fast router rejects ambiguous paths; by default Hono would take a slow one for all calls.
  const app = new Hono<Env>({ getPath: pathBelowWorld, router: new RegExpRouter() })
  for (const operation of operations) {
    app.on(operation.method, [operation.path], stepsOf(operation))
  }
  app.onError(async (error, c) => {
    if (error instanceof BrokenConnection) throw error
    const call = c.get('call')
    if (call) return call.fail(await explainMalformed(error, c))
    if (error instanceof HttpError) {
      const { message, status, headers } = error
      return new Response(`${message}\n`, { status, headers })
    }
    console.error(error)
    return new Response('The sandbox failed; see its log for the stack trace.\n', { status: 500 })
  })
  app.notFound((c) => respondToUnknownPath(c, { operations, dialects }))
  return app
}

/** The path below the base URL of the world. */
export const pathBelowWorld = (request: Request, options?: { env?: Bindings }): string =>
  getPath(request).slice(options?.env?.skipped ?? 0) || '/'

/** What a call passes, in this order. It is one handler: Hono makes several wait for each other. */
function stepsOf(operation: Operation): Handler<Env> {
  const steps = validatorsOf(operation).reduceRight<Handler<Env>>(
    (next, validate) => (c, none) => validate(c, () => next(c, none)),
    handle,
  )
  return (c, none) => begin(operation, c, () => steps(c, none))
}

/** Opens the journal row of a call, lets it meet an injected fault, and authenticates it. */
function begin<Result>(operation: Operation, c: Context<Env>, next: () => Result) {
  const call = new StartedCall(operation, c)
  c.set('call', call)
  const fault = takeFault(call)
  if (fault) return runWithFault(fault, call, next)
  call.authenticate()
  return next()
}

const handle = (c: Context<Env>) => c.get('call').handle()

/** A known path with another method is 405; any other is 404 with a hint in a header. */
function respondToUnknownPath(c: Context<Env>, { operations, dialects }: AppOptions): Response {
  const { path, method } = c.req
  const allowed = findFitting(operations, path)
  const inner = path.replace(WORLD_PREFIX, '')
  const dialect = allowed[0]?.dialect ?? dialectOf([inner, sentPathOf(c)], dialects)
  const call = new OpenCall(dialect, c)
  if (allowed.length > 0) return call.fail(wrongMethod(method, path, allowed))
  const { isContract } = dialect
  const { message, ...detail } = describeLost({ method, path: inner, operations, isContract })
  return call.fail(
    new HttpError(404, 'path', describeNested(c) ?? message, {
      code: 'unknown-path',
      headers: { 'x-sandbox-hint': 'not emulated' },
      ...detail,
    }),
  )
}

const WORLD_PREFIX = /^\/w\/[^/]+/

function describeNested({ req, env }: Context<Env>): string | undefined {
  const [nested] = WORLD_PREFIX.exec(req.path) ?? []
  if (nested === undefined || env.prefix === '') return undefined
  const instead = env.services.isPrivate
    ? `leave out ${nested}, or use exec without --on, where a command can have worlds of its own`
    : `use ${nested} instead of ${env.prefix}${nested}`
  return `Worlds do not nest: ${instead}.`
}

/** The methods of a path of the contract; undefined for any other path. */
export function contractMethodsAt(path: string, { operations, dialects }: AppOptions) {
  const fitting = findFitting(operations, path)
  const { isContract } = fitting[0]?.dialect ?? dialectOf([path], dialects)
  return isContract ? fitting.map(({ method }) => method) : undefined
}

/** Responds to a call that reaches no world, in the dialect of its path. */
export function respondOutside(
  path: string,
  error: HttpError,
  dialects: readonly DialectRow[],
): Response {
  const dialect = dialectOf([path], dialects)
  const text = JSON.stringify(dialect.error(error, error.status))
  const headers = { 'content-type': dialect.errorType, ...headersOf(error) }
  return new Response(text, { status: error.status, headers })
}

/**
 * The dialect of the first path that has a prefix, in any case and however many slashes it has; the
 * last dialect is that of all others.
 */
function dialectOf(paths: readonly string[], dialects: readonly DialectRow[]): Dialect {
  const plain = paths.map((path) => path.replace(/\/+/g, '/').toLowerCase())
  const rows = plain.map((path) => dialects.find(({ prefix }) => path.startsWith(prefix)))
  const last = dialects.at(-1)
  const row = rows.find((found) => found !== last) ?? last
  if (row === undefined) throw new Error(`No dialect has ${paths[0]}.`)
  return row.dialect
}

/**
 * The path below the world as the caller spelled it, without escapes. A URL drops the segment
 * before `..` or `%2e%2e`, so `/v2/%2e%2e/users` arrives as `/users`.
 */
function sentPathOf({ env, req }: Context<Env>): string {
  const sent = env.socket?.incoming.url ?? ''
  const outer = new URL(req.url).pathname.slice(0, env.skipped)
  const path = sent.replace(/^https?:\/\/[^/]*/i, '').replace(outer, '')
  return path.replace(/%([0-7][\da-f])/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function wrongMethod(
  method: string,
  path: string,
  operations: readonly OperationDescription[],
): HttpError {
  const methods = [...new Set(operations.map((operation) => operation.method))]
  const allow = methods.join(', ')
  return new HttpError(
    405,
    'method',
    `${path} accepts ${wordList(methods, 'and')}, not ${method}.`,
    {
      headers: { allow },
      rule: operations[0]?.contract?.ref ?? 'Endpoints',
      nearest: `${methods[0]} ${path}`,
    },
  )
}
