import { realTime } from '../real-time.ts'
import type { Delivery } from './delivery.ts'

/** Deliveries that one webhook may have waiting, the one on its way included. */
export const QUEUE_MAX = 10_000
/** Longest that a delivery is held back when no other overtakes it, in ms of wall time. */
export const HOLD_MAX_MS = 60_000

interface QueuesOptions {
  /** Returns the current destination of a delivery; null for none. */
  urlOf(delivery: Delivery): string | null
  /** Resolves once a delivery may leave. */
  whenReady(delivery: Delivery): Promise<void>
  send(delivery: Delivery, url: string | null): Promise<void>
  /** Called with a held delivery that nothing has overtaken in time. */
  onRelease(delivery: Delivery): void
}

/** The deliveries of one webhook of an integrator, one at a time and in order. */
interface Queue {
  readonly waiting: Waiting[]
  /** Destination of the first delivery, until it has ended. */
  target: { url: string | null } | undefined
}

interface Waiting {
  readonly delivery: Delivery
  /** Its place among all, because hooks of v1 with one URL take turns in the order of the events. */
  readonly place: number
  isReady: boolean
}

/** Queues of one version of the API for one integrator, by hook. */
type Group = Map<string | null, Queue>

/** A queue for each webhook, because receivers rely on the order. */
export class Queues {
  readonly #groups = new Map<string, Group>()
  readonly #held = new Map<string, { deliveries: Delivery[]; timer: NodeJS.Timeout }>()
  readonly #options: QueuesOptions
  #places = 0

  constructor(options: QueuesOptions) {
    this.#options = options
  }

  /** Queues a delivery; returns false if its queue is full. */
  add(delivery: Delivery): boolean {
    const name = groupOf(delivery)
    const group: Group = this.#groups.get(name) ?? new Map()
    this.#groups.set(name, group)
    const queue = group.get(delivery.hook) ?? { waiting: [], target: undefined }
    group.set(delivery.hook, queue)
    if (queue.waiting.length >= QUEUE_MAX) return false
    queue.waiting.push({ delivery, place: this.#places++, isReady: false })
    this.#sendNext(group)
    return true
  }

  /** Holds a delivery until another overtakes it; returns false if too many are held. */
  hold(delivery: Delivery): boolean {
    const { deliveries } = this.#held.get(destinationOf(delivery)) ?? this.#beginToHold(delivery)
    if (deliveries.length >= QUEUE_MAX) return false
    deliveries.push(delivery)
    return true
  }

  /**
   * Releases the held deliveries that another overtakes, newest first. The caller queues them
   * behind it.
   */
  overtake(delivery: Delivery): Delivery[] {
    return this.#takeHeld(destinationOf(delivery))
  }

  isHeld(delivery: Delivery): boolean {
    return this.#held.get(destinationOf(delivery))?.deliveries.includes(delivery) ?? false
  }

  releaseAll(): void {
    for (const destination of [...this.#held.keys()]) this.#release(destination)
  }

  clear(): void {
    for (const destination of [...this.#held.keys()]) this.#takeHeld(destination)
    for (const group of this.#groups.values()) {
      for (const { waiting } of group.values()) waiting.length = 0
    }
  }

  /** Begins with the first delivery of each queue that is free, unless its URL is in use. */
  #sendNext(group: Group): void {
    const queues = [...group.values()]
    const ready = queues.flatMap((queue) => {
      const first = queue.target === undefined ? queue.waiting[0] : undefined
      return first ? [{ queue, first }] : []
    })
    for (const { queue, first } of ready.sort(
      (one, other) => one.first.place - other.first.place,
    )) {
      const url = this.#options.urlOf(first.delivery)
      if (queues.some(({ target }) => target && target.url === url)) continue
      queue.target = { url }
      void this.#sendFirst(group, queue, first)
    }
  }

  async #sendFirst(group: Group, queue: Queue, first: Waiting): Promise<void> {
    const { delivery, isReady } = first
    const { urlOf, whenReady, send } = this.#options
    if (!isReady) await whenReady(delivery)
    first.isReady = true
    const url = urlOf(delivery)
    // It waits for its turn again where another URL was set meanwhile.
    if (url === queue.target?.url) {
      await send(delivery, url)
      queue.waiting.shift()
    }
    queue.target = undefined
    this.#sendNext(group)
  }

  #beginToHold(delivery: Delivery) {
    const destination = destinationOf(delivery)
    const timer = realTime.setTimeout(() => this.#release(destination), HOLD_MAX_MS).unref()
    const begun = { deliveries: [] as Delivery[], timer }
    this.#held.set(destination, begun)
    return begun
  }

  #release(destination: string): void {
    for (const delivery of this.#takeHeld(destination)) this.#options.onRelease(delivery)
  }

  #takeHeld(destination: string): Delivery[] {
    const { deliveries = [], timer } = this.#held.get(destination) ?? {}
    this.#held.delete(destination)
    realTime.clearTimeout(timer)
    return deliveries.reverse()
  }
}

const groupOf = ({ integrator, dialect }: Delivery) => `${integrator} ${dialect}`

/** Hooks of v1 with one URL are one destination. */
const destinationOf = (delivery: Delivery) =>
  `${groupOf(delivery)} ${delivery.dialect === 'v1' ? delivery.url : ''}`
