import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { WebhookEnvelope } from '../contract.ts'
import { findRejection, type SignedRequest } from '../verifier.ts'
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

/** What a receiver that was written from the contract accepts. */
export const isSigned = (
  headers: SignedRequest['headers'],
  bytes: Buffer,
  secret: string,
): boolean => findRejection({ headers, bytes }, secret) === null
