import { type Context, Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import type { AppliedApiFault } from '../engine/faults.ts'
import { CallRecord } from '../engine/request-journal.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { DomainError } from '../world/domain-error.ts'
import type { SettingId } from '../world/settings/index.ts'
import type { World } from '../world/world.ts'
import { BrokenConnection, formatFault, runWithFault } from './api-fault.ts'
import { corsHeaders, respondToPreflight } from './cors.ts'
import type { Dialect } from './dialect.ts'
import { explainError, findFitting, noteQuery, suggestPath } from './hints.ts'
import { headerOf, readInput, takeBody } from './input.ts'
import type { Call, Operation } from './operation.ts'
import type { OperationDescription } from './operation-description.ts'
import type { Env, Services } from './services.ts'
import { bodyOf, contractCodeOf, HttpError, headersOf, successOf } from './status.ts'

/** Dialects by path prefix; the first match counts. */
export interface DialectRow {
  prefix: string
  dialect: Dialect
}

export interface AppOptions {
  operations: readonly Operation[]
  dialects: readonly DialectRow[]
}

/** One app for all worlds: the bindings of a call name its world. */
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
  app.notFound((c) => respondToUnknownPath(c, { operations, dialects }))
  return app
}

/** A known path with another method is 405; any other is 404 and says that it is not emulated. */
function respondToUnknownPath(c: Context<Env>, { operations, dialects }: AppOptions): Response {
  const { path, method } = c.req
  const allowed = findFitting(operations, path)
  const dialect = allowed[0]?.dialect ?? dialectOf([path, sentPathOf(c)], dialects)
  if (method === 'OPTIONS' && dialect.isContract && allowed.length > 0) {
    const methods = allowed.map((operation) => operation.method)
    const { cors } = c.env.services.world.settings
    const preflight = respondToPreflight(cors, { origin: c.req.header('origin'), methods })
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
          ...suggestPath({ method, path, operations, isContract: dialect.isContract }),
        })
  return respondWithError({ dialect, operation: undefined, c, record, headers, error })
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
  return new HttpError(405, 'method', `${path} takes ${allow}, not ${method}.`, {
    headers: { allow },
    rule: operations[0]?.contract?.ref ?? 'Endpoints',
    nearest: `${methods[0]} ${path}`,
  })
}

/**
 * One call from request to response: fault, authentication, input, use case, response.
 * It stays synchronous where nothing has to be awaited, because that keeps the server fast.
 */
function runCall(operation: Operation, c: Context<Env>): Response | Promise<Response> {
  const call = new RunningCall(operation, c)
  const fault = takeFault(call)
  return fault === undefined ? authenticate(call) : authenticateWithFault(call, fault)
}

function takeFault({ c, operation, services, world, header }: RunningCall) {
  const { faults } = services
  if (!operation.dialect.isContract || faults.list().length === 0) return undefined
  const integrator = world.integratorsByKey.get(header('x-api-key') ?? '')?.name ?? null
  const { method, path } = c.req
  return faults.takeApi({ operation: operation.id, method, path, integrator })
}

async function authenticateWithFault(call: RunningCall, fault: AppliedApiFault): Promise<Response> {
  call.record.note(formatFault(fault))
  await takeBody(call.operation, call.c)
  return runWithFault(fault, call.c, {
    proceed() {
      // The world may have been reset during a delay.
      call.world = call.services.world
      call.services.timekeeper.sync()
      return authenticate(call)
    },
    fail: (error) => call.fail(error),
    giveUp: () => closeRecord(call.c, call.record),
  })
}

function authenticate(call: RunningCall): Response | Promise<Response> {
  const { operation } = call
  try {
    operation.dialect.assertAvailable?.(call, operation)
    call.who = operation.auth(call)
    if (operation.adds) call.services.assertRoom()
    if (operation.body || operation.query) return handleWithInput(call)
    return handle(call)
  } catch (error) {
    return call.fail(error)
  }
}

async function handleWithInput(call: RunningCall): Promise<Response> {
  try {
    call.input = await readInput(call.operation, call.c, call)
    const { world, timekeeper } = call.services
    if (world !== call.world) {
      // If the world was reset meanwhile, the caller must be known in the new one too.
      call.world = world
      call.who = call.operation.auth(call)
    }
    timekeeper.sync()
    return await handle(call)
  } catch (error) {
    return call.fail(error)
  }
}

/** Runs the use case and responds; a fault can make webhooks be delivered before the response. */
function handle(call: RunningCall): Response | Promise<Response> {
  const { outbox } = call.services
  const { journal } = outbox
  const before = journal.last
  const data = handleInTimeline(call)
  if (data instanceof Promise) {
    return data
      .then((settled) => {
        // A call that only waits causes nothing.
        if (call.operation.method !== 'GET') assumeOf(call, journal.after(before))
        return call.respond(settled)
      })
      .catch((error) => call.fail(error))
  }
  if (journal.last === before) return call.respond(data)
  const deliveries = journal.after(before)
  assumeOf(call, deliveries)
  const early = deliveries.filter(({ fault }) => fault?.effect.beforeResponse)
  if (early.length === 0) return call.respond(data)
  const limitMs = call.world.settings['webhooks.timeout']
  return outbox.wait(early, limitMs).then(() => call.respond(data))
}

/** Records what a call changed on the timeline, under the call or under a control call's action. */
function handleInTimeline(call: RunningCall) {
  const { operation, services, record, input } = call
  const { timeline } = services
  if (operation.method === 'GET') return operation.handle(call)
  if (operation.dialect.isContract) return timeline.run(record, () => operation.handle(call))
  if (operation.action === undefined) return operation.handle(call)
  const subject = call.param('id') || call.param('user') || null
  const action = timeline.open({
    kind: operation.action,
    operation: operation.id,
    subject,
    input: input.body,
  })
  call.closeAction = (result) => timeline.close(action, result)
  return timeline.run(action, () => operation.handle(call))
}

