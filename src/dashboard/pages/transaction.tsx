import { shownStatus } from '../../world/events.ts'
import { toBankLink } from '../../world/links.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry, PENDING } from '../../world/transaction-status.ts'
import { formatMoney, formatNumber, formatTrade, shellQuote } from '../format.ts'
import { Act, CallForm, Input, Submit } from '../forms.tsx'
import { Badge, Card, Copy, Countdown, DetailHead, Fields, Id, Timeline } from '../parts.tsx'
import { isAboutTransaction } from '../timeline/entries.ts'
import { TimelinePart } from '../timeline/part.tsx'
import type { View } from '../view.ts'
import { TransactionDiagram } from './transaction-diagram.tsx'

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
      <Details view={view} transaction={transaction} />
      <TimelinePart
        view={view}
        about={{ transaction, user: view.world.usersById.get(transaction.userId) }}
        isAbout={isAboutTransaction(view, transaction)}
        refs={new Set([transaction.id])}
        more={view.page('overview', { user: transaction.userId })}
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

const Money = ({ transaction }: { transaction: Transaction }) => {
  const { leftSide, leftSideLabel, rightSide, rightSideLabel, fee, gas, spread } = transaction
  return (
    <Card title="Money">
      <Fields
        rows={{
          Pays: formatMoney(leftSide, leftSideLabel),
          Gets: formatMoney(rightSide, rightSideLabel),
          Rate: `${formatNumber(fromMicros(transaction.rate))} CAD for 1 ${transaction.coin}`,
          Fee: formatMoney(fee, 'CAD'),
          Gas: formatMoney(gas, 'CAD'),
          Spread: formatMoney(spread, 'CAD'),
          Quote: String(transaction.quoteId),
        }}
      />
    </Card>
  )
}

const Details = ({ view, transaction }: Props) => {
  const { wallet, depositAddress, paymentId, rmtId, userId, externalSessionId } = transaction
  const user = view.world.usersById.get(userId)
  const id = (text: string | null, what: string) => (text ? <Id id={text} what={what} /> : null)
  return (
    <Card title="Details">
      <Fields
        rows={{
          User: user ? <a href={view.page(`users/${user.id}`)}>{user.email}</a> : null,
          Integrator: transaction.integrator,
          'Reference (rmtId)': id(rmtId, 'the reference'),
          Wallet: id(wallet, 'the wallet'),
          'Deposit address': id(depositAddress, 'the deposit address'),
          'Payment type': transaction.paymentType,
          'Payment id': id(paymentId, 'the payment id'),
          'External session': id(externalSessionId, 'the external session id'),
          'Security answer': id(transaction.securityAnswer, 'the security answer'),
        }}
      />
    </Card>
  )
}
