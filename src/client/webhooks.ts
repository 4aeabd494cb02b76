import type {
  DeliveryPage,
  DeliveryRecord,
  ResendDelivery,
  SignatureExplanation,
} from '../http/control/wire.ts'
import { type Catcher, createCatcher } from './catcher.ts'
import type { ControlClient } from './control.ts'
import { SandboxError } from './error.ts'
import { timeoutOf, type WaitOptions } from './wait.ts'

const ROWS_PER_PAGE = 1_000

export interface DeliveryFilter {
  type?: DeliveryRecord['type'] | undefined
  /** Id of the transaction or user. */
  ref?: string | undefined
  outcome?: DeliveryRecord['outcome'] | undefined
  eventId?: string | undefined
  generation?: DeliveryRecord['generation'] | undefined
}

export type ResendOptions = ResendDelivery

/** A webhook as a receiver has it. */
export interface ReceivedWebhook {
  /** A `Headers` object, or a plain one such as Node's `request.headers`. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** As received, before anything parsed it. */
  body: string | Uint8Array
  /** What the receiver verifies with. */
  secret: string
}

export interface Webhooks {
  /** Waits until nothing is in flight, at most a minute; answers how many deliveries still are. */
  drain(options?: WaitOptions): Promise<{ pending: number }>
  /** Every POST, and every event there was nothing to post for, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<DeliveryRecord[]>
  delivery(id: string): Promise<DeliveryRecord>
  /** Sends the event of a delivery again, to where it would go now, signed anew. */
  resend(deliveryId: string, options?: ResendOptions): Promise<DeliveryRecord>
  /** Says why a receiver rejects a webhook: the secret, the body or the timestamp. */
  explain(webhook: ReceivedWebhook): Promise<SignatureExplanation>
  /** A receiver inside the sandbox; made on first use. */
  catch(name: string): Catcher
}

export function createWebhooks(control: ControlClient, hasSocket: boolean): Webhooks {
  const { call } = control
  return {
    drain: (options = {}) =>
      call('POST', '/webhooks/drain', { body: { timeout: timeoutOf(options) } }),
    async deliveries(filter = {}) {
      const all: DeliveryRecord[] = []
      for (let after: string | undefined; ; ) {
        const query = { ...filter, after, limit: ROWS_PER_PAGE }
        const page = await call<DeliveryPage>('GET', '/webhooks/deliveries', { query })
        if (page.deliveries.length === 0) return all
        all.push(...page.deliveries)
        after = page.cursor
      }
    },
    delivery: (id) => call('GET', `/webhooks/deliveries/${encodeURIComponent(id)}`),
    resend: (id, options) =>
      call('POST', `/webhooks/deliveries/${encodeURIComponent(id)}/resend`, {
        body: { ...options },
      }),
    explain: ({ headers, body, secret }) =>
      call('POST', '/webhooks/explain', {
        body: { headers: toRecord(headers), ...toText(body), secret },
      }),
    catch(name) {
      if (hasSocket) return createCatcher(control, name)
      throw new SandboxError('Nothing can post to a sandbox made with { listen: false }.', {
        code: 'no-socket',
      })
    },
  }
}

function toRecord(headers: ReceivedWebhook['headers']) {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}

function toText(body: string | Uint8Array) {
  return typeof body === 'string'
    ? { body }
    : { body: Buffer.from(body).toString('base64'), bodyEncoding: 'base64' }
}
