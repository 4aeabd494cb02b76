import * as z from 'zod'
import { COINS } from '../../world/coins.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry } from '../../world/transaction-status.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import { presentBreakdown } from '../contract.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { Count, Cursor, Filter, FilterText, PageOf, readPageByStatus } from './page.ts'
import { TransactionStatus, WorldTime } from './shapes.ts'
import { usersWith } from './users.ts'

export const TransactionRecord = () =>
  titled('TransactionRecord', {
    id: z.uuid(),
    side: z.enum(['buy', 'sell']),
    status: TransactionStatus(),
    integrator: z.string().describe('Name of the integrator that created it.'),
    userId: z.uuid(),
    email: z.string(),
    createdAt: z.iso.datetime(),
    closedAt: z.iso.datetime().nullable().describe('When it became final.'),
    expiresAt: z.iso.datetime().nullable().describe('When it expires, while it can.'),
    coin: z.enum(COINS),
    leftSideLabel: z.string(),
    leftSideValue: z.number(),
    rightSideLabel: z.string(),
    rightSideValue: z.number(),
    quoteId: z.int(),
    rate: z.number(),
    breakdown: z
      .strictObject({ fee: z.number(), gas: z.number(), spread: z.number(), total: z.number() })
      .describe('In CAD.'),
    wallet: z.string(),
    depositAddress: z.string(),
    paymentType: z.string(),
    paymentId: z.string().nullable(),
    rmtId: z.string(),
    externalSessionId: z.string().nullable(),
    securityAnswer: z.string().nullable(),
    allowed: z.array(TransactionStatus()).describe('Statuses it may move to from here.'),
    history: z.array(z.strictObject({ status: TransactionStatus(), at: WorldTime() })),
  }).describe(
    'A transaction in full, as only the control API shows it. Times are ISO 8601, in world time.',
  )
export type TransactionRecord = z.output<ReturnType<typeof TransactionRecord>>

const ListTransactions = () =>
  z.strictObject({
    status: TransactionStatus(FilterText()).optional(),
    email: Filter(),
    after: Cursor(),
    limit: Count(),
  })

export const transactions = [
  lever('transactions.list', {
    id: 'listTransactionRecords',
    summary: 'List transactions in full, oldest first',
    about:
      'Lists transactions in full, the oldest first, of every integrator. Go on with `after` while `more` is true.',
    success: 'A page of transactions.',
    words: 'tx list',
    also: { tx: {} },
    query: ListTransactions,
    answer: () => PageOf(TransactionRecord()),
    handle({ world, input: { query } }) {
      const { email, status } = query
      const source =
        email === undefined
          ? { rows: world.transactions, counts: world.transactionCounts }
          : { rows: transactionsOf(world, email) }
      const asked = { ...source, status: toStatus(world, status) }
      return readPageByStatus(asked, query, (transaction) => presentTransaction(world, transaction))
    },
  }),
  lever('transactions.get', {
    id: 'getTransactionRecord',
    summary: 'Read a transaction in full',
    about:
      'Reads a transaction in full: what it costs, when it expires, its history and the statuses that it may move to.',
    success: 'The transaction.',
    words: 'tx ID',
    tool: true,
    answer: TransactionRecord,
    errors: { 'not-found': 'There is no such transaction.' },
    handle: ({ world, param }) => presentTransaction(world, getAnyTransaction(world, param('id'))),
  }),
]

function transactionsOf(world: World, email: string): readonly Transaction[] {
  return usersWith(world, email).flatMap(({ id }) => world.userTransactions.get(id)?.all ?? [])
}

/** The cancelled state is spelled as the settings say. */
function toStatus(world: World, status: string | undefined) {
  return status === world.settings['transactions.cancelledStatus'] ? 'cancelled' : status
}

export function presentTransaction(world: World, transaction: Transaction): TransactionRecord {
  const { id, userId, status, closedAt } = transaction
  const shown = (known: string) => shownStatus(world, known) as TransactionStatus
  return {
    id,
    side: transaction.side,
    status: shown(status),
    integrator: transaction.integrator,
    userId,
    email: world.usersById.get(userId)?.email ?? '',
    createdAt: formatInstant(transaction.createdAt),
    closedAt: closedAt === null ? null : formatInstant(closedAt),
    expiresAt: presentExpiry(world, transaction),
    coin: transaction.coin,
    leftSideLabel: transaction.leftSideLabel,
    leftSideValue: fromMicros(transaction.leftSide),
    rightSideLabel: transaction.rightSideLabel,
    rightSideValue: fromMicros(transaction.rightSide),
    quoteId: transaction.quoteId,
    rate: fromMicros(transaction.rate),
    breakdown: presentBreakdown(transaction),
    wallet: transaction.wallet,
    depositAddress: transaction.depositAddress,
    paymentType: transaction.paymentType,
    paymentId: transaction.paymentId,
    rmtId: transaction.rmtId,
    externalSessionId: transaction.externalSessionId,
    securityAnswer: transaction.securityAnswer,
    allowed: allowedFrom(world, status).map(shown),
    history: transaction.history.map((change) => ({
      status: shown(change.status),
      at: formatInstant(change.at),
    })),
  }
}

function presentExpiry(world: World, transaction: Transaction): string | null {
  const task = findExpiry(world, transaction)
  return task ? formatInstant(task.at) : null
}
