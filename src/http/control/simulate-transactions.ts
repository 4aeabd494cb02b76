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
import { type LeverNames, lever } from './dialect.ts'
import {
  Deliver,
  moveIn,
  presentEffects,
  type TransactionChange,
  TransactionMoved,
  waits,
} from './effects.ts'
import type { LeverName } from './routes.ts'
import { isPaidOutside, settleOutside } from './settle.ts'
import type { TransactionStatus } from './shapes.ts'

const SimulateMove = () => z.strictObject({ deliver: Deliver() })

const PaymentId = () =>
  z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The blockchain transaction hash; derived from the seed by default.')

const SimulateFundsReceived = () =>
  z.strictObject({
    paymentId: PaymentId().describe(
      'The blockchain transaction hash of the coins of a sell; derived from the seed by default.',
    ),
    deliver: Deliver(),
  })

const SimulateSettled = () =>
  z.strictObject({
    paymentId: PaymentId(),
    through: z
      .boolean()
      .optional()
      .describe('Whether a pending transaction may go through processing on the way.'),
    deliver: Deliver(),
  })

const SimulateStatus = () =>
  z.strictObject({
    status: z.string().min(1).max(100),
    force: z.literal(true).optional(),
    deliver: Deliver(),
  })

const NO_TRANSACTION = 'There is no such transaction.'
const MOVE_ERRORS = {
  'not-found': NO_TRANSACTION,
  conflict: 'The transaction cannot go there from its status.',
}
const MOVED = 'The status, with the events and deliveries that followed.'

interface Described {
  id: string
  summary: string
  about: string
}

type Move = Extract<LeverName, 'simulate.bankRefused' | 'simulate.expired' | 'simulate.cancelled'>

/** A lever that moves a transaction and takes nothing but its id. */
const move = <const Name extends Move>(
  as: Name,
  { change, ...names }: LeverNames & Described & { change: TransactionChange },
) =>
  lever(as, {
    ...names,
    success: MOVED,
    body: SimulateMove,
    answer: TransactionMoved,
    tool: true,
    errors: MOVE_ERRORS,
    handle: ({ services, param, input }) =>
      moveIn(services, param('id'), { ...waits(input.body), change }),
  })

export const simulateTransactions = [
  lever('simulate.fundsReceived', {
    id: 'simulateFundsReceived',
    summary: 'Receive the e-transfer of a buy, or the coins of a sell',
    words: 'tx ID funds-received',
    also: { 'funds-received ID': {} },
    tool: true,
    about:
      'The user pays: the e-transfer of a buy is approved, or the coins of a sell arrive. A pending transaction moves to processing and can no longer expire; `transaction.update` is sent. A sell has its `paymentId` from now on, a buy only after `simulateSettled`, which is the next call.',
    success: MOVED,
    body: SimulateFundsReceived,
    answer: TransactionMoved,
    errors: { ...MOVE_ERRORS, invalid: 'A buy has no paymentId yet.' },
    handle({ services, param, input: { body } }) {
      const change: TransactionChange = (world, transaction) =>
        receiveFunds(world, transaction, body)
      return moveIn(services, param('id'), { ...waits(body), change })
    },
  }),
  move('simulate.bankRefused', {
    id: 'simulateBankRefused',
    summary: 'Refuse to pay a buy, as the bank of the user would',
    about: `The user's bank refuses to pay a pending buy, and the user gets a message. The transaction stays pending, so the user can pay again or it expires; the setting \`transactions.bankRefused\` cancels it instead.`,
    words: 'tx ID bank-refused',
    also: { 'bank-refused ID': {} },
    change: simulateBankRefused,
  }),
  move('simulate.expired', {
    id: 'simulateExpired',
    summary: 'Expire a pending transaction without moving the clock',
    about:
      'Expires a pending transaction without moving the clock. The user gets a message, and `transaction.update` is sent. It counts towards the limit for cancelled and expired ones.',
    words: 'tx ID expired',
    also: { 'expired ID': {} },
    change: expireTransaction,
  }),
  move('simulate.cancelled', {
    id: 'simulateCancelled',
    summary: 'Cancel a pending transaction, as the user would',
    about:
      'Cancels a pending transaction, as the user would. `transaction.update` is sent. It counts towards the limit for cancelled and expired ones.',
    words: 'tx ID cancelled',
    also: { 'cancelled ID': {} },
    change: (world, transaction) => moveTransaction(world, transaction, 'cancelled'),
  }),
  lever('simulate.settled', {
    id: 'simulateSettled',
    summary: 'Complete a transaction',
    words: 'tx ID settled',
    also: { 'settled ID': {} },
    example: 'tx ID settled --through',
    tool: true,
    about:
      'Completes a transaction that is being processed: the coins of a buy are sent, or a sell is paid out. `transaction.update` is sent. With `through` a pending transaction receives its funds first.',
    success: MOVED,
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
      const shown = (status: string) => shownStatus(world, status) as TransactionStatus
      const from = shown(transaction.status)
      const effects = await settleOutside(services, transaction, { ...waits(body), through })
      const to = shown('complete')
      return { transactionId: id, from, to, ...presentEffects(effects, services) }
    },
  }),
  lever('simulate.status', {
    id: 'simulateStatus',
    summary: 'Force any status, for what the contract leaves open',
    words: 'tx ID status STATUS',
    about:
      'Gives a transaction any status, also one that the contract does not name, to test what a client makes of it. `transaction.update` is sent unless it has that status already. An unknown status goes on like processing.',
    success: MOVED,
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
