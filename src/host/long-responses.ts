import type { ServerResponse } from 'node:http'
import { RESPONSE_MAX } from '../http/control/page.ts'
import { HttpError } from '../http/status.ts'
import { realTime } from '../real-time.ts'

/** Limit on the bytes of rendered responses that clients have not read yet. */
const UNDER_WAY_MAX = 64 * 1024 * 1024

/** Counts the bytes of long responses under way, over all worlds of the process. */
export class LongResponses {
  #bytes = 0

  /** Throws 503 if a whole page would not fit, before time is spent on rendering it. */
  assertPageRoom(): void {
    if (this.#bytes + RESPONSE_MAX > UNDER_WAY_MAX) throw tooMany()
  }

  /**
   * Adds a response. A read that does not fit gets 503; the response to a change is always sent.
   */
  add(bytes: number, { outgoing, isRead }: { outgoing: ServerResponse; isRead: boolean }): void {
    if (outgoing.closed) return
    if (isRead && this.#bytes + bytes > UNDER_WAY_MAX) throw tooMany()
    this.#bytes += bytes
    outgoing.once('close', () => {
      this.#bytes -= bytes
    })
  }
}

function tooMany(): HttpError {
  const message = 'Too many long responses are waiting for slow clients; try again.'
  return new HttpError(503, 'response', message, {
    code: 'responses-full',
    headers: { 'retry-after': '1' },
  })
}

/**
 * Call queue of one world. After a long response its calls run one at a time, so that other worlds
 * get a turn in between.
 */
export class LongTurns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  get isTaken(): boolean {
    return this.#isTaken
  }

  take(): void {
    if (this.#isTaken) return
    this.#isTaken = true
    realTime.setImmediate(() => this.#next())
  }

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#isTaken = false
      return
    }
    next()
    realTime.setImmediate(() => this.#next())
  }
}
