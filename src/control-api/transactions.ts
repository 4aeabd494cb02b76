import * as z from 'zod'
import {
  depositAddress,
  Email,
  givenFields,
  LeftSideLabel,
  leftSideValue,
  PaymentId,
  RightSideLabel,
  RightSideValue,
  wallet,
} from '../world/fields.ts'
import { COINS } from '../world/state.ts'
import { Deliver, Happened } from './events.ts'
import { CostFields } from './fields.ts'
import { Amount, Filter, FilterText, Page, PageOf, Unknown } from './pages.ts'
import type { Cell, Use } from './row.ts'
import { named, notForAgents, record } from './schema.ts'
import { Instant, Text, TransactionStatus, WorldTime } from './shapes.ts'

export const TransactionRecord = () =>
  named('TransactionRecord', {
    id: z.uuid().describe('Id of the row.'),
    side: z.enum(['buy', 'sell']).describe('Whether coins are bought or sold.'),
    status: TransactionStatus().describe('Status of the transaction.'),
    integrator: z.string().describe('Name of the integrator that created it.'),
    userId: z.uuid(),
    email: Email(),
    createdAt: z.iso.datetime().describe('When it was created: world time, ISO 8601.'),
    closedAt: z.iso.datetime().nullable().describe('When it became final.'),
    expiresAt: z.iso.datetime().nullable().describe('When it expires, if it still can.'),
    coin: z.enum(COINS).describe('The stablecoin without its chain.'),
    leftSideLabel: LeftSideLabel(),
    leftSideValue: leftSideValue(z.number()),
    rightSideLabel: RightSideLabel(),
    rightSideValue: RightSideValue(),
    quoteId: z.int().describe('Number of the quote whose rate applies.'),
    rate: z.number().describe('Price of a coin, in CAD.'),
    breakdown: notForAgents(record(CostFields()).describe('In CAD.')),
    wallet: wallet(z.string()),
    depositAddress: depositAddress(z.string()),
    paymentType: z
      .string()
      .describe('Label of the payment method (the setting `transactions.paymentType`).'),
    paymentId: PaymentId(),
    rmtId: z.string().describe('Reference of the money transfer.'),
    ...givenFields((text) => text.nullable()),
    securityAnswer: z
      .string()
      .nullable()
      .describe('Security answer of the payout; null without one.'),
    allowed: z.array(TransactionStatus()).describe('Statuses it can change to.'),
    history: notForAgents(
      z
        .array(
          record({
            status: TransactionStatus().describe('The status.'),
            at: WorldTime('When it got this status.'),
          }),
        )
        .describe('Every status it had, oldest first.'),
    ),
  }).describe(
    'A transaction in full, as only the control API shows it. Times are ISO 8601, in world time.',
  )
export type TransactionRecord = z.output<ReturnType<typeof TransactionRecord>>

export function transactionCells(transaction: TransactionRecord): Cell[] {
  const { id, side, status, leftSideLabel, leftSideValue } = transaction
  const { rightSideLabel, rightSideValue, email } = transaction
  const trade = `${leftSideValue} ${leftSideLabel} → ${rightSideValue} ${rightSideLabel}`
  return [id, side, trade, email, status]
}

export const TransactionMoved = () =>
  record({
    transactionId: z.uuid(),
    from: TransactionStatus().describe('Status before the change.'),
    to: TransactionStatus().describe('Status after the change.'),
    ...Happened().shape,
  })
export type TransactionMoved = z.output<ReturnType<typeof TransactionMoved>>

const HashOf = (coins = '') =>
  Text(200)
    .optional()
    .describe(`Blockchain transaction hash${coins}; derived from the seed by default.`)

export const NO_TRANSACTION = { 'not-found': 'There is no such transaction.' }

export const MOVED = {
  success: 'The status, with the events and deliveries that followed.',
  columns: ({ transactionId, from, to }: TransactionMoved) => [
    transactionId,
    from === to ? `stays ${to}; inbox shows what the user was sent` : `${from} → ${to}`,
  ],
  response: TransactionMoved,
  errors: {
    ...NO_TRANSACTION,
    conflict: 'The transaction cannot make this change from its current status.',
  },
}

const OnlyDeliver = () => ({ deliver: Deliver() })

const TRANSACTION = { id: 'Id of the transaction, or its first 8 characters.' }

