import type { Context } from 'hono'
import { RequestRecord } from '../engine/request-journal.ts'
import { Refusal } from '../world/domain-error.ts'
import type { SettingId } from '../world/settings/index.ts'
import type { World } from '../world/world.ts'
import { meetFault, tellFault } from './api-fault.ts'
import { explain } from './hints/index.ts'
import type { Dialect, Knock, Operation } from './operation.ts'
import type { Doors, Env } from './services.ts'
import { headersOf } from './status.ts'
import { readInput } from './validate.ts'

/**
 * One call from the door to the answer: who knocks, what was sent, the use case, the dialect.
 * It stays synchronous where nothing has to be awaited, because that keeps the server fast.
 */
export function run(operation: Operation, c: Context<Env>): Response | Promise<Response> {
  const passage = new Passage(operation, c)
  const { faults } = c.env.doors
  const isFaulty = operation.dialect.journalled && faults.list().length > 0
  const fault = isFaulty ? faults.takeApi(describeCall(operation, passage)) : undefined
  if (fault === undefined) return proceed(operation, passage)
  passage.record.note(tellFault(fault))
  return meetFault(fault, c, {
    proceed() {
      passage.world = passage.doors.world
      passage.doors.timekeeper.sync()
      return proceed(operation, passage)
    },
    refuse: (error) => passage.fail(error),
    giveUp: () => passage.doors.requests.close(passage.record),
  })
}

function describeCall({ id }: Operation, { c, world, header }: Passage) {
  const integrator = world.integratorsByKey.get(header('x-api-key') ?? '')?.name ?? null
  return { operation: id, method: c.req.method, path: c.req.path, integrator }
}

function proceed(operation: Operation, passage: Passage): Response | Promise<Response> {
  try {
    operation.dialect.refuse?.(passage.world, operation)
    passage.who = operation.guard(passage)
    if (operation.body || operation.query) return runWithInput(operation, passage)
    return handle(operation, passage)
  } catch (error) {
    return passage.fail(error)
  }
}

const NO_INPUT = { query: undefined, body: undefined }

async function runWithInput(operation: Operation, passage: Passage) {
  try {
    passage.input = await readInput(operation, passage.c, passage)
    enterAgain(operation, passage)
    passage.doors.timekeeper.sync()
    return await handle(operation, passage)
  } catch (error) {
    return passage.fail(error)
  }
}

/** A reset while the body was read leaves the caller of another world behind. */
function enterAgain(operation: Operation, passage: Passage) {
  const { world } = passage.doors
  if (world === passage.world) return
  passage.world = world
  passage.who = operation.guard(passage)
}

/** The use case and its answer, which some of its webhooks may have been ordered to come before. */
function handle(operation: Operation, passage: Passage): Response | Promise<Response> {
  const { outbox, faults } = passage.doors
  const before = outbox.journal.last
  const data = operation.handle(passage)
  if (data instanceof Promise) {
    return data.then(
      (settled) => passage.answer(settled),
      (error) => passage.fail(error),
    )
  }
  if (outbox.journal.last === before || faults.list().length === 0) return passage.answer(data)
  const early = outbox.journal.after(before).filter(({ fault }) => fault?.effect.beforeResponse)
  if (early.length === 0) return passage.answer(data)
  const limitMs = passage.world.policy['webhooks.timeout']
  return outbox.wait(early, limitMs).then(() => passage.answer(data))
}

/** One object from the door to the answer, filled in on the way. */
class Passage implements Knock {
  readonly c: Context<Env>
  readonly doors: Doors
  readonly record: RequestRecord
  world: World
  who: unknown = undefined
  input: { query: unknown; body: unknown } = NO_INPUT
  readonly #operation: Operation
  readonly #headers: Record<string, string> = { 'content-type': 'application/json' }

  constructor(operation: Operation, c: Context<Env>) {
    const { doors } = c.env
    doors.timekeeper.sync()
    this.c = c
    this.doors = doors
    this.world = doors.world
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
    const code = typeof status === 'function' ? status(this.doors.world.policy) : status
    const response = respond(dialect, { record: this.record, headers: this.#headers, code, data })
    if (dialect.journalled) this.doors.requests.close(this.record)
    return response
  }

  fail(error: unknown): Response {
    const { c, record } = this
    const operation = this.#operation
    const { dialect } = operation
    const response = refuse({ dialect, operation, c, record, headers: this.#headers, error })
    if (dialect.journalled) this.doors.requests.close(record)
    return response
  }
}

/** The journal's row for this call, named in its headers; control calls are not journalled. */
export function openRecord(
  dialect: Dialect,
  c: Context<Env>,
  headers: Record<string, string>,
): RequestRecord {
  const { doors } = c.env
  const { method, url } = c.req
  if (!dialect.journalled) return new RequestRecord()
  const record = doors.requests.open(method, url, doors.world.now)
  headers['x-sandbox-request'] = record.id
  if (dialect.headers) Object.assign(headers, dialect.headers(doors.world))
  return record
}

interface Reply {
  record: RequestRecord
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
  record: RequestRecord
  headers: Record<string, string>
  error: unknown
}

export function refuse({ dialect, operation, c, record, headers, error }: Refused): Response {
  const { policy } = c.env.doors.world
  const refusal = error instanceof Refusal ? error : bug(error)
  const code = error instanceof Refusal ? dialect.statusOf(refusal, policy) : 500
  const text = JSON.stringify(dialect.refusal(refusal, code, policy))
  Object.assign(headers, headersOf(refusal))
  headers['content-type'] = dialect.refusalType
  record.status = code
  record.answer = text
  if (dialect.journalled) {
    record.refusal = explain(refusal, { operation, c, record, body: record.body })
  }
  return new Response(text, { status: code, headers })
}

/** Anything else thrown is a bug of the sandbox: it is logged with its stack. */
function bug(error: unknown): Refusal {
  console.error(error)
  const message = 'The sandbox failed; its log has the stack.'
  return new Refusal('conflict', 'sandbox', message, { rule: 'None: it is a bug' })
}
