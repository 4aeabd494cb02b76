import { setTimeout as pause } from 'node:timers/promises'
import { DomainError } from '../world/domain-error.ts'
import { createJournal, type Journal } from '../world/journal.ts'
import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import { ANSWERS_LENGTH_MAX, type Budget, createBudget, keepAnswer } from './budget.ts'
import { Delivery, type Exchange, type Generation, type Plan } from './delivery.ts'
import { createEventIndex } from './event-index.ts'
import { formatFault, type MetFault, toDuplicate } from './fault.ts'
import { createHolds } from './holds.ts'
import { createInFlight, TIMER_MAX_MS } from './in-flight.ts'
import { createLines, LINE_MAX, nextTurn, WAITING_MAX } from './lines.ts'
import { createPlanner } from './planner.ts'
import { createPoster, describe } from './post.ts'
import { type Mutation, prepare } from './prepare.ts'

/** Deliveries that the journal remembers. */
const DELIVERIES_MAX = 10_000
const CLOSE_MAX_MS = 1_000
const CLOSED = 'The sandbox was closed.'

export interface OutboxOptions {
  world: () => World
  generations: readonly Generation[]
  /** The present in ms. Default `Date.now`. */
  wallClock?: () => number
  /** Hosts that may be reached by http and at any address. */
  allowHosts: readonly string[]
  /** Hears of each delivery that has its outcome. */
  onDone?: (delivery: Delivery) => void
  /** The fault that a new delivery meets; asked once for each, in the order of events. */
  faultOf?: (delivery: Delivery) => MetFault | undefined
  /** Settles once everything that happened so far is on disk, before which no webhook tells of it. */
  whenKept?: (() => Promise<void>) | undefined
  /** What all long answers of receivers together may take. */
  budget?: Budget | undefined
}

/** What still had to be sent, as plain data. */
export interface Queued
  extends Pick<Delivery, 'event' | 'generation' | 'hook' | 'url' | 'body' | 'fault'> {}

/** Queue and journal of what must be posted. Every delivery is posted once, and never again. */
export interface Outbox {
  /** Journals what an event asks for; the POSTs leave later, one at a time per destination. */
  enqueue(event: WorldEvent): void
  /** Deliveries that are queued or on their way. */
  readonly pending: number
  readonly journal: Journal<Delivery>
  /** What became of some events, oldest first. */
  deliveriesOf(eventIds: Iterable<string>): Delivery[]
  /**
   * Resolves when all are done, or after `limitMs` of wall time, with how many are still pending.
   * It does not wait for what a fault holds until something else has overtaken it.
   */
  wait(deliveries: Iterable<Delivery>, limitMs: number): Promise<number>
  /** As `wait`, for everything, also what is added meanwhile; nothing is held any longer. */
  drain(limitMs: number): Promise<number>
  /** Sends the same event once more, at once, to where it would go now; it meets no fault. */
  resend(delivery: Delivery, mutation?: Mutation): Promise<Delivery>
  /** Sends a synthetic event at once. */
  sendTest(integrator: Integrator): Promise<Delivery>
  /** What has not left yet, to be sent by another outbox. */
  queued(): Queued[]
  requeue(queued: readonly Queued[]): void
  /** Breaks off what is on its way and sends nothing any more. */
  close(): Promise<void>
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { world, generations, wallClock = Date.now, allowHosts, onDone = () => {} } = options
  const { faultOf, whenKept, budget = createBudget(ANSWERS_LENGTH_MAX) } = options
  const journal = createJournal<Delivery>(DELIVERIES_MAX)
  const inFlight = createInFlight(onDone)
  const lines = createLines(send)
  const holds = createHolds(putInLine)
  const poster = createPoster(allowHosts)
  const planner = createPlanner(world, generations)
  const closing = new AbortController()
  let drains = 0

  return {
    get pending() {
      return inFlight.size
    },
    journal,
    deliveriesOf: createEventIndex(journal),
    async wait(deliveries, limitMs) {
      const asked = [...deliveries]
      await inFlight.wait(asked.flatMap(holds.awaited), limitMs)
      return asked.filter(({ outcome }) => outcome === 'pending').length
    },
    async drain(limitMs) {
      drains++
      holds.releaseAll()
      return inFlight.drain(limitMs).finally(() => drains--)
    },
    enqueue: (event) => planner.plan(event, queueNew),
    resend: (delivery, mutation) => sendNow(record(planner.planAgain(delivery)), mutation),
    sendTest: (integrator) => sendNew(record(planner.planTest(integrator))),
    queued: () => Array.from(inFlight).filter(isUnsent).map(toQueued),
    requeue: (queued) =>
      queued.forEach((row) => void queue(record(planner.planCopy(row)), row.fault)),
    async close() {
      closing.abort()
      lines.clear()
      holds.clear()
      poster.close()
      for (const delivery of inFlight) {
        if (isUnsent(delivery)) inFlight.end(delivery, 'suppressed', CLOSED)
      }
      await inFlight.drain(CLOSE_MAX_MS)
      await nextTurn()
    },
  }

