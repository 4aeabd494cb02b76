import * as z from 'zod'
import type { TransactionPayload, UserPayload } from '../world/state.ts'
import { TRANSACTION_STATUSES } from '../world/transaction-status.ts'
import { USER_STATUSES } from '../world/words.ts'
import {
  Email,
  externalSessionId,
  LeftSideLabel,
  leftSideValue,
  PaymentId,
  RightSideLabel,
  RightSideValue,
  wallet,
} from './fields.ts'
import { named } from './schema.ts'

/** The list of statuses is open: the contract does not name them all, and a test may force others. */
export const ShownTransactionStatus = () =>
  z
    .string()
    .meta({
      wire: { anyOf: [{ type: 'string', enum: TRANSACTION_STATUSES }, { type: 'string' }] },
    })
    .describe('Status of the transaction; the contract does not list them all.')

/** The payloads of events (contract, Events). */
export const UserUpdate = () =>
  named('UserUpdate', {
    userId: z.string().describe('Id of the user.'),
    email: Email(),
    status: z
      .string()
      .meta({ enum: [...USER_STATUSES] })
      .describe('The status that the user has now.'),
  }) satisfies z.ZodType<UserPayload>
export type UserUpdate = z.output<ReturnType<typeof UserUpdate>>

export const TransactionUpdate = () =>
  named('TransactionUpdate', {
    transactionId: z.string().describe('Id of the transaction.'),
    status: ShownTransactionStatus(),
    email: Email(),
    wallet: wallet(z.string()),
    paymentId: PaymentId(),
    leftSideLabel: LeftSideLabel(),
    leftSideValue: leftSideValue(z.number()),
    rightSideLabel: RightSideLabel(),
    rightSideValue: RightSideValue(),
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
    externalSessionId: externalSessionId(z.string().nullable()),
  }) satisfies z.ZodType<TransactionPayload>
export type TransactionUpdate = z.output<ReturnType<typeof TransactionUpdate>>
