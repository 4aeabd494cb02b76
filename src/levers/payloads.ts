import * as z from 'zod'
import type { Settings } from '../world/settings/index.ts'
import { type TransactionPayload, USER_STATUSES, type UserPayload } from '../world/state.ts'
import { TRANSACTION_STATUSES } from '../world/transaction-status.ts'
import { named } from './schema.ts'

/** The list of statuses is open: the contract does not name them all, and a test may force others. */
export const ShownTransactionStatus = () =>
  z.string().meta({
    wire(settings: Settings) {
      const { 'transactions.cancelledStatus': cancelled } = settings
      const known = TRANSACTION_STATUSES.map((name) => (name === 'cancelled' ? cancelled : name))
      return { anyOf: [{ type: 'string', enum: known }, { type: 'string' }] }
    },
  })

/** The payloads of events (contract, Events). */
export const UserUpdate = () =>
  named('UserUpdate', {
    userId: z.string(),
    email: z.string(),
    status: z.string().meta({ enum: [...USER_STATUSES] }),
  }) satisfies z.ZodType<UserPayload>
export type UserUpdate = z.output<ReturnType<typeof UserUpdate>>

export const TransactionUpdate = () =>
  named('TransactionUpdate', {
    transactionId: z.string(),
    status: ShownTransactionStatus(),
    email: z.string(),
    wallet: z.string(),
    paymentId: z.string().nullable(),
    leftSideLabel: z.string(),
    leftSideValue: z.number(),
    rightSideLabel: z.string(),
    rightSideValue: z.number(),
    // Described here, because a setting changes its name.
    etransferSecurityAnswer: z
      .string()
      .nullable()
      .meta({
        wire: {
          type: ['string', 'null'],
          description:
            'Security answer of the e-transfer that pays out a sell; null for a buy and with autodeposit.',
          examples: ['x7Kp2QmZ'],
        },
      }),
    externalSessionId: z.string().nullable(),
  }) satisfies z.ZodType<TransactionPayload>
export type TransactionUpdate = z.output<ReturnType<typeof TransactionUpdate>>
