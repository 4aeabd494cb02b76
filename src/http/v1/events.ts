import * as z from 'zod'
import type { Settings } from '../../world/settings/index.ts'
import { REPORTING, renameSecurityAnswer, SENDING, TransactionPayload } from '../contract.ts'
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
const WHEN_SENT = ['webhooks.withoutSecret', 'v1.hooks.singleUrl', 'v1.hooksAfterSunset'] as const
const ASSUMPTIONS = [...SENDING, ...REPORTING, ...WHEN_SENT] as const

export const webhookDescriptions: Readonly<Record<string, WebhookDescription>> = {
  'v1.verifiedEmail': {
    id: 'onV1UserVerified',
    ...legacy,
    summary: 'A user is verified (v1: User Verified)',
    assumptions: [...SENDING, ...WHEN_SENT],
    body: UserVerified,
  },
  'v1.transactionInitiated': {
    id: 'onV1TransactionInitiated',
    ...legacy,
    summary: 'A transaction was created (v1: Transaction Initiated)',
    assumptions: ASSUMPTIONS,
    body: TransactionUpdate,
  },
  'v1.transactionComplete': {
    id: 'onV1TransactionComplete',
    ...legacy,
    summary: 'A transaction is complete (v1: Transaction Complete)',
    assumptions: ASSUMPTIONS,
    body: TransactionUpdate,
  },
  'v1.transactionStatusUpdate': {
    id: 'onV1TransactionStatusUpdate',
    ...legacy,
    summary: 'The status of a transaction changed (v1: Transaction Status Update)',
    assumptions: [...ASSUMPTIONS, 'v1.statusUpdateOnCreate'],
    body: TransactionUpdate,
  },
}
