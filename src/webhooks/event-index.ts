import type { Journal } from '../world/journal.ts'
import type { Delivery } from './delivery.ts'

/**
 * Finds deliveries by their event. It reads the journal up to its end when it is asked, so that an
 * event nobody asks about costs nothing here.
 */
export function createEventIndex(journal: Journal<Delivery>) {
  const byEvent = new Map<string, Delivery[]>()
  let readTo = 0

  return function deliveriesOf(eventIds: Iterable<string>): Delivery[] {
    readOn()
    const found = Array.from(new Set(eventIds), (id) => byEvent.get(id) ?? []).flat()
    return found.filter(isKept).sort((a, b) => a.cursor - b.cursor)
  }

  function isKept(delivery: Delivery) {
    return journal.at(delivery.cursor) === delivery
  }

  function readOn() {
    for (const delivery of journal.after(readTo)) {
      const others = byEvent.get(delivery.eventId)
      if (others) others.push(delivery)
      else byEvent.set(delivery.eventId, [delivery])
    }
    readTo = journal.last
    forgetOldest()
  }

  /** Lets go what the journal has let go; an event that was sent again since moves to the end. */
  function forgetOldest() {
    for (const [eventId, deliveries] of byEvent) {
      const [oldest] = deliveries
      if (oldest && isKept(oldest)) return
      byEvent.delete(eventId)
      const kept = deliveries.filter(isKept)
      if (kept.length > 0) byEvent.set(eventId, kept)
    }
  }
}
