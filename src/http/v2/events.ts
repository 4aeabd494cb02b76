import * as z from 'zod'
import type { Settings } from '../../world/settings/index.ts'
import { renameSecurityAnswer, TransactionPayload, UserPayload } from '../contract.ts'
import type { WebhookDescription } from '../dialect.ts'

export const webhookDescriptions: Readonly<Record<string, WebhookDescription>> = {
  'user.update': {
    id: 'onUserUpdate',
    ref: 'Events',
    summary: 'The status of a user changed',
    about:
      'Says which status a user has now, for example after an identity check. Verify the signature over the raw body, and skip an `id` that you have seen.',
    body: (settings) => Envelope('user.update', UserPayload(), settings),
  },
  'transaction.update': {
    id: 'onTransactionUpdate',
    ref: 'Events',
    summary: 'The status of a transaction changed, its creation included',
    about:
      'Says which status a transaction has now; the first one follows its creation. Verify the signature over the raw body, and skip an `id` that you have seen.',
    body(settings) {
      const payload = renameSecurityAnswer(TransactionPayload(), settings)
      return Envelope('transaction.update', payload, settings)
    },
  },
}

function Envelope(type: string, payload: z.ZodType, settings: Settings) {
  const idName = settings['names.envelopeId']
  const id = z.string().meta({ description: 'Unique; deduplicate on it.' })
  return z.strictObject({
    ...(idName !== 'eventId' && { id }),
    ...(idName !== 'id' && { eventId: id }),
    apiVersion: z.literal('v2'),
    occurredAt: z.iso.datetime(),
    type: z.literal(type),
    payload,
  })
}
