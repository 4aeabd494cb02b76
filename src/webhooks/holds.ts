import type { Delivery } from './delivery.ts'
import { LINE_MAX } from './lines.ts'

/** Longest that a delivery is held when nothing comes to overtake it, in ms of wall time. */
export const HOLD_MAX_MS = 60_000

/** Deliveries that are held until the next one for the same destination has overtaken them. */
export interface Holds {
  /** False when as many are held as may be. */
  hold(delivery: Delivery): boolean
  /** Lets go what a delivery overtakes, the newest first; it leaves behind that delivery. */
  overtake(delivery: Delivery): readonly Delivery[]
  /** Lets go everything, for who cannot wait for something to come. */
  releaseAll(): void
  /** A delivery with what it overtook, or nothing while it is held: waiting for it could be forever. */
  awaited(delivery: Delivery): readonly Delivery[]
  clear(): void
}

/** `send` takes what is let go because nothing came. */
export function createHolds(send: (delivery: Delivery) => void): Holds {
  const held = new Map<string, Delivery[]>()
  const timers = new Map<string, NodeJS.Timeout>()
  const overtaken = new WeakMap<Delivery, readonly Delivery[]>()
  let count = 0

  return {
    hold(delivery) {
      const { url } = delivery
      if (url === null || count >= LINE_MAX) return false
      count++
      const others = held.get(url)
      if (others) others.push(delivery)
      else open(url, delivery)
      return true
    },
    overtake(delivery) {
      const released = take(delivery.url ?? '')
      if (released.length > 0) overtaken.set(delivery, released)
      return released
    },
    releaseAll() {
      for (const url of [...held.keys()]) take(url).forEach(send)
    },
    awaited(delivery) {
      if (count > 0 && held.get(delivery.url ?? '')?.includes(delivery)) return []
      return [delivery, ...(overtaken.get(delivery) ?? [])]
    },
    clear() {
      for (const url of [...held.keys()]) take(url)
    },
  }

  function open(url: string, first: Delivery) {
    held.set(url, [first])
    const timer = setTimeout(() => take(url).forEach(send), HOLD_MAX_MS)
    timers.set(url, timer.unref())
  }

  function take(url: string): Delivery[] {
    const taken = held.get(url) ?? []
    held.delete(url)
    clearTimeout(timers.get(url))
    timers.delete(url)
    count -= taken.length
    return taken.reverse()
  }
}
