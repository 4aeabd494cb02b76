/** Something that happened, at a position of the journal that never changes. */
export interface Entry {
  readonly pos: number
}

interface EntriesOptions<Row> {
  max: number
  /** Characters of all weighed rows together. */
  lengthMax?: number
  /** Position behind which new rows come. */
  start?: number
  rows?: readonly Row[]
}

/** The newest entries of one kind, by their positions, which grow but have gaps. */
export class Entries<Row extends Entry> {
  readonly max: number
  readonly #lengthMax: number | undefined
  readonly #start: number
  readonly #kept: (Row | undefined)[] = []
  readonly #lengths: number[] = []
  /** Numbers of the oldest row that is kept, and of the newest. */
  #first = 1
  #newest = 0
  #length = 0

  constructor({ max, lengthMax, start = 0, rows = [] }: EntriesOptions<Row>) {
    this.max = max
    this.#lengthMax = lengthMax
    this.#start = start
    for (const row of rows) this.push(row)
  }

  /** Position of the newest row, or behind which the first new one comes. */
  get last(): number {
    return Math.max(this.#start, this.#kept[this.#newest % this.max]?.pos ?? 0)
  }

  /** Number of rows that are kept. */
  get count(): number {
    return this.#newest - this.#first + 1
  }

  /** Number of rows ever added, including dropped ones. */
  get total(): number {
    return this.#newest
  }

  push(row: Row): void {
    if (this.count === this.max) this.forgetFirst()
    this.#newest++
    this.#kept[this.#newest % this.max] = row
  }

  forgetFirst(): void {
    if (this.count === 0) return
    const place = this.#first % this.max
    this.#length -= this.#lengths[place] ?? 0
    this.#lengths[place] = 0
    this.#kept[place] = undefined
    this.#first++
  }

  /** Records the length of a row. Beyond `lengthMax`, the oldest rows are forgotten. */
  weigh({ pos }: Row, length: number): void {
    if (this.#lengthMax === undefined) return
    const place = (this.#firstAfter(pos) - 1) % this.max
    if (this.#kept[place]?.pos !== pos) return
    this.#length += length - (this.#lengths[place] ?? 0)
    this.#lengths[place] = length
    while (this.#length > this.#lengthMax && this.count > 1) this.forgetFirst()
  }

  at(pos: number): Row | undefined {
    const row = this.#kept[(this.#firstAfter(pos) - 1) % this.max]
    return row?.pos === pos ? row : undefined
  }

  /** Rows after a position, oldest first. */
  after(pos: number, limit = this.max): Row[] {
    const rows: Row[] = []
    let number = this.#firstAfter(pos)
    for (; number <= this.#newest && rows.length < limit; number++) {
      rows.push(this.#kept[number % this.max] as Row)
    }
    return rows
  }

  /** Number of the oldest row that is kept and is after a position, which most often is near the end. */
  #firstAfter(pos: number): number {
    let [low, high] = [this.#newest + 1, this.#newest + 1]
    for (let step = 1; low > this.#first && this.#posOf(low - 1) > pos; step *= 2) {
      high = low - 1
      low = Math.max(this.#first, high - step)
    }
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#posOf(middle) > pos) high = middle
      else low = middle + 1
    }
    return low
  }

  #posOf(number: number): number {
    return this.#kept[number % this.max]?.pos ?? 0
  }
}

/** The row of an id; the newest of several. */
export const findById = <Row extends Entry & { readonly id: string }>(
  rows: Pick<Entries<Row>, 'after'>,
  id: string,
): Row | undefined => rows.after(0).findLast((row) => row.id === id)
