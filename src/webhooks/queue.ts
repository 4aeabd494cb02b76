import { realTime } from '../real-time.ts'
import type { Delivery } from './delivery.ts'

/** Deliveries that one destination may have waiting, the one on its way included. */
export const QUEUE_MAX = 10_000
/** Longest that a delivery is held back when no other overtakes it, in ms of wall time. */
export const HOLD_MAX_MS = 60_000

interface QueuesOptions {
  send(delivery: Delivery): Promise<void>
  /** Called with a held delivery that nothing has overtaken in time. */
  onRelease(delivery: Delivery): void
}

/** One queue per destination, because receivers rely on the order of webhooks. */
export class DestinationQueues {
  readonly #queues = new Map<string, Delivery[]>()
  readonly #held = new Map<string, { deliveries: Delivery[]; timer: NodeJS.Timeout }>()
  readonly #options: QueuesOptions

  constructor(options: QueuesOptions) {
    this.#options = options
  }

  /** Queues a delivery; returns false if the queue of its destination is full. */
  add(url: string, delivery: Delivery): boolean {
    const queue = this.#queues.get(url)
    if (queue === undefined) this.#sendInOrder(url, [delivery])
    else if (queue.length < QUEUE_MAX) queue.push(delivery)
    else return false
    return true
  }

  /** Holds a delivery until another overtakes it; returns false if too many are held. */
  hold(url: string, delivery: Delivery): boolean {
    const { deliveries } = this.#held.get(url) ?? this.#beginToHold(url)
    if (deliveries.length >= QUEUE_MAX) return false
    deliveries.push(delivery)
    return true
  }

  /**
   * Releases the held deliveries that another overtakes, newest first. The caller queues them
   * behind it.
   */
  overtake(url: string): Delivery[] {
    const { deliveries = [], timer } = this.#held.get(url) ?? {}
    this.#held.delete(url)
    realTime.clearTimeout(timer)
    return deliveries.reverse()
  }

  isHeld(delivery: Delivery): boolean {
    return this.#held.get(delivery.url ?? '')?.deliveries.includes(delivery) ?? false
  }

  releaseAll(): void {
    for (const url of [...this.#held.keys()]) this.#release(url)
  }

  clear(): void {
    for (const url of [...this.#held.keys()]) this.overtake(url)
    for (const queue of this.#queues.values()) queue.length = 0
  }

  #beginToHold(url: string) {
    const timer = realTime.setTimeout(() => this.#release(url), HOLD_MAX_MS).unref()
    const begun = { deliveries: [] as Delivery[], timer }
    this.#held.set(url, begun)
    return begun
  }

  #release(url: string): void {
    for (const delivery of this.overtake(url)) this.#options.onRelease(delivery)
  }

  async #sendInOrder(url: string, queue: Delivery[]): Promise<void> {
    this.#queues.set(url, queue)
    while (queue[0]) {
      // A whole turn, so that the response to the API leaves first, and so that the event loop notices
      // a connection that the receiver has closed: a POST on that one would be lost.
      await realTime.nextTurn()
      await realTime.nextTurn()
      if (queue[0]) await this.#options.send(queue[0])
      queue.shift()
    }
    this.#queues.delete(url)
  }
}
