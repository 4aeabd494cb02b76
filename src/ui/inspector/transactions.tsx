import type { TransactionRecord } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import { Act } from '../lib/form.tsx'
import { formatCents, formatNumber, formatTrade } from '../lib/format.ts'
import type { ListProps } from '../lib/list.tsx'
import { controlPath } from '../lib/page.ts'
import { Badge, Card, Countdown, DetailHead, Id } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { History } from './history.tsx'
import { NewTransaction } from './new-transaction.tsx'
import { TimelineOf } from './timeline.tsx'

const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'
const STATUSES = [PENDING, PROCESSING, 'complete', 'cancelled', 'expired']

export const TRANSACTIONS: ListProps<'transactions.list', TransactionRecord> = {
  name: 'transactions',
  title: 'Transactions',
  noun: 'transaction',
  path: '/transactions',
  rowsOf: ({ items }) => items,
  filters: [
    { name: 'status', label: 'Any status', options: STATUSES },
    { name: 'side', label: 'Any side', options: ['buy', 'sell'] },
  ],
  columns: [
    { name: 'Pays → gets', show: formatTrade },
    { name: 'Status', kind: 'mark', show: ({ status }) => <Badge status={status} /> },
    { name: 'Id', kind: 'id', show: ({ id }) => <Id id={id} what="the id" isShort /> },
    {
      name: 'Reference',
      kind: 'id',
      show: ({ rmtId }) => <Id id={rmtId} what="the reference" isShort />,
    },
    { name: 'User', kind: 'fill', isSecond: true, show: ({ email }) => email },
  ],
  time: ['Created', ({ createdAt }) => createdAt],
  detail: (row) => <Transaction row={row} />,
  aside: () => <NewTransaction />,
  empty: [
    'No transactions yet.',
    () => (
      <p>
        A verified user creates one with <code>POST /v2/transactions</code>.
      </p>
    ),
  ],
}

const Transaction = ({ row }: { row: TransactionRecord }) => (
  <>
    <DetailHead
      title={formatTrade(row)}
      badge={<Badge status={row.status} />}
      id={row.id}
      noun="transaction"
      curl={curlOf(`/transactions/${row.id}`)}
    >
      <span>{row.side}</span>
      {row.expiresAt && (
        <span>
          expires <Countdown at={row.expiresAt} />
        </span>
      )}
    </DetailHead>
    <Moves row={row} />
    <TimelineOf about={row.id} only={(ref) => ref === row.id} />
    <Details row={row} />
  </>
)

const Details = ({ row }: { row: TransactionRecord }) => {
  const { leftSideValue, leftSideLabel, rightSideValue, rightSideLabel, breakdown } = row
  const idOf = (text: string | null, what: string) => text && <Id id={text} what={`the ${what}`} />
  const costs = [breakdown.fee, breakdown.gas, breakdown.spread]
  return (
    <Card
      title="Details"
      class="pairs"
      fields={{
        User: <a href={urlOf(`users/${row.userId}`)}>{row.email}</a>,
        Integrator: row.integrator,
        Pays: `${formatCents(leftSideValue)} ${leftSideLabel}`,
        Gets: `${formatCents(rightSideValue)} ${rightSideLabel}`,
        Rate: `${formatNumber(row.rate)} CAD for 1 ${row.coin}`,
        'Fee, gas and spread': costs.map((sum) => `${formatCents(sum)} CAD`).join(', '),
        Quote: String(row.quoteId),
        'Reference (rmtId)': idOf(row.rmtId, 'reference'),
        Wallet: idOf(row.wallet, 'wallet'),
        'Deposit address': idOf(row.depositAddress, 'deposit address'),
        'Payment type': row.paymentType,
        'Payment id': idOf(row.paymentId, 'payment id'),
        'External session': idOf(row.externalSessionId, 'external session id'),
        'Security answer': idOf(row.securityAnswer, 'security answer'),
      }}
    />
  )
}

const ARRIVED = { buy: 'E-transfer arrived', sell: 'Coins arrived' }

/** The button and the control operation that move a transaction to each status. */
const MOVES: Readonly<Record<string, { text?: string; path: string; kind?: 'danger' }>> = {
  [PROCESSING]: { path: 'funds-received' },
  complete: { text: 'Settle', path: 'settled' },
  cancelled: { text: 'Cancel', path: 'cancelled', kind: 'danger' },
  canceled: { text: 'Cancel', path: 'cancelled', kind: 'danger' },
  expired: { text: 'Expire', path: 'expired', kind: 'danger' },
}

const Moves = ({ row: { id, side, status, allowed, history } }: { row: TransactionRecord }) => {
  const base = `/simulate/transactions/${id}`
  const isPending = status === PENDING
  return (
    <Card title="What can happen next">
      <History of={history} />
      {allowed.length === 0 && <p class="hint">Nothing. This transaction is final.</p>}
      <div class="actions">
        {allowed.map((to) => {
          const move = MOVES[to]
          if (move === undefined) return null
          const { text = ARRIVED[side], path, kind = 'primary' } = move
          return (
            <Act key={to} call={`${base}/${path}`} kind={kind}>
              {text}
            </Act>
          )
        })}
        {isPending && (
          <Act call={`${base}/settled`} body={{ through: true }}>
            Settle at once
          </Act>
        )}
        {isPending && side === 'buy' && (
          <>
            <Act call={`${base}/bank-refused`} done="Bank declined">
              Bank declines
            </Act>
            <a class="button" href={controlPath(`/bank/${id}`)} target="_blank" rel="noopener">
              Open the bank's page
            </a>
          </>
        )}
        <a class="button" href={urlOf('reference/simulateStatus')}>
          Force a status
        </a>
      </div>
    </Card>
  )
}
