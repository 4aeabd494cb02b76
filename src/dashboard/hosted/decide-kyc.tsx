import type { User, UserStatus } from '../../world/state.ts'
import { Badge } from '../parts.tsx'
import type { View } from '../view.ts'

/** The reviewer's decisions, for a page that is opened by itself; the demo has them outside. */
export const DecideKyc = ({ view, user }: { view: View; user: User }) => (
  <form data-decide={view.request.url}>
    <p class="bar-title">
      <span>Sandbox: decide as the reviewer</span> <Badge status={user.status} />
    </p>
    <div class="bar-buttons">
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
