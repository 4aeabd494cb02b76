import { DomainError } from '../../world/domain-error.ts'
import { getKycLink } from '../../world/kyc.ts'
import type { User, UserStatus } from '../../world/state.ts'
import { formatName } from '../format.ts'
import { Badge } from '../parts.tsx'
import type { View } from '../view.ts'
import { Camera, DocumentDrawing, FaceDrawing } from './drawings.tsx'
import { Notice } from './notice.tsx'
import { createSay, Expiry, HostedPage, Outcome, type Say } from './page.tsx'

/** The page of an identity provider, which a KYC link opens. */
export function renderKyc(view: View, token: string) {
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
      body: <Notice view={view} title={error.message} text={text} />,
    }
  }
}

interface KycPageProps {
  view: View
  user: User
  expiresAt: number
}

const KycPage = ({ view, user, expiresAt }: KycPageProps) => {
  const say = createSay(view)
  return (
    <HostedPage
      view={view}
      say={say}
      kind="kyc"
      title={say('kycTitle')}
      status={user.status}
      bar={<DecideKyc view={view} user={user} />}
    >
      <Progress view={view} user={user} say={say} />
      <Expiry text={say('kycExpires')} at={expiresAt} now={view.world.now} />
    </HostedPage>
  )
}

interface ProgressProps {
  view: View
  user: User
  say: Say
}

const AFTER = {
  verified: ['good', 'kycApproved', 'kycApprovedText'],
  'in-review': ['busy', 'kycReviewing', 'kycReviewingText'],
} as const

/** What the user sees of the check, by its status. */
const Progress = ({ view, user, say }: ProgressProps) => {
  if (user.status === 'verified' || user.status === 'in-review') {
    const [tone, title, text] = AFTER[user.status]
    return (
      <Outcome tone={tone} title={say(title)}>
        <p class="quiet">{say(text)}</p>
      </Outcome>
    )
  }
  const isSentBack = user.status === 'rejected' || user.status === 'upload'
  return (
    <>
      {isSentBack && <SentBack user={user} say={say} />}
      <form class="parts" data-decide={view.request.url} hidden={isSentBack}>
        <Parts user={user} say={say} />
        <p class="result" role="status" />
      </form>
    </>
  )
}

const SentBack = ({ user: { status, reasons }, say }: Omit<ProgressProps, 'view'>) => (
  <div data-intro>
    <Outcome
      tone={status === 'rejected' ? 'bad' : 'warn'}
      title={say(status === 'rejected' ? 'kycRejected' : 'kycMore')}
    >
      {reasons.length > 0 && <p>{say('kycWhy', { reason: reasons.join('; ') })}</p>}
      <button type="button" class="button primary wide" data-go="document">
        {say('kycAgain')}
      </button>
    </Outcome>
  </div>
)

const DOCUMENTS = ['kycPassport', 'kycLicence', 'kycCard'] as const

/** The three steps; client code shows one at a time. */
const Parts = ({ user, say }: Omit<ProgressProps, 'view'>) => (
  <>
    <section data-part="document">
      <Head say={say} at={1} title={say('kycDocument')} />
      <p class="quiet">{say('kycFor', { name: `${formatName(user)}, ${user.email}` })}</p>
      {DOCUMENTS.map((key, index) => (
        <button type="button" class={`choice ${index === 1 ? 'likely' : ''}`} data-go="front">
          <DocumentDrawing small />
          <span>{say(key)}</span>
        </button>
      ))}
    </section>
    <section data-part="front" hidden>
      <Head say={say} at={2} title={say('kycFront')} />
      <Camera>
        <DocumentDrawing />
      </Camera>
      <p class="quiet">{say('kycFrontText')}</p>
      <button type="button" class="button primary wide" data-go="selfie">
        {say('kycUse')}
      </button>
    </section>
    <section data-part="selfie" hidden>
      <Head say={say} at={3} title={say('kycSelfie')} />
      <Camera>
        <FaceDrawing />
      </Camera>
      <p class="quiet">{say('kycSelfieText')}</p>
      <button type="submit" class="button primary wide" name="status" value="in-review" data-send>
        {say('kycSend')}
      </button>
    </section>
  </>
)

const Head = ({ say, at, title }: { say: Say; at: number; title: string }) => (
  <header class="part-head">
    <p class="hint">{say('step', { at, count: 3 })}</p>
    <h1>{title}</h1>
  </header>
)

/** The reviewer's decisions, for a page that is opened by itself; the demo has them outside. */
const DecideKyc = ({ view, user }: { view: View; user: User }) => (
  <form data-decide={view.request.url}>
    <p class="bar-title">
      <span>Sandbox: decide as the reviewer</span> <Badge status={user.status} />
    </p>
    <div class="actions">
      <button type="submit" class="button small" name="status" value="verified">
        Approve
      </button>
      <button type="submit" class="button small" name="status" value="in-review">
        Send to review
      </button>
    </div>
    <Reasoned
      status="upload"
      label="Ask for documents"
      reason="The photo of the document is blurred"
    />
    <Reasoned status="rejected" label="Reject" reason="The document has expired" />
    <p class="result" role="status" />
  </form>
)

interface ReasonedProps {
  status: UserStatus
  label: string
  reason: string
}

const Reasoned = ({ status, label, reason }: ReasonedProps) => (
  <div class="reasoned">
    <label for={`reason-${status}`}>Reason</label>
    <input
      id={`reason-${status}`}
      name={`reason-${status}`}
      value={reason}
      maxlength={500}
      autocomplete="off"
    />
    <button type="submit" class="button small" name="status" value={status}>
      {label}
    </button>
  </div>
)
