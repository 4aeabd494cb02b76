import { realTime, TIMER_MAX_MS } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'
import { Journal } from '../world/journal.ts'
import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import {
  Delivery,
  type DeliveryRequest,
  type Outcome,
  type Queued,
  type ReceiverResponse,
} from './delivery.ts'
import type { WebhookRules } from './destination.ts'
import type { WebhookDialect } from './dialect.ts'
import type { Mutation } from './mutation.ts'
import { describe, Poster, type PostResult } from './post.ts'
import { DestinationQueues, QUEUE_MAX } from './queue.ts'
import { buildRequest } from './request.ts'
import { type AppliedFault, formatFault, toDuplicate } from './webhook-fault.ts'

const DELIVERIES_MAX = 10_000
/** Deliveries waiting for all destinations of a world together. */
const WAITING_MAX = 10 * QUEUE_MAX
const RESPONSES_LENGTH_MAX = 32 * 1024 * 1024
const CLOSE_MAX_MS = 1_000
const CLOSED = 'The sandbox was closed.'

export interface OutboxOptions {
  world: World
  dialects: readonly WebhookDialect[]
  /** The present in ms. Default: the real one, also under fake timers. */
  wallClock?: () => number
  webhookRules: WebhookRules
  /** Deliveries so far, which a restore keeps. Default: none. */
  journal?: Journal<Delivery> | undefined
  onDone?: (delivery: Delivery) => void
  /** Returns the fault for a new delivery; called once for each, in the order of events. */
  faultOf?: (delivery: Delivery) => AppliedFault | undefined
  /** Where the world is kept; a webhook waits until its event is there. */
  disk?: Disk | undefined
}

export interface Disk {
  /** Resolves once all changes so far are on disk; rejects when they cannot be written. */
  written(): Promise<void>
  /** Resolves once the next write has succeeded. */
  saved(): Promise<void>
}

interface ResendOptions {
  mutate?: Mutation | undefined
  to?: string | undefined
}

/** Queue and journal of webhooks. Every delivery is posted once, and never retried. */
export class Outbox {
  readonly journal: Journal<Delivery>
  readonly #options: OutboxOptions
  readonly #wallClock: () => number
  readonly #pending = new Set<Delivery>()
  /** Deliveries whose events could not be written to disk yet. */
  readonly #unsaved = new Set<Delivery>()
  readonly #waiters = new Set<() => void>()
  readonly #queues: DestinationQueues
  readonly #overtaken = new WeakMap<Delivery, Delivery[]>()
  readonly #poster: Poster
  readonly #closing = new AbortController()
  readonly #testCounts = new Map<string, number>()
  #drainCount = 0
  #closedBecause = CLOSED

