import { shorten } from '../world/shorten.ts'

/** Characters of all long answers to webhooks together, of all worlds of a process. */
export const ANSWERS_LENGTH_MAX = 32 * 1024 * 1024
/** What is left of an answer that was shortened. */
const SHORT_LENGTH = 1_024

/**
 * A limit on the length of many long things together: beyond it the oldest are shortened. What is dropped
 * earlier is given back by calling the result; what is garbage with its world needs no call.
 */
export type Budget = <Long extends object>(
  long: Long,
  /** In characters. */
  length: number,
  shorten: (long: Long) => void,
) => () => void

export function createBudget(lengthMax: number): Budget {
  const kept = new Set<{ length: number; shorten: () => void }>()
  let total = 0
  return function keep(long, length, shorten) {
    const weakly = new WeakRef(long)
    const held = {
      length,
      shorten() {
        const alive = weakly.deref()
        if (alive) shorten(alive)
      },
    }
    kept.add(held)
    total += length
    for (const oldest of kept) {
      if (total <= lengthMax) break
      drop(oldest)
      oldest.shorten()
    }
    return () => drop(held)
  }

  function drop(held: { length: number; shorten: () => void }) {
    if (kept.delete(held)) total -= held.length
  }
}

interface ReceiverAnswer {
  headers: Record<string, string | string[]>
  body: string
}

/** Counts an answer, which may be shortened later. */
export function keepAnswer(keep: Budget, answer: ReceiverAnswer): void {
  const headersLength = lengthOf(answer.headers)
  const areLong = headersLength > SHORT_LENGTH
  const length = answer.body.length + (areLong ? headersLength : 0)
  if (length <= SHORT_LENGTH) return
  keep(answer, length, (long) => {
    if (areLong) long.headers = {}
    long.body = shorten(long.body, SHORT_LENGTH, '')
  })
}

/** A receiver may send 16 KiB of headers. */
function lengthOf(headers: ReceiverAnswer['headers']): number {
  let length = 0
  for (const name in headers) length += name.length + String(headers[name]).length
  return length
}
