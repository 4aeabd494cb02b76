import type { TransactionPayload } from './facts.ts'
import { fromMicros } from './money.ts'
import { hex } from './random.ts'
import type { Transaction, User } from './state.ts'
import type { World } from './world.ts'

/** The status as the contract's reader sees it: the spelling of the cancelled state is a setting. */
export function shownStatus(world: World, status: string): string {
  return status === 'cancelled' ? world.policy['transactions.cancelledStatus'] : status
}

export function emitUserUpdate(world: World, user: User): void {
  const { id, email, status, history } = user
  for (const integrator of user.integrators) {
    world.emit({
      id: eventId(world, `${id} ${integrator} ${status}`, history.length),
      type: 'user.update',
      ref: id,
      status,
      created: false,
      integrator,
      payload: { userId: id, email, status },
    })
  }
}

export function emitTransactionUpdate(world: World, transaction: Transaction): void {
  const { id, integrator, history } = transaction
  const payload = toTransactionPayload(world, transaction)
  world.emit({
    id: eventId(world, `${id} ${transaction.status}`, history.length),
    type: 'transaction.update',
    ref: id,
    status: payload.status,
    created: history.length === 1,
    integrator,
    payload,
  })
}

/** The status is part of it: after a restore another story must not repeat the ids of the first. */
function eventId(world: World, owner: string, ordinal: number): string {
  return `evt_${hex(world.random('event', owner, ordinal), 32)}`
}

function toTransactionPayload(world: World, transaction: Transaction): TransactionPayload {
  return {
    transactionId: transaction.id,
    status: shownStatus(world, transaction.status),
    email: world.usersById.get(transaction.userId)?.email ?? '',
    wallet: transaction.wallet,
    paymentId: transaction.paymentId,
    leftSideLabel: transaction.leftSideLabel,
    leftSideValue: fromMicros(transaction.leftSide),
    rightSideLabel: transaction.rightSideLabel,
    rightSideValue: fromMicros(transaction.rightSide),
    etransferSecurityAnswer: transaction.securityAnswer,
    externalSessionId: transaction.externalSessionId,
  }
}
