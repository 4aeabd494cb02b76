import { realTime } from '../real-time.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** Longest wall time that one call waits for deliveries. */
const DELIVERY_WAIT_MAX_MS = 60_000
/** Rows in the lists of a response; each list has its count beside it. */
export const ROWS_MAX = 1_000

/** Rows between two moments: at most `ROWS_MAX` of each kind, and how many there were. */
export interface Effects {
  events: WorldEvent[]
  eventCount: number
  deliveries: Delivery[]
  deliveryCount: number
  /** Deliveries that had not ended when the wait did. */
  pending: number
}

export interface Watch {
  /** Waits for what was queued since the last call. */
  delivered(): Promise<void>
  effects(): Promise<Effects>
}

/** Collects the effects of what follows, and waits for their deliveries within one limit. */
export function watch(world: World, outbox: Outbox, { wait }: { wait: boolean }): Watch {
  const { events } = world
  const { journal } = outbox
  const deadline = realTime.elapsed() + DELIVERY_WAIT_MAX_MS
  const eventsBefore = events.last
  const deliveriesBefore = journal.last
  let waitedFor = deliveriesBefore
  return { delivered, effects }

  async function delivered() {
    if (!wait || outbox.pending === 0) return
    const fresh = journal.after(waitedFor)
    waitedFor = journal.last
    const leftMs = deadline - realTime.elapsed()
    if (leftMs > 0) await outbox.wait(fresh, leftMs)
  }

  async function effects(): Promise<Effects> {
    await delivered()
    const deliveries = journal.after(deliveriesBefore)
    return {
      events: events.after(eventsBefore, ROWS_MAX),
      eventCount: events.last - eventsBefore,
      deliveries: deliveries.slice(0, ROWS_MAX),
      deliveryCount: journal.last - deliveriesBefore,
      pending: deliveries.filter(({ outcome }) => outcome === 'pending').length,
    }
  }
}
