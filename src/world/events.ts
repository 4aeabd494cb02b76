import { toGiven } from './fields.ts'
import { fromMicros } from './money.ts'
import { newId } from './random.ts'
import type { Transaction, User } from './state.ts'
import type { World } from './world.ts'

/** The status as callers see it; the spelling of the cancelled one is a setting. */
export function shownStatus(world: World, status: string): string {
  return status === 'cancelled' ? world.settings['transactions.cancelledStatus'] : status
}

export function emitUserUpdate(world: World, user: User): void {
  const { id, email, status, history } = user
  for (const integrator of user.integrators) {
    world.emit({
      id: newEventId(world, `${id} ${integrator} ${status}`, history.length),
      pos: world.nextPosition(),
      cause: world.cause,
      at: world.now,
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
  const { id, integrator, history, wallet, paymentId, leftSideLabel, rightSideLabel } = transaction
  const status = shownStatus(world, transaction.status)
  world.emit({
    id: newEventId(world, `${id} ${transaction.status}`, history.length),
    pos: world.nextPosition(),
    cause: world.cause,
    at: world.now,
    type: 'transaction.update',
    ref: id,
    status,
    created: history.length === 1,
    integrator,
    payload: {
      transactionId: id,
      status,
      email: world.usersById.get(transaction.userId)?.email ?? '',
      wallet,
      paymentId,
      leftSideLabel,
      leftSideValue: fromMicros(transaction.leftSide),
      rightSideLabel,
      rightSideValue: fromMicros(transaction.rightSide),
      etransferSecurityAnswer: transaction.securityAnswer,
      ...toGiven(transaction),
    },
  })
}

/** The status is part of the key, so that events after a restore do not repeat earlier ids. */
function newEventId(world: World, owner: string, ordinal: number): string {
  return newId('evt', world.random('event', owner, ordinal))
}
