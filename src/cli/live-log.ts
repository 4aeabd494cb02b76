import { findFeedRow } from '../http/control/stream.ts'
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
import { createOrder, type FeedSubject } from './log-order.ts'
import { oneOf } from './option-values.ts'
import { describeTerminal } from './terminal.ts'

/** Limit of what the terminal has not taken yet; lines beyond it are counted and left out. */
const UNREAD_BYTES_MAX = 256 * 1024

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
  let isV1Known = false
  let leftOut = 0
  setNonBlocking(stream)
  stream.on('drain', sayLeftOut)
  return { follow }

  function follow(services: Services) {
    const { feed } = services
    const take = createOrder((subject) => add(services, subject))
    let position = feed.last
    feed.follow(() => queueMicrotask(readOn))

    /** Reads once the work that adds entries is done: only then are their causes known. */
    function readOn() {
      for (const entry of feed.after(position, Number.POSITIVE_INFINITY)) {
        const { kind } = entry
        position = entry.position
        // A clock moves in an action, which has a line.
        const row = kind === 'clock' ? undefined : findFeedRow({ services, baseUrl: '' }, entry)
        if (row) take({ kind, row } as FeedSubject)
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
    write({ world: name, at: Date.now(), now, subject, emailOf })
  }

  function write(entry: LogEntry) {
    if (stream.writableLength > UNREAD_BYTES_MAX) leftOut++
    else {
      sayLeftOut()
      print(json ? formatJsonEntry(entry) : formatEntry(entry, terminal))
    }
  }

  function sayLeftOut() {
    if (leftOut === 0) return
    const [event, count] = ['dropped', leftOut]
    leftOut = 0
    print(json ? JSON.stringify({ event, count }) : `… ${count} lines left out`)
  }

  function print(line: string) {
    if (stream.writable) stream.write(`${line}\n`)
  }
}

/** Node halts the whole process while a terminal takes nothing, for example after Ctrl-S. */
function setNonBlocking(stream: NodeJS.WriteStream) {
  const { _handle } = stream as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  _handle?.setBlocking?.(false)
}