/** Names the settings that shaped the webhooks of a call. */
function assumeOf(call: RunningCall, deliveries: readonly Delivery[]) {
  for (const { assumption } of deliveries) if (assumption !== null) call.assume(assumption)
}

const NO_INPUT = { query: undefined, body: undefined }

/** One object for the whole call, filled step by step. */
class RunningCall implements Call {
  readonly operation: Operation
  readonly c: Context<Env>
  readonly services: Services
  readonly record: CallRecord
  world: World
  who: unknown = undefined
  input: { query: unknown; body: unknown } = NO_INPUT
  closeAction: ((result: { status: number; problem?: string }) => void) | undefined
  readonly #headers: Record<string, string> = { 'content-type': 'application/json' }

  constructor(operation: Operation, c: Context<Env>) {
    const { services } = c.env
    services.timekeeper.sync()
    this.operation = operation
    this.c = c
    this.services = services
    this.world = services.world
    this.record = openRecord(operation.dialect, c, this.#headers)
    this.record.operation = operation.id
  }

  // Plain functions, so that handlers can destructure them; few calls use them all.
  get param() {
    return (name: string) => this.c.req.param(name) ?? ''
  }

  get header() {
    return (name: string) => headerOf(this.c, name)
  }

  get query() {
    return (name: string) => this.c.req.query(name)
  }

  get assume() {
    return (id: SettingId) => {
      const note = `assumption ${id}`
      // A reset in the middle of a call authenticates it again, and would note the setting twice.
      if (!this.record.notes.includes(note)) this.record.note(note)
    }
  }

  respond(data: unknown): Response {
    if (data instanceof Response) return data
    const { operation, record, services } = this
    const { dialect } = operation
    const status = successOf(operation, services.world.settings)
    const headers = this.#headers
    const text = status === 204 ? null : JSON.stringify(dialect.success(data))
    record.status = status
    record.response = text
    if (status === 204) delete headers['content-type']
    if (dialect.isContract) {
      noteQuery(this, record)
      closeRecord(this.c, record)
    } else this.closeAction?.({ status })
    // Plain strings and plain header objects: anything else leaves the server's fast path.
    return new Response(text, { status, headers })
  }

  fail(error: unknown): Response {
    const { operation, c, record } = this
    const { dialect } = operation
    const headers = this.#headers
    const response = respondWithError({ dialect, operation, c, record, headers, error })
    const problem = error instanceof Error ? error.message : String(error)
    this.closeAction?.({ status: response.status, problem })
    return response
  }
}

/** Opens the journal row of a call and sends its id in a header. Control calls have no row. */
function openRecord(
  dialect: Dialect,
  c: Context<Env>,
  headers: Record<string, string>,
): CallRecord {
  const { services } = c.env
  const { method, url } = c.req
  if (!dialect.isContract) {
    // Tells a client that the response is not one of another server that accepts everything.
    headers['x-sandbox-version'] = c.env.control.version
    return new CallRecord()
  }
  const record = services.requests.open(method, url, services.world.now)
  record.headers = c.env.socket?.incoming.rawHeaders.join('\n') ?? c.req.raw.headers
  headers['x-sandbox-request'] = record.id
  if (dialect.headers) Object.assign(headers, dialect.headers(services.world))
  const { cors } = services.world.settings
  if (cors !== 'none') Object.assign(headers, corsHeaders(cors, headerOf(c, 'origin')))
  return record
}

function closeRecord({ env, req }: Context<Env>, record: CallRecord): void {
  const hasLeft = env.socket ? env.socket.incoming.socket.destroyed : req.raw.signal.aborted
  if (hasLeft) record.note('The client left before the response.')
  env.services.requests.close(record)
}

interface FailedCall {
  dialect: Dialect
  /** Undefined if no operation has the path. */
  operation: OperationDescription | undefined
  c: Context<Env>
  record: CallRecord
  headers: Record<string, string>
  error: unknown
}

/** Responds to a failed call and notes in the journal what would have worked. */
function respondWithError(failed: FailedCall): Response {
  const { dialect, operation, c, record, headers } = failed
  const { situations, world } = c.env.services
  const error = failed.error instanceof DomainError ? failed.error : toBug(failed.error)
  const { isContract } = dialect
  const code = isContract ? contractCodeOf(error, operation) : error.code
  const own = error instanceof HttpError ? error.status : undefined
  const listed = dialect.statusOf(code, world.settings)
  const status = (isContract ? (listed ?? own) : (own ?? listed)) ?? 500
  const text = bodyOf(error, dialect, status)
  headers['content-type'] = dialect.errorType
  if (text === null) delete headers['content-type']
  Object.assign(headers, headersOf(error))
  if (isContract) headers['x-sandbox-error'] = code
  record.status = status
  record.response = text
  if (isContract) {
    record.problem = explainError(error, code, { operation, c, body: record.body })
    closeRecord(c, record)
  } else if (operation) {
    situations.addFailedLever(`${operation.id}/${code}`)
  }
  return new Response(text, { status, headers })
}

/** Anything else thrown is a bug of the sandbox: it is logged with its stack. */
function toBug(error: unknown): DomainError {
  console.error(error)
  const message = 'The sandbox failed; its log has the stack.'
  return new HttpError(500, 'sandbox', message, { code: 'bug', rule: 'none (it is a bug)' })
}
