import type { Child } from 'hono/jsx'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { findExpiry, PENDING } from '../../world/transaction-status.ts'
import { formatInstant, formatName } from '../format.ts'
import { Fields } from '../parts.tsx'
import type { View } from '../view.ts'
import { HostedPage, Notice, Outcome, showExpiry } from './page.tsx'

/** The page of the user's bank: the money request of a buy, or the payout of a sell. */
export function renderBank(view: View, id: string): { status: number; body: Child } {
  const transaction = view.world.transactionsById.get(id)
  const isPaidOut = transaction?.side === 'sell' && transaction.status === 'complete'
  if (transaction?.side === 'buy' || isPaidOut) {
    return { status: 200, body: showPage({ view, transaction }) }
  }
  const title = 'Money request not found'
  const text = transaction
    ? 'This transaction is a sell. It is paid by sending coins to its deposit address.'
    : 'The sandbox may have been reset.'
  return { status: 404, body: <Notice view={view} title={title} text={text} /> }
}

interface Props {
  view: View
  transaction: Transaction
}

function showPage(props: Props) {
  const { view, transaction } = props
  const isSell = transaction.side === 'sell'
  return (
    <HostedPage
      view={view}
      kind="bank"
      title={isSell ? 'You received an e-transfer' : 'Money request'}
      status={transaction.status}
      bar={!isSell && showSandbox(view, transaction)}
    >
      {isSell ? showPayout(props) : showMoneyRequest(props)}
    </HostedPage>
  )
}

const showMoneyRequest = (props: Props) =>
  props.transaction.status === PENDING ? showRequest(props) : showAnswered(props)

const cad = new Intl.NumberFormat('en-CA', {
  style: 'currency',
  currency: 'CAD',
  currencyDisplay: 'narrowSymbol',
})
const formatCad = (micros: number | bigint) => cad.format(fromMicros(Number(micros)))

const requesterOf = ({ query }: View) => query.get('for')?.slice(0, 40) || 'The ramp provider'

/** Masked account number that no real bank uses. */
const ACCOUNT = '•••• 4471'

function showRequest({ view, transaction }: Props) {
  const { world } = view
  const { rmtId, leftSide, userId, securityAnswer } = transaction
  const expiry = findExpiry(world, transaction)
  const user = world.usersById.get(userId)
  return (
    <>
      <form class="parts" data-decide={view.request.url}>
        <section data-part="request">
          <h1>Money request</h1>
          <p class="amount">{formatCad(leftSide)}</p>
          <Fields
            rows={{
              'Requested by': requesterOf(view),
              Reference: <code>{rmtId}</code>,
              'From account': `Chequing ${ACCOUNT}`,
              'Account holder': user?.profile.firstName ? formatName(user) : (user?.email ?? ''),
              'Security answer': securityAnswer ?? undefined,
            }}
          />
          <button type="submit" class="button primary wide" name="decision" value="approve">
            Approve and send
          </button>
          <button type="button" class="button wide" data-go="declined">
            Decline
          </button>
          <p class="result" role="status" />
        </section>
        <section data-part="declined" hidden>
          <Outcome
            tone="warn"
            title="You declined this request"
            text="Nothing was taken from your account."
          />
          <button type="button" class="button wide" data-go="request">
            Back to the request
          </button>
        </section>
      </form>
      {expiry && showExpiry('The request', expiry.at, world.now)}
    </>
  )
}

function showAnswered({ transaction }: Props) {
  const { status, leftSide } = transaction
  if (status === 'expired' || status === 'cancelled') {
    const title = status === 'expired' ? 'This request has expired' : 'This request was withdrawn'
    const text = 'Nothing was taken from your account.'
    return <Outcome tone="bad" title={title} text={text} />
  }
  return (
    <Outcome tone="good" title="Sent">
      <p class="amount">{formatCad(leftSide)}</p>
      <p class="quiet">Your e-transfer is on its way. You can go back to the app.</p>
    </Outcome>
  )
}

/** The e-transfer of a payout, which asks for the security answer unless the user has autodeposit. */
function showPayout({ view, transaction }: Props) {
  const { rightSide, securityAnswer, rmtId } = transaction
  const amount = formatCad(rightSide)
  const given = view.query.get('answer')?.trim()
  const isRight = given?.toLowerCase() === securityAnswer?.toLowerCase()
  if (securityAnswer === null || isRight) {
    return (
      <Outcome tone="good" title="Deposited">
        <p class="amount">{amount}</p>
        <p class="quiet">
          {securityAnswer === null
            ? 'It was deposited automatically.'
            : `${amount} is in your account.`}
        </p>
      </Outcome>
    )
  }
  return (
    <form class="parts" method="get" data-plain>
      <h1>You received an e-transfer</h1>
      <p class="amount">{amount}</p>
      <Fields
        rows={{
          'Sent by': requesterOf(view),
          Reference: <code>{rmtId}</code>,
          'Deposit to': `Chequing ${ACCOUNT}`,
        }}
      />
      <label for="answer">Security answer</label>
      <input
        id="answer"
        name="answer"
        value={given ?? ''}
        required
        maxlength={100}
        aria-invalid={given !== undefined}
      />
      <input type="hidden" name="for" value={view.query.get('for') ?? ''} />
      {given !== undefined && (
        <p class="result bad" role="alert">
          That answer is incorrect. Check the message you received.
        </p>
      )}
      <button type="submit" class="button primary wide">
        Deposit
      </button>
    </form>
  )
}

function showSandbox(view: View, transaction: Transaction) {
  if (transaction.status !== PENDING) return null
  const expiry = findExpiry(view.world, transaction)
  return (
    <div class="actions">
      <button type="submit" class="button small" name="decision" value="refuse">
        Bank declines
      </button>
      {expiry && (
        <button type="button" class="button small" data-wait={explainWait(expiry.at)}>
          Let it expire
        </button>
      )}
    </div>
  )
}

const explainWait = (until: number) =>
  `This request expires at ${formatInstant(until)} UTC on the sandbox's clock. Advance the clock to see it expire.`
