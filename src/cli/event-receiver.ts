import type { ArrivedEvent, EventReceiver } from '../agreement/calibrate/step.ts'
import { parseJson } from '../client/http.ts'
import { createReceiver } from '../client/receiver.ts'

/** How long an event may take; where none is to come, a run waits that long. */
const EVENT_WAIT_MS = 5_000

export interface EventReceiverOptions {
  port?: number | undefined
  /** The address by which the provider reaches the port; its own by default. */
  url?: string | undefined
  waitMs?: number | undefined
}

export interface OpenReceiver extends EventReceiver {
  close(): Promise<void>
}

/** Receives on loopback what the provider sends, through a tunnel if need be. */
export async function openEventReceiver(options: EventReceiverOptions = {}): Promise<OpenReceiver> {
  const { port = 0, waitMs = EVENT_WAIT_MS } = options
  const receiver = await createReceiver({ port, respond: 204 })
  return {
    url: options.url ?? receiver.url,
    async next(matches) {
      const find = ({ headers, body }: { headers: ArrivedEvent['headers']; body: string }) =>
        matches({ headers, body: parseJson(body) })
      const arrived = await receiver.next(find, waitMs).catch(() => undefined)
      return arrived && { headers: arrived.headers, body: parseJson(arrived.body) }
    },
    close: receiver.close,
  }
}
