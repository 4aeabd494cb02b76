import { realTime } from '../real-time.ts'
import type { Delivery } from './delivery.ts'

/** Node clamps longer timers to one millisecond. */
export const TIMER_MAX_MS = 2 ** 31 - 1

/** Deliveries that are queued or on their way. */
export function createInFlight() {
  const pending = new Map<Delivery, PromiseWithResolvers>()
  return {
    get size() {
      return pending.size
    },
    add: (delivery: Delivery) => void pending.set(delivery, withResolvers()),
    end(delivery: Delivery) {
      pending.get(delivery)?.resolve()
      pending.delete(delivery)
    },
    wait,
    /** Waits until nothing is in flight, new deliveries included; resolves with how many still are. */
    async drain(limitMs: number) {
      const deadline = realTime.elapsed() + limitMs
      while (pending.size > 0 && realTime.elapsed() < deadline) {
        await wait([...pending.keys()], deadline - realTime.elapsed())
      }
      return pending.size
    },
    [Symbol.iterator]: () => pending.keys(),
  }

  /** Resolves when all are done, or after `limitMs` of wall time. */
  async function wait(deliveries: readonly Delivery[], limitMs: number) {
    const ends = deliveries.map((delivery) => pending.get(delivery)?.promise)
    // The timer also keeps the process alive: the sockets of deliveries do not.
    const timeout = withResolvers()
    const timer = realTime.setTimeout(timeout.resolve, Math.min(limitMs, TIMER_MAX_MS))
    await Promise.race([Promise.all(ends), timeout.promise])
    realTime.clearTimeout(timer)
  }
}

interface PromiseWithResolvers {
  promise: Promise<void>
  resolve(): void
}

function withResolvers(): PromiseWithResolvers {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
