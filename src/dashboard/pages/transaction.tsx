import { shownStatus } from '../../world/events.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry, PENDING, PROCESSING } from '../../world/transaction-status.ts'
import { formatMoney, formatNumber, shellQuote } from '../format.ts'
import {
  Act,
  Badge,
  type ButtonCall,
  CallForm,
  Card,
  Copy,
  Countdown,
  Fields,
  Id,
  Time,
} from '../parts.tsx'
import type { View } from '../view.ts'
import { Related } from './related.tsx'

interface Props {
  view: View
  transaction: Transaction
}

export const TransactionDetail = ({ view, transaction }: Props) => (
  <>
    <Head view={view} transaction={transaction} />
    <Moves view={view} transaction={transaction} />
    <div class="grid">
      <History view={view} transaction={transaction} />
      <Money transaction={transaction} />
    </div>
    <Facts view={view} transaction={transaction} />
    <Related view={view} id={transaction.id} />
  </>
)

const Head = ({ view, transaction }: Props) => {
  const { world } = view
  const { id, side, status } = transaction
  const expiry = findExpiry(world, transaction)
  const url = `${view.baseUrl}/_sandbox/transactions/${id}`
  return (
    <header class="detail-head">
      <div class="line">
        <h1>{formatTrade(transaction)}</h1>
        <Badge status={shownStatus(world, status)} />
      </div>
      <div class="line quiet">
        <span>{side}</span>
        {expiry && (
          <span>
            expires <Countdown at={expiry.at} now={world.now} />
          </span>
        )}
        <Id id={id} what="the transaction's id" />
        <Copy text={`curl -sS ${shellQuote(url)}`} what="this transaction" label="Copy curl" />
      </div>
    </header>
  )
}

/** `250.00 CAD → 177.04 USDC-ETH` */
export const formatTrade = (row: Transaction): string =>
  `${formatMoney(row.leftSide, row.leftSideLabel)} → ${formatMoney(row.rightSide, row.rightSideLabel)}`

/** The simulations that are possible now, most likely first. */
function movesOf({
  view,
  transaction,
}: Props): (ButtonCall & { text: string; danger?: boolean })[] {
  const { status, side, id } = transaction
  const path = (name: string) => `/_sandbox/simulate/transactions/${id}/${name}`
  const allowed = allowedFrom(view.world, status)
  const isPending = status === PENDING
  return [
    ...(allowed.includes(PROCESSING)
      ? [
          {
            text: side === 'buy' ? 'E-transfer arrived' : 'Coins arrived',
            path: path('funds-received'),
          },
        ]
      : []),
    ...(allowed.includes('complete') ? [{ text: 'Settle', path: path('settled') }] : []),
    ...(isPending
      ? [{ text: 'Settle at once', path: path('settled'), body: { through: true } }]
      : []),
    ...(isPending && side === 'buy'
      ? [{ text: 'Bank declines', path: path('bank-refused'), done: 'The bank declined' }]
      : []),
    ...(allowed.includes('cancelled')
      ? [{ text: 'Cancel', path: path('cancelled'), danger: true }]
      : []),
    ...(allowed.includes('expired')
      ? [{ text: 'Expire', path: path('expired'), danger: true }]
      : []),
  ]
}

const Moves = ({ view, transaction }: Props) => {
  const moves = movesOf({ view, transaction })
  const { id, side, status } = transaction
  return (
    <Card title="What may happen next">
      <div class="actions">
        {moves.map(({ text, danger, ...call }, index) => (
          <Act
            key={text}
            view={view}
            kind={danger ? 'danger' : index === 0 ? 'primary' : 'plain'}
            {...call}
          >
            {text}
          </Act>
        ))}
        {moves.length === 0 && <p class="hint">Nothing: this transaction is final.</p>}
        {side === 'buy' && status === PENDING && (
          <a
            class="button"
            href={view.link(`/_sandbox/bank/${id}`)}
            target="_blank"
            rel="noreferrer"
          >
            Open the bank's page
          </a>
        )}
      </div>
      <details id={`force-${id}`}>
        <summary class="quiet">Force any status</summary>
        <CallForm
          view={view}
          path={`/_sandbox/simulate/transactions/${id}/status`}
          body={{ force: true }}
          label="Force a status"
        >
          <input
            name="status"
            required
            maxlength={100}
            placeholder="for example: sending USDC"
            aria-label="Status"
            autocomplete="off"
          />
          <button type="submit" class="button">
            Force
          </button>
        </CallForm>
      </details>
    </Card>
  )
}

const History = ({ view, transaction }: Props) => (
  <Card title="Statuses">
    <ol class="timeline">
      {transaction.history.map(({ status, at }, index) => (
        <li key={index} class={index === transaction.history.length - 1 ? 'now' : ''}>
          <Badge status={shownStatus(view.world, status)} />
          <span class="quiet">
            <Time at={at} now={view.world.now} full />
          </span>
        </li>
      ))}
    </ol>
  </Card>
)

const Money = ({ transaction }: { transaction: Transaction }) => {
  const { leftSide, leftSideLabel, rightSide, rightSideLabel, fee, gas, spread } = transaction
  return (
    <Card title="Money">
      <Fields
        rows={[
          ['Pays', formatMoney(leftSide, leftSideLabel)],
          ['Gets', formatMoney(rightSide, rightSideLabel)],
          ['Rate', `${formatNumber(fromMicros(transaction.rate))} CAD for 1 ${transaction.coin}`],
          ['Fee', formatMoney(fee, 'CAD')],
          ['Gas', formatMoney(gas, 'CAD')],
          ['Spread', formatMoney(spread, 'CAD')],
          ['Quote', String(transaction.quoteId)],
        ]}
      />
    </Card>
  )
}

const Facts = ({ view, transaction }: Props) => {
  const { wallet, depositAddress, paymentId, rmtId, userId, externalSessionId } = transaction
  const user = view.world.usersById.get(userId)
  const id = (text: string | null, what: string) => (text ? <Id id={text} what={what} /> : null)
  return (
    <Card title="Details">
      <Fields
        rows={[
          ['User', user ? <a href={view.page(`users/${user.id}`)}>{user.email}</a> : null],
          ['Integrator', transaction.integrator],
          ['Reference (rmtId)', id(rmtId, 'the reference')],
          ['Wallet', id(wallet, 'the wallet')],
          ['Deposit address', id(depositAddress, 'the deposit address')],
          ['Payment type', transaction.paymentType],
          ['Payment id', id(paymentId, 'the payment id')],
          ['External session', id(externalSessionId, 'the external session id')],
          ['Security answer', id(transaction.securityAnswer, 'the security answer')],
        ]}
      />
    </Card>
  )
}
