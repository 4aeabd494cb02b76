import type { DeliveryRecord } from '../../control-api/wire.ts'
import { messageOf } from '../lib/api.ts'
import { shortStatus } from '../lib/format.ts'
import { control } from './api.ts'
import { addRow, type Row, state } from './store.ts'

let last: Promise<void> = Promise.resolve()

/**
 * Sends a webhook that the wallet's server received to the developer's app, too: in order, and
 * beside the queue, so that an app that does not respond holds up nothing.
 */
export function sendToApp({ id }: DeliveryRecord, groupId: number): void {
  const { isOn, url } = state.app
  if (!isOn) return
  last = last.then(async () => {
    const outcome = await resend(id, url)
    addRow(groupId, { kind: 'app', title: `POST ${url}`, ...outcome })
  })
}

async function resend(id: string, to: string): Promise<Pick<Row, 'result' | 'isBad' | 'note'>> {
  try {
    const path = `/webhooks/deliveries/${id}/resend`
    const sent = await control<'webhooks.resend'>('POST', path, { to })
    const { outcome, response, problem } = sent
    const result = String(response?.status ?? shortStatus(outcome))
    return { result, isBad: outcome !== 'delivered', note: problem?.message ?? '' }
  } catch (error) {
    return { result: 'not sent', isBad: true, note: messageOf(error) }
  }
}
