import { realTime } from '../real-time.ts'
import { DURATION_HELP, type Duration, parseDuration } from '../world/duration.ts'
import { SandboxError } from './error.ts'

/** Longest single long-poll; a longer wait is several. */
const POLL_MAX_MS = 20_000
/** The cursor of a journal that nothing was written to. */
const EMPTY = '0'
/** Less than the five seconds of most test runners, so that what came nearest is shown, not theirs. */
const WAIT_DEFAULT_MS = 4_000

export interface WaitOptions {
  /** How long to wait, in wall time: `10s`, `500ms`, or a number of ms. Default `4s`. */
  timeout?: Duration | undefined
}

export function toWaitMs(timeout: Duration = WAIT_DEFAULT_MS): number {
  // A wait is never too exact: the rest of a computed limit is no whole number.
  const ms = parseDuration(typeof timeout === 'number' ? Math.ceil(timeout) : timeout)
  if (ms !== undefined) return ms
  const message = `timeout must be ${DURATION_HELP}, not ${timeout}.`
  throw new SandboxError(message, { code: 'invalid', problems: [{ field: 'timeout', message }] })
}

interface JournalPage<Row> {
  rows: Row[]
  /** Cursor to read on from. */
  cursor: string
  /** When nothing matched: what came nearest, in sentences. */
  nearest?: string | undefined
}

interface ReadOptions {
  /** Cursor of the last row seen; undefined is the beginning. */
  after?: string | undefined
  /** Rows to return at most, where the journal can be asked so. */
  count?: number | undefined
  /** How long to wait for the first row, in whole ms; undefined does not wait. */
  timeout?: number | undefined
  signal?: AbortSignal | undefined
}

/** A condition of the caller's own, beside what the sandbox is asked for. */
interface Filter<Row> {
  where?: ((row: Row) => boolean) | undefined
}

/** Rows after a cursor, oldest first, as soon as there is one. */
type Read<Row> = (asked: object, options: ReadOptions) => Promise<JournalPage<Row>>

/** Reads an endless list of the sandbox, whose rows are called by the noun; gives out each once. */
export function createJournalReader<Row extends { id: string }>(noun: string, read: Read<Row>) {
  let beginning: string | undefined
  let given = new Set<string>()
  /** Up to where everything was given out, by filter. */
  let finished = new Map<string, string>()

  return {
    /** All rows that match. */
    async list({ where, ...asked }: Filter<Row> = {}, { after }: ReadOptions = {}) {
      const all: Row[] = []
      for await (const { rows } of readOn(asked, { after })) all.push(...rows)
      return where ? all.filter(where) : all
    },
    /** The oldest row that matches and that was not given out, as soon as it is there. */
    async next(filter: Filter<Row> = {}, { timeout }: WaitOptions = {}): Promise<Row> {
      const timeoutMs = toWaitMs(timeout)
      const found = await find(filter, timeoutMs)
      if (found === undefined) throw await tooLate(filter, timeoutMs)
      return found
    },
    /** Reads as `next` does, but gives undefined when there is none yet. */
    poll: (filter: Filter<Row>) => find(filter, 0),
    /** Each row that matches, from the beginning on, as it comes. */
    async *stream({ where, ...asked }: Filter<Row> = {}, options: ReadOptions = {}) {
      const { after = beginning, signal } = options
      for await (const { rows } of readOn(asked, { after, timeout: POLL_MAX_MS, signal })) {
        yield* where ? rows.filter(where) : rows
      }
    },
    /** Gives out nothing of what came so far. */
    async skip() {
      finished = new Map()
      for await (const { cursor } of readOn({}, { after: beginning })) beginning = cursor
    },
    restart,
  }

  /** The journal begins anew, as after a reset. */
  function restart() {
    beginning = undefined
    given = new Set()
    finished = new Map()
  }

  async function find({ where, ...asked }: Filter<Row>, timeoutMs: number) {
    const until = realTime.elapsed() + timeoutMs
    const matches = (row: Row) => !given.has(row.id) && (where?.(row) ?? true)
    const key = where ? undefined : JSON.stringify(asked)
    // A restart while this waits replaces the map, and leaves this one to nobody.
    const ends = finished
    let after = ends.get(key ?? '') ?? beginning
    for (let count: number | undefined = 1; ; count = undefined) {
      const leftMs = Math.max(0, until - realTime.elapsed())
      const timeout = Math.ceil(Math.min(leftMs, POLL_MAX_MS))
      const { rows, cursor } = await readFrom(asked, { after, count, timeout })
      const found = rows.find(matches)
      const isSeen = found === undefined || found === rows.at(-1)
      if (key !== undefined && isSeen) ends.set(key, cursor)
      if (found !== undefined) {
        given.add(found.id)
        return found
      }
      if (rows.length === 0 && leftMs === 0) return undefined
      after = cursor
    }
  }

  /** Page after page. Without a time to wait it ends at the last row there is. */
  async function* readOn(asked: object, { after, timeout, signal }: ReadOptions) {
    for (let from = after; !signal?.aborted; ) {
      const page = await readFrom(asked, { after: from, timeout, signal })
      yield page
      if (page.rows.length === 0 && timeout === undefined) return
      from = page.cursor
    }
  }

  /** Notices that somebody else has reset the world: what was read before is no more. */
  async function readFrom(asked: object, options: ReadOptions): Promise<JournalPage<Row>> {
    try {
      const page = await read(asked, options)
      if (page.cursor === EMPTY) restart()
      return page
    } catch (error) {
      if (!(error instanceof SandboxError) || error.code !== 'cursor-ahead') throw error
      restart()
      return await read(asked, { ...options, after: undefined })
    }
  }

  async function tooLate({ where, ...asked }: Filter<Row>, timeoutMs: number) {
    const { rows, nearest = '' } = await readFrom(asked, { after: beginning })
    const count = `${rows.length} ${noun}${rows.length === 1 ? '' : 's'}`
    const other = where ? 'or not as where wants them' : 'so wait for another'
    const why = rows.length > 0 ? `${count} matched, but were given out before, ${other}.` : nearest
    const message = `No ${noun} matched within ${timeoutMs} ms. ${why}`
    return new SandboxError(message.trim(), { code: 'timeout' })
  }
}
