import { realTime, TIMER_MAX_MS } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'
import { createJournal } from '../world/journal.ts'
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
import type { DeliveryTarget, Generation } from './generation.ts'
import { createPoster, describe, type PostResult } from './post.ts'
import { createQueues, QUEUE_MAX } from './queue.ts'
import { buildRequest } from './request.ts'
import { type AppliedFault, formatFault, type Mutation, toDuplicate } from './webhook-fault.ts'

const DELIVERIES_MAX = 10_000
/** Deliveries waiting for all destinations of a world together. */
const WAITING_MAX = 10 * QUEUE_MAX
/** Characters of receivers' responses in one world; beyond them the oldest deliveries are forgotten. */
const RESPONSES_LENGTH_MAX = 32 * 1024 * 1024
const CLOSE_MAX_MS = 1_000
const CLOSED = 'The sandbox was closed.'

export interface OutboxOptions {
  world: World
  generations: readonly Generation[]
  /** The present in ms. Default: the real one, also under fake timers. */
  wallClock?: () => number
  webhookRules: WebhookRules
  /** Called with each delivery that has its outcome. */
  onDone?: (delivery: Delivery) => void
  /** The fault that applies to a new delivery; asked once for each, in the order of events. */
  faultOf?: (delivery: Delivery) => AppliedFault | undefined
  /** Resolves once everything that happened so far is on disk; webhooks wait for it. */
  whenStored?: (() => Promise<void>) | undefined
}

export type Outbox = ReturnType<typeof createOutbox>

