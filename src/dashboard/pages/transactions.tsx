import { shownStatus } from '../../world/events.ts'
import type { Transaction } from '../../world/state.ts'
import { TRANSACTION_STATUSES } from '../../world/transaction-status.ts'
import { formatMoney, formatTrade } from '../format.ts'
import type { List } from '../list.tsx'
import { NewTransaction } from '../new-transaction.tsx'
import { Badge } from '../parts.tsx'
import type { View } from '../view.ts'
import { TransactionDetail } from './transaction.tsx'

export const transactions: List<Transaction> = {
  name: 'transactions',
  title: 'Transactions',
  noun: 'transaction',
  rows: ({ world }) => world.transactions,
  find: ({ world }, id) => world.transactionsById.get(id),
  texts,
  filter: {
    name: 'status',
    label: 'Any status',
    options: TRANSACTION_STATUSES,
    matches: ({ status }, option) => status === option,
  },
  columns: [
    { name: 'Pays → gets', cell: formatTrade },
    { name: 'Status', place: 'mark', cell: badge },
    { name: 'User', place: 'second', cell: emailOf },
    { name: 'Side', cell: ({ side }) => side },
    { name: 'Reference', cell: ({ rmtId }) => <code>{rmtId}</code>, text: ({ rmtId }) => rmtId },
    { name: 'Integrator', cell: ({ integrator }) => integrator },
  ],
  at: ({ createdAt }) => createdAt,
  atName: 'Created',
  line: {
    badge,
    text: ({ leftSide, leftSideLabel, rightSideLabel, rmtId }) =>
      `${formatMoney(leftSide, leftSideLabel)} → ${rightSideLabel}, ${rmtId}`,
  },
  heading: ({ rmtId }) => rmtId,
  detail: (transaction, view) => <TransactionDetail view={view} transaction={transaction} />,
  noMatch: 'No transactions match.',
  aside: (view) => <NewTransaction view={view} />,
  empty: {
    title: 'No transactions yet.',
    body: (view) => (
      <>
        <p>
          A verified user makes one with <code>POST /v2/transactions</code>.
        </p>
        <a class="button" href={view.link('/_sandbox/demo')}>
          Let the demo wallet make one
        </a>
      </>
    ),
  },
}

function badge({ status }: Transaction, { world }: View) {
  return <Badge status={shownStatus(world, status)} />
}

function emailOf({ userId }: Transaction, { world }: View) {
  return world.usersById.get(userId)?.email ?? ''
}

function texts(row: Transaction, view: View) {
  const { id, rmtId, wallet, depositAddress, quoteId, externalSessionId, paymentId } = row
  const { status, side, leftSideLabel, rightSideLabel } = row
  const ids = [id, rmtId, wallet, depositAddress, quoteId, externalSessionId, paymentId]
  return [...ids, status, side, leftSideLabel, rightSideLabel, emailOf(row, view)]
}
