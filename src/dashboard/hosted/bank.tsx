import type { Child } from 'hono/jsx'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { findExpiry, PENDING } from '../../world/transaction-status.ts'
import { formatInstant, formatName } from '../format.ts'
import { Fields } from '../parts.tsx'
import type { View } from '../view.ts'
import { createSay, HostedPage, Notice, Outcome, type Say, showExpiry } from './page.tsx'
import { LOCALES, toLanguage } from './words.ts'

/** The page of the user's bank: the money request of a buy, or the payout of a sell. */
export function renderBank(view: View, id: string): { status: number; body: Child } {
  const transaction = view.world.transactionsById.get(id)
  const isPaidOut = transaction?.side === 'sell' && transaction.status === 'complete'
  if (transaction?.side === 'buy' || isPaidOut) {
    return { status: 200, body: showPage({ view, transaction, say: createSay(view) }) }
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
  say: Say
}

function showPage(props: Props) {
  const { view, transaction, say } = props
  const isSell = transaction.side === 'sell'
  return (
    <HostedPage
      view={view}
      say={say}
      kind="bank"
      title={say(isSell ? 'You received an e-transfer' : 'Money request')}
      status={transaction.status}
      bar={!isSell && showSandbox(view, transaction)}
    >
      {isSell ? showPayout(props) : showMoneyRequest(props)}
    </HostedPage>
  )
}

const showMoneyRequest = (props: Props) =>
  props.transaction.status === PENDING ? showRequest(props) : showAnswered(props)

const formatCad = (view: View, micros: number | bigint) =>
  new Intl.NumberFormat(LOCALES[toLanguage(view.query.get('lang'))], {
    style: 'currency',
    currency: 'CAD',
    currencyDisplay: 'narrowSymbol',
  }).format(fromMicros(Number(micros)))

const requesterOf = (view: View, say: Say) =>
  view.query.get('for')?.slice(0, 40) || view.world.brand?.name || say('The ramp provider')

/** Masked account number that no real bank uses. */
const ACCOUNT = '•••• 4471'

function showRequest({ view, transaction, say }: Props) {
  const { world } = view
  const { rmtId, leftSide, userId, securityAnswer } = transaction
  const expiry = findExpiry(world, transaction)
  const user = world.usersById.get(userId)
  return (
    <>
      <form class="parts" data-decide={view.request.url}>
        <section data-part="request">
          <h1>{say('Money request')}</h1>
          <p class="amount">{formatCad(view, leftSide)}</p>
          <Fields
            rows={{
              [say('Requested by')]: requesterOf(view, say),
              [say('Reference')]: <code>{rmtId}</code>,
              [say('From account')]: `${say('Chequing')} ${ACCOUNT}`,
              [say('Account holder')]: user?.profile.firstName
                ? formatName(user)
                : (user?.email ?? ''),
              [say('Security answer')]: securityAnswer ?? undefined,
            }}
          />
          <button type="submit" class="button primary wide" name="decision" value="approve">
            {say('Approve and send')}
          </button>
          <button type="button" class="button wide" data-go="declined">
            {say('Decline')}
          </button>
          <p class="result" role="status" />
        </section>
        <section data-part="declined" hidden>
          <Outcome
            tone="warn"
            title={say('You declined this request')}
            text={say('Nothing was taken from your account.')}
          />
          <button type="button" class="button wide" data-go="request">
            {say('Back to the request')}
          </button>
        </section>
      </form>
      {expiry && showExpiry(say('The request expires in {time}.'), expiry.at, world.now)}
    </>
  )
}

function showAnswered({ view, transaction, say }: Props) {
  const { status, leftSide } = transaction
  if (status === 'expired' || status === 'cancelled') {
    const title = status === 'expired' ? 'This request has expired' : 'This request was withdrawn'
    const text = 'Nothing was taken from your account.'
    return <Outcome tone="bad" title={say(title)} text={say(text)} />
  }
  return (
    <Outcome tone="good" title={say('Sent')}>
      <p class="amount">{formatCad(view, leftSide)}</p>
      <p class="quiet">{say('Your e-transfer is on its way. You can go back to the app.')}</p>
    </Outcome>
  )
}

/** The e-transfer of a payout, which asks for the security answer unless the user has autodeposit. */
function showPayout({ view, transaction, say }: Props) {
  const { rightSide, securityAnswer, rmtId } = transaction
  const amount = formatCad(view, rightSide)
  const given = view.query.get('answer')?.trim()
  const isRight = given?.toLowerCase() === securityAnswer?.toLowerCase()
  if (securityAnswer === null || isRight) {
    return (
      <Outcome tone="good" title={say('Deposited')}>
        <p class="amount">{amount}</p>
        <p class="quiet">
          {securityAnswer === null
            ? say('It was deposited automatically.')
            : say('{amount} is in your account.', { amount })}
        </p>
      </Outcome>
    )
  }
  return (
    <form class="parts" method="get" data-plain>
      <h1>{say('You received an e-transfer')}</h1>
      <p class="amount">{amount}</p>
      <Fields
        rows={{
          [say('Sent by')]: requesterOf(view, say),
          [say('Reference')]: <code>{rmtId}</code>,
          [say('Deposit to')]: `${say('Chequing')} ${ACCOUNT}`,
        }}
      />
      <label for="answer">{say('Security answer')}</label>
      <input
        id="answer"
        name="answer"
        value={given ?? ''}
        required
        maxlength={100}
        aria-invalid={given !== undefined}
      />
      <input type="hidden" name="for" value={view.query.get('for') ?? ''} />
      <input type="hidden" name="lang" value={view.query.get('lang') ?? 'en'} />
      {given !== undefined && (
        <p class="result bad" role="alert">
          {say('That answer is incorrect. Check the message you received.')}
        </p>
      )}
      <button type="submit" class="button primary wide">
        {say('Deposit')}
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
        <button type="button" class="button small" data-wait={sayWait(expiry.at)}>
          Let it expire
        </button>
      )}
    </div>
  )
}

const sayWait = (until: number) =>
  `This request expires at ${formatInstant(until)} UTC on the sandbox's clock. Advance the clock to see it expire.`
