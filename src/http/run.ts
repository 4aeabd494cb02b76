import type { Context } from 'hono'
import { CallRecord } from '../engine/request-journal.ts'
import { DomainError } from '../world/domain-error.ts'
import type { SettingId } from '../world/settings/index.ts'
import type { World } from '../world/world.ts'
import { meetFault, tellFault } from './api-fault.ts'
import { explain } from './hints/index.ts'
import type { Call, Dialect, Operation } from './operation.ts'
import type { Env, Services } from './services.ts'
import { headersOf } from './status.ts'
import { readInput } from './validate.ts'

/**
 * One call from the door to the answer: who knocks, what was sent, the use case, the dialect.
 * It stays synchronous where nothing has to be awaited, because that keeps the server fast.
 */
export function run(operation: Operation, c: Context<Env>): Response | Promise<Response> {
  const call = new RunningCall(operation, c)
  const { faults } = c.env.services
  const isFaulty = operation.dialect.journalled && faults.list().length > 0
  const fault = isFaulty ? faults.takeApi(describeCall(operation, call)) : undefined
  if (fault === undefined) return proceed(operation, call)
  call.record.note(tellFault(fault))
  return meetFault(fault, c, {
    proceed() {
      call.world = call.services.world
      call.services.timekeeper.sync()
      return proceed(operation, call)
    },
    refuse: (error) => call.fail(error),
    giveUp: () => call.services.requests.close(call.record),
  })
}

function describeCall({ id }: Operation, { c, world, header }: RunningCall) {
  const integrator = world.integratorsByKey.get(header('x-api-key') ?? '')?.name ?? null
  return { operation: id, method: c.req.method, path: c.req.path, integrator }
}

function proceed(operation: Operation, call: RunningCall): Response | Promise<Response> {
  try {
    operation.dialect.refuse?.(call.world, operation)
    call.who = operation.auth(call)
    if (operation.body || operation.query) return runWithInput(operation, call)
    return handle(operation, call)
  } catch (error) {
    return call.fail(error)
  }
}

const NO_INPUT = { query: undefined, body: undefined }

async function runWithInput(operation: Operation, call: RunningCall) {
  try {
    call.input = await readInput(operation, call.c, call)
    enterAgain(operation, call)
    call.services.timekeeper.sync()
    return await handle(operation, call)
  } catch (error) {
    return call.fail(error)
  }
}

/** A reset while the body was read leaves the caller of another world behind. */
function enterAgain(operation: Operation, call: RunningCall) {
  const { world } = call.services
  if (world === call.world) return
  call.world = world
  call.who = operation.auth(call)
}

/** The use case and its answer, which some of its webhooks may have been ordered to come before. */
function handle(operation: Operation, call: RunningCall): Response | Promise<Response> {
  const { outbox, faults } = call.services
  const before = outbox.journal.last
  const data = operation.handle(call)
  if (data instanceof Promise) {
    return data.then(
      (settled) => call.answer(settled),
      (error) => call.fail(error),
    )
  }
  if (outbox.journal.last === before || faults.list().length === 0) return call.answer(data)
  const early = outbox.journal.after(before).filter(({ fault }) => fault?.effect.beforeResponse)
  if (early.length === 0) return call.answer(data)
  const limitMs = call.world.settings['webhooks.timeout']
  return outbox.wait(early, limitMs).then(() => call.answer(data))
}

/** One object from the door to the answer, filled in on the way. */
class RunningCall implements Call {
  readonly c: Context<Env>
  readonly services: Services
  readonly record: CallRecord
  world: World
  who: unknown = undefined
  input: { query: unknown; body: unknown } = NO_INPUT
  readonly #operation: Operation
  readonly #headers: Record<string, string> = { 'content-type': 'application/json' }

  constructor(operation: Operation, c: Context<Env>) {
    const { services } = c.env
    services.timekeeper.sync()
    this.c = c
    this.services = services
    this.world = services.world
    this.record = openRecord(operation.dialect, c, this.#headers)
    this.record.operation = operation.id
    this.#operation = operation
  }

  // Functions, so that they can be taken apart from the rest; made when asked for, as few calls use all.
  get param() {
    return (name: string) => this.c.req.param(name) ?? ''
  }

  get header() {
    return (name: string) => this.c.req.header(name)
  }

  get query() {
    return (name: string) => this.c.req.query(name)
  }

  get assume() {
    return (id: SettingId) => {
      this.record.note(`assumption ${id}`)
      this.#headers['x-sandbox-assumption'] = id
    }
  }

  answer(data: unknown): Response {
    if (data instanceof Response) return data
    const { dialect, status = 200 } = this.#operation
    const code = typeof status === 'function' ? status(this.services.world.settings) : status
    const response = respond(dialect, { record: this.record, headers: this.#headers, code, data })
    if (dialect.journalled) this.services.requests.close(this.record)
    return response
  }

  fail(error: unknown): Response {
    const { c, record } = this
    const operation = this.#operation
    const { dialect } = operation
    const response = refuse({ dialect, operation, c, record, headers: this.#headers, error })
    if (dialect.journalled) this.services.requests.close(record)
    return response
  }
}

/** The journal's row for this call, named in its headers; control calls are not journalled. */
export function openRecord(
  dialect: Dialect,
  c: Context<Env>,
  headers: Record<string, string>,
): CallRecord {
  const { services } = c.env
  const { method, url } = c.req
  if (!dialect.journalled) return new CallRecord()
  const record = services.requests.open(method, url, services.world.now)
  headers['x-sandbox-request'] = record.id
  if (dialect.headers) Object.assign(headers, dialect.headers(services.world))
  return record
}

interface Reply {
  record: CallRecord
  headers: Record<string, string>
}

/** Plain strings and plain header objects: anything else leaves the server's fast path. */
function respond(
  dialect: Dialect,
  { record, headers, code, data }: Reply & { code: number; data: unknown },
) {
  record.status = code
  if (code === 204) {
    delete headers['content-type']
    return new Response(null, { status: code, headers })
  }
  const text = JSON.stringify(dialect.success(data))
  record.answer = text
  return new Response(text, { status: code, headers })
}

interface Refused {
  dialect: Dialect
  /** None where no operation has the path. */
  operation: Operation | undefined
  c: Context<Env>
  record: CallRecord
  headers: Record<string, string>
  error: unknown
}

export function refuse({ dialect, operation, c, record, headers, error }: Refused): Response {
  const { settings } = c.env.services.world
  const refusal = error instanceof DomainError ? error : bug(error)
  const code = error instanceof DomainError ? dialect.statusOf(refusal, settings) : 500
  const text = JSON.stringify(dialect.refusal(refusal, code, settings))
  Object.assign(headers, headersOf(refusal))
  headers['content-type'] = dialect.errorType
  record.status = code
  record.answer = text
  if (dialect.journalled) {
    record.problem = explain(refusal, { operation, c, record, body: record.body })
  }
  return new Response(text, { status: code, headers })
}

/** Anything else thrown is a bug of the sandbox: it is logged with its stack. */
function bug(error: unknown): DomainError {
  console.error(error)
  const message = 'The sandbox failed; its log has the stack.'
  return new DomainError('conflict', 'sandbox', message, { rule: 'None: it is a bug' })
}
