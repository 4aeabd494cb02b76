import type { Child } from 'hono/jsx'
import { shownStatus } from '../../world/events.ts'
import type { Transaction } from '../../world/state.ts'
import { findExpiry, PENDING } from '../../world/transaction-status.ts'
import { formatMoney } from '../format.ts'
import { Document } from '../layout.tsx'
import { Badge, Countdown, Fields } from '../parts.tsx'
import type { View } from '../view.ts'
import { Notice } from './notice.tsx'

interface Props {
  view: View
  transaction: Transaction
}

/** The page of the user's bank, which a money request links to. */
export function renderBank(view: View, id: string): { status: number; body: Child } {
  const transaction = view.world.transactionsById.get(id)
  if (transaction?.side === 'buy') {
    return { status: 200, body: <BankPage view={view} transaction={transaction} /> }
  }
  const title = 'There is no such money request.'
  const text = transaction
    ? 'This transaction is a sell: it is paid in coins, to its deposit address.'
    : 'It may have gone with a reset.'
  return { status: 404, body: <Notice version={view.control.version} title={title} text={text} /> }
}

const BankPage = ({ view, transaction }: Props) => {
  const { world } = view
  const { status, rmtId, leftSide, leftSideLabel } = transaction
  return (
    <Document
      title="Money request · ramp-sandbox"
      version={view.control.version}
      script="hosted.js"
      class="hosted"
    >
      <main class="sheet bank" id="clock" data-now={world.now} data-mode={world.mode}>
        <p class="stand-in">Simulated bank page</p>
        <h1>Money request</h1>
        <p class="amount">{formatMoney(leftSide, leftSideLabel)}</p>
        <Fields
          rows={[
            ['Requested by', 'The ramp provider'],
            ['Reference', <code key="rmt">{rmtId}</code>],
            ['From', world.usersById.get(transaction.userId)?.email ?? ''],
          ]}
        />
        <div id="outcome" class="outcome">
          <span>Transaction</span> <Badge status={shownStatus(world, status)} />
        </div>
        {status === PENDING ? (
          <Decision view={view} transaction={transaction} />
        ) : (
          <p class="hint">This request is answered. There is nothing left to do here.</p>
        )}
      </main>
    </Document>
  )
}

const Decision = ({ view, transaction }: Props) => {
  const expiry = findExpiry(view.world, transaction)
  return (
    <form class="stack" data-decide={view.request.url}>
      <button type="submit" class="button primary wide" name="decision" value="approve">
        Approve and send
      </button>
      <button type="submit" class="button danger wide" name="decision" value="refuse">
        Decline, as the bank would
      </button>
      <button type="button" class="button wide" data-wait>
        Let it expire
      </button>
      <p class="result" role="status" />
      {expiry && (
        <p class="hint">
          The request expires <Countdown at={expiry.at} now={view.world.now} />.
        </p>
      )}
    </form>
  )
}
