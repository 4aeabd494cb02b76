import assert from 'node:assert/strict'
import { createReceiver } from '../../src/client/receiver.ts'
import type { WebhookId } from '../../src/world/settings/operations.ts'
import { EVENT_IDS } from '../../src/world/words.ts'
import { logIn, receiveFunds, settle } from '../helpers/story.ts'
import type { Checker } from './checker.ts'
import { mask } from './mask.ts'
import type { Recorder } from './recorder.ts'
import { CAROL, openCast } from './story-v2.ts'

/** Paths of a receiver, each for one kind of webhook, with what the document calls it. */
const WEBHOOKS = {
  ...EVENT_IDS,
  'v1.verifiedEmail': 'onV1UserVerified',
  'v1.transactionInitiated': 'onV1TransactionInitiated',
  'v1.transactionComplete': 'onV1TransactionComplete',
  'v1.transactionStatusUpdate': 'onV1TransactionStatusUpdate',
} satisfies Record<string, WebhookId>

/** Has every kind of webhook posted, and checks each against the document. */
export async function playWebhooks({ examples }: Recorder, checker?: Checker): Promise<void> {
  const { app } = await openCast()
  await using receiver = await createReceiver()
  await app.call('PUT /v2/webhook-configurations', { body: { url: `${receiver.url}/v2` } })
  const hooks = Object.keys(WEBHOOKS).flatMap((name) => name.split('v1.')[1] ?? [])
  const flags = hooks.flatMap((hook) => [
    [`${hook}Enabled`, true],
    [`${hook}Url`, `${receiver.url}/v1.${hook}`],
  ])
  await app.send('/webhooks', {
    method: 'PATCH',
    headers: { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(flags)),
  })
  await app.control('POST', `/simulate/users/${CAROL}/kyc`, { status: 'verified' })
  const alice = await logIn(app)
  const { id } = await alice.sell({ externalSessionId: 'session-1' })
  await receiveFunds(app, id)
  await settle(app, id)
  await app.control('POST', '/webhooks/drain')
  const names = receiver.received.map(({ path, json }) => {
    const name = path === '/v2' ? (json as { type: string }).type : path.slice(1)
    assert.deepEqual(checker?.checkWebhook(name, json) ?? [], [])
    const operationId = WEBHOOKS[name as keyof typeof WEBHOOKS]
    if (!examples.has(operationId)) {
      examples.set(operationId, { request: { body: mask(json) }, responses: {} })
    }
    return name
  })
  assert.deepEqual(new Set(names), new Set(Object.keys(WEBHOOKS)))
}
