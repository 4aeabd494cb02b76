import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { WebhookEnvelope } from '../contract.ts'
import { KEY, type TestApp } from './app.ts'

/** A receiver that an integrator configured, and what it got. */
export interface Hooks extends AsyncDisposable {
  readonly receiver: Receiver
  secret: string
  /** Every event received, parsed and with its signature checked, after a drain. */
  envelopes(): Promise<WebhookEnvelope[]>
  statuses(): Promise<string[]>
}

export async function openHooks(app: TestApp, key: string = KEY): Promise<Hooks> {
  const receiver = await createReceiver()
  const body = { url: `${receiver.url}/hooks` }
  const { signingSecret = '' } = await app.call('PUT /v2/webhook-configurations', { key, body })
  const hooks: Hooks = {
    receiver,
    secret: signingSecret,
    async envelopes() {
      await app.control('POST', '/webhooks/drain')
      return receiver.received.map(({ headers, bytes }) => {
        if (!isSigned(headers, bytes, hooks.secret)) throw new Error(`unsigned: ${bytes}`)
        return WebhookEnvelope.parse(JSON.parse(bytes.toString()))
      })
    },
    async statuses() {
      return (await hooks.envelopes()).map(({ payload }) => payload.status)
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  }
  return hooks
}

const REPLAY_TOLERANCE_SECONDS = 300

/** A receiver's check, written from the contract (Events: Signature) and not from our signing. */
export function isSigned(
  headers: Readonly<Record<string, unknown>>,
  bytes: Buffer,
  secret: string,
): boolean {
  const timestamp = String(headers['x-service-timestamp'])
  const given = String(headers['x-service-signature'])
  if (!/^\d+$/.test(timestamp)) return false
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  const hmac = createHmac('sha256', secret).update(
    Buffer.concat([Buffer.from(`${timestamp}.`), bytes]),
  )
  const expected = `v1=${hmac.digest('hex')}`
  return (
    age <= REPLAY_TOLERANCE_SECONDS &&
    given.length === expected.length &&
    timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  )
}
