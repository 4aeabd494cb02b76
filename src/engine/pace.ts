import { realTime } from '../real-time.ts'

/** Longest that readers work before other calls get their turn. */
const TURN_MAX_MS = 20
const REST_MIN_MS = 5
/** Writing to sockets goes on after a turn, so the rest is longer than the turn was. */
const RESTS_PER_TURN = 3

/**
 * Divides the time of the event loop between the readers of a feed and everything else: they read
 * in short turns, and then rest for longer than the turn took.
 */
export interface Pace {
  /** Wakes the reader at the start of each turn; the result stops that. */
  join(wake: () => void): () => void
  /** Whether a reader may read on now. */
  isOpen(): boolean
  /** Asks for a turn, for a reader that has not read everything. */
  request(): void
}

export function createPace(): Pace {
  const readers = new Set<() => void>()
  let phase: 'idle' | 'asked' | 'turn' | 'rest' = 'idle'
  let startedAt = 0
  let isAskedAgain = false
  return {
    join(wake) {
      readers.add(wake)
      return () => void readers.delete(wake)
    },
    isOpen: () => phase === 'turn' && realTime.elapsed() - startedAt < TURN_MAX_MS,
    request,
  }

  function request() {
    if (readers.size === 0) return
    if (phase === 'idle') realTime.setImmediate(startTurn)
    else isAskedAgain = phase !== 'asked'
    if (phase === 'idle') phase = 'asked'
  }

  function startTurn() {
    phase = 'turn'
    isAskedAgain = false
    startedAt = realTime.elapsed()
    // A different reader comes first each time, because the turn may be over before the last.
    const [first] = readers
    if (first && readers.delete(first)) readers.add(first)
    for (const wake of readers) wake()
    realTime.setImmediate(rest)
  }

  function rest() {
    phase = 'rest'
    const tookMs = realTime.elapsed() - startedAt
    realTime.setTimeout(endRest, Math.max(REST_MIN_MS, RESTS_PER_TURN * tookMs)).unref()
  }

  function endRest() {
    phase = 'idle'
    if (isAskedAgain) request()
  }
}
