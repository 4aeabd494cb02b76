import type { FeedKind } from '../../engine/feed.ts'
import type { Call } from '../operation.ts'

/** Longest wall time that one call waits. */
export const WAIT_MAX_MS = 60_000

export const TOO_MANY_WAIT = { 429: 'Too many calls wait in this world.' }

/** How a wait ended; `gone` means that the caller is, or the world. */
export type WaitEnd = 'met' | 'timeout' | 'reset' | 'gone'

export interface WaitOptions {
  /** What has to happen before it is worth looking again. */
  kind: FeedKind
  timeoutMs: number
  /** Looks at what is there; true when that is enough. */
  look(): boolean
}

/**
 * Looks at once, and then whenever something of the kind happens. The look and the listening
 * are one synchronous step, so nothing can happen unseen between them.
 */
export function waitFor(
  { c, services }: Pick<Call, 'c' | 'services'>,
  { kind, timeoutMs, look }: WaitOptions,
): Promise<WaitEnd> | WaitEnd {
  if (look()) return 'met'
  if (timeoutMs === 0) return 'timeout'
  const { signal } = c.req.raw
  if (signal.aborted) return 'gone'
  return new Promise((resolve) => {
    const unfollow = services.feed.follow((told) => {
      if (told.kind === 'reset') end('reset')
      else if (told.kind === 'closed') end('gone')
      else if (told.kind === kind && look()) end('met')
    })
    const timer = setTimeout(() => end('timeout'), timeoutMs)
    const abort = () => end('gone')
    signal.addEventListener('abort', abort)
    function end(how: WaitEnd) {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      unfollow()
      resolve(how)
    }
  })
}
