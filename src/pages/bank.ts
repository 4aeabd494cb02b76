import { html } from 'hono/html'
import { fromMicros } from '../world/money.ts'
import type { Transaction } from '../world/state.ts'
import { findExpiry, PENDING } from '../world/transaction-status.ts'
import type { Html } from './document.ts'
import {
  formOf,
  type HostedPage,
  nameOf,
  renderExpiry,
  renderFields,
  renderHosted,
  renderNotice,
  renderOutcome,
} from './hosted.ts'
import type { Page } from './request.ts'

/** The page of the user's bank: the money request of a buy, or the payout of a sell. */
export function renderBank(page: Page, id: string): HostedPage {
  const transaction = page.world.transactionsById.get(id)
  const isPaidOut = transaction?.side === 'sell' && transaction.status === 'complete'
  if (transaction?.side === 'buy' || isPaidOut) return renderPage(page, transaction)
  const title = 'Money request not found'
  const text = transaction
    ? 'This transaction is a sell. It is paid by sending coins to its deposit address.'
    : 'The sandbox may have been reset.'
  return { status: 404, body: renderNotice(page, { title, text }) }
}

function renderPage(page: Page, transaction: Transaction): HostedPage {
  const { side, status } = transaction
  const isPending = status === PENDING
  const expiry = findExpiry(page.world, transaction)
  const title = side === 'sell' ? 'You received an e-transfer' : 'Money request'
  const show = side === 'sell' ? renderPayout : isPending ? renderRequest : renderAnswered
  return renderHosted(page, {
    title,
    kind: 'bank',
    status,
    content: show(page, transaction),
    decisions: side === 'buy' && isPending ? renderDecisions(page, expiry) : undefined,
    said: expiry && page.query.has('wait') ? explainWait(expiry.at) : undefined,
  })
}

const cad = new Intl.NumberFormat('en-CA', {
  style: 'currency',
  currency: 'CAD',
  currencyDisplay: 'narrowSymbol',
})
const formatCad = (micros: number | bigint) => cad.format(fromMicros(Number(micros)))

const requesterOf = ({ query }: Page) => query.get('for')?.slice(0, 40) || 'The ramp provider'

/** Masked account number that no real bank uses. */
const ACCOUNT = '•••• 4471'

function renderRequest(page: Page, transaction: Transaction): Html {
  const { world, query } = page
  const { rmtId, leftSide, userId, securityAnswer } = transaction
  const expiry = findExpiry(world, transaction)
  const user = world.usersById.get(userId)
  const request = html`<form class="parts" method="post" action="${formOf(page)}">
      <h1>Money request</h1>
      <p class="amount">${formatCad(leftSide)}</p>
      ${renderFields({
        'Requested by': requesterOf(page),
        Reference: html`<code>${rmtId}</code>`,
        'From account': `Chequing ${ACCOUNT}`,
        'Account holder': user && nameOf(user),
        'Security answer': securityAnswer ?? undefined,
      })}
      ${keepRequester(page)}
      <button type="submit" class="button primary wide" name="decision" value="approve">
        Approve and send
      </button>
    </form>
    ${renderStep(page, 'declined', 'Decline')}`
  return html`${query.has('declined') ? renderDeclined(page) : request}
  ${expiry && renderExpiry('The request', expiry.at, world.now)}`
}

/** The user's own refusal, which takes back nothing: the request stays open. */
const renderDeclined = (page: Page) => html`${renderOutcome({
  tone: 'warn',
  title: 'You declined this request',
  text: 'Nothing was taken from your account.',
})}
${renderStep(page, 'request', 'Back to the request')}`

/** A button that shows another side of this page. */
const renderStep = (page: Page, to: string, text: string, size = 'wide') =>
  html`<form method="get" action="${page.link(page.path)}">
    ${keepRequester(page)}
    <button type="submit" class="button ${size}" name="${to}">${text}</button>
  </form>`

/** The wallet's name, which its link has given. */
function keepRequester({ query }: Page): Html {
  const name = query.get('for')
  return html`${name && html`<input type="hidden" name="for" value="${name}" />`}`
}

function renderAnswered(_page: Page, { status, leftSide }: Transaction): Html {
  if (status === 'expired' || status === 'cancelled') {
    const title = status === 'expired' ? 'This request has expired' : 'This request was withdrawn'
    return renderOutcome({ tone: 'bad', title, text: 'Nothing was taken from your account.' })
  }
  return renderOutcome({
    tone: 'good',
    title: 'Sent',
    details: html`<p class="amount">${formatCad(leftSide)}</p>`,
    text: 'Your e-transfer is on its way. You can go back to the app.',
  })
}

/** The e-transfer of a payout, which asks for the security answer unless the user has autodeposit. */
function renderPayout(page: Page, { rightSide, securityAnswer, rmtId }: Transaction): Html {
  const amount = formatCad(rightSide)
  const given = page.query.get('answer')?.trim()
  const isRight = given?.toLowerCase() === securityAnswer?.toLowerCase()
  if (securityAnswer === null || isRight) {
    return renderOutcome({
      tone: 'good',
      title: 'Deposited',
      details: html`<p class="amount">${amount}</p>`,
      text:
        securityAnswer === null
          ? 'It was deposited automatically.'
          : `${amount} is in your account.`,
    })
  }
  const isWrong = given !== undefined
  return html`<form class="parts" method="get" action="${page.link(page.path)}">
    <h1>You received an e-transfer</h1>
    <p class="amount">${amount}</p>
    ${renderFields({
      'Sent by': requesterOf(page),
      Reference: html`<code>${rmtId}</code>`,
      'Deposit to': `Chequing ${ACCOUNT}`,
    })}
    <label for="answer">Security answer</label>
    <input id="answer" name="answer" value="${given}" required maxlength="100" aria-invalid="${String(isWrong)}" />
    ${keepRequester(page)}
    ${
      isWrong &&
      html`<p class="result bad" role="alert">
        That answer is incorrect. Check the message you received.
      </p>`
    }
    <button type="submit" class="button primary wide">Deposit</button>
  </form>`
}

function renderDecisions(page: Page, expiry: { at: number } | undefined): Html {
  return html`<div class="actions">
      <form method="post" action="${formOf(page)}">
        ${keepRequester(page)}
        <button type="submit" class="button small" name="decision" value="refuse">
          Bank declines
        </button>
      </form>
      ${expiry && renderStep(page, 'wait', 'When does it expire?', 'small')}
    </div>`
}

const explainWait = (until: number) =>
  `This request expires at ${new Date(until).toISOString().slice(0, 19).replace('T', ' ')} UTC on the sandbox's clock. Advance the clock to see it expire.`
