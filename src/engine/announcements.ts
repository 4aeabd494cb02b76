import type { Entry } from '../world/entries.ts'
import type { StreamKind } from './stream-kinds.ts'

/** Entries that a reader of the stream that comes back may have missed. */
const STREAMED_MAX = 20_000

/** That an entry is complete, at a position of its own, because calls end in another order. */
export interface Announcement extends Entry {
  readonly kind: StreamKind
  /** Position of the entry. */
  readonly of: number
}

/** The newest announcements, as lists of plain values: objects would survive each collection. */
export class Announcements {
  readonly #positions: number[] = []
  readonly #kinds: StreamKind[] = []
  readonly #entries: number[] = []
  #total = 0

  push({ pos, kind, of }: Announcement): void {
    const place = this.#total++ % STREAMED_MAX
    this.#positions[place] = pos
    this.#kinds[place] = kind
    this.#entries[place] = of
  }

  /** Announcements after a position, oldest first. Most readers have seen all but a few. */
  after(pos: number, limit = STREAMED_MAX): Announcement[] {
    let next = this.#total
    while (next > this.#oldest && this.#positionAt(next - 1) > pos) next--
    const found: Announcement[] = []
    for (; next < this.#total && found.length < limit; next++) {
      const kind = this.#kinds[next % STREAMED_MAX]
      const of = this.#entries[next % STREAMED_MAX]
      if (kind && of !== undefined) found.push({ pos: this.#positionAt(next), kind, of })
    }
    return found
  }

  /** Returns true if a reader who has read up to a position has missed announcements for good. */
  hasForgotten(pos: number): boolean {
    return this.#oldest > 0 && pos < this.#positionAt(this.#oldest) - 1
  }

  get #oldest(): number {
    return Math.max(0, this.#total - STREAMED_MAX)
  }

  #positionAt(index: number): number {
    return this.#positions[index % STREAMED_MAX] ?? 0
  }
}
