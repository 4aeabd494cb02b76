import type { Delivery, Outcome } from './delivery.ts'

/** The longest a timer can wait. */
export const TIMER_MAX_MS = 2 ** 31 - 1

interface Waiter {
  left: number
  wake(): void
}

/** Deliveries that are queued or on their way, and who waits for them. */
export interface InFlight extends Iterable<Delivery> {
  readonly size: number
  add(delivery: Delivery): void
  end(delivery: Delivery, outcome: Outcome, reason: string | null): void
  /** Resolves when all are done, or after `limitMs` of wall time, with how many are still pending. */
  wait(deliveries: Iterable<Delivery>, limitMs: number): Promise<number>
  /** As `wait`, for everything, also what is added meanwhile. */
  drain(limitMs: number): Promise<number>
}

export function createInFlight(onDone: (delivery: Delivery) => void): InFlight {
  const pending = new Set<Delivery>()
  const waiters = new Map<Delivery, Waiter[]>()
  const drainers = new Set<() => void>()

  return {
    get size() {
      return pending.size
    },
    add: (delivery) => void pending.add(delivery),
    end(delivery, outcome, reason) {
      delivery.outcome = outcome
      delivery.reason = reason
      pending.delete(delivery)
      const waiting = waiters.get(delivery)
      if (waiting) {
        waiters.delete(delivery)
        for (const waiter of waiting) if (--waiter.left === 0) waiter.wake()
      }
      if (pending.size === 0) for (const wake of drainers) wake()
      onDone(delivery)
    },
    wait(deliveries, limitMs) {
      const wanted = new Set<Delivery>()
      for (const delivery of deliveries) if (pending.has(delivery)) wanted.add(delivery)
      if (wanted.size === 0) return Promise.resolve(0)
      return new Promise((resolve) => {
        const timer = setTimeout(wake, Math.min(limitMs, TIMER_MAX_MS))
        const waiter = { left: wanted.size, wake }
        for (const delivery of wanted) join(delivery, waiter)

        function wake() {
          clearTimeout(timer)
          if (waiter.left > 0) for (const delivery of wanted) leave(delivery, waiter)
          resolve(waiter.left)
        }
      })
    },
    drain(limitMs) {
      if (pending.size === 0) return Promise.resolve(0)
      return new Promise((resolve) => {
        const timer = setTimeout(wake, Math.min(limitMs, TIMER_MAX_MS))
        drainers.add(wake)

        function wake() {
          clearTimeout(timer)
          drainers.delete(wake)
          resolve(pending.size)
        }
      })
    },
    [Symbol.iterator]: () => pending.values(),
  }

  function join(delivery: Delivery, waiter: Waiter) {
    const waiting = waiters.get(delivery)
    if (waiting) waiting.push(waiter)
    else waiters.set(delivery, [waiter])
  }

  function leave(delivery: Delivery, waiter: Waiter) {
    const others = waiters.get(delivery)?.filter((other) => other !== waiter) ?? []
    if (others.length > 0) waiters.set(delivery, others)
    else waiters.delete(delivery)
  }
}
