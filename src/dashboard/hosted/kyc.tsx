import type { Child } from 'hono/jsx'
import { DomainError } from '../../world/domain-error.ts'
import { getKycLink } from '../../world/kyc.ts'
import type { User, UserStatus } from '../../world/state.ts'
import { Document } from '../layout.tsx'
import { Badge, Countdown } from '../parts.tsx'
import type { View } from '../view.ts'
import { Notice } from './notice.tsx'

/** The page of an identity provider, which a KYC link opens. */
export function renderKyc(view: View, token: string): { status: number; body: Child } {
  try {
    const { link, user } = getKycLink(view.world, token)
    return { status: 200, body: <KycPage view={view} user={user} expiresAt={link.expiresAt} /> }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isKnown = view.world.kycLinks.has(token)
    const text = isKnown
      ? 'Go back to the app and start the identity check again.'
      : 'Open it from the app again; the link may be cut short.'
    return {
      status: isKnown ? 410 : 404,
      body: <Notice version={view.control.version} title={error.message} text={text} />,
    }
  }
}

interface KycPageProps {
  view: View
  user: User
  expiresAt: number
}

const KycPage = ({ view, user, expiresAt }: KycPageProps) => {
  const { now, mode } = view.world
  return (
    <Document
      title="Identity check · ramp-sandbox"
      version={view.control.version}
      script="hosted.js"
      class="hosted"
    >
      <main class="sheet kyc" id="clock" data-now={now} data-mode={mode}>
        <p class="stand-in">Simulated identity provider</p>
        <h1>Verify your identity</h1>
        <p class="who">{nameOf(user)}</p>
        <ol class="steps">
          <li>
            <b>Identity document</b> Passport, driving licence or identity card
          </li>
          <li>
            <b>Selfie</b> A short look into the camera
          </li>
        </ol>
        <div id="outcome" class="outcome">
          <span>Identity check</span> <Badge status={user.status} />
          {user.reasons.length > 0 && <p>{user.reasons.join('; ')}</p>}
        </div>
        <form class="stack" data-decide={view.request.url}>
          <button type="submit" class="button primary wide" name="status" value="verified">
            Approve
          </button>
          <button type="submit" class="button wide" name="status" value="in-review">
            Send to review
          </button>
          <Reasoned
            status="upload"
            label="Ask for documents"
            reason="The photo of the document is blurred"
          />
          <Reasoned status="rejected" label="Reject" reason="The document has expired" danger />
          <p class="result" role="status" />
        </form>
        <p class="hint">
          This link expires <Countdown at={expiresAt} now={now} />.
        </p>
      </main>
    </Document>
  )
}

interface ReasonedProps {
  status: UserStatus
  label: string
  reason: string
  danger?: boolean
}

const Reasoned = ({ status, label, reason, danger }: ReasonedProps) => (
  <div class="reasoned">
    <label for={`reason-${status}`}>Reason</label>
    <input
      id={`reason-${status}`}
      name={`reason-${status}`}
      value={reason}
      maxlength={500}
      autocomplete="off"
    />
    <button type="submit" class={`button ${danger ? 'danger' : ''}`} name="status" value={status}>
      {label}
    </button>
  </div>
)

function nameOf({ profile, email }: User): string {
  const name = [profile.firstName, profile.lastName].filter(Boolean).join(' ')
  return name ? `${name}, ${email}` : email
}
