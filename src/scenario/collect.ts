import type { ControlClient } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { type Json, parseJson } from '../client/http.ts'
import type { PlayedDelivery, PlayedStep } from '../http/plays.ts'
import type { Mask } from './mask.ts'

export type Collector = ReturnType<typeof createCollector>

/** Reads which webhooks were sent, with calls that are no part of the transcript. */
export function createCollector({ call }: ControlClient, mask: Mask) {
  const collected: PlayedDelivery[] = []
  let cursor: string | undefined
  return { collect, findUnacknowledged }

  /** Waits until nothing is in flight, and adds what was sent since the last time to a step. */
  async function collect(step: PlayedStep): Promise<void> {
    await call('POST', '/webhooks/drain')
    for (;;) {
      const page = await readPage()
      cursor = page.cursor
      if (page.deliveries.length === 0) return
      const fresh: PlayedDelivery[] = page.deliveries.map((row: Json) => toPlayed(row, mask))
      step.deliveries.push(...fresh)
      collected.push(...fresh)
    }
  }

  /** The cursor is no longer valid once the scenario has reset its world; then every row is new. */
  async function readPage(): Promise<Json> {
    try {
      return await call('GET', '/webhooks/deliveries', { query: { after: cursor } })
    } catch (error) {
      if (cursor === undefined || !(error instanceof SandboxError)) throw error
      cursor = undefined
      return readPage()
    }
  }

  /** What a receiver did not acknowledge, one line each. */
  function findUnacknowledged(url: string): string[] {
    return collected
      .filter((delivery) => delivery.url === url && delivery.outcome !== 'delivered')
      .map(({ request, hook, outcome, response, error }) => {
        const actual = response ? `answered ${response.status}` : (error ?? 'not sent')
        return `${hook ?? request.body?.type} ${request.body?.id ?? ''}: ${outcome}, ${actual}`
      })
  }
}

function toPlayed(row: Json, mask: Mask): PlayedDelivery {
  const { id, generation, hook, url, outcome, reason, error, request, response } = row
  return {
    id,
    generation,
    hook,
    url: mask.json(url),
    outcome,
    reason,
    error: mask.json(error),
    request: { headers: mask.headers(request.headers), body: mask.json(parseJson(request.body)) },
    response: response && { status: response.status },
  }
}
