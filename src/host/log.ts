import type {
  ActionRecord,
  DeliveryRecord,
  MessageRecord,
  RequestRecord,
} from '../control-api/wire.ts'
import { FAILED } from '../http/control/journal.ts'
import { findRow } from '../http/control/stream.ts'
import { isSuspicious } from '../http/notes.ts'
import type { Services } from '../http/services.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { keepsEvent } from '../webhooks/mutation.ts'
import { wasSlow } from '../webhooks/outcome-diagnosis.ts'
import { isPage } from '../webhooks/response-diagnosis.ts'

/** Level of the log: everything, what failed, or what may explain why a test fails. */
export type LogLevel = keyof typeof LEVELS

/** Something that happened in a world, as the control API shows it. */
export type LogSubject =
  | { kind: 'request'; row: RequestRecord }
  | { kind: 'delivery'; row: DeliveryRecord }
  | { kind: 'message'; row: MessageRecord }
  | { kind: 'action'; row: ActionRecord }
  | { kind: 'reset'; row: { fixture: string; now: string } }
  /** A reader of the stream was so slow that some entries are no longer kept. */
  | { kind: 'lost'; row: object }

export interface LogEntry {
  world: string
  /** Wall time, where it is known. */
  at?: number
  subject: LogSubject
  /** World time in ms, where it is known. */
  now?: number | undefined
  /** True for a webhook whose event has an id that was delivered before. */
  isRepeated?: boolean
}

/** A subject, or the row of the journal that it shows. */
interface Judged {
  kind: LogSubject['kind']
  row: object
}

/** Returns true for a rejected call or a webhook that was not acknowledged; either may have been lost. */
export function isError({ kind, row }: Judged): boolean {
  if (kind === 'reset') return false
  return kind === 'lost' || FAILED[kind](row as never)
}

/** Returns true for what may explain a failed test: errors, notes, and webhooks without a URL. */
export function isFinding(judged: Judged): boolean {
  const { kind, row } = judged
  if (kind === 'request') {
    const { notes } = row as Pick<RequestRecord, 'notes'>
    return isError(judged) || notes.some(isSuspicious)
  }
  if (kind !== 'delivery') return kind === 'action' && isError(judged)
  const delivery = row as DeliveryRecord
  const { outcome, url, reason, error, response } = delivery
  if (outcome === 'suppressed') return url === null
  if (outcome === 'delivered' && response && isPage(response)) return true
  const isCutOff = outcome === 'refused' && reason !== null && reason === error
  return isError(judged) && !(isCutOff && !wasSlow(delivery))
}

const LEVELS = { all: () => true, errors: isError, findings: isFinding }

/** The world time at which it happened. */
export function timeOf({ kind, row }: LogSubject): number | undefined {
  if (kind === 'request' || kind === 'action') return Date.parse(row.at)
  if (kind === 'delivery') return Date.parse(row.occurredAt)
  if (kind === 'message') return Date.parse(row.sentAt)
  return 'now' in row ? Date.parse(row.now) : undefined
}

/** Event ids that are remembered, as by a receiver that deduplicates. */
const DELIVERED_MAX = 10_000

/** Writes an entry for each thing that happens in the worlds that it follows. */
export class Log {
  readonly #level: LogLevel
  readonly #write: (entry: LogEntry) => void
  /** Ids of events that any sandbox of this process delivered, the oldest first. */
  static readonly #delivered = new Set<string>()

  constructor(level: LogLevel, write: (entry: LogEntry) => void) {
    this.#level = level
    this.#write = write
  }

  follow(services: Services): void {
    services.journal.watch((_, entry) => {
      // An event has no line of its own, and an action that moves the clock has one already.
      if (entry === undefined || entry.kind === 'clock' || entry.kind === 'event') return
      const kind = entry.kind
      // Found now, because a reset empties the journal.
      const found = findRow({ services, baseUrl: '' }, entry)
      if (!found) return
      const isRepeated = kind === 'delivery' && this.#isRepeated(found.row as Delivery)
      if (!LEVELS[this.#level]({ kind, row: found.row })) return
      // Shown once the work that made it is done, which a mistake here must not stop.
      queueMicrotask(() => {
        const subject = { kind, row: found.present() } as LogSubject
        const now = timeOf(subject) ?? services.world.now
        this.#write({ world: services.name, at: Date.now(), now, subject, isRepeated })
      })
    })
  }

  /** Returns true for an event whose id was delivered before, unless it was sent again on purpose. */
  #isRepeated({ generation, eventId, outcome, repeatOf, mutation }: Delivery): boolean {
    if (generation !== 'v2' || outcome === 'suppressed') return false
    const delivered = Log.#delivered
    const isKnown = delivered.has(eventId)
    if (outcome === 'delivered' && keepsEvent(mutation)) {
      delivered.add(eventId)
      const [oldest = ''] = delivered.size > DELIVERED_MAX ? delivered : []
      delivered.delete(oldest)
    }
    return isKnown && repeatOf === null
  }
}
