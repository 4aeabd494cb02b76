import * as z from 'zod'
import { type Transaction, USER_STATUSES, type User } from '../../world/state.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import { getAnyUser } from '../../world/users.ts'
import type { StatusCounts, World } from '../../world/world.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { Count, Cursor, Filter, PageAnswer, type PageQuery, readPage } from './page.ts'
import { showTransaction, TransactionRecord } from './show-transaction.ts'
import { showUser, UserRecord } from './show-user.ts'

const ListUsers = () =>
  z.strictObject({
    status: z.enum(USER_STATUSES).optional(),
    email: Filter(),
    after: Cursor(),
    limit: Count(),
  })
const ListTransactions = () =>
  z.strictObject({ status: Filter(), email: Filter(), after: Cursor(), limit: Count() })

export const records = [
  operation({
    id: 'listUserRecords',
    method: 'GET',
    path: '/_sandbox/users',
    summary: 'List users in full, oldest first',
    auth: requireControl,
    query: ListUsers,
    answer: () => PageAnswer(UserRecord()),
    handle({ world, input: { query } }) {
      const { email, status } = query
      const source =
        email === undefined
          ? { rows: world.users, counts: world.userCounts }
          : { rows: usersWith(world, email) }
      return listByStatus({ ...source, status }, query, (user) => showUser(world, user))
    },
  }),
  operation({
    id: 'getUserRecord',
    method: 'GET',
    path: '/_sandbox/users/:user',
    summary: 'Read a user in full, by id or e-mail address',
    auth: requireControl,
    answer: UserRecord,
    errors: { 'not-found': 'There is no such user.' },
    handle: ({ world, param }) => showUser(world, getAnyUser(world, param('user'))),
  }),
  operation({
    id: 'listTransactionRecords',
    method: 'GET',
    path: '/_sandbox/transactions',
    summary: 'List transactions in full, oldest first',
    auth: requireControl,
    query: ListTransactions,
    answer: () => PageAnswer(TransactionRecord()),
    handle({ world, input: { query } }) {
      const { email, status } = query
      const source =
        email === undefined
          ? { rows: world.transactions, counts: world.transactionCounts }
          : { rows: transactionsOf(world, email) }
      const wanted = { ...source, status: toStatus(world, status) }
      return listByStatus(wanted, query, (transaction) => showTransaction(world, transaction))
    },
  }),
  operation({
    id: 'getTransactionRecord',
    method: 'GET',
    path: '/_sandbox/transactions/:id',
    summary: 'Read a transaction in full',
    auth: requireControl,
    answer: TransactionRecord,
    errors: { 'not-found': 'There is no such transaction.' },
    handle: ({ world, param }) => showTransaction(world, getAnyTransaction(world, param('id'))),
  }),
]

interface Source<Row> {
  rows: readonly Row[]
  status: string | undefined
  /** Counts the rows by status, where they are all there are. */
  counts?: StatusCounts
}

function listByStatus<Row extends { status: string }>(
  { rows, status, counts }: Source<Row>,
  query: PageQuery,
  show: (row: Row) => unknown,
) {
  const matches = (row: Row) => status === undefined || row.status === status
  const { items, cursor, more } = readPage(rows, query, matches)
  return { items: items.map(show), total: count(), cursor, more }

  function count() {
    if (status === undefined) return rows.length
    return counts ? (counts.get(status) ?? 0) : rows.filter(matches).length
  }
}

/** One or none. */
function usersWith(world: World, email: string): User[] {
  const user = world.usersByEmail.get(email.toLowerCase())
  return user ? [user] : []
}

function transactionsOf(world: World, email: string): readonly Transaction[] {
  return usersWith(world, email).flatMap(({ id }) => world.userTransactions.get(id)?.all ?? [])
}

/** The cancelled state goes by the spelling that the settings gives it. */
function toStatus(world: World, status: string | undefined) {
  return status === world.settings['transactions.cancelledStatus'] ? 'cancelled' : status
}
