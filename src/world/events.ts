import { fromMicros } from './money.ts'
import { hex, randomOf } from './random.ts'
import type { Transaction, User, WorldEvent } from './state.ts'
import type { World } from './world.ts'

/** The status as the contract's reader sees it: the spelling of the cancelled state is a setting. */
export function shownStatus(world: World, status: string): string {
  return status === 'cancelled' ? world.settings['transactions.cancelledStatus'] : status
}

export function emitUserUpdate(world: World, user: User): void {
  const { id, email, status, history } = user
  for (const integrator of user.integrators) {
    world.emit({
      id: newEventId(world.seed, `${id} ${integrator} ${status}`, history.length),
      cursor: world.events.last + 1,
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
  const email = world.usersById.get(transaction.userId)?.email ?? ''
  const event = newTransactionEvent(world.seed, email, transaction, {
    cursor: world.events.last + 1,
    at: world.now,
    status: shownStatus(world, transaction.status),
    paymentId: transaction.paymentId,
    ordinal: transaction.history.length,
  })
  world.emit(event)
}

/** What an event says that its transaction may no longer say. */
export interface TransactionMoment {
  cursor: number
  at: number
  status: string
  paymentId: string | null
  /** How many statuses the transaction had had, this one included. */
  ordinal: number
}

export function newTransactionEvent(
  seed: string,
  email: string,
  transaction: Transaction,
  { cursor, at, status, paymentId, ordinal }: TransactionMoment,
): WorldEvent {
  const { id, integrator, wallet, leftSideLabel, rightSideLabel } = transaction
  return {
    id: newEventId(seed, `${id} ${transaction.history[ordinal - 1]?.status}`, ordinal),
    cursor,
    at,
    type: 'transaction.update',
    ref: id,
    status,
    created: ordinal === 1,
    integrator,
    payload: {
      transactionId: id,
      status,
      email,
      wallet,
      paymentId,
      leftSideLabel,
      leftSideValue: fromMicros(transaction.leftSide),
      rightSideLabel,
      rightSideValue: fromMicros(transaction.rightSide),
      etransferSecurityAnswer: transaction.securityAnswer,
      externalSessionId: transaction.externalSessionId,
    },
  }
}

/** The status is part of it: what follows a restore must not repeat the ids from before it. */
function newEventId(seed: string, owner: string, ordinal: number): string {
  return `evt_${hex(randomOf(seed, 'event', owner, ordinal), 32)}`
}
