import type { Task, TaskKind } from './facts.ts'
import { simulateKyc } from './kyc.ts'
import { expireTransaction, receiveFunds, settleTransaction } from './simulate.ts'
import type { Transaction, User, UserStatus } from './state.ts'
import type { World } from './world.ts'

/** Does what falls due. A task is taken off the schedule before it runs. */
export function runTask(world: World, task: Task): void {
  world.drop(task)
  RUN[task.kind](world, task)
}

const RUN: Record<TaskKind, (world: World, task: Task) => void> = {
  'expire-transaction': (world, { ref }) => withTransaction(world, ref, expireTransaction),
  'receive-funds': (world, { ref }) => withTransaction(world, ref, receiveFunds),
  'settle-transaction': (world, { ref }) => withTransaction(world, ref, settleTransaction),
  'change-kyc-status': (world, { ref, status, reasons }) => {
    const user = world.usersById.get(ref)
    if (user && status) simulateKyc(world, user, { status, reasons: reasons ?? [] })
  },
}

function withTransaction(
  world: World,
  id: string,
  change: (world: World, transaction: Transaction) => void,
) {
  const transaction = world.transactionsById.get(id)
  if (transaction) change(world, transaction)
}

/** Owes a KYC outcome to a future instant. */
export function planKyc(
  world: World,
  user: User,
  { at, status, reasons }: { at: number; status: UserStatus; reasons: string[] },
): void {
  world.plan({ at, kind: 'change-kyc-status', ref: user.id, status, reasons })
}
