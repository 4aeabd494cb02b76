import type { EventRecord } from '../levers/wire.ts'
import type { LogSubject } from './log-format.ts'

/** An event has no line of its own; it says that its cause is still running. */
export type FeedSubject = LogSubject | { kind: 'event'; row: EventRecord }

/**
 * Shows a call or an action above the messages and webhooks that it caused, although those arrive
 * before it has ended.
 */
export function createOrder(show: (subject: LogSubject) => void) {
  /** Effects of the calls and actions that are under way, by their id. */
  const underWay = new Map<string, LogSubject[]>()
  return function take(subject: FeedSubject): void {
    const { kind, row } = subject
    const cause = 'cause' in row ? row.cause : null
    // A webhook often arrives after its cause has ended; a resend waits for it.
    const isUnderWay = cause && (kind !== 'delivery' || cause.kind === 'change')
    if (isUnderWay && !underWay.has(cause.id)) underWay.set(cause.id, [])
    if (kind === 'event') return
    const waiting = cause && underWay.get(cause.id)
    if (waiting) return void waiting.push(subject)
    // A reset starts ids from 1 again.
    if (kind === 'reset') underWay.clear()
    show(subject)
    if (kind !== 'request' && kind !== 'action') return
    for (const effect of underWay.get(row.id) ?? []) show(effect)
    underWay.delete(row.id)
  }
}
