import { realTime } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'

/** Entries that the feed keeps, for readers that come back. */
export const FEED_MAX = 20_000
/** Calls that may wait in one world, streams included. */
export const FOLLOWERS_MAX = 1_000

export const FEED_KINDS = [
  'event',
  'message',
  'delivery',
  'request',
  'action',
  'caught',
  'clock',
  'reset',
  'closed',
] as const
export type FeedKind = (typeof FEED_KINDS)[number]

/** One thing that happened. Its row is in the journal of its kind, at `cursor`. */
export interface FeedEntry {
  readonly position: number
  readonly kind: FeedKind
  readonly cursor: number
}

/** Everything that happens in one world, in one order. It outlives resets. */
export interface Feed {
  /** Position of the newest entry. */
  readonly last: number
  /** Position before which everything belongs to a world that was reset. */
  readonly since: number
  /** When those who read all of it may read. */
  readonly pace: Pace
  add(kind: FeedKind, cursor?: number): void
  after(position: number, limit: number): FeedEntry[]
  /** Throws beyond `FOLLOWERS_MAX`; the result stops the following. */
  follow(listener: (entry: FeedEntry) => void): () => void
  /** The same for one who reads with `after`, and needs to hear only that the world has ended. */
  followEnd(listener: () => void): () => void
}

export function createFeed(): Feed {
  /** In two lists of plain values: an object for each would stay in memory for long. */
  const kinds: FeedKind[] = []
  const cursors: number[] = []
  let last = 0
  const followers = new Set<(entry: FeedEntry) => void>()
  const endFollowers = new Set<() => void>()
  const pace = createPace()
  let since = 0
  return {
    pace,
    get last() {
      return last
    },
    get since() {
      return since
    },
    add(kind, cursor = 0) {
      if (kind === 'reset') since = last
      last++
      kinds[last % FEED_MAX] = kind
      cursors[last % FEED_MAX] = cursor
      for (const listener of followers) listener({ position: last, kind, cursor })
      if (kind === 'closed') for (const listener of endFollowers) listener()
      pace.request()
    },
    after(position, limit) {
      const found: FeedEntry[] = []
      const from = Math.max(position, since, last - FEED_MAX)
      for (let position = from + 1; position <= last && found.length < limit; position++) {
        const kind = kinds[position % FEED_MAX]
        const cursor = cursors[position % FEED_MAX]
        if (kind && cursor !== undefined) found.push({ position, kind, cursor })
      }
      return found
    },
    follow: (listener) => addTo(followers, listener),
    followEnd: (listener) => addTo(endFollowers, listener),
  }

  function addTo<Listener>(listeners: Set<Listener>, listener: Listener) {
    if (followers.size + endFollowers.size >= FOLLOWERS_MAX) throw tooMany()
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
}

function tooMany(): DomainError {
  const message = `At most ${FOLLOWERS_MAX} calls may wait in one world; end some of them.`
  return new DomainError('too-many-waiters', message, { field: 'timeout' })
}

/** Longest that readers work before other calls get their turn. */
const TURN_MAX_MS = 20
const REST_MIN_MS = 5
/** Writing to sockets goes on after a turn, so the rest is longer than the turn was. */
const RESTS_PER_TURN = 3

/**
 * Divides the time of the event loop between the readers of a feed and everything else: they read
 * in short turns, and then rest for longer than the turn took.
 */
interface Pace {
  /** Wakes the reader at the start of each turn; the result stops that. */
  join(wake: () => void): () => void
  /** Whether a reader may read on now. */
  isOpen(): boolean
  /** Asks for a turn, for a reader that has not read everything. */
  request(): void
}

function createPace(): Pace {
  const readers = new Set<() => void>()
  let phase: 'idle' | 'asked' | 'turn' | 'rest' = 'idle'
  let startedAt = 0
  let isAskedAgain = false
  return {
    join(wake) {
      readers.add(wake)
      return () => void readers.delete(wake)
    },
    isOpen: () => phase === 'turn' && realTime.elapsed() - startedAt < TURN_MAX_MS,
    request,
  }

  function request() {
    if (readers.size === 0) return
    if (phase === 'idle') realTime.setImmediate(startTurn)
    else isAskedAgain = phase !== 'asked'
    if (phase === 'idle') phase = 'asked'
  }

  function startTurn() {
    phase = 'turn'
    isAskedAgain = false
    startedAt = realTime.elapsed()
    // A different reader comes first each time, because the turn may be over before the last.
    const [first] = readers
    if (first && readers.delete(first)) readers.add(first)
    for (const wake of readers) wake()
    realTime.setImmediate(rest)
  }

  function rest() {
    phase = 'rest'
    const tookMs = realTime.elapsed() - startedAt
    realTime.setTimeout(endRest, Math.max(REST_MIN_MS, RESTS_PER_TURN * tookMs)).unref()
  }

  function endRest() {
    phase = 'idle'
    if (isAskedAgain) request()
  }
}
