import { DomainError } from '../world/domain-error.ts'

/** Entries that the feed keeps, for readers that come back. */
export const FEED_MAX = 20_000
/** Calls that may wait in one world, streams included. */
export const FOLLOWERS_MAX = 1_000

/** Kinds that the event stream sends, and after which a page of the inspector is drawn again. */
export const STREAM_KINDS = [
  'event',
  'message',
  'delivery',
  'request',
  'action',
  'clock',
  'reset',
] as const

export type FeedKind = (typeof STREAM_KINDS)[number] | 'caught' | 'closed'

/** An entry of the feed. Its row is in the journal of its kind, at `cursor`. */
export interface FeedEntry {
  readonly position: number
  readonly kind: FeedKind
  readonly cursor: number
}

type Listener = (entry: FeedEntry) => void

/** Everything that happens in one world, in one order. It outlives resets. */
export class Feed {
  /** Two lists of plain values take less memory than an object per entry. */
  readonly #kinds: FeedKind[] = []
  readonly #cursors: number[] = []
  readonly #followers = new Set<Listener>()
  readonly #watchers = new Set<Listener>()
  readonly #onUnfollow: () => void
  #last = 0
  #since = 0

  constructor({ onUnfollow = () => {} }: { onUnfollow?: () => void } = {}) {
    this.#onUnfollow = onUnfollow
  }

  get last(): number {
    return this.#last
  }

  /** Position before which everything belongs to a world that was reset. */
  get since(): number {
    return this.#since
  }

  /** Calls that wait now, streams included. */
  get followers(): number {
    return this.#followers.size
  }

  add(kind: FeedKind, cursor = 0): void {
    if (kind === 'reset') this.#since = this.#last
    const position = ++this.#last
    this.#kinds[position % FEED_MAX] = kind
    this.#cursors[position % FEED_MAX] = cursor
    for (const listener of this.#watchers) listener({ position, kind, cursor })
    for (const listener of this.#followers) listener({ position, kind, cursor })
  }

  after(position: number, limit: number): FeedEntry[] {
    const found: FeedEntry[] = []
    const from = Math.max(position, this.#since, this.#last - FEED_MAX)
    for (let next = from + 1; next <= this.#last && found.length < limit; next++) {
      const kind = this.#kinds[next % FEED_MAX]
      const cursor = this.#cursors[next % FEED_MAX]
      if (kind && cursor !== undefined) found.push({ position: next, kind, cursor })
    }
    return found
  }

  /** Passes on every entry, without counting as a call. */
  watch(listener: Listener): void {
    this.#watchers.add(listener)
  }

  /** Returns a function that unsubscribes. Throws beyond `FOLLOWERS_MAX`. */
  follow(listener: Listener): () => void {
    if (this.#followers.size >= FOLLOWERS_MAX) throw tooMany()
    this.#followers.add(listener)
    return () => {
      this.#followers.delete(listener)
      this.#onUnfollow()
    }
  }
}

function tooMany(): DomainError {
  const message = `At most ${FOLLOWERS_MAX} calls may wait in one world; end some of them.`
  return new DomainError('too-many-waiters', message, { field: 'timeout' })
}
