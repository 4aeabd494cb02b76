import { shownStatus } from '../../world/events.ts'
import { STATUS_AFTER } from '../../world/lifecycle.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry, PENDING, PROCESSING } from '../../world/transaction-status.ts'
import type { KnownTransactionStatus } from '../../world/words.ts'
import { TRANSACTION_STATUSES } from '../../world/words.ts'
import type { World } from '../../world/world.ts'
import { Diagram, type DiagramEdge, type DiagramNode } from '../diagram.tsx'
import { formatMoney, formatNumber, formatTrade } from '../format.ts'
import { Act } from '../forms.tsx'
import { NewTransaction } from '../new-transaction.tsx'
import {
  Badge,
  Card,
  Countdown,
  curlOf,
  DetailHead,
  Id,
  linkToUser,
  shortStatus,
} from '../parts.tsx'
import type { List } from '../rows.ts'
import { showTimelineOf } from '../timeline/timeline.tsx'
import type { View } from '../view.ts'
import { BANK_DECLINED, BankLink } from './inbox.tsx'

export const transactions: List<Transaction> = {
  name: 'transactions',
  title: 'Transactions',
  noun: 'transaction',
  rows: ({ world }) => world.transactions,
  find: ({ world }, id) => world.transactionsById.get(id),
  hidden: (row) => [
    row.wallet,
    row.depositAddress,
    row.quoteId,
    row.externalSessionId,
    row.paymentId,
    row.status,
    row.side,
    row.userId,
  ],
  filters: [
    { name: 'status', label: 'Any status', of: statusOf },
    { name: 'side', label: 'Any side', of: ({ side }) => side, options: () => ['buy', 'sell'] },
  ],
  columns: [
    { name: 'Pays → gets', value: formatTrade },
    {
      name: 'Status',
      kind: 'mark',
      value: statusOf,
      show: ({ status }, { world }) => <Badge status={shownStatus(world, status)} />,
    },
    { name: 'Id', kind: 'id', value: ({ id }) => id },
    { name: 'Reference', kind: 'id', value: ({ rmtId }) => rmtId },
    {
      name: 'User',
      kind: 'fill',
      isSecond: true,
      value: ({ userId }, { world }) => world.usersById.get(userId)?.email ?? '',
    },
  ],
  time: { name: 'Created', of: ({ createdAt }) => createdAt },
  detail: showTransaction,
  aside: (view) => <NewTransaction view={view} />,
  empty: {
    title: 'No transactions yet.',
    body: () => (
      <p>
        A verified user creates one with <code>POST /v2/transactions</code>.
      </p>
    ),
  },
}

function statusOf({ status }: Pick<Transaction, 'status'>, { world }: View): string {
  return shortStatus(shownStatus(world, status))
}

function showTransaction(transaction: Transaction, view: View) {
  const { world } = view
  const { id, side, status, leftSide, leftSideLabel, rightSide, rightSideLabel } = transaction
  const user = world.usersById.get(transaction.userId)
  const expiry = findExpiry(world, transaction)
  const idOf = (text: string | null, what: string) => text && <Id id={text} what={`the ${what}`} />
  const costs = [transaction.fee, transaction.gas, transaction.spread]
  return (
    <>
      <DetailHead
        title={formatTrade(transaction)}
        badge={<Badge status={shownStatus(world, status)} />}
        id={id}
        noun="transaction"
        curl={curlOf(view, `transactions/${id}`)}
      >
        <span>{side}</span>
        {expiry && (
          <span>
            expires <Countdown at={expiry.at} now={world.now} />
          </span>
        )}
      </DetailHead>
      {showMoves(transaction, view)}
      {user && showTimelineOf(view, user, transaction)}
      <Card
        title="Details"
        class="pairs"
        fields={{
          User: linkToUser(view, user),
          Integrator: transaction.integrator,
          Pays: formatMoney(leftSide, leftSideLabel),
          Gets: formatMoney(rightSide, rightSideLabel),
          Rate: `${formatNumber(fromMicros(transaction.rate))} CAD for 1 ${transaction.coin}`,
          'Fee, gas and spread': costs.map((sum) => formatMoney(sum, 'CAD')).join(', '),
          Quote: String(transaction.quoteId),
          'Reference (rmtId)': idOf(transaction.rmtId, 'reference'),
          Wallet: idOf(transaction.wallet, 'wallet'),
          'Deposit address': idOf(transaction.depositAddress, 'deposit address'),
          'Payment type': transaction.paymentType,
          'Payment id': idOf(transaction.paymentId, 'payment id'),
          'External session': idOf(transaction.externalSessionId, 'external session id'),
          'Security answer': idOf(transaction.securityAnswer, 'security answer'),
        }}
      />
    </>
  )
}

