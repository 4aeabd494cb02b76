import type { Context } from 'hono'
import { CallRecord } from '../engine/call-record.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { DomainError } from '../world/domain-error.ts'
import type { SettingId } from '../world/settings/index.ts'
import type { World } from '../world/world.ts'
import { givenAgain } from '../world/zod-problems.ts'
import type { Dialect } from './dialect.ts'
import { explainError, noteQuery } from './hints.ts'
import { noteAccepted, toAssumption } from './notes.ts'
import type { Env, Operation, RunningCall } from './operation.ts'
import { headerOf, readBytes } from './request.ts'
import { assertNotRefused, withoutLeftOut } from './run-change.ts'
import type { Services } from './services.ts'
import { bodyOf, contractCodeOf, HttpError, headersOf, successOf } from './status.ts'
import type { ValidBody } from './validators.ts'

/** Everything that happens between a request and its response, on a path with or without an operation. */
export class OpenCall {
  readonly c: Context<Env>
  readonly dialect: Dialect
  readonly services: Services
  readonly record: CallRecord
  world: World
  protected readonly headers: Record<string, string> = { 'content-type': 'application/json' }

  constructor(dialect: Dialect, c: Context<Env>) {
    const { services } = c.env
    services.timekeeper.sync()
    this.c = c
    this.dialect = dialect
    this.services = services
    this.world = services.world
    this.record = this.#openRecord()
  }

  /** Opens the journal row of a call and sends its id in a header. Control calls have no row. */
  #openRecord(): CallRecord {
    const { c, dialect, services, headers } = this
    if (!dialect.isContract) {
      // Tells a client that the response is not one of another server that accepts everything.
      headers['x-sandbox-version'] = c.env.control.version
      return new CallRecord()
    }
    const { method, url } = c.req
    const record = services.journal.openCall(method, url)
    record.headers = c.env.socket?.incoming.rawHeaders.join('\n') ?? c.req.raw.headers
    headers['x-sandbox-request'] = record.id
    if (dialect.headers) Object.assign(headers, dialect.headers(services.world))
    return record
  }

  /** Ends the journal row, also of a call that never gets a response. */
  close(): void {
    const { c, record } = this
    const { socket } = c.env
    const hasLeft = socket ? socket.incoming.socket.destroyed : c.req.raw.signal.aborted
    if (hasLeft) record.note('The client disconnected before the response was sent.')
    this.services.journal.closeCall(record)
  }

  /** Responds to a failed call and notes in the journal what would have worked. */
  fail(thrown: unknown, operation?: Operation): Response {
    const { c, dialect, record, headers, services } = this
    const error = thrown instanceof DomainError ? thrown : toBug(thrown)
    const { isContract } = dialect
    const code = isContract ? contractCodeOf(error, operation) : error.code
    const own = error instanceof HttpError ? error.status : undefined
    const listed = dialect.statusOf(code, services.world.settings)
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
      this.close()
    }
    return new Response(text, { status, headers })
  }
}

/** Anything else thrown is a bug of the sandbox: it is logged with its stack. */
function toBug(error: unknown): DomainError {
  console.error(error)
  const message = 'The sandbox failed; see its log for the stack trace.'
  return new HttpError(500, 'sandbox', message, { code: 'bug', rule: 'none (it is a bug)' })
}

type Input = Context<Env, string, { out: { query: unknown; json: ValidBody | undefined } }>

/** Call of an operation, filled step by step by the middleware. */
export class StartedCall extends OpenCall implements RunningCall {
  readonly operation: Operation
  who: unknown = undefined
  readonly bytes: Promise<Buffer> | undefined
  #closeAction: ((result: { status: number; problem?: string }) => void) | undefined

  constructor(operation: Operation, c: Context<Env>) {
    super(operation.dialect, c)
    this.operation = operation
    this.record.operation = operation.id
    // Taken before anything makes the call wait, because it is lost once the client has left.
    this.bytes = operation.body && readBytes(c, operation)
    this.bytes?.catch(() => undefined)
  }

