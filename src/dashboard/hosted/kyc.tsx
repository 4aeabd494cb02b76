import type { Child } from 'hono/jsx'
import { openKycLink } from '../../http/kyc-link.ts'
import { DomainError } from '../../world/domain-error.ts'
import type { User } from '../../world/state.ts'
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
  if (status === 'verified' || status === 'in-review') {
    const [tone, title, text] = AFTER[status]
    return <Outcome tone={tone} title={title} text={text} />
  }
  const isSentBack = status === 'rejected' || status === 'upload'
  const [tone, title] = status === 'rejected' ? AFTER.rejected : AFTER.upload
  return (
    <>
      {isSentBack && (
        <div data-intro>
          <Outcome tone={tone} title={title}>
            {reasons.length > 0 && <p>{`Reason: ${reasons.join('; ')}`}</p>}
            <button type="button" class="button primary wide" data-go="document">
              Try again
            </button>
          </Outcome>
        </div>
      )}
      <form class="parts" data-decide={view.request.url} hidden={isSentBack}>
        {showParts(user)}
        <p class="result" role="status" />
      </form>
    </>
  )
}

const AFTER = {
  verified: ['good', 'You are verified', 'You can go back to the app.'],
  'in-review': [
    'busy',
    'We are reviewing your documents',
    'You can go back to the app. It will tell you the result.',
  ],
  rejected: ['bad', 'We could not verify your identity'],
  upload: ['warn', 'We need another photo'],
} as const

const nameOf = (user: User): string =>
  user.profile.firstName ? `${formatName(user)}, ${user.email}` : user.email

const DOCUMENTS = [
  ['passport', 'Passport'],
  ['licence', "Driver's licence"],
  ['card', 'Permanent resident card'],
] as const

/** The three steps; client code shows one at a time. */
const showParts = (user: User) => (
  <>
    <section data-part="document">
      {showPartHead(1, 'Which document do you have?')}
      <p class="quiet">{`for ${nameOf(user)}`}</p>
      {DOCUMENTS.map(([kind, key]) => (
        <button
          type="button"
          class={`choice ${kind === 'licence' ? 'likely' : ''}`}
          data-go="front"
          data-document={kind}
        >
          <DocumentDrawing kind={kind} small />
          <span>{key}</span>
        </button>
      ))}
    </section>
    <section data-part="front" hidden>
      {showPartHead(2, 'Place your document in the frame')}
      <Camera>
        {DOCUMENTS.map(([kind]) => (
          <DocumentDrawing kind={kind} />
        ))}
      </Camera>
      <p class="quiet">Show all four corners, without glare, with every word readable.</p>
      <button type="button" class="button primary wide" data-go="selfie">
        Use this photo
      </button>
    </section>
    <section data-part="selfie" hidden>
      {showPartHead(3, 'Now take a selfie')}
      <Camera>
        <FaceDrawing />
      </Camera>
      <p class="quiet">Look straight ahead. We compare your face with your document.</p>
      <button type="submit" class="button primary wide" name="status" value="in-review" data-send>
        Submit for review
      </button>
    </section>
  </>
)

const showPartHead = (at: number, title: string) => (
  <header class="part-head">
    <p class="hint">{`Step ${at} of 3`}</p>
    <h1>{title}</h1>
  </header>
)

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

const Camera = ({ children }: { children: Child }) => (
  <div class="camera" aria-hidden="true">
    <div class="seen">
      {children}
      <svg class="corners" viewBox="0 0 300 200" preserveAspectRatio="none" aria-hidden="true">
        <path d="M2 26V2h24M274 2h24v24M298 174v24h-24M26 198H2v-24" />
      </svg>
    </div>
  </div>
)

/** Height, radius of the corners, and offsets of the portrait and of the lines. */
const SHAPES = {
  passport: [90, 3, 'translate(0 -14)', 'translate(0 -14)'],
  licence: [76, 7, '', ''],
  card: [76, 7, 'translate(70 0)', 'translate(-40 0)'],
} as const

const DocumentDrawing = (props: { kind: keyof typeof SHAPES; small?: boolean }) => {
  const { kind, small } = props
  const [height, radius, portrait, lines] = SHAPES[kind]
  return (
    <svg
      class={`paper ${kind} ${small ? 'small' : ''}`}
      viewBox={`0 0 120 ${height}`}
      aria-hidden="true"
    >
      <rect class="card-back" x="1" y="1" width="118" height={height - 2} rx={radius} />
      {kind !== 'passport' && <rect class="card-band" x="1" y="9" width="118" height="9" />}
      <g transform={portrait}>
        <rect fill="#cfd8ea" x="10" y="26" width="30" height="38" rx="3" />
        <circle fill="#6a7896" cx="25" cy="40" r="7" />
        <path fill="#6a7896" d="M13 64c1-10 6-14 12-14s11 4 12 14z" />
      </g>
      <path class="card-line" transform={lines} d="M50 30h44M50 39h58M50 48h36M50 57h52" />
      {kind === 'passport' && <path class="card-line code" d="M8 67h104M8 77h104" />}
      {kind === 'licence' && <path class="card-line thin" d="M88 66c4-4 6 2 9-1s4 1 8-2" />}
    </svg>
  )
}

const FaceDrawing = () => (
  <svg class="face" viewBox="0 0 120 120" aria-hidden="true">
    <path fill="#4b3428" d="M32 58c0-24 12-38 28-38s28 14 28 38v20H32z" />
    <path fill="#5b76ad" d="M18 120c2-22 18-32 42-32s40 10 42 32z" />
    <ellipse fill="#e2b18e" cx="60" cy="60" rx="21" ry="26" />
    <path fill="#4b3428" d="M38 54c2-18 12-24 22-24s20 6 22 24c-10-3-16-8-20-14-4 8-13 13-24 14z" />
    <path stroke="#6b4430" stroke-width="2" d="M51 60v1M69 60v1M54 73c4 3 8 3 12 0M60 62l-2 6h3" />
    <ellipse
      stroke="#fff"
      stroke-width="1.5"
      stroke-dasharray="4 4"
      cx="60"
      cy="60"
      rx="34"
      ry="44"
    />
  </svg>
)
