import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LogEntry } from '../host/log.ts'
import { plural } from '../world/plural.ts'
import { formatEntry, formatJsonEntry } from './log-format.ts'
import { oneOf } from './option-values.ts'
import { describeTerminal } from './terminal.ts'

/** Limit of what the terminal has not taken yet; lines beyond it are counted and left out. */
const UNREAD_BYTES_MAX = 256 * 1024
const LOOK_EVERY_MS = 100

export const LOG_LEVEL = oneOf(['all', 'errors', 'off'])

/** Prints a line for each entry of a log. */
export class LogPrinter {
  readonly #json: boolean
  readonly #stream: NodeJS.WriteStream
  readonly #terminal: ReturnType<typeof describeTerminal>
  #leftOut = 0

  constructor({ json, stream }: { json: boolean; stream: NodeJS.WriteStream }) {
    this.#json = json
    this.#stream = stream
    this.#terminal = describeTerminal(stream)
    setNonBlocking(stream)
  }

  readonly print = (entry: LogEntry): void => {
    if (this.#stream.writableLength > UNREAD_BYTES_MAX) {
      if (this.#leftOut++ === 0) this.#stream.once('drain', () => this.#printLeftOut())
      return
    }
    this.#printLeftOut()
    this.#printLine(this.#json ? formatJsonEntry(entry) : formatEntry(entry, this.#terminal))
  }

  #printLeftOut(): void {
    const count = this.#leftOut
    if (count === 0) return
    this.#leftOut = 0
    this.#printLine(
      this.#json
        ? JSON.stringify({ event: 'dropped', count })
        : `… ${plural(count, 'line')} left out`,
    )
  }

  #printLine(line: string): void {
    if (this.#stream.writable) this.#stream.write(`${line}\n`)
  }
}

/**
 * Reads the logs that sandboxes of other processes write to a folder, as they grow. Returns a
 * function that reads the rest, stops, and returns whether there was any such sandbox.
 */
export function followLogsIn(folder: string, take: (entry: LogEntry) => void): () => boolean {
  const positions = new Map<string, number>()
  const timer = setInterval(readNew, LOOK_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    readNew()
    return positions.size > 0
  }

  function readNew() {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
      const position = positions.get(name) ?? 0
      const text = readFrom(join(folder, name), position)
      // The last line may still be under way.
      const whole = text.subarray(0, text.lastIndexOf('\n') + 1)
      positions.set(name, position + whole.length)
      const lines = whole.toString().split('\n').slice(0, -1)
      for (const line of lines) take(JSON.parse(line) as LogEntry)
    }
  }
}

function readFrom(file: string, position: number): Buffer {
  const bytes = Buffer.alloc(statSync(file).size - position)
  if (bytes.length === 0) return bytes
  const fd = openSync(file, 'r')
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, position))
  } finally {
    closeSync(fd)
  }
}

/** Node halts the whole process while a terminal takes nothing, for example after Ctrl-S. */
function setNonBlocking(stream: NodeJS.WriteStream) {
  const { _handle } = stream as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  _handle?.setBlocking?.(false)
}
