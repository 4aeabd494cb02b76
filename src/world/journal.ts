/**
 * The last `max` rows of an endless list, each at a position that never changes: the first row
 * ever pushed is at 1. A cursor is the position of the last row seen.
 */
export interface Journal<T> {
  readonly max: number
  /** Position of the newest row, 0 before the first. */
  readonly last: number
  push(row: T): void
  at(position: number): T | undefined
  /** Rows after a cursor, oldest first. */
  after(cursor: number, limit?: number): T[]
}

/** `count` is how many rows were pushed before `rows`' last one, itself included. */
export function createJournal<T>(max: number, rows: readonly T[] = [], count = rows.length) {
  const kept: T[] = new Array(0)
  let last = count - rows.length
  const journal: Journal<T> = {
    max,
    get last() {
      return last
    },
    push(row) {
      last++
      kept[last % max] = row
    },
    at(position) {
      return position > last - max && position <= last ? kept[position % max] : undefined
    },
    after(cursor, limit = max) {
      const found: T[] = []
      const from = Math.max(cursor, last - max, 0)
      for (let position = from + 1; position <= last && found.length < limit; position++) {
        const row = kept[position % max]
        if (row !== undefined) found.push(row)
      }
      return found
    },
  }
  for (const row of rows) journal.push(row)
  return journal
}
