import type { PlayedDelivery, PlayedStep } from '../http/plays.ts'
import { Mismatch } from './expect.ts'
import type { Mask } from './mask.ts'
import type { Recorder } from './recorder.ts'
import { createControlApi } from './stage.ts'
import type { Json } from './types.ts'

export interface CollectorOptions {
  send: Recorder['sendUnseen']
  mask: Mask
}

export interface Collector {
  /** Waits until nothing is in flight, and adds what left since the last time to a step. */
  collect(step: PlayedStep): Promise<void>
  /** What a receiver did not acknowledge, one line each. */
  findUnacknowledged(url: string): string[]
}

/** Reads which webhooks left, behind the back of the scenario. */
export function createCollector({ send, mask }: CollectorOptions): Collector {
  const control = createControlApi(send)
  const collected: PlayedDelivery[] = []
  let cursor: string | undefined
  return { collect, findUnacknowledged }

  async function collect(step: PlayedStep): Promise<void> {
    await control.post('/webhooks/drain')
    for (;;) {
      const page = await readPage()
      cursor = page.cursor
      if (page.deliveries.length === 0) return
      const fresh: PlayedDelivery[] = page.deliveries.map((row: Json) => toPlayed(row, mask))
      step.deliveries.push(...fresh)
      collected.push(...fresh)
    }
  }

  /** A cursor is refused once the scenario has reset its world; then all there is is new. */
  async function readPage(): Promise<Json> {
    try {
      const after = cursor === undefined ? {} : { after: cursor }
      return await control.get('/webhooks/deliveries', after)
    } catch (error) {
      if (cursor === undefined || !(error instanceof Mismatch)) throw error
      cursor = undefined
      return readPage()
    }
  }

  function findUnacknowledged(url: string): string[] {
    return collected
      .filter((delivery) => delivery.url === url && delivery.outcome !== 'delivered')
      .map(({ request, hook, outcome, response, error }) => {
        const came = response ? `answered ${response.status}` : (error ?? 'not sent')
        return `${hook ?? request.body?.type} ${request.body?.id ?? ''}: ${outcome}, ${came}`
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
    request: { headers: mask.headers(request.headers), body: mask.json(parse(request.body)) },
    response: response && { status: response.status },
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