  constructor(options: OutboxOptions) {
    this.journal = options.journal ?? newJournal()
    this.#options = options
    this.#wallClock = options.wallClock ?? realTime.now
    this.#poster = new Poster(options.webhookRules)
    this.#queues = new DestinationQueues({
      send: (delivery) => this.#send(delivery),
      onRelease: (delivery) => this.#addToQueue(delivery),
    })
  }

  get pending(): number {
    return this.#pending.size
  }

  /** Adds the deliveries of an event to the journal, and queues them per destination. */
  enqueue(event: WorldEvent): void {
    for (const dialect of this.#options.dialects) {
      for (const request of this.#toRequests(dialect, event)) this.#enqueueNew(request)
    }
  }

  /**
   * Resolves when all are done, or after `limitMs` of wall time, with how many are still pending.
   * It does not wait for a delivery that a fault holds until another overtakes it.
   */
  async wait(deliveries: Iterable<Delivery>, limitMs: number): Promise<number> {
    const given = [...deliveries]
    const moving = given.filter((delivery) => !this.#queues.isHeld(delivery))
    await this.#waitFor(
      moving.flatMap((delivery) => [delivery, ...(this.#overtaken.get(delivery) ?? [])]),
      limitMs,
    )
    return given.filter(({ outcome }) => outcome === 'pending').length
  }

  /**
   * Waits for every delivery, including new ones, and releases those that faults hold. It does not
   * wait for a disk that fails.
   */
  async drain(limitMs: number): Promise<number> {
    this.#drainCount++
    this.#queues.releaseAll()
    await this.#waitUntil(() => this.#pending.size === this.#unsaved.size, limitMs)
    this.#drainCount--
    return this.#pending.size
  }

  /** Sends an event again at once, without faults: to its present destination, or to another URL. */
  resend(delivery: Delivery, { mutate, to }: ResendOptions = {}): Promise<Delivery> {
    const request = this.#toResend(delivery)
    if (to !== undefined) request.target = { hook: delivery.hook, url: to, reason: null }
    return this.#sendNow(this.#recordRepeat(request, delivery), mutate)
  }

  sendTest(integrator: Integrator): Promise<Delivery> {
    return this.#sendNow(this.#record(this.#toTest(integrator)))
  }

  queued(): Queued[] {
    return [...this.#pending].filter(isUnsent).map(toQueued)
  }

  requeue(rows: readonly Queued[]): void {
    for (const row of rows) this.#enqueueDelivery(this.#record(toCopy(row)), row.fault)
  }

  /** Aborts running deliveries and sends nothing any more. */
  async close(because: string = CLOSED): Promise<void> {
    this.#closedBecause = because
    this.#closing.abort()
    this.#queues.clear()
    this.#poster.close(because)
    for (const delivery of [...this.#pending].filter(isUnsent)) this.#suppress(delivery)
    await this.#waitUntil(() => this.#pending.size === 0, CLOSE_MAX_MS)
    await realTime.nextTurn()
  }

  /** Requests for the deliveries of an event in one dialect; none if its integrator is gone. */
  #toRequests(dialect: WebhookDialect, event: WorldEvent): DeliveryRequest[] {
    const { world } = this.#options
    const integrator = world.integratorsByName.get(event.integrator)
    if (integrator === undefined) return []
    const targets = dialect.targetsOf(world, integrator, event)
    if (targets.length === 0) return []
    const { signingSecret: secret } = integrator
    const body = dialect.render(world, event)
    return targets.map((target) => ({ event, dialect: dialect.name, target, secret, body }))
  }

  /** The request for sending the event of a delivery to its present destination. */
  #toResend(delivery: Delivery): DeliveryRequest {
    const { world, dialects } = this.#options
    const dialect = dialects.find(({ name }) => name === delivery.dialect)
    const requests = dialect ? this.#toRequests(dialect, delivery.event) : []
    const { signingSecret = null } = world.integratorsByName.get(delivery.integrator) ?? {}
    const found = requests.find(({ target }) => target.hook === delivery.hook)
    return found ?? toCopy(delivery, signingSecret)
  }

  #toTest(integrator: Integrator): DeliveryRequest {
    const { world, dialects } = this.#options
    const ordinal = (this.#testCounts.get(integrator.name) ?? 0) + 1
    this.#testCounts.set(integrator.name, ordinal)
    for (const dialect of dialects) {
      const event = dialect.createTestEvent?.(world, integrator, ordinal)
      const [request] = event ? this.#toRequests(dialect, event) : []
      if (request) return request
    }
    throw new Error('No dialect has a test event.')
  }

  #record(request: DeliveryRequest): Delivery {
    const { onDone } = this.#options
    const delivery = new Delivery(this.journal.last + 1, request)
    this.journal.push(delivery)
    if (delivery.url === null) onDone?.(delivery)
    return delivery
  }

  #recordRepeat(request: DeliveryRequest, repeated: Delivery): Delivery {
    const delivery = this.#record(request)
    delivery.first = repeated.first ?? repeated
    return delivery
  }

  /** Queues a delivery with the fault that applies to it, and its duplicate behind it. */
  #enqueueNew(request: DeliveryRequest): void {
    const delivery = this.#record(request)
    if (delivery.url === null) return
    const fault = this.#options.faultOf?.(delivery) ?? null
    this.#enqueueDelivery(delivery, fault)
    if (!fault?.effect.duplicate) return
    this.#enqueueDelivery(this.#recordRepeat(toCopy(delivery), delivery), toDuplicate(fault))
  }

  #enqueueDelivery(delivery: Delivery, fault: AppliedFault | null): void {
    const url = delivery.url ?? ''
    this.#pending.add(delivery)
    if (this.#closing.signal.aborted) {
      this.#suppress(delivery)
      return
    }
    const { disk } = this.#options
    if (disk) delivery.stored = this.#whenStored(disk, delivery)
    if (fault !== null) {
      delivery.fault = fault
      delivery.reason = formatFault(fault)
    }
    const isHeld = fault?.effect.reorder && this.#drainCount === 0
    if (isHeld && this.#queues.hold(url, delivery)) return
    this.#addToQueue(delivery)
    if (fault?.effect.drop) return
    const released = this.#queues.overtake(url)
    if (released.length > 0) this.#overtaken.set(delivery, released)
    for (const each of released) this.#addToQueue(each)
  }

  #addToQueue(delivery: Delivery): void {
    const isFull = this.#pending.size > WAITING_MAX
    if (!isFull && this.#queues.add(delivery.url ?? '', delivery)) return
    this.#end(delivery, 'overflow', FULL)
  }

  async #sendNow(delivery: Delivery, mutation?: Mutation): Promise<Delivery> {
    if (delivery.url === null) return delivery
    this.#pending.add(delivery)
    this.#send(delivery, mutation)
    await this.#waitFor([delivery], TIMER_MAX_MS)
    return delivery
  }

  /** Never rejects: every failure becomes an outcome. */
  async #send(delivery: Delivery, mutation?: Mutation): Promise<void> {
    const result = await this.#post(delivery, mutation).catch(toFailure)
    if (delivery.outcome !== 'pending') return
    const { outcome, response, error, durationMs } = result
    delivery.response = response
    delivery.error = error
    delivery.durationMs = durationMs
    if (response) this.journal.weigh(delivery.cursor, lengthOf(response))
    this.#end(delivery, outcome, outcome === 'blocked' ? error : delivery.reason)
  }

  async #post(delivery: Delivery, mutation?: Mutation): Promise<PostResult> {
    const { world } = this.#options
    const { signal } = this.#closing
    const { drop, delayMs = 0 } = delivery.fault?.effect ?? {}
    if (drop) return NOT_SENT
    if (delayMs > 0) await realTime.pause(delayMs, undefined, { signal })
    if (delivery.stored) await delivery.stored
    delivery.stored = null
    if (signal.aborted) throw new Error(this.#closedBecause)
    const destination = this.#poster.destinationOf(delivery.url ?? '')
    const at = this.#wallClock()
    const built = buildRequest(world, delivery, { at, destination, mutation })
    delivery.sent = built.sent
    delivery.mutation = built.mutation
    delivery.reason = built.reason
    return this.#poster.post(destination, built.sent, world.settings['webhooks.timeout'])
  }

  /** Waits for the disk, however long it fails; calls that wait for the delivery go on then. */
  async #whenStored(disk: Disk, delivery: Delivery): Promise<void> {
    try {
      await disk.written()
    } catch {
      this.#unsaved.add(delivery)
      for (const check of this.#waiters) check()
      await disk.saved()
      this.#unsaved.delete(delivery)
    }
  }

  #suppress(delivery: Delivery): void {
    this.#end(delivery, 'suppressed', this.#closedBecause)
  }

  #end(delivery: Delivery, outcome: Outcome, reason: string | null): void {
    delivery.end(outcome, reason)
    this.#pending.delete(delivery)
    this.#unsaved.delete(delivery)
    for (const check of this.#waiters) check()
    this.#options.onDone?.(delivery)
  }

  /** Checks the last delivery first, because it usually ends last. */
  #waitFor(deliveries: Delivery[], limitMs: number): Promise<void> {
    const isDone = (delivery?: Delivery) =>
      delivery !== undefined && (!this.#pending.has(delivery) || this.#unsaved.has(delivery))
    return this.#waitUntil(() => {
      while (isDone(deliveries.at(-1))) deliveries.pop()
      return deliveries.length === 0
    }, limitMs)
  }

  /** Resolves when `isDone` returns true, or after `limitMs` of wall time. */
  #waitUntil(isDone: () => boolean, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        realTime.clearTimeout(timer)
        this.#waiters.delete(check)
        resolve()
      }
      const check = () => {
        if (isDone()) finish()
      }
      // The timer also keeps the process alive: the sockets of deliveries do not.
      const timer = realTime.setTimeout(finish, Math.min(limitMs, TIMER_MAX_MS))
      this.#waiters.add(check)
      check()
    })
  }
}

