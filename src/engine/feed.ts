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

export type Feed = ReturnType<typeof createFeed>

/** Everything that happens in one world, in one order. It outlives resets. */
export function createFeed() {
  /** In two lists of plain values: an object for each would stay in memory for long. */
  const kinds: FeedKind[] = []
  const cursors: number[] = []
  let last = 0
  const followers = new Set<(entry: FeedEntry) => void>()
  let since = 0
  return {
    /** Position of the newest entry. */
    get last() {
      return last
    },
    /** Position before which everything belongs to a world that was reset. */
    get since() {
      return since
    },
    add(kind: FeedKind, cursor = 0) {
      if (kind === 'reset') since = last
      last++
      kinds[last % FEED_MAX] = kind
      cursors[last % FEED_MAX] = cursor
      for (const listener of followers) listener({ position: last, kind, cursor })
    },
    after(position: number, limit: number) {
      const found: FeedEntry[] = []
      const from = Math.max(position, since, last - FEED_MAX)
      for (let position = from + 1; position <= last && found.length < limit; position++) {
        const kind = kinds[position % FEED_MAX]
        const cursor = cursors[position % FEED_MAX]
        if (kind && cursor !== undefined) found.push({ position, kind, cursor })
      }
      return found
    },
    /** Throws beyond `FOLLOWERS_MAX`; the result stops the following. */
    follow(listener: (entry: FeedEntry) => void) {
      if (followers.size >= FOLLOWERS_MAX) throw tooMany()
      followers.add(listener)
      return () => void followers.delete(listener)
    },
  }
}

function tooMany(): DomainError {
  const message = `At most ${FOLLOWERS_MAX} calls may wait in one world; end some of them.`
  return new DomainError('too-many-waiters', message, { field: 'timeout' })
}
