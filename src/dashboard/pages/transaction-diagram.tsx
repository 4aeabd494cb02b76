import { shownStatus } from '../../world/events.ts'
import type { KnownTransactionStatus, Transaction } from '../../world/state.ts'
import { STATUS_AFTER } from '../../world/tasks.ts'
import {
  allowedFrom,
  PENDING,
  PROCESSING,
  TRANSACTION_STATUSES,
} from '../../world/transaction-status.ts'
import type { World } from '../../world/world.ts'
import { Diagram, type DiagramEdge, type DiagramNode } from '../diagram.tsx'
import { shortStatus } from '../parts.tsx'
import type { View } from '../view.ts'

interface Props {
  view: View
  transaction: Transaction
}

/** The life of a transaction, drawn from the rules of the world. */
export const TransactionDiagram = ({ view, transaction }: Props) => {
  const { world } = view
  const { status } = transaction
  const statuses = [...new Set<string>([...TRANSACTION_STATUSES, status])]
  const edges = statuses.flatMap((from) =>
    allowedFrom(world, from).map((to) => toEdge(view, transaction, { from, to })),
  )
  return (
    <Diagram
      view={view}
      label={`Statuses of this transaction, which is ${shownStatus(world, status)}`}
      current={status}
      nodes={placeNodes(world, statuses).map((node) => ({
        ...node,
        at: reachedAt(transaction, node),
      }))}
      edges={edges}
      rowStep={54}
    />
  )
}

/** On the first row what goes well; below it, how else it may end, and what was forced. */
function placeNodes(world: World, statuses: readonly string[]): DiagramNode[] {
  const path = new Set<string>()
  let next: string | undefined = PENDING
  while (next && !path.has(next)) {
    path.add(next)
    next = allowedFrom(world, next)[0]
  }
  const others = statuses.filter((status) => !path.has(status))
  const placed = [
    ...[...path].map((id, column) => ({ id, column, row: 0 })),
    ...others.map((id, index) => ({ id, column: 1, row: index + 1 })),
  ]
  return placed.map((node) => ({ ...node, text: shortStatus(shownStatus(world, node.id)) }))
}

const reachedAt = ({ history }: Transaction, { id }: DiagramNode) =>
  history.findLast(({ status }) => status === id)?.at

interface Move {
  from: string
  to: KnownTransactionStatus
}

function toEdge(view: View, transaction: Transaction, { from, to }: Move): DiagramEdge {
  const { id, side, status } = transaction
  const { text, simulation } = SIMULATIONS[to]
  const tasks = view.world.tasks.of(id)
  const task = tasks.find(({ kind }) => kind !== 'change-kyc-status' && STATUS_AFTER[kind] === to)
  return {
    from,
    to,
    text: typeof text === 'string' ? text : text[side],
    ...(from === status && {
      call: { path: `/_sandbox/simulate/transactions/${id}/${simulation}` },
      at: task?.at,
    }),
    kind: ENDS_BADLY.has(to) ? 'danger' : 'primary',
  }
}

const ENDS_BADLY: ReadonlySet<string> = new Set(['cancelled', 'expired'])

/** What moves a transaction to each status: its text, and its path in the control API. */
const SIMULATIONS = {
  [PENDING]: { text: 'Create', simulation: 'status' },
  [PROCESSING]: {
    text: { buy: 'E-transfer arrived', sell: 'Coins arrived' },
    simulation: 'funds-received',
  },
  complete: { text: 'Settle', simulation: 'settled' },
  cancelled: { text: 'Cancel', simulation: 'cancelled' },
  expired: { text: 'Expire', simulation: 'expired' },
} as const
