import type { Delivery } from './delivery.ts'

/** Deliveries that one destination may have waiting, the one on its way included. */
export const LINE_MAX = 10_000
/** Deliveries that wait for all destinations of a world together: one that hangs may be left behind. */
export const WAITING_MAX = 10 * LINE_MAX

/** One line of deliveries per destination, each sent when the one before it is done. */
export interface Lines {
  /** False when the line of this destination is full, or all of them together are. */
  add(url: string, delivery: Delivery): boolean
  /** Forgets who waits. */
  clear(): void
}

/** `send` must not reject. */
export function createLines(send: (delivery: Delivery) => Promise<void>): Lines {
  const lines = new Map<string, Delivery[]>()
  let waiting = 0

  return {
    add(url, delivery) {
      const line = lines.get(url)
      if (waiting >= WAITING_MAX || (line && line.length >= LINE_MAX)) return false
      waiting++
      if (line) line.push(delivery)
      else sendInOrder(url, [delivery])
      return true
    },
    clear() {
      for (const line of lines.values()) line.length = 0
      waiting = 0
    },
  }

  async function sendInOrder(url: string, line: Delivery[]) {
    lines.set(url, line)
    while (line.length > 0) {
      // A whole turn, so that the answer to the API leaves first, and so that the event loop notices
      // a connection that the receiver has closed: a POST on that one would be lost.
      await nextTurn()
      await nextTurn()
      const [delivery, next] = line
      if (delivery === undefined) break
      const sending = send(delivery)
      if (next) process.nextTick(render, next)
      await sending
      if (line.shift()) waiting--
    }
    lines.delete(url)
  }
}

/** Renders a body while the receiver is busy with the one before it. */
const render = (delivery: Delivery) => delivery.body

export const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
