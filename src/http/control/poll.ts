import type { FeedKind } from '../../engine/feed.ts'
import { realTime } from '../../real-time.ts'
import type { Journal } from '../../world/journal.ts'
import type { Call } from '../operation.ts'
import { type Condition, createSearch, LIMIT_MAX, presentFound } from './page.ts'

export const TOO_MANY_WAIT = { 429: 'Too many calls wait in this world.' }

export interface PollQuery {
  after?: number | undefined
  /** How many rows to wait for, and to answer; without it one is enough and all are answered. */
  count?: number | undefined
  timeout?: number | undefined
}

interface Poll<Row, Shown> {
  kind: FeedKind
  /** What a row is, for people. */
  noun: string
  journal: Journal<Row>
  conditions: readonly Condition<Row>[]
  /** A row in a few words. */
  format(row: Row): string
  present(row: Row): Shown
}

interface Polled<Shown> {
  matched: boolean
  rows: Shown[]
  cursor: string
  nearest?: string
}

/** Rows of a journal after a cursor, as soon as there are enough of them. */
export async function poll<Row extends { readonly cursor: number }, Shown>(
  call: Pick<Call, 'c' | 'services'>,
  { after = 0, count, timeout = 0 }: PollQuery,
  options: Poll<Row, Shown>,
): Promise<Polled<Shown>> {
  const { kind, journal, conditions } = options
  const search = createSearch({ journal, after, max: count ?? LIMIT_MAX, conditions })
  const { found } = search
  const end = await waitFor(call, {
    kind,
    timeoutMs: timeout,
    look() {
      search.readOn()
      return found.length >= (count ?? 1)
    },
  })
  if (end === 'reset') return { matched: false, rows: [], cursor: '0', nearest: RESET }
  const page = presentFound(search, options.present)
  if (end === 'met') return { matched: true, ...page }
  const nearest =
    found.length > 0
      ? `Of ${count} that were asked for, ${found.length} came.`
      : formatNearest(journal.after(after), { ...options, after })
  return { matched: false, ...page, nearest }
}

const RESET = 'The world was reset meanwhile.'

/** How a wait ended; `gone` means that the caller or the world is. */
type WaitEnd = 'met' | 'timeout' | 'reset' | 'gone'

interface Wait {
  /** What has to happen before it is worth looking again. */
  kind: FeedKind
  timeoutMs: number
  /** Looks at what is there; true when that is enough. */
  look(): boolean
}

/**
 * Looks at once, and then whenever something of the kind happens. The look and the listening
 * are one synchronous step, so nothing can happen unseen between them.
 */
function waitFor(
  { c, services }: Pick<Call, 'c' | 'services'>,
  { kind, timeoutMs, look }: Wait,
): Promise<WaitEnd> | WaitEnd {
  if (look()) return 'met'
  if (timeoutMs === 0) return 'timeout'
  const { signal } = c.req.raw
  if (signal.aborted) return 'gone'
  return new Promise((resolve) => {
    const unfollow = services.feed.follow((entry) => {
      if (entry.kind === 'reset') end('reset')
      else if (entry.kind === 'closed') end('gone')
      else if (entry.kind === kind && look()) end('met')
    })
    const timer = realTime.setTimeout(() => end('timeout'), timeoutMs)
    const abort = () => end('gone')
    signal.addEventListener('abort', abort)
    function end(how: WaitEnd) {
      realTime.clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      unfollow()
      resolve(how)
    }
  })
}

/** Rows that a sentence about near misses names. */
const NAMED_MAX = 5

/** What came nearest to the conditions, as a sentence. */
function formatNearest<Row>(
  rows: readonly Row[],
  {
    noun,
    conditions,
    format,
    after,
  }: Pick<Poll<Row, unknown>, 'noun' | 'conditions' | 'format'> & { after: number },
): string {
  const when = after > 0 ? 'came after the cursor' : 'came so far'
  if (rows.length === 0) return `No ${noun} ${when}.`
  const metBy = (row: Row) => conditions.filter(({ isMet }) => isMet(row)).length
  const best = Math.max(...rows.map(metBy))
  const head = `${rows.length} ${noun}${rows.length === 1 ? '' : 's'} ${when}`
  if (best === 0) {
    const names = conditions.map(({ name }) => name).join(' or ')
    return `${head}, none with this ${names}.`
  }
  const nearest = rows.filter((row) => metBy(row) === best).slice(-NAMED_MAX)
  const named = nearest.map((row) => `${format(row)} (another ${missedBy(row)})`)
  return `${head}; nearest: ${named.join(', ')}.`

  function missedBy(row: Row): string {
    const missed = conditions.filter(({ isMet }) => !isMet(row))
    return missed.map(({ name }) => name).join(' and ')
  }
}