  function record(plan: Plan): Delivery {
    const delivery = new Delivery(journal.last + 1, plan)
    journal.push(delivery)
    if (delivery.url === null) onDone(delivery)
    return delivery
  }

  /** Queues a delivery with the fault that it meets, if any, and its duplicate behind it. */
  function queueNew(plan: Plan) {
    const delivery = record(plan)
    if (delivery.url === null) return
    const fault = faultOf?.(delivery) ?? null
    queue(delivery, fault)
    if (fault?.effect.duplicate) queue(record(planner.planCopy(delivery)), toDuplicate(fault))
  }

  function queue(delivery: Delivery, fault: MetFault | null) {
    inFlight.add(delivery)
    if (closing.signal.aborted) return inFlight.end(delivery, 'suppressed', CLOSED)
    delivery.kept = whenKept?.() ?? null
    // Who waits for it hears of a failure; nobody has to wait.
    delivery.kept?.catch(() => undefined)
    if (fault !== null) meet(delivery, fault)
    if (fault?.effect.reorder && drains === 0 && holds.hold(delivery)) return
    putInLine(delivery)
    if (!fault?.effect.drop) holds.overtake(delivery).forEach(putInLine)
  }

  function meet(delivery: Delivery, fault: MetFault) {
    delivery.fault = fault
    delivery.reason = formatFault(fault)
  }

  function putInLine(delivery: Delivery) {
    const isIn = lines.add(delivery.url ?? '', delivery)
    if (!isIn) inFlight.end(delivery, 'overflow', FULL)
  }

  /** Sends at once what no event caused; so nothing can overtake it. */
  async function sendNew(delivery: Delivery): Promise<Delivery> {
    const fault = delivery.url === null ? undefined : faultOf?.(delivery)
    if (fault === undefined) return sendNow(delivery)
    meet(delivery, fault)
    await sendNow(delivery)
    if (fault.effect.duplicate) {
      const second = record(planner.planCopy(delivery))
      meet(second, toDuplicate(fault))
      await sendNow(second)
    }
    return delivery
  }

  async function sendNow(delivery: Delivery, mutation?: Mutation): Promise<Delivery> {
    if (delivery.url === null) return delivery
    inFlight.add(delivery)
    send(delivery, mutation)
    await inFlight.wait([delivery], TIMER_MAX_MS)
    return delivery
  }

  /** Never rejects: whatever goes wrong becomes the outcome. */
  async function send(delivery: Delivery, mutation?: Mutation): Promise<void> {
    const exchange = await attempt(delivery, mutation).catch(toExchange)
    if (delivery.outcome !== 'pending') return
    const { outcome, answer, error, durationMs } = exchange
    delivery.response = answer
    delivery.error = error
    delivery.durationMs = durationMs
    if (answer) keepAnswer(budget, answer)
    inFlight.end(delivery, outcome, outcome === 'blocked' ? error : delivery.reason)
  }

  /** The one place from which a webhook leaves. */
  async function attempt(delivery: Delivery, mutation?: Mutation): Promise<Exchange> {
    const { drop, delayMs = 0 } = delivery.fault?.effect ?? {}
    if (drop) return NEVER_LEFT
    if (delayMs > 0) await pause(delayMs, undefined, { signal: closing.signal })
    if (delivery.kept) await delivery.kept
    delivery.kept = null
    if (closing.signal.aborted) throw new Error(CLOSED)
    const target = poster.targetOf(delivery.url ?? '')
    delivery.sent = prepare(world(), delivery, { at: wallClock(), target, mutation })
    return poster.post(target, delivery.sent, world().settings['webhooks.timeout'])
  }
}

const FULL =
  `${LINE_MAX} deliveries were waiting for this destination already, ` +
  `or ${WAITING_MAX} for all destinations together.`

const isUnsent = ({ sent }: Delivery) => sent === null

const toQueued = ({ event, generation, hook, url, body, fault }: Delivery): Queued => ({
  event,
  generation,
  hook,
  url,
  body,
  fault,
})

const NEVER_LEFT: Exchange = { outcome: 'suppressed', answer: null, error: null, durationMs: null }

function toExchange(error: unknown): Exchange {
  const outcome = error instanceof DomainError ? 'blocked' : 'refused'
  return { outcome, answer: null, error: describe(error), durationMs: 0 }
}
