import type { EventRecord } from '../http/control/wire.ts'
import type { LogSubject } from './log-format.ts'

/** An event is seen as the webhooks that it causes, and tells what they came of. */
export type FeedSubject = LogSubject | { kind: 'event'; row: EventRecord }

/**
 * Shows a call or an action above the messages and webhooks that came of it, though those are known
 * before it has ended. The cause of a row is the id in it where no other is given.
 */
export function createOrder(show: (subject: LogSubject) => void) {
  const underWay = new Map<string, { events: Set<string>; effects: LogSubject[] }>()
  return function take(subject: FeedSubject, cause = causeIn(subject)): void {
    const { kind, row } = subject
    if (kind === 'event') {
      if (cause !== undefined) open(cause).events.add(row.id)
      return
    }
    if (kind === 'message' || kind === 'delivery') {
      const origin =
        cause !== undefined ? open(cause) : kind === 'delivery' && originOf(row.eventId)
      if (origin) return void origin.effects.push(subject)
    }
    // The ids begin anew.
    if (kind === 'reset') underWay.clear()
    show(subject)
    if (kind !== 'request' && kind !== 'action') return
    for (const effect of underWay.get(row.id)?.effects ?? []) show(effect)
    underWay.delete(row.id)
  }

  function originOf(event: string) {
    for (const origin of underWay.values()) if (origin.events.has(event)) return origin
    return undefined
  }

  function open(id: string) {
    const opened = underWay.get(id) ?? { events: new Set(), effects: [] }
    underWay.set(id, opened)
    return opened
  }
}

const causeIn = ({ kind, row }: FeedSubject) =>
  kind === 'event' || kind === 'message' ? row.cause?.id : undefined
