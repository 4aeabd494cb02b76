import * as z from 'zod'
import {
  Email,
  givenFields,
  LeftSideLabel,
  leftSideValue,
  PaymentId,
  RightSideLabel,
  RightSideValue,
  ShownTransactionStatus,
  toGiven,
  wallet,
} from './fields.ts'
import { EVENT_TYPES, type EventType, TRANSACTION_STATUSES, USER_STATUSES } from './words.ts'

/** The payload of `user.update` (contract, Events). */
export const UserUpdate = () =>
  z
    .strictObject({
      userId: z.string().describe('Id of the user.'),
      email: Email(),
      status: z
        .string()
        .meta({ enum: [...USER_STATUSES] })
        .describe('The status that the user has now.'),
    })
    .meta({ title: 'UserUpdate' })
export type UserUpdate = z.output<ReturnType<typeof UserUpdate>>

/** The field of `transaction.update` that a setting can rename. */
export const SECURITY_ANSWER = 'etransferSecurityAnswer'

/** The payload of `transaction.update` (contract, Events). */
export const TransactionUpdate = () =>
  z
    .strictObject({
      transactionId: z.string().describe('Id of the transaction.'),
      status: ShownTransactionStatus(),
      email: Email(),
      wallet: wallet(z.string()),
      paymentId: PaymentId(),
      leftSideLabel: LeftSideLabel(),
      leftSideValue: leftSideValue(z.number()),
      rightSideLabel: RightSideLabel(),
      rightSideValue: RightSideValue(),
      [SECURITY_ANSWER]: z
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
      ...givenFields((text) => text.nullable()),
    })
    .meta({ title: 'TransactionUpdate' })
export type TransactionUpdate = z.output<ReturnType<typeof TransactionUpdate>>

const TEST_EMAIL = 'webhook-test@example.com'

/** All events. Rows, webhooks, filters, coverage and documents derive from them. */
export const EVENTS = {
  'user.update': {
    about: 'users',
    summary: 'The status of a user changed',
    says: 'Reports the new status of a user, for example after an identity check.',
    statuses: USER_STATUSES,
    payload: UserUpdate,
    sample: (userId): UserUpdate => ({ userId, email: TEST_EMAIL, status: 'verified' }),
  },
  'transaction.update': {
    about: 'transactions',
    summary: 'A transaction was created, or its status changed',
    says: 'Reports the status of a transaction when it is created and whenever it changes.',
    statuses: TRANSACTION_STATUSES,
    payload: TransactionUpdate,
    sample: (transactionId): TransactionUpdate => ({
      transactionId,
      status: TRANSACTION_STATUSES[0],
      email: TEST_EMAIL,
      wallet: '0x0000000000000000000000000000000000000000',
      paymentId: null,
      leftSideLabel: 'CAD',
      leftSideValue: 100,
      rightSideLabel: 'USDC-ETH',
      rightSideValue: 70.66,
      etransferSecurityAnswer: null,
      ...toGiven({}),
    }),
  },
} as const satisfies Record<EventType, EventDescription>

interface EventDescription {
  /** Kind of entity whose id is `ref`. */
  about: 'users' | 'transactions'
  summary: string
  says: string
  /** The statuses that it reports; a test may force others. */
  statuses: readonly string[]
  payload: () => z.ZodType<{ status: string }>
  /** The payload of the test operation's event, about something that does not exist. */
  sample: (ref: string) => { status: string }
}

/** The payloads by their type, for the types of clients. */
export const EventPayloads = () =>
  z.strictObject(
    Object.fromEntries(EVENT_TYPES.map((type) => [type, EVENTS[type].payload()])) as {
      [Type in EventType]: ReturnType<(typeof EVENTS)[Type]['payload']>
    },
  )
export type EventPayloads = z.output<ReturnType<typeof EventPayloads>>
