import { type Duration, describeDuration, parseDuration } from '../world/duration.ts'
import { SandboxError } from './error.ts'

/** Less than the five seconds of most test runners, so that what came nearest is shown, not theirs. */
const WAIT_DEFAULT_MS = 4_000

export interface WaitOptions {
  /** How long to wait, in wall time: `10s`, `500ms`, or a number of ms. Default `4s`. */
  timeout?: Duration | undefined
  /** @deprecated Use `timeout`. */
  timeoutMs?: number | undefined
}

export const timeoutOf = ({ timeout, timeoutMs }: WaitOptions): Duration | undefined =>
  timeout ?? timeoutMs

export function toWaitMs(timeout: Duration = WAIT_DEFAULT_MS): number {
  // A wait is never too exact: the rest of a computed limit is no whole number.
  const ms = parseDuration(typeof timeout === 'number' ? Math.ceil(timeout) : timeout)
  if (ms !== undefined) return ms
  const message = `timeout must be ${describeDuration(timeout)}, not ${timeout}.`
  throw new SandboxError(message, { code: 'invalid', problems: [{ field: 'timeout', message }] })
}
