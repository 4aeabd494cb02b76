import { realTime } from '../real-time.ts'
import { type Duration, durationHelp, parseDuration } from '../world/duration.ts'
import { plural } from '../world/plural.ts'
import { assertObject } from './assert-options.ts'
import { invalidValue, SandboxError } from './error.ts'

/** Longest single long-poll; a longer wait is several. */
const POLL_MAX_MS = 20_000
/** Cursor of an empty journal. */
const EMPTY = '0'
/** Less than the five seconds of most test runners, so that our error is shown and not theirs. */
const WAIT_DEFAULT_MS = 4_000

export interface WaitOptions {
  /** Wall time to wait: `10s`, `500ms`, or a number of ms. Default `4s`. */
  timeout?: Duration | undefined
}

export function toWaitMs(timeout: Duration = WAIT_DEFAULT_MS): number {
  // A computed limit need not be a whole number.
  const ms = parseDuration(typeof timeout === 'number' ? Math.ceil(timeout) : timeout)
  if (ms !== undefined) return ms
  throw invalidValue(
    'timeout',
    `timeout must be ${durationHelp(timeout)}, not ${JSON.stringify(timeout)}.`,
  )
}

/** Rejects `timeout` in the filter: it would be sent to the sandbox and change the wait. */
function assertNoOptions(filter: object): void {
  assertObject('next', filter)
  if (!('timeout' in filter)) return
  const message = 'timeout belongs in the second argument: next(filter, { timeout }).'
  throw invalidValue('timeout', message)
}

interface JournalPage<Row> {
  rows: Row[]
  /** Cursor to read on from. */
  cursor: string
  /** True if there were more rows when the page was made. */
  more: boolean
  /** Sentences about the rows that came nearest, when none matched. */
  nearest?: string | undefined
}

interface ReadOptions {
  /** Cursor of the last row seen; undefined is the beginning. */
  after?: string | undefined
  /** Most rows to return, if the journal supports it. */
  count?: number | undefined
  /** Time to wait for the first row, in whole ms; undefined does not wait. */
  timeout?: number | undefined
  signal?: AbortSignal | undefined
}

/** A condition that the caller checks itself. */
interface Filter<Row> {
  where?: ((row: Row) => boolean) | undefined
}

/** Rows after a cursor, oldest first, as soon as there is one. */
type Read<Row> = (asked: object, options: ReadOptions) => Promise<JournalPage<Row>>

interface JournalOptions<Row> {
  /** Word for a row in messages. */
  noun: string
  read: Read<Row>
}

/** Positions are never given again, but ids are: at a reset with the same seed. */
const keyOf = ({ id, cursor = id }: { id: string; cursor?: string }) => cursor

/** Reads an endless list of the sandbox and returns each row once. */
export class JournalReader<Row extends { id: string; cursor?: string }> {
  readonly #noun: string
  readonly #read: Read<Row>
  /** Cursor after the rows that were skipped; undefined is the start of the world. */
  #beginning: string | undefined
  #returned = new Set<string>()
  /** Cursor up to which every row was returned, by filter. */
  #finished = new Map<string, string>()

  constructor({ noun, read }: JournalOptions<Row>) {
    this.#noun = noun
    this.#read = read
  }

