import { realTime, TIMER_MAX_MS } from '../real-time.ts'
import type { Entries } from '../world/entries.ts'
import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import {
  Delivery,
  type DeliveryRequest,
  isUnsent,
  lengthOf,
  type Outcome,
  type Queued,
  type Sent,
  toQueued,
} from './delivery.ts'
import type { WebhookRules } from './destination.ts'
import type { Target, WebhookDialect } from './dialect.ts'
import type { Mutation } from './mutation.ts'
import { Poster, type PostResult, toFailure } from './post.ts'
import { QUEUE_MAX, Queues } from './queue.ts'
import { prepare } from './request.ts'
import { renderWith, UNKNOWN_TYPE, type WebhookChange, withChange } from './run-change.ts'
import { type AppliedFault, formatFault, toDuplicate } from './webhook-fault.ts'

const CLOSE_MAX_MS = 1_000
const CLOSED = 'The sandbox was closed.'

export interface OutboxOptions extends WebhookChange {
  world: World
  dialects: readonly WebhookDialect[]
  /** The present in ms. Default: the real one, also under fake timers. */
  wallClock?: () => number
  webhookRules: WebhookRules
  /** Deliveries so far, which a restore keeps. */
  deliveries: Entries<Delivery>
  onDone?: (delivery: Delivery) => void
  /** Returns the fault for a new delivery; called once for each, in the order of events. */
  faultOf?: (delivery: Delivery) => AppliedFault | undefined
  /** Store of the world; a webhook waits until its event is written. */
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
  readonly deliveries: Entries<Delivery>
  readonly #options: OutboxOptions
  readonly #wallClock: () => number
  readonly #pending = new Set<Delivery>()
  /** Deliveries whose events could not be written to disk yet. */
  readonly #unsaved = new Set<Delivery>()
  readonly #waiters = new Set<() => void>()
  readonly #queues: Queues
  readonly #overtaken = new WeakMap<Delivery, Delivery[]>()
  readonly #poster: Poster
  readonly #closing = new AbortController()
  readonly #testCounts = new Map<string, number>()
  /** The last delivery about each transaction and user, where it comes again after the next one. */
  readonly #last = new Map<string, Sent>()
  #drainCount = 0
  #closedBecause = CLOSED

