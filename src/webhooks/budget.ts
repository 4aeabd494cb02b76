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

/**
 * Keeps what is long until there is too much of it, then shortens the oldest. Whoever drops it
 * before calls what is returned.
 */
export type Budget = (long: Long) => () => void

export function createBudget(lengthMax: number): Budget {
  const kept = new Set<Long>()
  let length = 0
  return function keep(long) {
    kept.add(long)
    length += long.length
    for (const oldest of kept) {
      if (length <= lengthMax) break
      drop(oldest)
      oldest.shorten()
    }
    return () => drop(long)
  }

  function drop(long: Long) {
    if (kept.delete(long)) length -= long.length
  }
}

interface Answer {
  headers: Record<string, string | string[]>
  body: string
}

/** Keeps an answer, which may be cut short later. */
export function keepAnswer(keep: Budget, answer: Answer): void {
  const headersLength = lengthOf(answer.headers)
  const areLong = headersLength > SHORT_LENGTH
  const length = answer.body.length + (areLong ? headersLength : 0)
  if (length <= SHORT_LENGTH) return
  keep({
    length,
    shorten() {
      if (areLong) answer.headers = {}
      // Through bytes, because a slice of a string keeps the whole of it.
      answer.body = Buffer.from(answer.body.slice(0, SHORT_LENGTH)).toString()
    },
  })
}

/** A receiver may answer with 16 KiB of them. */
function lengthOf(headers: Answer['headers']): number {
  let length = 0
  for (const name in headers) length += name.length + String(headers[name]).length
  return length
}
