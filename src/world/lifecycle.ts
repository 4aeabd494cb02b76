import { DomainError } from './domain-error.ts'
import { shownStatus } from './events.ts'
import { simulateKyc } from './kyc.ts'
import { sendAbout } from './messages.ts'
import type { Task, TaskKind, Transaction } from './state.ts'
import {
  allowedFrom,
  assertCanMove,
  forceStatus,
  moveTransaction,
  PENDING,
  PROCESSING,
} from './transaction-status.ts'
import type { KnownTransactionStatus } from './words.ts'
import type { World } from './world.ts'

/** Records that the e-transfer was approved, or that the coins arrived. */
export function receiveFunds(
  world: World,
  transaction: Transaction,
  { paymentId }: PaymentRequest = {},
): void {
  assertCanMove(world, transaction, PROCESSING)
  if (paymentId !== undefined && transaction.side === 'buy') {
    const message = "A buy's coins are sent when it settles; it has no paymentId until then."
    throw new DomainError('invalid', message, { field: 'paymentId' })
  }
  moveTransaction(world, transaction, PROCESSING, { paymentId })
}

export interface PaymentRequest {
  /** The blockchain transaction hash; derived from the seed by default. */
  paymentId?: string | undefined
}

/** Completes a transaction; `through` also receives the funds of a pending one. */
export function settleTransaction(
  world: World,
  transaction: Transaction,
  { paymentId, through }: PaymentRequest & { through?: boolean | undefined } = {},
): void {
  const isSell = transaction.side === 'sell'
  if (through && allowedFrom(transaction.status).includes(PROCESSING)) {
    receiveFunds(world, transaction, isSell ? { paymentId } : {})
  }
  assertCanMove(world, transaction, 'complete')
  moveTransaction(world, transaction, 'complete', { paymentId })
  if (isSell) sendAbout(world, transaction, 'payout')
}

export function simulateBankRefused(world: World, transaction: Transaction): void {
  const { side, status } = transaction
  if (side !== 'buy' || status !== PENDING) {
    throw new DomainError('illegal-transition', 'The bank can decline only a pending buy.', {
      field: side === 'buy' ? 'status' : 'side',
      from: shownStatus(world, status),
      allowed: allowedFrom(status).map((each) => shownStatus(world, each)),
    })
  }
  if (world.settings['transactions.bankRefused'] === 'cancelled') {
    moveTransaction(world, transaction, 'cancelled')
  }
  sendAbout(world, transaction, 'bank-refusal')
}

export function expireTransaction(world: World, transaction: Transaction): void {
  moveTransaction(world, transaction, 'expired')
  sendAbout(world, transaction, 'transaction-closed')
}

/** Sets any status; the cancelled one may be spelled as the settings say. */
export function simulateStatus(world: World, transaction: Transaction, status: string): void {
  const isCancelled = status === world.settings['transactions.cancelledStatus']
  forceStatus(world, transaction, isCancelled ? 'cancelled' : status)
}

export function runTask(world: World, task: Task): void {
  world.cancelTask(task)
  const { kind, ref, status, reasons } = task
  if (kind === 'change-kyc-status') {
    const user = world.usersById.get(ref)
    if (user && status) simulateKyc(world, user, { status, reasons: reasons ?? [] })
    return
  }
  const transaction = world.transactionsById.get(ref)
  // An imported state may hold a task that its transaction does not allow.
  if (!transaction || !allowedFrom(transaction.status).includes(STATUS_AFTER[kind])) return
  CHANGES[kind](world, transaction)
}

type TransactionTask = Exclude<TaskKind, 'change-kyc-status'>

/** Status to which a task about a transaction moves it. */
const STATUS_AFTER = {
  'expire-transaction': 'expired',
  'receive-funds': PROCESSING,
  'settle-transaction': 'complete',
} as const satisfies Record<TransactionTask, KnownTransactionStatus>

const CHANGES: Record<TransactionTask, (world: World, transaction: Transaction) => void> = {
  'expire-transaction': expireTransaction,
  'receive-funds': receiveFunds,
  'settle-transaction': settleTransaction,
}