  get input(): { query: unknown; body: unknown } {
    const { req } = this.c as Input
    return { query: req.valid('query'), body: req.valid('json')?.body }
  }

  // Plain functions, so that handlers can destructure them; few calls use them all.
  get param() {
    return (name: string) => this.c.req.param(name) ?? ''
  }

  get header() {
    return (name: string) => headerOf(this.c, name)
  }

  get query() {
    return (name: string) => {
      const [value, ...others] = this.c.req.queries(name) ?? []
      if (others.length === 0) return value
      throw new DomainError('invalid', givenAgain(name), { field: name })
    }
  }

  get assume() {
    return (id: SettingId) => this.record.note(toAssumption(this.world.settings, id))
  }

  /** Finds the caller in the world as it is now. */
  authenticate(): void {
    const { operation, services } = this
    this.world = services.world
    services.timekeeper.sync()
    operation.dialect.assertAvailable?.(this, operation)
    this.who = operation.auth(this)
    if (operation.adds) services.assertRoom()
  }

  /** Runs the use case; a fault can make webhooks be delivered before the response. */
  handle(): Response | Promise<Response> {
    const { operation, services } = this
    services.assertAlive()
    assertNotRefused(this)
    // If the world was reset meanwhile, the caller must be known in the new one too.
    if (services.world !== this.world) this.authenticate()
    else services.timekeeper.sync()
    const { last } = services.journal.deliveries
    const finish = (data: unknown) => {
      const early = operation.method === 'GET' ? [] : this.#followWebhooks(last)
      if (early.length === 0) return this.#respond(data)
      const limitMs = this.world.settings['webhooks.timeout']
      return services.outbox.wait(early, limitMs).then(() => this.#respond(data))
    }
    this.world.accepted.length = 0
    const data = this.#handleInJournal()
    for (const error of this.world.accepted) this.record.note(noteAccepted(error))
    // A response that waits for nothing leaves at once, which keeps the server fast.
    return data instanceof Promise ? data.then(finish) : finish(data)
  }

  /** Runs a call as the cause of what it changes; a control call is an action of the journal. */
  #handleInJournal() {
    const { operation, services, record } = this
    const { journal } = services
    if (operation.method === 'GET') return operation.handle(this)
    if (operation.dialect.isContract)
      return journal.run(this.world, record, () => operation.handle(this))
    if (operation.action === undefined) return operation.handle(this)
    const subject = this.param('id') || this.param('user') || this.param('name') || null
    const action = journal.openAction({
      kind: operation.action,
      operation: operation.id,
      subject,
      input: this.input.body,
    })
    this.#closeAction = (result) => journal.closeAction(action, result)
    return journal.run(this.world, action, () => operation.handle(this))
  }

  /** Names the settings that shaped the webhooks of the call, and finds those that come before the response. */
  #followWebhooks(before: number): Delivery[] {
    const { journal } = this.services
    if (journal.deliveries.last === before) return []
    const deliveries = journal.deliveries.after(before)
    for (const { assumption } of deliveries) if (assumption !== null) this.assume(assumption)
    return deliveries.filter(({ fault }) => fault?.effect.beforeResponse)
  }

  #respond(data: unknown): Response {
    if (data instanceof Response) return data
    const { operation, record, services, headers } = this
    const { dialect } = operation
    const status = successOf(operation, services.world.settings)
    const text = status === 204 ? null : JSON.stringify(dialect.success(withoutLeftOut(this, data)))
    record.status = status
    record.response = text
    if (status === 204) delete headers['content-type']
    if (dialect.isContract) {
      noteQuery(this, record)
      this.close()
    } else this.#closeAction?.({ status })
    // Plain strings and plain header objects: anything else leaves the server's fast path.
    return new Response(text, { status, headers })
  }

  override fail(error: unknown): Response {
    const response = super.fail(error, this.operation)
    const problem = error instanceof Error ? error.message : String(error)
    this.#closeAction?.({ status: response.status, problem })
    return response
  }
}
