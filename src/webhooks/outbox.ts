import { Refusal } from '../world/errors.ts'
import type { WorldEvent } from '../world/facts.ts'
import { createJournal, type Journal } from '../world/journal.ts'
import type { Integrator } from '../world/state.ts'
import type { World } from '../world/world.ts'
import { createAnswerBudget } from './answer-budget.ts'
import { Delivery, type Exchange, type Generation, type Planned } from './delivery.ts'
import { createEventIndex } from './event-index.ts'
import { createInFlight, TIMER_MAX_MS } from './in-flight.ts'
import { createLines, LINE_MAX, nextTurn } from './lines.ts'
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
}

/** What still had to be sent, as plain data. */
export interface Queued extends Pick<Delivery, 'event' | 'generation' | 'hook' | 'url' | 'body'> {}

/** Queue and journal of what must be posted. Every delivery is posted once, and never again. */
export interface Outbox {
  /** Journals what an event asks for; the POSTs leave later, one at a time per destination. */
  enqueue(event: WorldEvent): void
  /** Deliveries that are queued or on their way. */
  readonly pending: number
  readonly journal: Journal<Delivery>
  /** What became of some events, oldest first. */
  deliveriesOf(eventIds: Iterable<string>): Delivery[]
  /** Resolves when all are done, or after `limitMs` of wall time, with how many are still pending. */
  wait(deliveries: Iterable<Delivery>, limitMs: number): Promise<number>
  /** As `wait`, for everything, also what is added meanwhile. */
  drain(limitMs: number): Promise<number>
  /** Sends the same event once more, at once, to where it would go now. */
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
  const journal = createJournal<Delivery>(DELIVERIES_MAX)
  const inFlight = createInFlight(onDone)
  const lines = createLines(send)
  const poster = createPoster(allowHosts)
  const keepAnswer = createAnswerBudget()
  const testCounts = new Map<string, number>()
  let isClosed = false

  return {
    get pending() {
      return inFlight.size
    },
    journal,
    deliveriesOf: createEventIndex(journal),
    wait: inFlight.wait,
    drain: inFlight.drain,
    enqueue(event) {
      const integrator = world().integratorsByName.get(event.integrator)
      if (!integrator) return
      for (const generation of generations) {
        for (const planned of generation.plan(world(), integrator, event)) {
          queue(record(event, generation.name, planned))
        }
      }
    },
    resend: (delivery, mutation) => sendNow(replan(delivery), mutation),
    sendTest(integrator) {
      const ordinal = (testCounts.get(integrator.name) ?? 0) + 1
      testCounts.set(integrator.name, ordinal)
      return sendNow(planTest(integrator, ordinal))
    },
    queued: () => Array.from(inFlight).filter(isUnsent).map(toQueued),
    requeue(queued) {
      for (const { event, generation, hook, url, body } of queued) {
        queue(record(event, generation, { hook, url, reason: null, render: () => body }))
      }
    },
    async close() {
      isClosed = true
      lines.clear()
      poster.close()
      for (const delivery of inFlight) {
        if (isUnsent(delivery)) inFlight.end(delivery, 'suppressed', CLOSED)
      }
      await inFlight.drain(CLOSE_MAX_MS)
      await nextTurn()
    },
  }

  function record(event: WorldEvent, name: Generation['name'], planned: Planned): Delivery {
    const delivery = new Delivery(journal.last + 1, event, name, planned)
    journal.push(delivery)
    if (delivery.url === null) onDone(delivery)
    return delivery
  }

  function queue(delivery: Delivery) {
    const { url } = delivery
    if (url === null) return
    inFlight.add(delivery)
    if (isClosed) inFlight.end(delivery, 'suppressed', CLOSED)
    else if (!lines.add(url, delivery)) inFlight.end(delivery, 'overflow', FULL)
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
    const { outcome, answer, error, durationMs } = exchange
    delivery.response = answer
    delivery.error = error
    delivery.durationMs = durationMs
    if (answer) keepAnswer(answer)
    inFlight.end(delivery, outcome, outcome === 'blocked' ? error : delivery.reason)
  }

  /** The one place from which a webhook leaves. */
  async function attempt(delivery: Delivery, mutation?: Mutation): Promise<Exchange> {
    if (isClosed) throw new Error(CLOSED)
    const target = poster.targetOf(delivery.url ?? '')
    delivery.sent = prepare(world(), delivery, { at: wallClock(), target, mutation })
    return poster.post(target, delivery.sent, world().policy['webhooks.timeout'])
  }

  /** The same event, to where its generation would send it now. */
  function replan(delivery: Delivery): Delivery {
    const { event, generation: name, hook, url } = delivery
    const generation = generations.find((known) => known.name === name)
    const integrator = world().integratorsByName.get(event.integrator)
    const plans = integrator && generation?.plan(world(), integrator, event)
    const unchanged = { hook, url, reason: null, render: () => delivery.body }
    return record(event, name, plans?.find((plan) => plan.hook === hook) ?? unchanged)
  }

  function planTest(integrator: Integrator, ordinal: number): Delivery {
    for (const { name, plan, testEvent } of generations) {
      const event = testEvent?.(world(), integrator, ordinal)
      const [planned] = event ? plan(world(), integrator, event) : []
      if (event && planned) return record(event, name, planned)
    }
    throw new Error('No generation has a test event.')
  }
}

const FULL = `${LINE_MAX} deliveries were waiting for this destination already.`

const isUnsent = ({ sent }: Delivery) => sent === null

const toQueued = ({ event, generation, hook, url, body }: Delivery): Queued => ({
  event,
  generation,
  hook,
  url,
  body,
})

function toExchange(error: unknown): Exchange {
  const outcome = error instanceof Refusal ? 'blocked' : 'refused'
  return { outcome, answer: null, error: describe(error), durationMs: 0 }
}
