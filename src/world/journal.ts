export interface JournalBounds<T> {
  max: number
  /** Characters of all weighed rows together. */
  lengthMax?: number
  rows?: readonly T[]
  /** Position of the last of `rows`. */
  count?: number
}

/**
 * The last rows of an endless list, each at a position that never changes: the first row ever
 * pushed is at 1. A cursor is the position of the last row seen.
 */
export class Journal<T> {
  readonly max: number
  readonly #lengthMax: number | undefined
  readonly #kept: (T | undefined)[] = []
  readonly #lengths: number[] = []
  #last: number
  #first: number
  #total = 0

  constructor({ max, lengthMax, rows = [], count = rows.length }: JournalBounds<T>) {
    this.max = max
    this.#lengthMax = lengthMax
    this.#last = count - rows.length
    this.#first = this.#last + 1
    for (const row of rows) this.push(row)
  }

  /** Position of the newest row, 0 before the first. */
  get last(): number {
    return this.#last
  }

  get count(): number {
    return this.#last - this.#first + 1
  }

  push(row: T): void {
    if (this.count === this.max) this.forgetFirst()
    this.#last++
    this.#kept[this.#last % this.max] = row
  }

  forgetFirst(): void {
    if (this.count === 0) return
    const place = this.#first % this.max
    if (this.#lengthMax !== undefined) {
      this.#total -= this.#lengths[place] ?? 0
      this.#lengths[place] = 0
    }
    this.#kept[place] = undefined
    this.#first++
  }

  /** Records the length of a row. Beyond `lengthMax`, the oldest rows are forgotten. */
  weigh(position: number, length: number): void {
    if (position < this.#first || this.#lengthMax === undefined) return
    const place = position % this.max
    this.#total += length - (this.#lengths[place] ?? 0)
    this.#lengths[place] = length
    while (this.#total > this.#lengthMax && this.count > 1) this.forgetFirst()
  }

  at(position: number): T | undefined {
    const isKept = position >= this.#first && position <= this.#last
    return isKept ? this.#kept[position % this.max] : undefined
  }

  /** Rows after a cursor, oldest first. */
  after(cursor: number, limit = this.max): T[] {
    const found: T[] = []
    const from = Math.max(cursor + 1, this.#first)
    for (let position = from; position <= this.#last && found.length < limit; position++) {
      const row = this.#kept[position % this.max]
      if (row !== undefined) found.push(row)
    }
    return found
  }
}
