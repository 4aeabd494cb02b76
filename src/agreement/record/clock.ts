import type { Json } from '../../client/http.ts'
import type { RecordingClock } from './proxy.ts'

export interface ClockOptions {
  /** Base URL of the service. */
  upstream: URL
  controlToken: string | undefined
}

/**
 * The wall clock; where a sandbox answers, that of its world, which may stand still or be ahead.
 * A sandbox names each call in a header, and says when it came.
 */
export function createRecordingClock({ upstream, controlToken }: ClockOptions): RecordingClock {
  let isSandbox = false
  return {
    async ofCall(answer, startedAt) {
      const id = answer['x-sandbox-request']
      if (id === undefined) return startedAt
      isSandbox = true
      return (await ask(`/requests/${id}`, 'at')) ?? startedAt
    },
    async ofWebhook(body, receivedAt) {
      const occurredAt = /"occurredAt":"([^"]+)"/.exec(body)?.[1]
      const instant = Date.parse(occurredAt ?? '')
      if (Number.isFinite(instant)) return instant
      return (isSandbox ? await ask('/clock', 'now') : undefined) ?? receivedAt
    },
  }

  async function ask(path: string, field: string): Promise<number | undefined> {
    const base = String(upstream).replace(/\/$/, '')
    const headers: Record<string, string> = controlToken
      ? { authorization: `Bearer ${controlToken}` }
      : {}
    try {
      const answer = await fetch(`${base}/_sandbox${path}`, { headers })
      const body: Json = await answer.json()
      const instant = Date.parse(body[field])
      return Number.isFinite(instant) ? instant : undefined
    } catch {
      return undefined
    }
  }
}
