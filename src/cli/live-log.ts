import { findFeedRow } from '../http/control/stream.ts'
import type { ActionRecord } from '../http/control/wire.ts'
import type { Services } from '../http/services.ts'
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

/** Entries that may wait to be written; more are counted and left out. */
const WAITING_MAX = 500
/** At most ten thousand in a second: nobody reads faster. */
const WRITE_EVERY_MS = 50
/** What the terminal has not taken yet; nothing is written above it. */
const UNREAD_BYTES_MAX = 64 * 1024

export const LOG_LEVEL = oneOf(LOG_LEVELS)

interface LogOptions {
  json: boolean
  stream: NodeJS.WriteStream
}

export type LiveLog = NonNullable<ReturnType<typeof openLog>>

/** The log that `--log` asks for, a line for each thing that happens in any world; none for `off`. */
export function openLog(level: LogLevel, { json, stream }: LogOptions) {
  if (level === 'off') return undefined
  const terminal = describeTerminal(stream)
  const writer = createLineWriter<LogEntry>(stream, {
    format: (entry) => (json ? formatJsonEntry(entry) : formatEntry(entry, terminal)),
    formatDropped: (count) =>
      json ? JSON.stringify({ event: 'dropped', count }) : `… ${count} lines left out`,
  })
  let isV1Known = false
  const followed = new Map<string, Services>()
  return { follow, note, end: writer.end }

  /** Adds a line of a development chain, which is no part of the world. */
  function note(world: string, sentence: string) {
    const services = followed.get(world)
    if (services) add(services, { kind: 'chain', row: { sentence } })
  }

  function follow(services: Services) {
    followed.set(services.name, services)
    const seen = { services, baseUrl: '' }
    const held: { subject: LogSubject; cursor: number }[] = []
    /** Actions that have a line already, because something came of them before they ended. */
    const begun = new Set<string>()
    services.feed.follow((entry) => {
      const { kind, cursor } = entry
      if (kind === 'closed') followed.delete(services.name)
      // Events are seen as the webhooks that they cause.
      if (kind === 'event' || (level === 'all' && writer.drop())) return
      const row = findFeedRow(seen, entry)
      if (row === undefined) return
      const subject = { kind, row } as LogSubject
      if (subject.kind === 'message' || subject.kind === 'delivery') {
        if (held.push({ subject, cursor }) === 1) queueMicrotask(release)
      } else if (subject.kind !== 'action' || !begun.delete(subject.row.id) || isError(subject)) {
        add(services, subject)
        release()
      }
    })

    /** What something caused comes below its line, though that ends last. */
    function release() {
      for (const { subject, cursor } of held.splice(0)) {
        const journal = subject.kind === 'message' ? 'messages' : 'deliveries'
        const cause = services.timeline.causeOf(journal, cursor)
        const [, position] = /^act_(\d+)$/.exec(cause?.id ?? '') ?? []
        const entry = { kind: 'action', cursor: Number(position) } as const
        const row = position && (findFeedRow(seen, entry) as ActionRecord | undefined)
        if (row && row.status === 0 && !begun.has(row.id)) {
          begun.add(row.id)
          add(services, { kind: 'action', row })
        }
        add(services, subject)
      }
    }
  }

  function add(services: Services, subject: LogSubject) {
    const { world, name } = services
    const isV1 = subject.kind === 'request' && subject.row.operation?.startsWith('v1')
    if (isV1 && !isV1Known) {
      isV1Known = true
      add(services, { kind: 'v1', row: { sentence: describeSunset(world).sentence } })
    }
    if (level === 'errors' && !isError(subject)) return
    const emailOf = (userId: string) => world.usersById.get(userId)?.email
    const now = timeOf(subject) ?? world.now
    writer.add({ world: name, at: Date.now(), now, subject, emailOf })
  }
}

interface LineFormat<Entry> {
  format(entry: Entry): string
  formatDropped(count: number): string
}

/** Writes entries a moment later, and leaves some out rather than wait for a slow reader. */
function createLineWriter<Entry>(stream: NodeJS.WriteStream, options: LineFormat<Entry>) {
  let waiting: Entry[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  setNonBlocking(stream)
  return {
    add(entry: Entry) {
      if (!drop()) waiting.push(entry)
      timer ??= setTimeout(takeTurn, WRITE_EVERY_MS).unref()
    },
    drop,
    end() {
      clearTimeout(timer)
      write()
    },
  }

  /** Counts an entry that is left out; once one is, so are all up to the line that says how many. */
  function drop(): boolean {
    const isFull = dropped > 0 || waiting.length >= WAITING_MAX
    if (isFull) dropped++
    return isFull
  }

  function takeTurn() {
    if (stream.writableLength <= UNREAD_BYTES_MAX) write()
    timer = waiting.length === 0 ? undefined : setTimeout(takeTurn, WRITE_EVERY_MS).unref()
  }

  function write() {
    const lines = waiting.map(options.format)
    if (dropped > 0) lines.push(options.formatDropped(dropped))
    waiting = []
    dropped = 0
    if (lines.length > 0 && stream.writable) stream.write(`${lines.join('\n')}\n`)
  }
}

/** Node halts the whole process while a terminal takes nothing, for example after Ctrl-S. */
function setNonBlocking(stream: NodeJS.WriteStream) {
  const { _handle } = stream as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  _handle?.setBlocking?.(false)
}
