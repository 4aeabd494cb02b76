import { openKycLink } from '../../http/kyc-link.ts'
import { DomainError } from '../../world/domain-error.ts'
import type { User } from '../../world/state.ts'
import type { UserStatus } from '../../world/words.ts'
import { formatName } from '../format.ts'
import type { View } from '../view.ts'
import { HostedPage, Notice, Outcome, showExpiry } from './page.tsx'

export function renderKyc(view: View, token: string) {
  try {
    const { link, user } = openKycLink(view.services, token)
    return { status: 200, body: showPage(view, user, link.expiresAt) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isKnown = view.world.kycLinks.has(token)
    const text = isKnown
      ? 'Go back to the app and start the identity check again.'
      : 'Open the link from the app again. Part of it may be missing.'
    return {
      status: isKnown ? 410 : 404,
      body: <Notice view={view} title={error.message} text={text} />,
    }
  }
}

function showPage(view: View, user: User, expiresAt: number) {
  return (
    <HostedPage
      view={view}
      kind="kyc"
      title="Verify your identity"
      status={user.status}
      bar={showReviewer()}
    >
      {showProgress(view, user)}
      {showExpiry('This link', expiresAt, view.world.now)}
    </HostedPage>
  )
}

function showProgress(view: View, user: User) {
  const { status, reasons } = user
  const progress = PROGRESS[status]
  if (progress?.text) return <Outcome {...progress} />
  return (
    <form class="parts" data-decide={view.request.url}>
      {progress ? (
        <Outcome {...progress}>
          {reasons.length > 0 && <p>{`Reason: ${reasons.join('; ')}`}</p>}
        </Outcome>
      ) : (
        <h1>Verify your identity</h1>
      )}
      <p class="quiet">{`for ${nameOf(user)}`}</p>
      <button type="submit" class="button primary wide" name="status" value="in-review" data-send>
        Submit for review
      </button>
      <p class="result" role="status" />
    </form>
  )
}

interface Progress {
  tone: string
  title: string
  /** Said where the user has nothing left to do. */
  text?: string
}

/** What a reviewer has to do, or has decided. */
const PROGRESS: Partial<Record<UserStatus, Progress>> = {
  verified: { tone: 'good', title: 'You are verified', text: 'You can go back to the app.' },
  'in-review': {
    tone: 'busy',
    title: 'We are reviewing your documents',
    text: 'You can go back to the app. It will tell you the result.',
  },
  rejected: { tone: 'bad', title: 'We could not verify your identity' },
  upload: { tone: 'warn', title: 'We need another photo' },
}

const nameOf = (user: User): string =>
  user.profile.firstName ? `${formatName(user)}, ${user.email}` : user.email

const DECISIONS = [
  ['verified', 'Approve'],
  ['in-review', 'Send to review'],
  ['upload', 'Ask for documents'],
  ['rejected', 'Reject'],
] as const

/** The reviewer's decisions. The demo has its own, so it hides these. */
const showReviewer = () => (
  <>
    <div class="actions">
      {DECISIONS.map(([to, label]) => (
        <button type="submit" class="button small" name="status" value={to}>
          {label}
        </button>
      ))}
    </div>
    <label class="reasoned">
      Reason for asking or rejecting
      <input value="The document cannot be read" maxlength={500} autocomplete="off" />
    </label>
  </>
)