  constructor(options: OutboxOptions) {
    this.deliveries = options.deliveries
    this.#options = options
    this.#wallClock = options.wallClock ?? realTime.now
    this.#poster = new Poster(options.webhookRules)
    this.#queues = new Queues({
      urlOf: (delivery) => this.#targetOf(delivery).url,
      whenReady: (delivery) => this.#whenReady(delivery),
      send: (delivery, url) => this.#send(delivery, url),
      onRelease: (delivery) => this.#addToQueue(delivery),
    })
  }

  get pending(): number {
    return this.#pending.size
  }

  /** Adds the deliveries of an event to the journal, and queues those that have somewhere to go. */
  enqueue(event: WorldEvent): void {
    const { world, dialects } = this.#options
    const { settings } = world
    const integrator = world.integratorsByName.get(event.integrator)
    if (integrator === undefined) return
    for (const dialect of dialects) {
      const { name } = dialect
      const render = renderWith(this.#options, dialect)
      for (const hook of dialect.hooksOf(integrator, event)) {
        this.#enqueueNew({ event, dialect: name, hook, settings, render })
      }
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
  resend(repeated: Delivery, { mutate, to }: ResendOptions = {}): Promise<Delivery> {
    const { event, dialect: name, hook } = repeated
    const dialect = this.#dialectOf(repeated)
    const { settings } = this.#options.world
    const render = dialect?.render ?? (() => repeated.body)
    const delivery = this.#record({ event, dialect: name, hook, settings, render }, repeated)
    return this.#sendNow(delivery, { mutate, to })
  }

  sendTest(integrator: Integrator): Promise<Delivery> {
    const { world, dialects } = this.#options
    const { settings } = world
    const ordinal = (this.#testCounts.get(integrator.name) ?? 0) + 1
    this.#testCounts.set(integrator.name, ordinal)
    for (const dialect of dialects) {
      const event = dialect.createTestEvent?.(world, integrator, ordinal)
      if (event === undefined) continue
      const { name, render } = dialect
      const request = { event, dialect: name, hook: null, settings, render }
      return this.#sendNow(this.#record(request))
    }
    throw new Error('No dialect has a test event.')
  }

  queued(): Queued[] {
    return [...this.#pending].filter(isUnsent).map(toQueued)
  }

  requeue(rows: readonly Queued[]): void {
    for (const { fault, body, ...request } of rows) {
      const { settings } = this.#options.world
      const delivery = this.#record({ settings, render: () => body, ...request })
      delivery.url = this.#targetOf(delivery).url
      this.#enqueueDelivery(delivery, fault)
    }
  }

  /** Aborts running deliveries and sends nothing any more. */
  async close(because: string = CLOSED): Promise<void> {
    this.#closedBecause = because
    // With a reason, because each reset closes an outbox and the default one is an error with a stack.
    this.#closing.abort(because)
    this.#queues.clear()
    this.#poster.close(because)
    for (const delivery of [...this.#pending]) this.#cutOff(delivery)
    await this.#waitUntil(() => this.#pending.size === 0, CLOSE_MAX_MS)
    await realTime.nextTurn()
  }

  #dialectOf({ dialect }: Pick<Delivery, 'dialect'>): WebhookDialect | undefined {
    return this.#options.dialects.find(({ name }) => name === dialect)
  }

  /** Returns where a delivery goes at this moment. */
  #targetOf(delivery: Delivery): Target {
    const { world } = this.#options
    const integrator = world.integratorsByName.get(delivery.integrator)
    const dialect = this.#dialectOf(delivery)
    if (!integrator || !dialect) return { url: null, missing: 'The integrator did not exist.' }
    return dialect.targetOf(world, integrator, delivery)
  }

  #record(request: DeliveryRequest, repeated?: Delivery): Delivery {
    const { world } = this.#options
    const id = `dlv_${this.deliveries.total + 1}`
    const delivery = new Delivery({ id, pos: world.nextPosition(), cause: world.cause }, request)
    delivery.first = repeated ? (repeated.first ?? repeated) : null
    this.deliveries.push(delivery)
    return delivery
  }

  /** Queues a delivery with the fault that applies to it, and its duplicate behind it. */
  #enqueueNew(request: DeliveryRequest): void {
    const delivery = this.#record(request)
    const { url, missing = null, assumption = null } = this.#targetOf(delivery)
    delivery.url = url
    delivery.assumption = assumption
    if (url === null) {
      delivery.end('suppressed', missing)
      this.#options.onDone?.(delivery)
      return
    }
    const { change } = this.#options
    const own = this.#options.faultOf?.(delivery) ?? null
    const fault = withChange(own, change?.deliveries)
    if (fault !== own) this.#options.onChanged?.()
    this.#enqueueDelivery(delivery, fault)
    if (fault?.effect.duplicate) {
      const duplicate = this.#record(request, delivery)
      duplicate.url = url
      this.#enqueueDelivery(duplicate, toDuplicate(fault))
    }
    if (change?.deliveries === 'type' && delivery.dialect === 'v2') {
      this.#enqueueBeside({ request, delivery }, UNKNOWN_TYPE)
    }
    if (change?.deliveries === 'again') this.#repeatLast({ request, delivery })
  }

  /** Sends the event before about the same transaction or user once more, behind this one. */
  #repeatLast(sent: Sent): void {
    const { integrator, hook, ref, fault } = sent.delivery
    // What a fault loses or holds back does not come again.
    if (fault?.effect.drop || fault?.effect.reorder) return
    const about = `${integrator} ${hook} ${ref}`
    const last = this.#last.get(about)
    this.#last.set(about, sent)
    if (last) this.#enqueueBeside(last, null)
  }

  /** Queues one more delivery of an event, past the faults that hold others back. */
  #enqueueBeside({ request, delivery }: Sent, fault: AppliedFault | null): void {
    const beside = this.#record(request, delivery)
    beside.url = this.#targetOf(beside).url
    beside.fault = fault
    beside.reason = fault && formatFault(fault)
    this.#pending.add(beside)
    if (this.#closing.signal.aborted) this.#suppress(beside)
    else this.#addToQueue(beside)
    this.#options.onChanged?.()
  }

  #enqueueDelivery(delivery: Delivery, fault: AppliedFault | null): void {
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
    if (isHeld && this.#queues.hold(delivery)) return
    this.#addToQueue(delivery)
    if (fault?.effect.drop) return
    const released = this.#queues.overtake(delivery)
    if (released.length > 0) this.#overtaken.set(delivery, released)
    for (const each of released) this.#addToQueue(each)
  }

  #addToQueue(delivery: Delivery): void {
    if (this.#queues.add(delivery)) return
    this.#end(delivery, 'overflow', FULL)
  }

  /** Never rejects. */
  async #whenReady({ fault, stored }: Delivery): Promise<void> {
    const { signal } = this.#closing
    const { delayMs = 0 } = fault?.effect ?? {}
    // Two turns, so that the response to the API leaves first, and so that the event loop notices a
    // connection that the receiver has closed: a POST on that one would be lost.
    await realTime.nextTurn()
    await realTime.nextTurn()
    if (delayMs > 0) await realTime.pause(delayMs, undefined, { signal }).catch(() => undefined)
    await stored?.catch(() => undefined)
  }

  async #sendNow(delivery: Delivery, { mutate, to }: ResendOptions = {}): Promise<Delivery> {
    this.#pending.add(delivery)
    void this.#send(delivery, to ?? this.#targetOf(delivery).url, mutate)
    await this.#waitFor([delivery], TIMER_MAX_MS)
    return delivery
  }

  /** Never rejects: every failure becomes an outcome. */
  async #send(delivery: Delivery, url: string | null, mutation?: Mutation): Promise<void> {
    if (delivery.outcome !== 'pending') return
    delivery.url = url
    if (url === null) {
      const { missing = '' } = this.#targetOf(delivery)
      this.#end(delivery, 'suppressed', missing.replace(/\.$/, ' when this webhook was due.'))
      return
    }
    if (delivery.fault?.effect.drop) {
      this.#end(delivery, 'suppressed', delivery.reason)
      return
    }
    const result = await this.#post(delivery, url, mutation).catch(toFailure)
    if (delivery.outcome !== 'pending') return
    const { outcome, response, error, durationMs } = result
    delivery.response = response
    delivery.error = error
    delivery.durationMs = durationMs
    if (response) this.deliveries.weigh(delivery, lengthOf(response))
    this.#end(delivery, outcome, outcome === 'blocked' ? error : delivery.reason)
  }

  async #post(delivery: Delivery, url: string, mutation?: Mutation): Promise<PostResult> {
    const { world } = this.#options
    if (delivery.stored) await delivery.stored
    delivery.stored = null
    if (this.#closing.signal.aborted) throw new Error(this.#closedBecause)
    const destination = this.#poster.destinationOf(url)
    const { signingSecret = null } = world.integratorsByName.get(delivery.integrator) ?? {}
    delivery.secret = signingSecret
    const at = this.#wallClock()
    const bytes = prepare(world, delivery, { at, host: destination.host, mutation })
    const { headers = {} } = delivery.sent ?? {}
    const timeoutMs = world.settings['webhooks.timeout']
    return this.#poster.post(destination, { headers, bytes, timeoutMs })
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

  /** Ends a delivery at once, while the journal of its world can still say so. */
  #cutOff(delivery: Delivery): void {
    const { sent } = delivery
    if (sent !== null) {
      delivery.error = this.#closedBecause
      delivery.durationMs = this.#wallClock() - sent.at
    }
    this.#end(delivery, sent === null ? 'suppressed' : 'refused', this.#closedBecause)
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

const FULL = `${QUEUE_MAX} deliveries were already waiting for this destination.`
