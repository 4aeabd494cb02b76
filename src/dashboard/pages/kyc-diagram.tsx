import { kycStatusesFrom } from '../../world/kyc.ts'
import type { User, UserStatus } from '../../world/state.ts'
import { Diagram, type DiagramEdge } from '../diagram.tsx'
import type { View } from '../view.ts'

interface Props {
  view: View
  user: User
}

/** What a reviewer may make of a user, most likely first. */
const DECISIONS: Record<UserStatus, Pick<DiagramEdge, 'text' | 'kind'>> = {
  verified: { text: 'Verify', kind: 'primary' },
  'in-review': { text: 'Send to review' },
  upload: { text: 'Ask for documents' },
  rejected: { text: 'Reject', kind: 'danger' },
  active: { text: 'Activate' },
  inactive: { text: 'Deactivate' },
  initial: { text: 'Start over' },
}
const ORDER = Object.keys(DECISIONS)

/** Where the identity check of a user is, and what may come next. */
export const KycDiagram = ({ view, user }: Props) => {
  const { id, status, history } = user
  const tasks = view.world.tasks.of(id)
  const next = kycStatusesFrom(status).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  const atOf = (of: UserStatus) => history.findLast((row) => row.status === of)?.at
  return (
    <Diagram
      view={view}
      label={`Identity check of this user, who is ${status}`}
      current={status}
      nodes={[
        { id: status, text: status, column: 0, row: (next.length - 1) / 2, at: atOf(status) },
        ...next.map((to, row) => ({ id: to, text: to, column: 1, row, at: atOf(to) })),
      ]}
      edges={next.map((to) => ({
        from: status,
        to,
        ...DECISIONS[to],
        call: {
          path: `/_sandbox/simulate/users/${id}/kyc`,
          body: { status: to, ...(to === 'rejected' && { reasons: ['The document has expired'] }) },
          done: `The user is now ${to}`,
        },
        at: tasks.find((task) => task.status === to)?.at,
      }))}
      rowStep={44}
      columnStep={310}
    />
  )
}
