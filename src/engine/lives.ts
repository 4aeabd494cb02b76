/** Earlier lives that a state remembers; journals seldom hold rows of more. */
const LIVES_MAX = 1_000

/** Positions of the newest rows when a snapshot was taken. */
export interface Marks {
  readonly calls: number
  readonly actions: number
  readonly deliveries: number
  readonly events: number
  readonly messages: number
  /** Deliveries that were still queued, which a restore sends anew. */
  readonly unsent: ReadonlySet<number>
}
export type MarkedJournal = Exclude<keyof Marks, 'unsent'>

/** The lives behind a state, each with the positions up to which its rows belong to that state. */
export type Past = ReadonlyMap<number, Marks>

/** A row of a journal that outlives a restore. */
export interface LivedRow {
  readonly life: number
  readonly cursor: number
  /** True once a restore has gone back to a time before the row. */
  undone: boolean
}

/** The lives of one world, and the rows of earlier lives that led to its present state. */
export class Lives {
  #current: number
  #past: Past = new Map()

  constructor(first: number) {
    this.#current = first
  }

  get current(): number {
    return this.#current
  }

  /** Returns the past of a snapshot that is taken now. */
  upTo(marks: Marks): Past {
    const lives = [...this.#past, [this.#current, marks] as const]
    return new Map(lives.slice(-LIVES_MAX))
  }

  /** Begins the next life, after a restore with the past of its snapshot. */
  begin(past: Past = new Map()): void {
    this.#current++
    this.#past = past
  }

  /** Returns true if a restore has undone the row at this position. */
  hasUndone(life: number, journal: MarkedJournal, position: number): boolean {
    if (life === this.#current) return false
    const marks = this.#past.get(life)
    return marks === undefined || position > marks[journal]
  }

  /** Marks the rows of a journal that are undone now, and no others. */
  mark(journal: MarkedJournal, rows: Iterable<LivedRow>): void {
    for (const row of rows) {
      const wasUnsent = journal === 'deliveries' && this.#past.get(row.life)?.unsent.has(row.cursor)
      row.undone = wasUnsent === true || this.hasUndone(row.life, journal, row.cursor)
    }
  }
}