const newJournal = () =>
  new Journal<Delivery>({ max: DELIVERIES_MAX, lengthMax: RESPONSES_LENGTH_MAX })

const FULL =
  `${QUEUE_MAX} deliveries were already waiting for this destination, ` +
  `or ${WAITING_MAX} for all destinations together.`

function lengthOf({ headers, body }: ReceiverResponse): number {
  let { length } = body
  for (const name in headers) length += name.length + String(headers[name]).length
  return length
}

const isUnsent = ({ sent }: Delivery) => sent === null

function toCopy(
  delivery: Omit<Queued, 'cursor' | 'fault'>,
  secret = delivery.secret,
): DeliveryRequest {
  const { event, dialect, hook, url, body } = delivery
  return { event, dialect, target: { hook, url, reason: null }, secret, body }
}

function toQueued(delivery: Delivery): Queued {
  const { cursor, event, dialect, hook, url, body, fault, secret } = delivery
  return { cursor, event, dialect, hook, url, body, fault, secret }
}

const NOT_SENT: PostResult = {
  outcome: 'suppressed',
  response: null,
  error: null,
  durationMs: null,
}

function toFailure(error: unknown): PostResult {
  const outcome = error instanceof DomainError ? 'blocked' : 'refused'
  return { outcome, response: null, error: describe(error), durationMs: 0 }
}
