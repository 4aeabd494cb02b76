import { realTime } from '../real-time.ts'
import type { Delivery } from './delivery.ts'

/** Deliveries that one destination may have waiting, the one on its way included. */
export const QUEUE_MAX = 10_000
/** Deliveries waiting for all destinations of a world together. */
export const WAITING_MAX = 10 * QUEUE_MAX
/** Longest that a delivery is held back when no other overtakes it, in ms of wall time. */
export const HOLD_MAX_MS = 60_000

interface QueuesOptions {
  /** Must not reject. */
  send(delivery: Delivery): Promise<void>
  /** Takes what was held and is released without having been overtaken. */
  onRelease(delivery: Delivery): void
}

/** One queue per destination: each delivery is sent when the one before it is done. */
export function createQueues({ send, onRelease }: QueuesOptions) {
  const queues = new Map<string, Delivery[]>()
  const held = new Map<string, { deliveries: Delivery[]; timer: NodeJS.Timeout }>()
  let waitingCount = 0
  let heldCount = 0

  return {
    /** False when the queue of this destination, or all of them together, are full. */
    add(url: string, delivery: Delivery): boolean {
      const queue = queues.get(url)
      if (waitingCount >= WAITING_MAX || (queue && queue.length >= QUEUE_MAX)) return false
      waitingCount++
      if (queue) queue.push(delivery)
      else sendInOrder(url, [delivery])
      return true
    },
    /** Holds a delivery until `overtake` for the same destination; false when too many are held. */
    hold(url: string, delivery: Delivery): boolean {
      if (heldCount >= QUEUE_MAX) return false
      heldCount++
      const others = held.get(url)
      if (others) others.deliveries.push(delivery)
      else {
        const timer = realTime
          .setTimeout(() => takeHeld(url).forEach(onRelease), HOLD_MAX_MS)
          .unref()
        held.set(url, { deliveries: [delivery], timer })
      }
      return true
    },
    overtake: takeHeld,
    isHeld: (delivery: Delivery) =>
      held.get(delivery.url ?? '')?.deliveries.includes(delivery) ?? false,
    /** Adds everything that is held. */
    releaseAll() {
      for (const url of [...held.keys()]) takeHeld(url).forEach(onRelease)
    },
    clear() {
      for (const url of [...held.keys()]) takeHeld(url)
      for (const queue of queues.values()) queue.length = 0
      waitingCount = 0
    },
  }

  async function sendInOrder(url: string, queue: Delivery[]) {
    queues.set(url, queue)
    while (queue.length > 0) {
      // A whole turn, so that the answer to the API leaves first, and so that the event loop notices
      // a connection that the receiver has closed: a POST on that one would be lost.
      await realTime.nextTurn()
      await realTime.nextTurn()
      const [delivery] = queue
      if (delivery === undefined) break
      await send(delivery)
      if (queue.shift()) waitingCount--
    }
    queues.delete(url)
  }

  /** Releases what a delivery overtakes, newest first; the caller adds it behind that delivery. */
  function takeHeld(url: string): Delivery[] {
    const { deliveries = [], timer } = held.get(url) ?? {}
    held.delete(url)
    realTime.clearTimeout(timer)
    heldCount -= deliveries.length
    return deliveries.reverse()
  }
}