/** Queue and journal of webhooks. Every delivery is posted once, and never retried. */
export function createOutbox(options: OutboxOptions) {
  const { world, generations, wallClock = realTime.now, webhookRules, onDone = () => {} } = options
  const { faultOf, whenStored } = options
  const journal = createJournal<Delivery>({ max: DELIVERIES_MAX, lengthMax: RESPONSES_LENGTH_MAX })
  /** Queued, held or on its way. */
  const pending = new Set<Delivery>()
  /** Called whenever a delivery has its outcome. */
  const waiters = new Set<() => void>()
  const queues = createQueues({ send, onRelease: addToQueue })
  const overtaken = new WeakMap<Delivery, Delivery[]>()
  const poster = createPoster(webhookRules)
  const closing = new AbortController()
  const testCounts = new Map<string, number>()
  let drainCount = 0

  return {
    get pending() {
      return pending.size
    },
    journal,
    /** Adds the deliveries of an event to the journal; they are sent later, in order per destination. */
    enqueue(event: WorldEvent) {
      for (const generation of generations) {
        for (const request of toRequests(generation, event)) enqueueNew(request)
      }
    },
    /**
     * Resolves when all are done, or after `limitMs` of wall time, with how many are still pending.
     * It does not wait for a delivery that a fault holds until another overtakes it.
     */
    async wait(deliveries: Iterable<Delivery>, limitMs: number) {
      const given = [...deliveries]
      const moving = given.filter((delivery) => !queues.isHeld(delivery))
      await waitFor(
        moving.flatMap((delivery) => [delivery, ...(overtaken.get(delivery) ?? [])]),
        limitMs,
      )
      return given.filter(({ outcome }) => outcome === 'pending').length
    },
    /** Waits as `wait` does, for every delivery, new ones included; releases what faults hold. */
    async drain(limitMs: number) {
      drainCount++
      queues.releaseAll()
      await waitUntil(() => pending.size === 0, limitMs)
      drainCount--
      return pending.size
    },
    /** Sends the same event again, at once, to where it would go now; no fault applies to it. */
    resend: (delivery: Delivery, mutation?: Mutation) =>
      sendNow(recordRepeat(toResend(delivery), delivery), mutation),
    /** Sends a synthetic event at once; no fault applies to it. */
    sendTest: (integrator: Integrator) => sendNow(record(toTest(integrator))),
    /** Deliveries that have not been sent yet, for another outbox to send. */
    queued: () => [...pending].filter(isUnsent).map(toQueued),
    requeue(rows: readonly Queued[]) {
      for (const row of rows) enqueueDelivery(record(toCopy(row)), row.fault)
    },
    /** Aborts what is on its way and sends nothing any more. */
    async close() {
      closing.abort()
      queues.clear()
      poster.close()
      for (const delivery of [...pending].filter(isUnsent)) end(delivery, 'suppressed', CLOSED)
      await waitUntil(() => pending.size === 0, CLOSE_MAX_MS)
      await realTime.nextTurn()
    },
  }

  /** Deliveries of a generation for an event, if its integrator is one of this world. */
  function toRequests(generation: Generation, event: WorldEvent): DeliveryRequest[] {
    const integrator = world.integratorsByName.get(event.integrator)
    if (integrator === undefined) return []
    const { signingSecret: secret } = integrator
    const render = () => generation.render(world, event)
    const toRequest = (target: DeliveryTarget) => {
      return { event, generation: generation.name, target, secret, render }
    }
    return generation.targetsOf(world, integrator, event).map(toRequest)
  }

  /** The event of a delivery, to where its generation would send it now. */
  function toResend(delivery: Delivery): DeliveryRequest {
    const generation = generations.find(({ name }) => name === delivery.generation)
    const requests = generation ? toRequests(generation, delivery.event) : []
    const { signingSecret = null } = world.integratorsByName.get(delivery.integrator) ?? {}
    const found = requests.find(({ target }) => target.hook === delivery.hook)
    return found ?? toCopy(delivery, signingSecret)
  }

  function toTest(integrator: Integrator): DeliveryRequest {
    const ordinal = (testCounts.get(integrator.name) ?? 0) + 1
    testCounts.set(integrator.name, ordinal)
    for (const generation of generations) {
      const event = generation.createTestEvent?.(world, integrator, ordinal)
      const [request] = event ? toRequests(generation, event) : []
      if (request) return request
    }
    throw new Error('No generation has a test event.')
  }

  function record(request: DeliveryRequest): Delivery {
    const delivery = new Delivery(journal.last + 1, request)
    journal.push(delivery)
    if (delivery.url === null) onDone(delivery)
    return delivery
  }

  function recordRepeat(request: DeliveryRequest, repeated: Delivery): Delivery {
    const delivery = record(request)
    delivery.first = repeated.first ?? repeated
    return delivery
  }

  /** Queues a delivery with the fault that applies to it, and its duplicate behind it. */
  function enqueueNew(request: DeliveryRequest) {
    const delivery = record(request)
    if (delivery.url === null) return
    const fault = faultOf?.(delivery) ?? null
    enqueueDelivery(delivery, fault)
    if (fault?.effect.duplicate)
      enqueueDelivery(recordRepeat(toCopy(delivery), delivery), toDuplicate(fault))
  }

  function enqueueDelivery(delivery: Delivery, fault: AppliedFault | null) {
    const url = delivery.url ?? ''
    pending.add(delivery)
    if (closing.signal.aborted) return end(delivery, 'suppressed', CLOSED)
    delivery.stored = whenStored?.() ?? null
    // A failure becomes the outcome when the delivery is sent; until then nobody handles it.
    delivery.stored?.catch(() => undefined)
    if (fault !== null) Object.assign(delivery, { fault, reason: formatFault(fault) })
    if (fault?.effect.reorder && drainCount === 0 && queues.hold(url, delivery)) return
    addToQueue(delivery)
    if (fault?.effect.drop) return
    const released = queues.overtake(url)
    if (released.length > 0) overtaken.set(delivery, released)
    released.forEach(addToQueue)
  }

  function addToQueue(delivery: Delivery) {
    const isFull = pending.size > WAITING_MAX || !queues.add(delivery.url ?? '', delivery)
    if (isFull) end(delivery, 'overflow', FULL)
  }

  async function sendNow(delivery: Delivery, mutation?: Mutation): Promise<Delivery> {
    if (delivery.url === null) return delivery
    pending.add(delivery)
    send(delivery, mutation)
    await waitFor([delivery], TIMER_MAX_MS)
    return delivery
  }

  /** Never rejects: every failure becomes an outcome. */
  async function send(delivery: Delivery, mutation?: Mutation): Promise<void> {
    const result = await post(delivery, mutation).catch(toFailure)
    if (delivery.outcome !== 'pending') return
    const { outcome, response, error, durationMs } = result
    delivery.response = response
    delivery.error = error
    delivery.durationMs = durationMs
    if (response) journal.weigh(delivery.cursor, lengthOf(response))
    end(delivery, outcome, outcome === 'blocked' ? error : delivery.reason)
  }

  /** The one place from which a webhook is sent. */
  async function post(delivery: Delivery, mutation?: Mutation): Promise<PostResult> {
    const { drop, delayMs = 0 } = delivery.fault?.effect ?? {}
    if (drop) return NOT_SENT
    if (delayMs > 0) await realTime.pause(delayMs, undefined, { signal: closing.signal })
    if (delivery.stored) await delivery.stored
    delivery.stored = null
    if (closing.signal.aborted) throw new Error(CLOSED)
    const destination = poster.destinationOf(delivery.url ?? '')
    delivery.sent = buildRequest(world, delivery, { at: wallClock(), destination, mutation })
    return poster.post(destination, delivery.sent, world.settings['webhooks.timeout'])
  }

  function end(delivery: Delivery, outcome: Outcome, reason: string | null) {
    delivery.end(outcome, reason)
    pending.delete(delivery)
    for (const check of waiters) check()
    onDone(delivery)
  }

  /** Looks at the last one first, which is usually the last to be done. */
  function waitFor(deliveries: Delivery[], limitMs: number): Promise<void> {
    const isDone = (delivery?: Delivery) => delivery !== undefined && !pending.has(delivery)
    return waitUntil(() => {
      while (isDone(deliveries.at(-1))) deliveries.pop()
      return deliveries.length === 0
    }, limitMs)
  }

  /** Resolves when `isDone` says so, or after `limitMs` of wall time. */
  function waitUntil(isDone: () => boolean, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      // The timer also keeps the process alive: the sockets of deliveries do not.
      const timer = realTime.setTimeout(finish, Math.min(limitMs, TIMER_MAX_MS))
      waiters.add(check)
      check()

      function check() {
        if (isDone()) finish()
      }
      function finish() {
        realTime.clearTimeout(timer)
        waiters.delete(check)
        resolve()
      }
    })
  }
}

const FULL =
  `${QUEUE_MAX} deliveries were already waiting for this destination, ` +
  `or ${WAITING_MAX} for all destinations together.`

/** A receiver may send 16 KiB of headers. */
function lengthOf({ headers, body }: ReceiverResponse): number {
  let { length } = body
  for (const name in headers) length += name.length + String(headers[name]).length
  return length
}

const isUnsent = ({ sent }: Delivery) => sent === null

/** The same bytes to the same place. */
function toCopy(delivery: Omit<Queued, 'fault'>, secret = delivery.secret): DeliveryRequest {
  const { event, generation, hook, url, body } = delivery
  return { event, generation, target: { hook, url, reason: null }, secret, render: () => body }
}

function toQueued({ event, generation, hook, url, body, fault, secret }: Delivery): Queued {
  return { event, generation, hook, url, body, fault, secret }
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