  /** All rows that match. */
  async list(filter: Filter<Row> = {}, { after }: ReadOptions = {}): Promise<Row[]> {
    assertObject('list', filter)
    const { where, ...asked } = filter
    const all: Row[] = []
    for await (const { rows } of this.#readOn(asked, { after })) all.push(...rows)
    return where ? all.filter(where) : all
  }

  /** Returns the oldest matching row that was not returned before, as soon as there is one. */
  async next(filter: Filter<Row> = {}, { timeout }: WaitOptions = {}): Promise<Row> {
    assertNoOptions(filter)
    const timeoutMs = toWaitMs(timeout)
    const found = await this.#find(filter, timeoutMs)
    if (found === undefined) throw await this.#tooLate(filter, timeoutMs)
    return found
  }

  /** Returns the next matching row, or undefined if there is none yet. */
  poll(filter: Filter<Row>): Promise<Row | undefined> {
    return this.#find(filter, 0)
  }

  /** Each row that matches, from the beginning on, as it comes. */
  async *stream({ where, ...asked }: Filter<Row> = {}, options: ReadOptions = {}) {
    const { after = this.#beginning, signal } = options
    for await (const { rows } of this.#readOn(asked, { after, timeout: POLL_MAX_MS, signal })) {
      yield* where ? rows.filter(where) : rows
    }
  }

  /** Skips all rows so far. */
  async skip(): Promise<void> {
    this.#finished = new Map()
    for await (const { cursor } of this.#readOn({}, { after: this.#beginning })) {
      this.#beginning = cursor
    }
  }

  /** Starts over at the beginning of the journal, as after a reset. */
  restart(): void {
    this.#beginning = undefined
    this.#returned = new Set()
    this.#finished = new Map()
  }

  async #find({ where, ...asked }: Filter<Row>, timeoutMs: number): Promise<Row | undefined> {
    const until = realTime.elapsed() + timeoutMs
    const matches = (row: Row) => !this.#returned.has(keyOf(row)) && (where?.(row) ?? true)
    const key = where ? undefined : JSON.stringify(asked)
    // A restart during the wait replaces the map, so later writes to the old one have no effect.
    const ends = this.#finished
    let after = ends.get(key ?? '') ?? this.#beginning
    // One row is usually enough; whole pages are read only once it was not.
    let count: number | undefined = 1
    for (;;) {
      const leftMs = Math.max(0, until - realTime.elapsed())
      const timeout = Math.ceil(Math.min(leftMs, POLL_MAX_MS))
      const { rows, cursor } = await this.#readFrom(asked, { after, count, timeout })
      const found = rows.find(matches)
      const isSeen = found === undefined || found === rows.at(-1)
      if (key !== undefined && isSeen) ends.set(key, cursor)
      if (found !== undefined) {
        this.#returned.add(keyOf(found))
        return found
      }
      if (rows.length === 0 && leftMs === 0) return undefined
      after = cursor
      count = undefined
    }
  }

  /**
   * Yields page after page. Without a timeout it ends where the journal did, even if rows are added
   * faster than they are read.
   */
  async *#readOn(asked: object, { after, timeout, signal }: ReadOptions) {
    for (let from = after; !signal?.aborted; ) {
      const page = await this.#readFrom(asked, { after: from, timeout, signal })
      yield page
      if (!page.more && timeout === undefined) return
      from = page.cursor
    }
  }

  /** Reads a page, and starts over if someone else has reset the world. */
  async #readFrom(asked: object, options: ReadOptions): Promise<JournalPage<Row>> {
    try {
      const page = await this.#read(asked, options)
      if (page.cursor === EMPTY) this.restart()
      return page
    } catch (error) {
      if (!(error instanceof SandboxError) || error.code !== 'cursor-ahead') throw error
      this.restart()
      return await this.#read(asked, { ...options, after: undefined })
    }
  }

  async #tooLate({ where, ...asked }: Filter<Row>, timeoutMs: number): Promise<SandboxError> {
    const { rows, nearest = '' } = await this.#readFrom(asked, { after: this.#beginning })
    const late = `matched within ${timeoutMs} ms.`
    const [found, were] =
      rows.length === 1 ? [this.#noun, 'was'] : [plural(rows.length, this.#noun), 'were']
    const other = where ? `, or ${were} rejected by where` : ''
    const message =
      rows.length === 0
        ? `No ${this.#noun} ${late} ${nearest}`
        : `No new ${this.#noun} ${late} The ${found} that matched had already been returned${other}.`
    return new SandboxError(message.trim(), { code: 'timeout' })
  }
}
