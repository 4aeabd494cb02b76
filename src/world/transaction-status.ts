import { findCoinLabel, newHash } from './coins.ts'
import { DomainError } from './domain-error.ts'
import { emitTransactionUpdate, shownStatus } from './events.ts'
import type { KnownTransactionStatus, Task, TaskKind, Transaction } from './state.ts'
import { moveCount, type World } from './world.ts'

export const PENDING = 'pending request money transfer'
export const PROCESSING = 'processing request money transfer'

/** Final means no way out, active means not final. */
const TRANSITIONS: Record<KnownTransactionStatus, readonly KnownTransactionStatus[]> = {
  [PENDING]: [PROCESSING, 'cancelled', 'expired'],
  [PROCESSING]: ['complete'],
  complete: [],
  cancelled: [],
  expired: [],
}
/** The same, for statuses that may be any text. */
const WAYS: ReadonlyMap<string, readonly KnownTransactionStatus[]> = new Map(
  Object.entries(TRANSITIONS),
)

/** Where a transaction may go; a status that only a test can force counts as being processed. */
export function allowedFrom(world: World, status: string): readonly KnownTransactionStatus[] {
  const allowed = WAYS.get(status) ?? TRANSITIONS[PROCESSING]
  const cancellable = world.settings['transactions.cancellable'] === 'active' && allowed.length > 0
  return cancellable && !allowed.includes('cancelled') ? [...allowed, 'cancelled'] : allowed
}

export const isFinal = (status: string): boolean => WAYS.get(status)?.length === 0

export function refuseMove(
  world: World,
  transaction: Transaction,
  to: KnownTransactionStatus,
): void {
  const from = shownStatus(world, transaction.status)
  const allowed = allowedFrom(world, transaction.status)
  if (allowed.includes(to)) return
  const ways = allowed.map((status) => shownStatus(world, status))
  const open = ways.length > 0 ? `; it may become ${ways.join(', ')}` : ', which is final'
  throw new DomainError(
    'conflict',
    'status',
    `The transaction is ${from}${open}, not ${shownStatus(world, to)}.`,
    { code: 'illegal-transition', from, allowed: ways },
  )
}

/** Moves along the table, and tells. */
export function moveTransaction(
  world: World,
  transaction: Transaction,
  to: KnownTransactionStatus,
  { paymentId }: { paymentId?: string | undefined } = {},
): void {
  refuseMove(world, transaction, to)
  setStatus(world, transaction, to, paymentId)
}

/** Sets any status, for what the contract leaves open. */
export function forceStatus(world: World, transaction: Transaction, status: string): void {
  if (status === transaction.status) return
  setStatus(world, transaction, status)
  world.transactionsOfUser(transaction.userId).reset()
}

function setStatus(world: World, transaction: Transaction, to: string, paymentId?: string): void {
  moveCount(world.transactionCounts, { from: transaction.status, to })
  transaction.status = to
  transaction.history.push({ status: to, at: world.now })
  transaction.closedAt = isFinal(to) ? world.now : null
  transaction.paymentId = to === 'complete' ? (paymentId ?? newPaymentId(world, transaction)) : null
  world.cancelTasks(transaction.id)
  scheduleNext(world, transaction)
  world.transactionsOfUser(transaction.userId).update(transaction)
  world.touch('transactions', transaction)
  emitTransactionUpdate(world, transaction)
}

function newPaymentId(world: World, transaction: Transaction): string {
  const { id, side, leftSideLabel, rightSideLabel } = transaction
  const label = findCoinLabel(side === 'buy' ? rightSideLabel : leftSideLabel)
  return newHash(world.random('payment', id, 1), label?.chain ?? 'ETH')
}

/** When it will expire, unless something else happens before; undefined when it will not. */
export const findExpiry = (world: World, { id }: Transaction): Task | undefined =>
  world.tasks.of(id).find(({ kind }) => kind === 'expire-transaction')

/** Expiry while pending, and under automatic settlement the next move of money. */
export function scheduleNext(world: World, { id, side, createdAt, status }: Transaction): void {
  const { settings } = world
  const auto = settings['transactions.settlement'] === 'auto'
  if (status === PENDING) {
    const windowMs = settings[side === 'buy' ? 'transactions.buyWindow' : 'transactions.sellWindow']
    const at = createdAt + windowMs + settings['transactions.expiryLag']
    schedule('expire-transaction', Math.max(at, world.now))
    if (auto) schedule('receive-funds', world.now + settings['transactions.fundsAfter'])
  } else if (status === PROCESSING && auto) {
    schedule('settle-transaction', world.now + settings['transactions.settleAfter'])
  }

  function schedule(kind: TaskKind, at: number) {
    world.schedule({ at, kind, ref: id, status: null, reasons: null })
  }
}
