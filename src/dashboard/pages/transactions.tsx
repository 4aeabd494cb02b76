import { shownStatus } from '../../world/events.ts'
import type { Transaction } from '../../world/state.ts'
import { tellMoney } from '../format.ts'
import { keptQuery, matcher, pageOf, RowLink, Split } from '../list.tsx'
import { Badge, Empty, Time } from '../parts.tsx'
import type { Draw, View } from '../view.ts'
import { TransactionDetail } from './transaction.tsx'

const STATUSES = [
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'expired',
]

export const transactions: Draw = (view, id) => {
  const { world, query } = view
  const chosen = id === undefined ? undefined : world.transactionsById.get(id)
  if (id !== undefined && !chosen) return undefined
  const list = pageOf(view, world.transactions, findMatcher(view))
  const isNarrowed = Boolean(query.get('q') || query.get('status'))
  const body = (
    <Split
      view={view}
      name="transactions"
      title="Transactions"
      noun="transaction"
      list={list}
      filter={{ name: 'status', label: 'Any status', options: STATUSES }}
      detail={chosen && <TransactionDetail view={view} transaction={chosen} />}
    >
      {list.rows.length > 0 ? (
        <ol class="rows">
          {list.rows.map((row) => (
            <TransactionRow key={row.id} view={view} transaction={row} chosen={row === chosen} />
          ))}
        </ol>
      ) : (
        <NoTransactions view={view} isNarrowed={isNarrowed} />
      )}
    </Split>
  )
  return { title: chosen ? chosen.rmtId : 'Transactions', part: 'Transactions', body }
}

function findMatcher({ query, world }: View): ((row: Transaction) => boolean) | undefined {
  const status = query.get('status')
  const fits = matcher(query.get('q'))
  if (!status && !fits) return undefined
  return (row) => (!status || row.status === status) && (!fits || fits(textsOf(row)))

  function textsOf(row: Transaction) {
    const email = world.usersById.get(row.userId)?.email
    const { id, rmtId, wallet, quoteId, externalSessionId, paymentId, status: is, side } = row
    const labels = `${row.leftSideLabel} ${row.rightSideLabel}`
    return [id, rmtId, wallet, quoteId, externalSessionId, paymentId, is, side, labels, email]
  }
}

interface RowProps {
  view: View
  transaction: Transaction
  chosen: boolean
}

const TransactionRow = ({ view, transaction, chosen }: RowProps) => {
  const { world } = view
  const { id, leftSide, leftSideLabel, rightSide, rightSideLabel, status, createdAt } = transaction
  return (
    <RowLink view={view} name="transactions" id={id} chosen={chosen}>
      <span class="first">
        {tellMoney(leftSide, leftSideLabel)} → {tellMoney(rightSide, rightSideLabel)}
      </span>
      <Badge status={shownStatus(world, status)} />
      <span class="second">{world.usersById.get(transaction.userId)?.email ?? ''}</span>
      <Time at={createdAt} now={world.now} />
    </RowLink>
  )
}

const NoTransactions = ({ view, isNarrowed }: { view: View; isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty title="Nothing matches.">
      <a href={view.page('transactions', { ...keptQuery(view), q: undefined, status: undefined })}>
        Show all
      </a>
    </Empty>
  ) : (
    <Empty title="No transactions yet.">
      <p>
        A verified user makes one with <code>POST /v2/transactions</code>.
      </p>
      <a class="button" href={view.link('/_sandbox/demo')}>
        Let the demo wallet make one
      </a>
    </Empty>
  )
