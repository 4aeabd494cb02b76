import type { IncomingHttpHeaders } from 'node:http'
import { createControl } from '../../client/control.ts'
import { createHttpClient, type Json } from '../../client/http.ts'

interface ClockOptions {
  /** Base URL of the service. */
  upstream: URL
  controlToken: string | undefined
}

export type RecordingClock = ReturnType<typeof createRecordingClock>

/**
 * The wall clock; where a sandbox answers, that of its world, which may stand still or be ahead.
 * A sandbox names each call in a header, and says when it came.
 */
export function createRecordingClock({ upstream, controlToken }: ClockOptions) {
  const url = String(upstream).replace(/\/$/, '')
  const control = createControl(createHttpClient({ url, controlToken }))
  let isSandbox = false
  return {
    async ofCall(answer: IncomingHttpHeaders, startedAt: number): Promise<number> {
      const id = answer['x-sandbox-request']
      if (id === undefined) return startedAt
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
    const answer = await control.call<Json>('GET', path).catch(() => undefined)
    const instant = Date.parse(answer?.[field])
    return Number.isFinite(instant) ? instant : undefined
  }
}
