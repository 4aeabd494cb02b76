import type {
  ActionRecord,
  DeliveryRecord,
  MessageRecord,
  RequestRecord,
} from '../control-api/wire.ts'
import { FAILED } from '../http/control/journal.ts'
import { rowOf } from '../http/control/stream.ts'
import type { Services } from '../http/services.ts'
import { keepsEvent } from '../webhooks/mutation.ts'
import { describeSunset } from '../world/sunset.ts'

/** Everything, or only rejected calls and webhooks that were not acknowledged. */
export type LogLevel = 'all' | 'errors'

/** Something that happened in a world, as the control API shows it. */
export type LogSubject =
  | { kind: 'request'; row: RequestRecord }
  | { kind: 'delivery'; row: DeliveryRecord }
  | { kind: 'message'; row: MessageRecord }
  | { kind: 'action'; row: ActionRecord }
  | { kind: 'reset'; row: { fixture: string; now: string } }
  | { kind: 'v1'; row: { sentence: string } }
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

/** Returns true for a rejected call or a webhook that was not acknowledged; either may have been lost. */
export function isError({ kind, row }: LogSubject): boolean {
  if (kind === 'reset') return false
  return kind === 'v1' || kind === 'lost' || FAILED[kind](row as never)
}

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
  #isV1Known = false
  /** Ids of events that any sandbox of this process delivered, the oldest first. */
  static readonly #delivered = new Set<string>()

  constructor(level: LogLevel, write: (entry: LogEntry) => void) {
    this.#level = level
    this.#write = write
  }

  follow(services: Services): void {
    services.journal.watch((kind, entry) => {
      // An event has no line of its own, and an action that moves the clock has one already.
      if (entry === undefined || kind === 'clock' || kind === 'event') return
      // Read once the work that made it is done, which a mistake here must not stop.
      queueMicrotask(() => {
        const row = rowOf({ services, baseUrl: '' }, entry)
        if (row) this.#add(services, { kind, row } as LogSubject)
      })
    })
  }

  #add(services: Services, subject: LogSubject): void {
    const { world, name } = services
    const isV1 = subject.kind === 'request' && subject.row.operation?.startsWith('v1')
    if (isV1 && !this.#isV1Known) {
      this.#isV1Known = true
      this.#add(services, { kind: 'v1', row: { sentence: describeSunset(world).sentence } })
    }
    const isRepeated = subject.kind === 'delivery' && this.#isRepeated(subject.row)
    if (this.#level === 'errors' && !isError(subject)) return
    const now = timeOf(subject) ?? world.now
    this.#write({ world: name, at: Date.now(), now, subject, isRepeated })
  }

  /** Returns true for an event whose id was delivered before, unless it was sent again on purpose. */
  #isRepeated({ generation, eventId, outcome, repeatOf, mutation }: DeliveryRecord): boolean {
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
