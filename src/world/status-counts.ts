/**
 * Counts rows by status as they change, so that a large world need not be counted for each page.
 */
export class StatusCounts {
  readonly #counts = new Map<string, number>()

  add(status: string): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
  }

  move(from: string, to: string): void {
    const left = (this.#counts.get(from) ?? 0) - 1
    if (left > 0) this.#counts.set(from, left)
    else this.#counts.delete(from)
    this.add(to)
  }

  /** Statuses that some row has, in the order of their names. */
  list(): [status: string, count: number][] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}
