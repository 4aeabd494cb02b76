import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** In place of `performance`, whose modules would take a millisecond of each start. */
const { hrtime } = process

/** Node clamps longer timers to one millisecond. */
export const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * The clocks and timers of this machine, taken when the package is loaded: a test that puts fake ones
 * in their place must not stop the sandbox that runs in its own process.
 */
export const realTime = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  /** Resolves after so many milliseconds. */
  pause,
  /** Resolves after what else is due now. */
  nextTurn,
  /** The present, in ms since 1970. */
  now: Date.now,
  /** Milliseconds since some moment, which never goes back. */
  elapsed() {
    const [seconds, nanoseconds] = hrtime()
    return seconds * 1_000 + nanoseconds / 1_000_000
  },
}
