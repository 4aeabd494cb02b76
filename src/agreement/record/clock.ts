import type { IncomingHttpHeaders } from 'node:http'
import { createControl } from '../../client/control.ts'
import { createHttpClient, type Json } from '../../client/http.ts'

const REQUEST_ID = /^req_\d{1,15}$/
/** The recording does not wait for a clock that does not answer. */
const ASK_MAX_MS = 2_000

interface ClockOptions {
  /** Base URL of the service. */
  upstream: URL
  /** Sent to that service alone. */
  controlToken: string | undefined
}

export type RecordingClock = ReturnType<typeof createRecordingClock>

/**
 * The wall clock; where a sandbox answers, that of its world, which may stand still or be ahead.
 * A sandbox names each call in a header, and says when it came.
 */
export function createRecordingClock({ upstream, controlToken }: ClockOptions) {
  const url = String(upstream).replace(/\/$/, '')
  const fetch = (target: string, init: RequestInit) =>
    globalThis.fetch(target, { ...init, redirect: 'manual' })
  const control = createControl(createHttpClient({ url, controlToken, fetch }))
  let isSandbox = false
  return {
    async ofCall(answer: IncomingHttpHeaders, startedAt: number): Promise<number> {
      const id = String(answer['x-sandbox-request'])
      if (!REQUEST_ID.test(id)) return startedAt
      isSandbox = true
      return (await ask(`/requests/${id}`, 'at')) ?? startedAt
    },
    async ofWebhook(body: string, receivedAt: number): Promise<number> {
      const occurredAt = /"occurredAt":"([^"]+)"/.exec(body)?.[1]
      const instant = Date.parse(occurredAt ?? '')
      if (Number.isFinite(instant)) return instant
      return (isSandbox ? await ask('/clock', 'now') : undefined) ?? receivedAt
    },
  }

  async function ask(path: string, field: string): Promise<number | undefined> {
    const signal = AbortSignal.timeout(ASK_MAX_MS)
    const answer = await control.call<Json>('GET', path, { signal }).catch(() => undefined)
    const instant = Date.parse(answer?.[field])
    return Number.isFinite(instant) ? instant : undefined
  }
}
