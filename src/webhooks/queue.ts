import { realTime } from '../real-time.ts'
import type { Delivery } from './delivery.ts'

/** Deliveries that one destination may have waiting, the one on its way included. */
export const QUEUE_MAX = 10_000
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

  return {
    /** False when the queue of this destination is full. */
    add(url: string, delivery: Delivery): boolean {
      const queue = queues.get(url)
      if (queue === undefined) sendInOrder(url, [delivery])
      else if (queue.length < QUEUE_MAX) queue.push(delivery)
      else return false
      return true
    },
    /** Holds a delivery until `overtake` for the same destination; false when too many are held. */
    hold(url: string, delivery: Delivery): boolean {
      const { deliveries = [], timer = realTime.setTimeout(release, HOLD_MAX_MS, url).unref() } =
        held.get(url) ?? {}
      held.set(url, { deliveries, timer })
      return deliveries.length < QUEUE_MAX && deliveries.push(delivery) > 0
    },
    overtake: takeHeld,
    isHeld: (delivery: Delivery) =>
      held.get(delivery.url ?? '')?.deliveries.includes(delivery) ?? false,
    /** Adds everything that is held. */
    releaseAll: () => [...held.keys()].forEach(release),
    clear() {
      for (const url of [...held.keys()]) takeHeld(url)
      for (const queue of queues.values()) queue.length = 0
    },
  }

  async function sendInOrder(url: string, queue: Delivery[]) {
    queues.set(url, queue)
    while (queue[0]) {
      // A whole turn, so that the response to the API leaves first, and so that the event loop notices
      // a connection that the receiver has closed: a POST on that one would be lost.
      await realTime.nextTurn()
      await realTime.nextTurn()
      if (queue[0]) await send(queue[0])
      queue.shift()
    }
    queues.delete(url)
  }

  function release(url: string) {
    takeHeld(url).forEach(onRelease)
  }

  /** Releases what a delivery overtakes, newest first; the caller adds it behind that delivery. */
  function takeHeld(url: string): Delivery[] {
    const { deliveries = [], timer } = held.get(url) ?? {}
    held.delete(url)
    realTime.clearTimeout(timer)
    return deliveries.reverse()
  }
}