const pathOf = ({ id }: Transaction, name: string) =>
  `/_sandbox/simulate/transactions/${id}/${name}`

const showMoves = (transaction: Transaction, view: View) => (
  <Card title="What can happen next">
    {drawTransaction(transaction, view)}
    {allowedFrom(transaction.status).length === 0 && (
      <p class="hint">Nothing. This transaction is final.</p>
    )}
    <div class="actions">
      {transaction.status === PENDING && (
        <Act call={pathOf(transaction, 'settled')} body={{ through: true }}>
          Settle at once
        </Act>
      )}
      {transaction.status === PENDING && transaction.side === 'buy' && (
        <>
          <Act call={pathOf(transaction, 'bank-refused')} done={BANK_DECLINED}>
            Bank declines
          </Act>
          <BankLink view={view} id={transaction.id} />
        </>
      )}
      <a class="button" href={view.link('/_sandbox/reference/simulateStatus')}>
        Force a status
      </a>
    </div>
  </Card>
)

function drawTransaction(transaction: Transaction, view: View) {
  const { world } = view
  const { id, side, status, history } = transaction
  const statuses = [...new Set<string>([...TRANSACTION_STATUSES, status])]
  const taskTo = (to: string) =>
    world.tasks.of(id).find(({ kind }) => kind !== 'change-kyc-status' && STATUS_AFTER[kind] === to)
  const edges = statuses.flatMap((from) =>
    allowedFrom(from).map((to): DiagramEdge => {
      const { text, simulation, kind = 'primary' } = SIMULATIONS[to]
      const now = { act: { call: pathOf(transaction, simulation) }, at: taskTo(to)?.at }
      return { from, to, text: text ?? ARRIVED[side], kind, ...(from === status && now) }
    }),
  )
  return (
    <Diagram
      view={view}
      label={`Statuses of this transaction, which is ${shownStatus(world, status)}`}
      current={status}
      nodes={placeNodes(world, statuses).map((node) => ({
        ...node,
        at: history.findLast((row) => row.status === node.id)?.at,
      }))}
      edges={edges}
      rowStep={54}
    />
  )
}

/** Places the successful path on the first row, and every other status below it. */
function placeNodes(world: World, statuses: readonly string[]): DiagramNode[] {
  const path = new Set<string>()
  let next: string | undefined = PENDING
  while (next && !path.has(next)) {
    path.add(next)
    next = allowedFrom(next)[0]
  }
  const others = statuses.filter((status) => !path.has(status))
  const placed = [
    ...[...path].map((id, column) => ({ id, column, row: 0 })),
    ...others.map((id, index) => ({ id, column: 1, row: index + 1 })),
  ]
  return placed.map((node) => ({ ...node, text: shortStatus(shownStatus(world, node.id)) }))
}

const ARRIVED = { buy: 'E-transfer arrived', sell: 'Coins arrived' }

interface Simulation {
  text?: string
  simulation: string
  kind?: 'danger'
}

/** The control operation that moves a transaction to each status. */
const SIMULATIONS: Record<KnownTransactionStatus, Simulation> = {
  [PENDING]: { text: 'Create', simulation: 'status' },
  [PROCESSING]: { simulation: 'funds-received' },
  complete: { text: 'Settle', simulation: 'settled' },
  cancelled: { text: 'Cancel', simulation: 'cancelled', kind: 'danger' },
  expired: { text: 'Expire', simulation: 'expired', kind: 'danger' },
}
