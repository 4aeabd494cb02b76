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
  add(kind: FeedKind, cursor?: number): void
  after(position: number, limit: number): FeedEntry[]
  /** Refuses one more than `FOLLOWERS_MAX`; what it returns stops the listening. */
  follow(listener: (entry: FeedEntry) => void): () => void
}

export function createFeed(): Feed {
  // Every call adds an entry, so entries are kept as numbers: objects would be the
  // larger part of what a call costs.
  const kinds: number[] = []
  const cursors: number[] = []
  let last = 0
  const followers = new Set<(entry: FeedEntry) => void>()
  let since = 0
  return {
    get last() {
      return last
    },
    get since() {
      return since
    },
    add(kind, cursor = 0) {
      if (kind === 'reset') since = last
      last++
      kinds[last % FEED_MAX] = FEED_KINDS.indexOf(kind)
      cursors[last % FEED_MAX] = cursor
      if (followers.size === 0) return
      const entry = read(last)
      for (const listener of followers) listener(entry)
    },
    after(position, limit) {
      const found: FeedEntry[] = []
      const from = Math.max(position, since, last - FEED_MAX)
      for (let at = from + 1; at <= last && found.length < limit; at++) found.push(read(at))
      return found
    },
    follow(listener) {
      if (followers.size >= FOLLOWERS_MAX) throw tooMany()
      followers.add(listener)
      return () => void followers.delete(listener)
    },
  }

  function read(position: number): FeedEntry {
    const kind = FEED_KINDS[kinds[position % FEED_MAX] ?? 0] ?? 'event'
    return { position, kind, cursor: cursors[position % FEED_MAX] ?? 0 }
  }
}

function tooMany(): DomainError {
  const message = `At most ${FOLLOWERS_MAX} calls may wait in one world; end some of them.`
  return new DomainError('rate-limit', 'timeout', message, { code: 'too-many-waiters' })
}
