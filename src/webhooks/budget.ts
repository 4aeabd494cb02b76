/** Characters of all long answers to webhooks together, of all worlds of a process. */
export const ANSWERS_LENGTH_MAX = 32 * 1024 * 1024
/** What is left of an answer that had to make room. */
const SHORT_LENGTH = 1_024

/** Something long that is kept. */
export interface Long {
  /** In characters. */
  readonly length: number
  /** Gives up most of it. */
  shorten(): void
}

/** Keeps what is long until there is too much of it, then shortens the oldest. */
export type Budget = (long: Long) => void

export function createBudget(lengthMax: number): Budget {
  const kept = new Set<Long>()
  let length = 0
  return function keep(long) {
    kept.add(long)
    length += long.length
    for (const oldest of kept) {
      if (length <= lengthMax) return
      kept.delete(oldest)
      length -= oldest.length
      oldest.shorten()
    }
  }
}

/** Keeps an answer, which may be cut short later. */
export function keepAnswer(keep: Budget, answer: { body: string }): void {
  const { length } = answer.body
  if (length <= SHORT_LENGTH) return
  keep({
    length,
    shorten() {
      // Through bytes, because a slice of a string keeps the whole of it.
      answer.body = Buffer.from(answer.body.slice(0, SHORT_LENGTH)).toString()
    },
  })
}
