import * as z from 'zod'
import { shownStatus } from '../../world/events.ts'
import {
  expireTransaction,
  receiveFunds,
  settleTransaction,
  simulateBankRefused,
  simulateStatus,
} from '../../world/simulate.ts'
import { moveTransaction } from '../../world/transaction-status.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import { operation } from './dialect.ts'
import {
  Deliver,
  moveIn,
  presentEffects,
  type TransactionChange,
  TransactionMoved,
  waits,
} from './effects.ts'
import { isPaidOutside, settleOutside } from './settle.ts'

export const SimulateMove = () => z.strictObject({ deliver: Deliver() })
export type SimulateMove = z.input<ReturnType<typeof SimulateMove>>

const PaymentId = () =>
  z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The blockchain transaction hash; derived from the seed by default.')

export const SimulateFundsReceived = () =>
  z.strictObject({
    paymentId: PaymentId().describe(
      'The blockchain transaction hash of the coins of a sell; derived from the seed by default.',
    ),
    deliver: Deliver(),
  })
export type SimulateFundsReceived = z.input<ReturnType<typeof SimulateFundsReceived>>

export const SimulateSettled = () =>
  z.strictObject({
    paymentId: PaymentId(),
    through: z
      .boolean()
      .optional()
      .describe('Whether a pending transaction may go through processing on the way.'),
    deliver: Deliver(),
  })
export type SimulateSettled = z.input<ReturnType<typeof SimulateSettled>>

const SimulateStatus = () =>
  z.strictObject({ status: z.string().min(1).max(100), force: z.literal(true), deliver: Deliver() })

const MOVES: { name: string; id: string; summary: string; change: TransactionChange }[] = [
  {
    name: 'bank-refused',
    id: 'simulateBankRefused',
    summary: 'The bank of the user refused to pay a buy',
    change: simulateBankRefused,
  },
  {
    name: 'expired',
    id: 'simulateExpired',
    summary: 'The window of a pending transaction ran out',
    change: expireTransaction,
  },
  {
    name: 'cancelled',
    id: 'simulateCancelled',
    summary: 'The user withdrew from a pending transaction',
    change: (world, transaction) => moveTransaction(world, transaction, 'cancelled'),
  },
]

const NO_TRANSACTION = 'There is no such transaction.'
const MOVE_ERRORS = {
  'not-found': NO_TRANSACTION,
  conflict: 'The transaction cannot go there from its status.',
}
const txPath = '/_sandbox/simulate/transactions/:id'

export const simulateTransactions = [
  operation('POST', `${txPath}/funds-received`, {
    id: 'simulateFundsReceived',
    summary: 'The e-transfer was approved (buy), or the coins arrived (sell)',
    body: SimulateFundsReceived,
    answer: TransactionMoved,
    errors: { ...MOVE_ERRORS, invalid: 'A buy has no paymentId yet.' },
    handle({ services, param, input: { body } }) {
      const change: TransactionChange = (world, transaction) =>
        receiveFunds(world, transaction, body)
      return moveIn(services, param('id'), { ...waits(body), change })
    },
  }),
  ...MOVES.map(({ name, id, summary, change }) =>
    operation('POST', `${txPath}/${name}`, {
      id,
      summary,
      body: SimulateMove,
      answer: TransactionMoved,
      errors: MOVE_ERRORS,
      handle: ({ services, param, input }) =>
        moveIn(services, param('id'), { ...waits(input.body), change }),
    }),
  ),
  operation('POST', `${txPath}/settled`, {
    id: 'simulateSettled',
    summary: 'The money is finished: processing becomes complete',
    body: SimulateSettled,
    answer: TransactionMoved,
    errors: MOVE_ERRORS,
    async handle({ services, param, input: { body } }) {
      const id = param('id')
      const { world } = services
      const transaction = getAnyTransaction(world, id)
      if (body.paymentId !== undefined || !isPaidOutside(world, transaction)) {
        const change: TransactionChange = (_, row) => settleTransaction(world, row, body)
        return await moveIn(services, id, { ...waits(body), change })
      }
      const { through } = body
      const from = shownStatus(world, transaction.status)
      const effects = await settleOutside(services, transaction, { ...waits(body), through })
      const to = shownStatus(world, 'complete')
      return { transactionId: id, from, to, ...presentEffects(effects, services) }
    },
  }),
  operation('POST', `${txPath}/status`, {
    id: 'simulateStatus',
    summary: 'Force any status, for what the contract leaves open',
    body: SimulateStatus,
    answer: TransactionMoved,
    errors: { 'not-found': NO_TRANSACTION },
    handle({ services, param, input: { body } }) {
      const change: TransactionChange = (world, transaction) =>
        simulateStatus(world, transaction, body.status)
      return moveIn(services, param('id'), { ...waits(body), change })
    },
  }),
]
