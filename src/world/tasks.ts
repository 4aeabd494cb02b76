import { findCustody } from './coins.ts'
import { DomainError } from './domain-error.ts'
import { simulateKyc } from './kyc.ts'
import { expireTransaction, receiveFunds, settleTransaction } from './simulate.ts'
import type {
  KnownTransactionStatus,
  Task,
  TaskKind,
  Transaction,
  User,
  UserStatus,
} from './state.ts'
import { allowedFrom, PROCESSING } from './transaction-status.ts'
import type { World } from './world.ts'

export function runTask(world: World, task: Task): void {
  world.cancelTask(task)
  RUN[task.kind](world, task)
}

/** What a task about a transaction moves it to. */
export const STATUS_AFTER = {
  'expire-transaction': 'expired',
  'receive-funds': PROCESSING,
  'settle-transaction': 'complete',
} as const satisfies Partial<Record<TaskKind, KnownTransactionStatus>>

const RUN: Record<TaskKind, (world: World, task: Task) => void> = {
  'expire-transaction': moveTo('expire-transaction', expireTransaction),
  'receive-funds': moveTo('receive-funds', receiveFunds),
  'settle-transaction': moveTo('settle-transaction', (world, transaction) => {
    // The holder of the coins sees that nothing is scheduled, and settles once it has sent them.
    const isHeld = findCustody(world, transaction.rightSideLabel) !== undefined
    if (!isHeld) settleTransaction(world, transaction)
  }),
  'change-kyc-status': (world, { ref, status, reasons }) => {
    const user = world.usersById.get(ref)
    if (user && status) simulateKyc(world, user, { status, reasons: reasons ?? [] })
  },
}

/** An imported state may hold a task that its transaction does not allow; it is skipped. */
function moveTo(
  kind: keyof typeof STATUS_AFTER,
  change: (world: World, transaction: Transaction) => void,
) {
  return (world: World, { ref }: Task) => {
    const transaction = world.transactionsById.get(ref)
    if (transaction && allowedFrom(world, transaction.status).includes(STATUS_AFTER[kind])) {
      change(world, transaction)
    }
  }
}

/** KYC outcomes that may be scheduled for one user at once. */
export const TASKS_PER_USER_MAX = 1_000

/** Schedules the outcome of a user's KYC. */
export function scheduleKyc(
  world: World,
  { id }: User,
  { at, status, reasons }: { at: number; status: UserStatus; reasons: string[] },
): void {
  if (world.tasks.of(id).length >= TASKS_PER_USER_MAX) {
    const message =
      `At most ${TASKS_PER_USER_MAX} outcomes may be scheduled for one user; ` +
      'advance the clock.'
    throw new DomainError('too-many-tasks', message, { field: 'after' })
  }
  world.schedule({ at, kind: 'change-kyc-status', ref: id, status, reasons })
}
