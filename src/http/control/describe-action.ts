import { CONTROL_OPERATIONS } from '../../control-api/index.ts'
import type { Done, Use } from '../../control-api/row.ts'
import type { Action } from '../../engine/journal.ts'
import type { TaskKind } from '../../world/state.ts'
import type { World } from '../../world/world.ts'

const ROWS = new Map(CONTROL_OPERATIONS.map((row) => [row.id, row]))

const arrived = ({ side }: Use) => (side === 'sell' ? 'Coins arrived' : 'E-transfer arrived')

/** Descriptions of scheduled tasks. */
const TASKS: Readonly<Record<TaskKind, Done>> = {
  'expire-transaction': 'Expired',
  'receive-funds': arrived,
  'settle-transaction': 'Settled',
  'change-kyc-status': 'Identity check ended',
}

/** Descriptions of decisions on the hosted pages. */
const PAGES: Readonly<Record<string, Done>> = {
  decideKyc: ({ input: { status } }) => `Identity check: ${status}`,
  answerMoneyRequest: ({ input: { decision } }) =>
    decision === 'approve' ? 'Approved at the bank' : 'Bank declined',
}

/** Says what an action did, or what it would have done, in a few words. */
export function describeAction(action: Action, world: World): string {
  const { operation, subject, at, until, problem } = action
  const row = ROWS.get(operation)
  if (problem !== null) return (row?.summary ?? 'Decide on a hosted page').replace(/;.*/, '')
  const done = row?.done ?? TASKS[operation as TaskKind] ?? PAGES[operation]
  if (typeof done !== 'function') return done ?? operation
  const { side } = world.transactionsById.get(subject ?? '') ?? {}
  return done({ input: readInput(action), subject, at, until, side })
}

/** A long input was cut off, so it may not be JSON any more. */
function readInput({ input }: Action): Use['input'] {
  try {
    return JSON.parse(input ?? '{}') ?? {}
  } catch {
    return {}
  }
}
