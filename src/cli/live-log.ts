import { findFeedRow } from '../http/control/stream.ts'
import type { Services } from '../http/services.ts'
import type { DeliveryRecord } from '../levers/wire.ts'
import { keepsEvent } from '../webhooks/mutation.ts'
import { describeSunset } from '../world/sunset.ts'
import {
  formatEntry,
  formatJsonEntry,
  isError,
  LOG_LEVELS,
  type LogEntry,
  type LogLevel,
  type LogSubject,
  timeOf,
} from './log-format.ts'
import { oneOf } from './option-values.ts'
import { describeTerminal } from './terminal.ts'

/** Limit of what the terminal has not taken yet; lines beyond it are counted and left out. */
const UNREAD_BYTES_MAX = 256 * 1024

/** Event ids that are remembered, as by a receiver that deduplicates. */
const DELIVERED_MAX = 10_000

export const LOG_LEVEL = oneOf(LOG_LEVELS)

interface LogOptions {
  json: boolean
  stream: NodeJS.WriteStream
}

/** The log that `--log` asks for; undefined for `off`. */
export function openLog(level: LogLevel, options: LogOptions): LiveLog | undefined {
  return level === 'off' ? undefined : new LiveLog(level, options)
}

/** A line for each thing that happens in any world. */
export class LiveLog {
  readonly #level: LogLevel
  readonly #json: boolean
  readonly #stream: NodeJS.WriteStream
  readonly #terminal: ReturnType<typeof describeTerminal>
  #isV1Known = false
  /** Ids of events that were delivered in any world, the oldest first. */
  readonly #delivered = new Set<string>()
  #leftOut = 0

  constructor(level: LogLevel, { json, stream }: LogOptions) {
    this.#level = level
    this.#json = json
    this.#stream = stream
    this.#terminal = describeTerminal(stream)
    setNonBlocking(stream)
    stream.on('drain', () => this.#sayLeftOut())
  }

  follow(services: Services): void {
    const { feed } = services
    const take = (subject: LogSubject) => this.#add(services, subject)
    let position = feed.last
    // Entries are read once the work that adds them is done: only then are their causes known.
    feed.watch(() => {
      queueMicrotask(() => {
        position = readAfter(services, position, take)
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
    const emailOf = (userId: string) => world.usersById.get(userId)?.email
    const now = timeOf(subject) ?? world.now
    this.#write({ world: name, at: Date.now(), now, subject, emailOf, isRepeated })
  }

  /** Returns true for an event whose id was delivered before, unless it was sent again on purpose. */
  #isRepeated({ generation, eventId, outcome, repeatOf, mutation }: DeliveryRecord): boolean {
    if (generation !== 'v2' || outcome === 'suppressed') return false
    const isKnown = this.#delivered.has(eventId)
    if (outcome === 'delivered' && keepsEvent(mutation)) {
      this.#delivered.add(eventId)
      const [oldest = ''] = this.#delivered.size > DELIVERED_MAX ? this.#delivered : []
      this.#delivered.delete(oldest)
    }
    return isKnown && repeatOf === null
  }

  #write(entry: LogEntry): void {
    if (this.#stream.writableLength > UNREAD_BYTES_MAX) {
      this.#leftOut++
      return
    }
    this.#sayLeftOut()
    this.#print(this.#json ? formatJsonEntry(entry) : formatEntry(entry, this.#terminal))
  }

  #sayLeftOut(): void {
    const count = this.#leftOut
    if (count === 0) return
    this.#leftOut = 0
    this.#print(
      this.#json ? JSON.stringify({ event: 'dropped', count }) : `… ${count} lines left out`,
    )
  }

  #print(line: string): void {
    if (this.#stream.writable) this.#stream.write(`${line}\n`)
  }
}

/** Passes on the entries after a position, and returns the position of the last one. */
function readAfter(
  services: Services,
  position: number,
  take: (subject: LogSubject) => void,
): number {
  let last = position
  for (const entry of services.feed.after(position, Number.POSITIVE_INFINITY)) {
    const { kind } = entry
    last = entry.position
    // An event has no line of its own, and an action that moves the clock has one already.
    const isShown = kind !== 'clock' && kind !== 'event'
    const row = isShown ? findFeedRow({ services, baseUrl: '' }, entry) : undefined
    if (row) take({ kind, row } as LogSubject)
  }
  return last
}

/** Node halts the whole process while a terminal takes nothing, for example after Ctrl-S. */
function setNonBlocking(stream: NodeJS.WriteStream) {
  const { _handle } = stream as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  _handle?.setBlocking?.(false)
}
