import { html } from 'hono/html'
import { openKycLink } from '../http/kyc-link.ts'
import { DomainError } from '../world/domain-error.ts'
import type { User } from '../world/state.ts'
import { describeReasons } from '../world/word-list.ts'
import type { UserStatus } from '../world/words.ts'
import type { Html } from './document.ts'
import {
  formOf,
  type HostedPage,
  nameOf,
  type Outcome,
  renderExpiry,
  renderHosted,
  renderNotice,
  renderOutcome,
} from './hosted.ts'
import type { Page } from './request.ts'

/** The page behind a KYC link: the user's identity check, and below it the reviewer's decisions. */
export function renderKyc(page: Page, token: string): HostedPage {
  try {
    const { link, user } = openKycLink(page.services, token)
    return renderHosted(page, {
      title: 'Verify your identity',
      kind: 'kyc',
      status: user.status,
      content: html`${renderProgress(page, user)}
      ${renderExpiry('This link', link.expiresAt, page.world.now)}`,
      decisions: renderReviewer(page),
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isKnown = page.world.kycLinks.has(token)
    const notice = isKnown ? EXPIRED : UNKNOWN
    return { status: isKnown ? 410 : 404, body: renderNotice(page, notice) }
  }
}

const EXPIRED = {
  title: 'This KYC link has expired',
  text: 'Go back to the app and start the identity check again.',
}
const UNKNOWN = {
  title: 'There is no such KYC link',
  text: 'Open the link from the app again. Part of it may be missing.',
}

function renderProgress(page: Page, user: User): Html {
  const { status, reasons } = user
  const progress = PROGRESS[status]
  if (progress?.text) return renderOutcome(progress)
  const details = reasons.length > 0 ? html`<p>${describeReasons(reasons)}</p>` : undefined
  const named = user.profile.firstName ? `${nameOf(user)}, ${user.email}` : user.email
  return html`<form class="parts" method="post" action="${formOf(page)}">
    ${progress ? renderOutcome({ ...progress, details }) : html`<h1>Verify your identity</h1>`}
    <p class="quiet">for ${named}</p>
    <button type="submit" class="button primary wide" name="status" value="in-review" data-send>
      Submit for review
    </button>
  </form>`
}

/** Progress of a review. One with a text leaves the user nothing to do. */
const PROGRESS: Partial<Record<UserStatus, Outcome>> = {
  verified: { tone: 'good', title: 'You are verified', text: 'You can go back to the app.' },
  'in-review': {
    tone: 'busy',
    title: 'We are reviewing your documents',
    text: 'You can go back to the app. It will tell you the result.',
  },
  rejected: { tone: 'bad', title: 'We could not verify your identity' },
  upload: { tone: 'warn', title: 'We need another document' },
}

const DECISIONS = [
  ['verified', 'Approve'],
  ['in-review', 'Send for review'],
  ['upload', 'Ask for documents'],
  ['rejected', 'Reject'],
] as const

/** The reviewer's decisions. The demo has its own, so it hides these. */
function renderReviewer(page: Page): Html {
  const buttons = DECISIONS.map(
    ([status, text]) =>
      html`<button type="submit" class="button small" name="status" value="${status}">
        ${text}
      </button> `,
  )
  return html`<form class="stack" method="post" action="${formOf(page)}">
    <div class="actions">${buttons}</div>
    <label class="reasoned">
      Reason for rejecting or asking for documents
      <input name="reason" value="The document cannot be read" maxlength="500" autocomplete="off" />
    </label>
  </form>`
}
