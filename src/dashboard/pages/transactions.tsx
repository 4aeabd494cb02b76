import { shownStatus } from '../../world/events.ts'
import { toBankLink } from '../../world/links.ts'
import { fromMicros } from '../../world/money.ts'
import type { KnownTransactionStatus, Transaction } from '../../world/state.ts'
import { STATUS_AFTER } from '../../world/tasks.ts'
import {
  allowedFrom,
  findExpiry,
  PENDING,
  PROCESSING,
  TRANSACTION_STATUSES,
} from '../../world/transaction-status.ts'
import type { World } from '../../world/world.ts'
import { Diagram, type DiagramEdge, type DiagramNode } from '../diagram.tsx'
import { formatMoney, formatNumber, formatTrade, shellQuote } from '../format.ts'
import { Act, CallForm, Input, Submit } from '../forms.tsx'
import type { List } from '../list.tsx'
import { NewTransaction } from '../new-transaction.tsx'
import { Badge, Card, Copy, Countdown, DetailHead, Fields, Id, shortStatus } from '../parts.tsx'
import { isAboutTransaction } from '../timeline/entries.ts'
import { TimelinePart } from '../timeline/timeline.tsx'
import type { View } from '../view.ts'

export const transactions: List<Transaction> = {
  name: 'transactions',
  title: 'Transactions',
  noun: 'transaction',
  rows: ({ world }) => world.transactions,
  find: ({ world }, id) => world.transactionsById.get(id),
  hidden: (row) => [
    ...[row.wallet, row.depositAddress, row.quoteId, row.externalSessionId, row.paymentId],
    ...[row.status, row.side, row.userId],
  ],
  filters: [
    {
      name: 'status',
      label: 'Any status',
      of: ({ status }, { world }) => shortStatus(shownStatus(world, status)),
      options: ({ world }) =>
        [...new Set([...TRANSACTION_STATUSES, ...world.transactionCounts.keys()])].map((status) =>
          shortStatus(shownStatus(world, status)),
        ),
    },
    { name: 'side', label: 'Any side', of: ({ side }) => side, options: () => ['buy', 'sell'] },
  ],
  columns: [
    { name: 'Pays → gets', value: formatTrade },
    {
      name: 'Status',
      kind: 'mark',
      value: ({ status }, { world }) => shortStatus(shownStatus(world, status)),
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
  heading: ({ rmtId }) => rmtId,
  detail: (transaction, view) => <TransactionDetail view={view} transaction={transaction} />,
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

interface Props {
  view: View
  transaction: Transaction
}

const TransactionDetail = ({ view, transaction }: Props) => {
  return (
    <>
      <Head view={view} transaction={transaction} />
      <Moves view={view} transaction={transaction} />
      <Details view={view} transaction={transaction} />
      <TimelinePart
        view={view}
        about={{ transaction, user: view.world.usersById.get(transaction.userId) }}
        isAbout={isAboutTransaction(view, transaction)}
        more={view.page('timeline', { user: transaction.userId })}
      />
    </>
  )
}

const Head = ({ view, transaction }: Props) => {
  const { world } = view
  const { id, side, status } = transaction
  const expiry = findExpiry(world, transaction)
  const url = `${view.baseUrl}/_sandbox/transactions/${id}`
  return (
    <DetailHead
      title={formatTrade(transaction)}
      badge={<Badge status={shownStatus(world, status)} />}
    >
      <span>{side}</span>
      {expiry && (
        <span>
          expires <Countdown at={expiry.at} now={world.now} />
        </span>
      )}
      <Id id={id} what="the transaction's id" />
      <Copy text={`curl -sS ${shellQuote(url)}`} what="this transaction" label="Copy curl" />
    </DetailHead>
  )
}

const Moves = ({ view, transaction }: Props) => {
  const { id, side, status } = transaction
  const path = `/_sandbox/simulate/transactions/${id}`
  const isPending = status === PENDING
  const isFinished = allowedFrom(view.world, status).length === 0
  return (
    <Card title="What may happen next">
      <TransactionDiagram view={view} transaction={transaction} />
      {isFinished && <p class="hint">Nothing: this transaction is final.</p>}
      {isPending && (
        <div class="actions">
          <Act path={`${path}/settled`} body={{ through: true }}>
            Settle at once
          </Act>
          {side === 'buy' && (
            <>
              <Act
                path={`${path}/bank-refused`}
                done="The bank declined; it stays pending, and the user may pay until it expires"
              >
                Bank declines
              </Act>
              <a
                class="button"
                href={view.link(`/_sandbox/bank/${toBankLink(view.world, id)}`)}
                target="_blank"
                rel="noreferrer"
              >
                Open the bank's page
              </a>
            </>
          )}
        </div>
      )}
      <details id={`force-${id}`}>
        <summary class="quiet">Force any status</summary>
        <CallForm path={`${path}/status`} body={{ force: true }} label="Force a status">
          <Input
            name="status"
            required
            maxlength={100}
            placeholder="for example: sending USDC"
            label="Status"
          />
          <Submit text="Force" />
        </CallForm>
      </details>
    </Card>
  )
}

const Details = ({ view, transaction }: Props) => {
  const { leftSide, leftSideLabel, rightSide, rightSideLabel, fee, gas, spread } = transaction
  const user = view.world.usersById.get(transaction.userId)
  const id = (text: string | null, what: string) => text && <Id id={text} what={what} />
  return (
    <Card title="Details">
      <Fields
        rows={{
          User: user && <a href={view.page(`users/${user.id}`)}>{user.email}</a>,
          Integrator: transaction.integrator,
          Pays: formatMoney(leftSide, leftSideLabel),
          Gets: formatMoney(rightSide, rightSideLabel),
          Rate: `${formatNumber(fromMicros(transaction.rate))} CAD for 1 ${transaction.coin}`,
          'Fee, gas and spread': [fee, gas, spread]
            .map((sum) => formatMoney(sum, 'CAD'))
            .join(', '),
          Quote: String(transaction.quoteId),
          'Reference (rmtId)': id(transaction.rmtId, 'the reference'),
          Wallet: id(transaction.wallet, 'the wallet'),
          'Deposit address': id(transaction.depositAddress, 'the deposit address'),
          'Payment type': transaction.paymentType,
          'Payment id': id(transaction.paymentId, 'the payment id'),
          'External session': id(transaction.externalSessionId, 'the external session id'),
          'Security answer': id(transaction.securityAnswer, 'the security answer'),
        }}
      />
    </Card>
  )
}

/** The life of a transaction, drawn from the rules of the world. */
const TransactionDiagram = ({ view, transaction }: Props) => {
  const { world } = view
  const { status } = transaction
  const statuses = [...new Set<string>([...TRANSACTION_STATUSES, status])]
  const edges = statuses.flatMap((from) =>
    allowedFrom(world, from).map((to) => toEdge(view, transaction, { from, to })),
  )
  return (
    <Diagram
      view={view}
      label={`Statuses of this transaction, which is ${shownStatus(world, status)}`}
      current={status}
      nodes={placeNodes(world, statuses).map((node) => ({
        ...node,
        at: reachedAt(transaction, node),
      }))}
      edges={edges}
      rowStep={54}
    />
  )
}

/** On the first row what goes well; below it, how else it may end, and what was forced. */
function placeNodes(world: World, statuses: readonly string[]): DiagramNode[] {
  const path = new Set<string>()
  let next: string | undefined = PENDING
  while (next && !path.has(next)) {
    path.add(next)
    next = allowedFrom(world, next)[0]
  }
  const others = statuses.filter((status) => !path.has(status))
  const placed = [
    ...[...path].map((id, column) => ({ id, column, row: 0 })),
    ...others.map((id, index) => ({ id, column: 1, row: index + 1 })),
  ]
  return placed.map((node) => ({ ...node, text: shortStatus(shownStatus(world, node.id)) }))
}

const reachedAt = ({ history }: Transaction, { id }: DiagramNode) =>
  history.findLast(({ status }) => status === id)?.at

interface Move {
  from: string
  to: KnownTransactionStatus
}

function toEdge(view: View, transaction: Transaction, { from, to }: Move): DiagramEdge {
  const { id, side, status } = transaction
  const { text, simulation } = SIMULATIONS[to]
  const tasks = view.world.tasks.of(id)
  const task = tasks.find(({ kind }) => kind !== 'change-kyc-status' && STATUS_AFTER[kind] === to)
  return {
    from,
    to,
    text: typeof text === 'string' ? text : text[side],
    ...(from === status && {
      call: { path: `/_sandbox/simulate/transactions/${id}/${simulation}` },
      at: task?.at,
    }),
    kind: ENDS_BADLY.has(to) ? 'danger' : 'primary',
  }
}

const ENDS_BADLY: ReadonlySet<string> = new Set(['cancelled', 'expired'])

/** What moves a transaction to each status: its text, and its path in the control API. */
const SIMULATIONS = {
  [PENDING]: { text: 'Create', simulation: 'status' },
  [PROCESSING]: {
    text: { buy: 'E-transfer arrived', sell: 'Coins arrived' },
    simulation: 'funds-received',
  },
  complete: { text: 'Settle', simulation: 'settled' },
  cancelled: { text: 'Cancel', simulation: 'cancelled' },
  expired: { text: 'Expire', simulation: 'expired' },
} as const
