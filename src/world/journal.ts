/**
 * The last rows of an endless list, each at a position that never changes: the first row ever
 * pushed is at 1. A cursor is the position of the last row seen.
 */
export interface Journal<T> {
  readonly max: number
  /** Position of the newest row, 0 before the first. */
  readonly last: number
  readonly count: number
  push(row: T): void
  forgetFirst(): void
  /** Records the length of a row. Beyond `lengthMax`, the oldest rows are forgotten. */
  weigh(position: number, length: number): void
  at(position: number): T | undefined
  /** Rows after a cursor, oldest first. */
  after(cursor: number, limit?: number): T[]
}

export interface JournalBounds<T> {
  max: number
  /** Characters of all weighed rows together. */
  lengthMax?: number
  rows?: readonly T[]
  /** Position of the last of `rows`. */
  count?: number
}

export function createJournal<T>({ max, lengthMax, rows = [], count }: JournalBounds<T>) {
  const kept: (T | undefined)[] = new Array(0)
  const lengths: number[] = []
  let last = (count ?? rows.length) - rows.length
  let first = last + 1
  let total = 0
  const journal: Journal<T> = {
    max,
    get last() {
      return last
    },
    get count() {
      return last - first + 1
    },
    forgetFirst,
    push(row) {
      if (last - first + 1 === max) forgetFirst()
      last++
      kept[last % max] = row
    },
    weigh(position, length) {
      if (position < first || lengthMax === undefined) return
      total += length - (lengths[position % max] ?? 0)
      lengths[position % max] = length
      while (total > lengthMax && first < last) forgetFirst()
    },
    at(position) {
      return position >= first && position <= last ? kept[position % max] : undefined
    },
    after(cursor, limit = max) {
      const found: T[] = []
      const from = Math.max(cursor + 1, first)
      for (let position = from; position <= last && found.length < limit; position++) {
        const row = kept[position % max]
        if (row !== undefined) found.push(row)
      }
      return found
    },
  }
  for (const row of rows) journal.push(row)
  return journal

  function forgetFirst() {
    if (first > last) return
    if (lengthMax !== undefined) {
      total -= lengths[first % max] ?? 0
      lengths[first % max] = 0
    }
    kept[first % max] = undefined
    first++
  }
}
