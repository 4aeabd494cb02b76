import type { Child } from 'hono/jsx'
import { shownStatus } from '../../world/events.ts'
import type { Transaction } from '../../world/state.ts'
import { findExpiry, PENDING } from '../../world/transaction-status.ts'
import type { World } from '../../world/world.ts'
import { tellMoney } from '../format.ts'
import { Document } from '../layout.tsx'
import { Badge, Countdown, Fields } from '../parts.tsx'
import type { Visit } from '../view.ts'
import { Notice } from './notice.tsx'

/** What the user would see behind a money request: the page of their bank. */
export function showBank(visit: Visit, id: string): { status: number; body: Child } {
  const transaction = visit.sight.world.transactionsById.get(id)
  if (transaction?.side === 'buy') {
    return { status: 200, body: <BankPage visit={visit} transaction={transaction} /> }
  }
  const title = 'There is no such money request.'
  const text = transaction
    ? 'This transaction is a sell: it is paid in coins, to its deposit address.'
    : 'It may have gone with a reset.'
  return { status: 404, body: <Notice version={visit.version} title={title} text={text} /> }
}

const BankPage = ({ visit, transaction }: { visit: Visit; transaction: Transaction }) => {
  const { world } = visit.sight
  const { status, rmtId, leftSide, leftSideLabel } = transaction
  const open = status === PENDING
  return (
    <Document
      title="Money request · ramp-sandbox"
      version={visit.version}
      script="hosted.js"
      class="hosted"
    >
      <main class="sheet bank" id="clock" data-now={world.now} data-mode={world.mode}>
        <p class="stand-in">Stands in for the page of the user's bank</p>
        <h1>Money request</h1>
        <p class="amount">{tellMoney(leftSide, leftSideLabel)}</p>
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
        {open ? <Decision visit={visit} world={world} transaction={transaction} /> : <Closed />}
      </main>
    </Document>
  )
}

interface DecisionProps {
  visit: Visit
  world: World
  transaction: Transaction
}

const Decision = ({ visit, world, transaction }: DecisionProps) => {
  const expiry = findExpiry(world, transaction)
  return (
    <form class="stack" data-decide={visit.request.url}>
      <button type="submit" class="button primary wide" name="decision" value="approve">
        Approve and send
      </button>
      <button type="submit" class="button danger wide" name="decision" value="refuse">
        Refuse, as the bank would
      </button>
      <button type="button" class="button wide" data-lapse>
        Let it lapse
      </button>
      <p class="result" role="status" />
      {expiry && (
        <p class="hint">
          Left alone, the request lapses <Countdown at={expiry.at} now={world.now} />.
        </p>
      )}
    </form>
  )
}

const Closed = () => <p class="hint">This request is answered. There is nothing left to do here.</p>
