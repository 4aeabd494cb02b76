import type { Task, TaskKind } from './facts.ts'
import { simulateKyc } from './kyc.ts'
import type { Scheduled } from './schedule.ts'
import { expireTransaction, receiveFunds, settleTransaction } from './simulate.ts'
import type { KnownTransactionStatus, Transaction, User, UserStatus } from './state.ts'
import { allowedFrom, PROCESSING } from './transaction-status.ts'
import type { World } from './world.ts'

/** Does what falls due. A task is taken off the schedule before it runs. */
export function runTask(world: World, task: Scheduled): void {
  world.drop(task)
  RUN[task.kind](world, task)
}

const RUN: Record<TaskKind, (world: World, task: Task) => void> = {
  'expire-transaction': moveTo('expired', expireTransaction),
  'receive-funds': moveTo(PROCESSING, receiveFunds),
  'settle-transaction': moveTo('complete', settleTransaction),
  'change-kyc-status': (world, { ref, status, reasons }) => {
    const user = world.usersById.get(ref)
    if (user && status) simulateKyc(world, user, { status, reasons: reasons ?? [] })
  },
}

/** A state that was imported may owe what its transaction does not allow; that is let go. */
function moveTo(
  status: KnownTransactionStatus,
  change: (world: World, transaction: Transaction) => void,
) {
  return (world: World, { ref }: Task) => {
    const transaction = world.transactionsById.get(ref)
    if (transaction && allowedFrom(world, transaction.status).includes(status)) {
      change(world, transaction)
    }
  }
}

/** Owes a KYC outcome to a future instant. */
export function planKyc(
  world: World,
  user: User,
  { at, status, reasons }: { at: number; status: UserStatus; reasons: string[] },
): void {
  world.plan({ at, kind: 'change-kyc-status', ref: user.id, status, reasons })
}
