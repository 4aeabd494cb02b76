import type { ControlClient } from './control.ts'
import { createJournalReader, type WaitOptions } from './journal-reader.ts'

/** A request that a catcher received. */
export interface CaughtRequest {
  id: string
  method: string
  /** Path and query. */
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** Text, or base64 where the bytes are no text. */
  body: string
  bodyEncoding: 'utf-8' | 'base64'
  /** Wall time, ISO 8601. */
  receivedAt: string
  /** What a receiver should find: `stale` is right but older than 300 seconds. */
  signature: 'valid' | 'stale' | 'wrong' | 'missing'
}

export interface CatchAnswer {
  status: number
  /** A text as it is, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string> | undefined
  /** How often to answer so before it is 200 again. Default: without end. */
  times?: number | undefined
}

/** A receiver inside the sandbox to point webhooks at. It needs a sandbox that listens. */
export interface Catcher {
  /** What to configure as the webhook URL. */
  readonly url: string
  /** All that it received, oldest first. */
  requests(): Promise<CaughtRequest[]>
  /** The oldest request that no earlier `next` gave out, the moment it is there. */
  next(options?: WaitOptions): Promise<CaughtRequest>
  /** What to answer from now on. */
  respond(answer: CatchAnswer): Promise<void>
}

export function createCatcher({ call, url }: ControlClient, name: string): Catcher {
  const path = `/catch/${encodeURIComponent(name)}`
  const reader = createJournalReader<CaughtRequest, object>({
    noun: 'request',
    async read(_, { after, most, timeoutMs, signal }) {
      const query = { after, count: most, timeout: timeoutMs && Math.ceil(timeoutMs) }
      const answer = await call<CaughtPage>('GET', `${path}/requests`, { query, signal })
      return { ...answer, rows: answer.requests }
    },
  })
  return {
    url: `${url}/_sandbox${path}`,
    requests: () => reader.list({}),
    next: (options) => reader.next({}, options),
    async respond(answer) {
      await call('POST', `${path}/respond`, { body: answer })
    },
  }
}

interface CaughtPage {
  requests: CaughtRequest[]
  cursor: string
  nearest?: string
}
