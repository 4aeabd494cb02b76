import type { TransactionNote, TransactionPayload, WorldEvent } from './facts.ts'
import { fromMicros } from './money.ts'
import { hex } from './random.ts'
import type { Transaction, User } from './state.ts'
import type { World } from './world.ts'

/** What an event is told by: its world, or what was kept of it. */
export interface Teller {
  random: World['random']
  usersById: { get(id: string): User | undefined }
}

/** The status as the contract's reader sees it: the spelling of the cancelled state is a setting. */
export function shownStatus(world: World, status: string): string {
  return status === 'cancelled' ? world.settings['transactions.cancelledStatus'] : status
}

export function emitUserUpdate(world: World, user: User): void {
  const { id, email, status, history } = user
  for (const integrator of user.integrators) {
    world.emit({
      id: eventId(world, `${id} ${integrator} ${status}`, history.length),
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
  const { history, paymentId } = transaction
  const note = {
    cursor: world.events.last + 1,
    at: world.now,
    status: shownStatus(world, transaction.status),
    paymentId,
    ordinal: history.length,
  }
  world.emit(new TransactionUpdate(world, transaction, note))
}

/**
 * That a transaction came to a status. Its id and payload are made when they are first read, because
 * most events of a long life are never looked at.
 */
export class TransactionUpdate implements WorldEvent {
  readonly cursor: number
  readonly at: number
  readonly status: string
  readonly #teller: Teller
  readonly #transaction: Transaction
  /** What changes about a transaction later, as it was. */
  readonly #paymentId: string | null
  readonly #ordinal: number
  #id: string | undefined
  #payload: TransactionPayload | undefined

  constructor(teller: Teller, transaction: Transaction, note: Omit<TransactionNote, 'ref'>) {
    this.cursor = note.cursor
    this.at = note.at
    this.status = note.status
    this.#teller = teller
    this.#transaction = transaction
    this.#paymentId = note.paymentId
    this.#ordinal = note.ordinal
  }

  get type() {
    return 'transaction.update' as const
  }

  get ref(): string {
    return this.#transaction.id
  }

  get created(): boolean {
    return this.#ordinal === 1
  }

  get integrator(): string {
    return this.#transaction.integrator
  }

  get id(): string {
    const known = this.#transaction.history[this.#ordinal - 1]?.status
    this.#id ??= eventId(this.#teller, `${this.ref} ${known}`, this.#ordinal)
    return this.#id
  }

  get payload(): TransactionPayload {
    this.#payload ??= this.#toPayload()
    return this.#payload
  }

  /** What makes another one of the same, beside the transaction. */
  get note(): TransactionNote {
    const { cursor, at, ref, status } = this
    return { cursor, at, ref, status, paymentId: this.#paymentId, ordinal: this.#ordinal }
  }

  toJSON(): WorldEvent {
    const { id, cursor, at, type, ref, status, created, integrator, payload } = this
    return { id, cursor, at, type, ref, status, created, integrator, payload }
  }

  #toPayload(): TransactionPayload {
    const transaction = this.#transaction
    return {
      transactionId: transaction.id,
      status: this.status,
      email: this.#teller.usersById.get(transaction.userId)?.email ?? '',
      wallet: transaction.wallet,
      paymentId: this.#paymentId,
      leftSideLabel: transaction.leftSideLabel,
      leftSideValue: fromMicros(transaction.leftSide),
      rightSideLabel: transaction.rightSideLabel,
      rightSideValue: fromMicros(transaction.rightSide),
      etransferSecurityAnswer: transaction.securityAnswer,
      externalSessionId: transaction.externalSessionId,
    }
  }
}

/** The status is part of it: after a restore another story must not repeat the ids of the first. */
function eventId(world: Pick<Teller, 'random'>, owner: string, ordinal: number): string {
  return `evt_${hex(world.random('event', owner, ordinal), 32)}`
}
