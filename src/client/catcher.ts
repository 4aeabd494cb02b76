import type { CatchAnswer, CaughtRequest, WebhookSettingsList } from '../http/control/wire.ts'
import type { ControlClient } from './control.ts'
import { createJournalReader, type WaitOptions } from './journal-reader.ts'
import type { Levers } from './levers.ts'

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

/** The receiver of a scenario or a replay, at the address by which the sandbox reaches itself. */
export async function findCatchUrl({ call }: Pick<ControlClient, 'call'>, base: string) {
  const { receiverUrl } = await call<WebhookSettingsList>('GET', '/webhooks/settings')
  if (receiverUrl !== null) return `${receiverUrl}/integrator`
  const { port, pathname } = new URL(base)
  return `http://127.0.0.1:${port || 80}${pathname.replace(/\/$/, '')}/_sandbox/catch/integrator`
}

export function createCatcher(
  { requests, respond }: Levers['catches'],
  { name, url }: { name: string; url: string },
): Catcher {
  const reader = createJournalReader('request', async (_: object, { signal: __, ...page }) => {
    const answer = await requests(name, page)
    return { ...answer, rows: answer.requests }
  })
  return {
    url: `${url}/_sandbox/catch/${encodeURIComponent(name)}`,
    requests: () => reader.list({}),
    next: (options) => reader.next({}, options),
    async respond(answer) {
      await respond(name, answer)
    },
  }
}
