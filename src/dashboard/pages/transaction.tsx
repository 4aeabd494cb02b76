import { shownStatus } from '../../world/events.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry, PENDING, PROCESSING } from '../../world/transaction-status.ts'
import { formatMoney, formatNumber, shellQuote } from '../format.ts'
import { Act, type ButtonCall, CallForm, Input, Submit } from '../forms.tsx'
import { Badge, Card, Copy, Countdown, DetailHead, Fields, Id, Timeline } from '../parts.tsx'
import type { View } from '../view.ts'
import { Related } from './related.tsx'

interface Props {
  view: View
  transaction: Transaction
}

export const TransactionDetail = ({ view, transaction }: Props) => {
  const history = transaction.history.map(({ status, at }) => ({
    status: shownStatus(view.world, status),
    at,
  }))
  return (
    <>
      <Head view={view} transaction={transaction} />
      <Moves view={view} transaction={transaction} />
      <div class="grid">
        <Card title="Statuses">
          <Timeline rows={history} />
        </Card>
        <Money transaction={transaction} />
      </div>
      <Facts view={view} transaction={transaction} />
      <Related view={view} id={transaction.id} />
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

/** `250.00 CAD → 177.04 USDC-ETH` */
export const formatTrade = (row: Transaction): string =>
  `${formatMoney(row.leftSide, row.leftSideLabel)} → ${formatMoney(row.rightSide, row.rightSideLabel)}`

interface Move extends Omit<ButtonCall, 'path'> {
  text: string
  /** Below the transaction in the control API. */
  simulation: string
  isPossible: boolean
  isDanger?: boolean
}

/** The simulations that are possible now, most likely first. */
function movesOf({ view, transaction }: Props): Move[] {
  const { status, side } = transaction
  const allowed = allowedFrom(view.world, status)
  const isPending = status === PENDING
  const isBuy = side === 'buy'
  const moves: Move[] = [
    {
      text: isBuy ? 'E-transfer arrived' : 'Coins arrived',
      simulation: 'funds-received',
      isPossible: allowed.includes(PROCESSING),
    },
    { text: 'Settle', simulation: 'settled', isPossible: allowed.includes('complete') },
    {
      text: 'Settle at once',
      simulation: 'settled',
      body: { through: true },
      isPossible: isPending,
    },
    {
      text: 'Bank declines',
      simulation: 'bank-refused',
      done: 'The bank declined',
      isPossible: isPending && isBuy,
    },
    {
      text: 'Cancel',
      simulation: 'cancelled',
      isPossible: allowed.includes('cancelled'),
      isDanger: true,
    },
    {
      text: 'Expire',
      simulation: 'expired',
      isPossible: allowed.includes('expired'),
      isDanger: true,
    },
  ]
  return moves.filter(({ isPossible }) => isPossible)
}

const Moves = ({ view, transaction }: Props) => {
  const moves = movesOf({ view, transaction })
  const { id, side, status } = transaction
  const path = `/_sandbox/simulate/transactions/${id}`
  return (
    <Card title="What may happen next">
      <div class="actions">
        {moves.map(({ text, simulation, body, done, isDanger }, index) => (
          <Act
            key={text}
            view={view}
            path={`${path}/${simulation}`}
            body={body}
            done={done}
            kind={isDanger ? 'danger' : index === 0 ? 'primary' : 'plain'}
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
        <CallForm view={view} path={`${path}/status`} body={{ force: true }} label="Force a status">
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
