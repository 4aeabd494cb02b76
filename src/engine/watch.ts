import { realTime } from '../real-time.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** Longest wall time that one call waits for deliveries. */
const DELIVERY_WAIT_MAX_MS = 60_000
/** Rows per list of a response; the count is beside each list. */
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

/** Collects the effects of what follows, and waits for their deliveries within one limit. */
export class Watch {
  readonly #world: World
  readonly #outbox: Outbox
  readonly #wait: boolean
  readonly #deadline = realTime.elapsed() + DELIVERY_WAIT_MAX_MS
  readonly #before: number
  readonly #eventsBefore: number
  readonly #deliveriesBefore: number
  #waitedFor: number

  constructor(world: World, outbox: Outbox, { wait }: { wait: boolean }) {
    this.#world = world
    this.#outbox = outbox
    this.#wait = wait
    this.#before = world.position
    this.#eventsBefore = world.events.total
    this.#deliveriesBefore = outbox.deliveries.total
    this.#waitedFor = world.position
  }

  /** Waits for what was queued since the last call. */
  async delivered(): Promise<void> {
    const { deliveries, pending } = this.#outbox
    if (!this.#wait || pending === 0) return
    const fresh = deliveries.after(this.#waitedFor)
    this.#waitedFor = deliveries.last
    const leftMs = this.#deadline - realTime.elapsed()
    if (leftMs > 0) await this.#outbox.wait(fresh, leftMs)
  }

  async effects(): Promise<Effects> {
    await this.delivered()
    const { events } = this.#world
    const { deliveries: all } = this.#outbox
    const deliveries = all.after(this.#before)
    return {
      events: events.after(this.#before, ROWS_MAX),
      eventCount: events.total - this.#eventsBefore,
      deliveries: deliveries.slice(0, ROWS_MAX),
      deliveryCount: all.total - this.#deliveriesBefore,
      pending: deliveries.filter(({ outcome }) => outcome === 'pending').length,
    }
  }
}
