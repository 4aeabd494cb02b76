import * as z from 'zod'
import type { Settings } from '../../world/settings/index.ts'
import { renameSecurityAnswer, TransactionPayload } from '../contract.ts'
import type { WebhookDescription } from '../dialect.ts'
import { titled } from '../titled.ts'

const UserVerified = () =>
  titled('V1UserVerified', { email: z.string(), status: z.literal('verified') })

function TransactionUpdate(settings: Settings) {
  const { transactionId, ...shape } = TransactionPayload().shape
  const payload = z.strictObject({ txId: transactionId, ...shape })
  return renameSecurityAnswer(payload.meta({ title: 'V1TransactionUpdate' }), settings)
}

const legacy = { ref: 'Events: Legacy v1 webhooks', deprecated: true }

export const webhookDescriptions: Readonly<Record<string, WebhookDescription>> = {
  'v1.verifiedEmail': {
    id: 'onV1UserVerified',
    like: ['onUserUpdate'],
    ...legacy,
    summary: 'A user is verified (v1: User Verified)',
    about: 'Says that a user is verified. It is sent while `verifiedEmailEnabled` is on.',
    body: UserVerified,
  },
  'v1.transactionInitiated': {
    id: 'onV1TransactionInitiated',
    like: ['onTransactionUpdate'],
    ...legacy,
    summary: 'A transaction was created (v1: Transaction Initiated)',
    about:
      'Says that a transaction was created. It is sent while `transactionInitiatedEnabled` is on.',
    body: TransactionUpdate,
  },
  'v1.transactionComplete': {
    id: 'onV1TransactionComplete',
    like: ['onTransactionUpdate'],
    ...legacy,
    summary: 'A transaction is complete (v1: Transaction Complete)',
    about:
      'Says that a transaction is complete. It is sent while `transactionCompleteEnabled` is on.',
    body: TransactionUpdate,
  },
  'v1.transactionStatusUpdate': {
    id: 'onV1TransactionStatusUpdate',
    like: ['onTransactionUpdate'],
    ...legacy,
    summary: 'The status of a transaction changed (v1: Transaction Status Update)',
    about:
      'Says which status a transaction has now, for every change. It is sent while `transactionStatusUpdateEnabled` is on.',
    body: TransactionUpdate,
  },
}
