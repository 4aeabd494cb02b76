import * as z from 'zod'
import type * as state from '../world/state.ts'
import { USER_STATUSES } from '../world/state.ts'

/** What events tell (contract, Events). */
export const UserPayload = () =>
  z
    .strictObject({
      userId: z.string(),
      email: z.string(),
      status: z.string().meta({ enum: [...USER_STATUSES] }),
    })
    .meta({ title: 'UserUpdate' }) satisfies z.ZodType<state.UserPayload>

export const TransactionPayload = () =>
  z
    .strictObject({
      transactionId: z.string(),
      status: z.string(),
      email: z.string(),
      wallet: z.string(),
      paymentId: z.string().nullable(),
      leftSideLabel: z.string(),
      leftSideValue: z.number(),
      rightSideLabel: z.string(),
      rightSideValue: z.number(),
      etransferSecurityAnswer: z.string().nullable(),
      externalSessionId: z.string().nullable(),
    })
    .meta({ title: 'TransactionUpdate' }) satisfies z.ZodType<state.TransactionPayload>
