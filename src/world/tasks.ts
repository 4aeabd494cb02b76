import { DomainError } from './domain-error.ts'
import type { TaskKind } from './facts.ts'
import { simulateKyc } from './kyc.ts'
import { type Scheduled, tasksOf } from './schedule.ts'
import { expireTransaction, receiveFunds, settleTransaction } from './simulate.ts'
import type { Debtor, KnownTransactionStatus, Transaction, User, UserStatus } from './state.ts'
import { allowedFrom, PROCESSING } from './transaction-status.ts'
import type { World } from './world.ts'

/** Does what falls due. A task is taken off the schedule before it runs. */
export function runTask(world: World, task: Scheduled): void {
  world.drop(task)
  RUN[task.kind](world, task)
}

const RUN: Record<TaskKind, (world: World, task: Scheduled) => void> = {
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
  return (world: World, { debtor }: Scheduled) => {
    if (isTransaction(debtor) && allowedFrom(world, debtor.status).includes(status)) {
      change(world, debtor)
    }
  }
}

const isTransaction = (debtor: Debtor): debtor is Transaction => 'quoteId' in debtor

/** KYC outcomes that one user may be owed at once. */
export const KYC_PLANS_MAX = 1_000

/** Owes a KYC outcome to a future instant. */
export function planKyc(
  world: World,
  user: User,
  { at, status, reasons }: { at: number; status: UserStatus; reasons: string[] },
): void {
  if (tasksOf(user).length >= KYC_PLANS_MAX) {
    const message = `At most ${KYC_PLANS_MAX} outcomes may be planned for one user; advance the clock.`
    throw new DomainError('limit', 'after', message, { code: 'too-many-tasks' })
  }
  world.plan(user, { at, kind: 'change-kyc-status', status, reasons })
}
