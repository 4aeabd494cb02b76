import { createJournal } from '../world/journal.ts'
import { HttpRefusal } from './status.ts'

/** Things told that the feed remembers, for readers that come back. */
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

/** That something happened. Its row is in the journal of its kind, at `cursor`. */
export interface Told {
  readonly position: number
  readonly kind: FeedKind
  readonly cursor: number
}

/** Everything that happens in one world, in one order. It outlives resets. */
export interface Feed {
  /** Position of what was told last. */
  readonly last: number
  /** Position before which everything belongs to a world that was reset. */
  readonly since: number
  tell(kind: FeedKind, cursor?: number): void
  after(position: number, limit: number): Told[]
  /** Refuses one more than `FOLLOWERS_MAX`; what it returns stops the listening. */
  follow(listener: (told: Told) => void): () => void
}

export function createFeed(): Feed {
  const journal = createJournal<Told>(FEED_MAX)
  const followers = new Set<(told: Told) => void>()
  let since = 0
  return {
    get last() {
      return journal.last
    },
    get since() {
      return since
    },
    tell(kind, cursor = 0) {
      if (kind === 'reset') since = journal.last
      const told = { position: journal.last + 1, kind, cursor }
      journal.push(told)
      for (const listener of followers) listener(told)
    },
    after: (position, limit) => journal.after(Math.max(position, since), limit),
    follow(listener) {
      if (followers.size >= FOLLOWERS_MAX) throw tooMany()
      followers.add(listener)
      return () => void followers.delete(listener)
    },
  }
}

function tooMany(): HttpRefusal {
  const message = `At most ${FOLLOWERS_MAX} calls may wait in one world; end some of them.`
  return new HttpRefusal(429, 'timeout', message, { code: 'too-many-waiters' })
}