export const transactions = {
  'transactions.list': {
    id: 'listTransactionRecords',
    method: 'GET',
    path: '/transactions',
    result: 'items',
    isPaged: true,
    summary: 'List the transactions of all integrators, oldest first',
    about: 'Continue with `after` while `more` is true.',
    words: ['tx', 'list'],
    columns: transactionCells,
    query: () => ({
      status: TransactionStatus(FilterText())
        .optional()
        .describe('Only transactions with this status.'),
      side: z.enum(['buy', 'sell']).optional().describe('Only buys, or only sells.'),
      email: Filter().describe('Only transactions of the user with this e-mail address.'),
      id: Filter().describe('Only transactions whose id begins with this.'),
      reference: Filter().describe(
        'Only transactions with this `rmtId`, `externalSessionId` or `paymentId`.',
      ),
      amount: Amount().optional().describe('Only transactions with this amount on either side.'),
      since: Instant()
        .optional()
        .describe('Only transactions created at this world time or later.'),
      until: Instant().optional().describe('Only transactions created before this world time.'),
      ...Page(),
    }),
    response: () =>
      PageOf(TransactionRecord(), 'The transactions, oldest first.').extend(Unknown()),
  },
  'transactions.get': {
    id: 'getTransactionRecord',
    method: 'GET',
    path: '/transactions/:id',
    params: TRANSACTION,
    summary: 'Read a transaction',
    about: 'Includes its costs, expiry, history and possible next statuses.',
    words: ['tx', { field: 'id' }],
    tool: true,
    response: TransactionRecord,
    errors: NO_TRANSACTION,
  },
  'simulate.fundsReceived': {
    id: 'simulateFundsReceived',
    method: 'POST',
    path: '/simulate/transactions/:id/funds-received',
    params: TRANSACTION,
    ...MOVED,
    summary: 'Receive the e-transfer for a buy, or the coins for a sell',
    about:
      'A pending transaction moves to processing and can no longer expire; `transaction.update` is sent. A sell gets its `paymentId` now; a buy gets it from `simulateSettled`.',
    done: ({ side }: Use) => (side === 'sell' ? 'Coins arrived' : 'E-transfer arrived'),
    words: ['tx', { field: 'id' }, 'funds-received'],
    tool: true,
    body: () => ({ paymentId: HashOf(' of a sell’s coins'), deliver: Deliver() }),
    errors: { ...MOVED.errors, invalid: 'A buy has no paymentId yet.' },
  },
  'simulate.bankRefused': {
    id: 'simulateBankRefused',
    method: 'POST',
    path: '/simulate/transactions/:id/bank-refused',
    params: TRANSACTION,
    ...MOVED,
    summary: 'Decline to pay for a buy, as the user’s bank would',
    about:
      'The user gets a message. The transaction stays pending, so the user can pay again or it expires; the setting `transactions.bankRefused` cancels it instead.',
    done: 'Bank declined',
    words: ['tx', { field: 'id' }, 'bank-refused'],
    tool: true,
    body: OnlyDeliver,
  },
  'simulate.expired': {
    id: 'simulateExpired',
    method: 'POST',
    path: '/simulate/transactions/:id/expired',
    params: TRANSACTION,
    ...MOVED,
    summary: 'Expire a pending transaction without moving the clock',
    about:
      'The user gets a message, and `transaction.update` is sent. The transaction counts towards the limit for cancelled and expired transactions.',
    done: 'Expired',
    words: ['tx', { field: 'id' }, 'expired'],
    tool: true,
    body: OnlyDeliver,
  },
  'simulate.cancelled': {
    id: 'simulateCancelled',
    method: 'POST',
    path: '/simulate/transactions/:id/cancelled',
    params: TRANSACTION,
    ...MOVED,
    summary: 'Cancel a pending transaction, as the user would',
    about:
      '`transaction.update` is sent. The transaction counts towards the limit for cancelled and expired transactions.',
    done: 'Cancelled',
    words: ['tx', { field: 'id' }, 'cancelled'],
    tool: true,
    body: OnlyDeliver,
  },
  'simulate.settled': {
    id: 'simulateSettled',
    method: 'POST',
    path: '/simulate/transactions/:id/settled',
    params: TRANSACTION,
    ...MOVED,
    summary: 'Complete a transaction',
    about:
      'Completes a transaction in processing: the coins of a buy are sent, or a sell is paid out. `transaction.update` is sent. With `through` a pending transaction receives its funds first.',
    done: 'Settled',
    words: ['tx', { field: 'id' }, 'settled'],
    example: 'tx ID settled --through',
    tool: true,
    body: () => ({
      paymentId: HashOf(),
      through: z.boolean().optional().describe('Receive the funds first if necessary.'),
      deliver: Deliver(),
    }),
  },
  'simulate.status': {
    id: 'simulateStatus',
    method: 'POST',
    path: '/simulate/transactions/:id/status',
    args: ['status'],
    params: TRANSACTION,
    ...MOVED,
    summary: 'Force any status, even one that the contract does not name',
    about:
      '`transaction.update` is sent unless the transaction already has this status. A transaction with an unknown status can continue as if it were in processing.',
    done: ({ input: { status } }: Use) => `Status forced: ${status}`,
    words: ['tx', { field: 'id' }, 'status', { field: 'status' }],
    body: () => ({
      status: Text(100).describe('Any status at all.'),
      deliver: Deliver(),
    }),
    errors: NO_TRANSACTION,
  },
} as const
