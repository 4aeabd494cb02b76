import { DomainError } from './domain-error.ts'
import { sendBankRefused, sendExpiry, sendPayout } from './messages.ts'
import type { Transaction, User } from './state.ts'
import {
  allowedFrom,
  assertCanMove,
  forceStatus,
  moveTransaction,
  PENDING,
  PROCESSING,
} from './transaction-status.ts'
import type { Access } from './users.ts'
import type { World } from './world.ts'

/** The e-transfer was approved, or the coins arrived. */
export function receiveFunds(
  world: World,
  transaction: Transaction,
  { paymentId }: PaymentRequest = {},
): void {
  assertCanMove(world, transaction, PROCESSING)
  if (paymentId !== undefined && transaction.side === 'buy') {
    const message = "A buy's coins are sent when it settles; only then has it a paymentId."
    throw new DomainError('invalid', message, { field: 'paymentId' })
  }
  moveTransaction(world, transaction, PROCESSING, { paymentId })
}

export interface PaymentRequest {
  /** The blockchain transaction hash; derived from the seed by default. */
  paymentId?: string | undefined
}

/** Ends a transaction well; `through` also receives the funds of a pending one. */
export function settleTransaction(
  world: World,
  transaction: Transaction,
  { paymentId, through }: PaymentRequest & { through?: boolean | undefined } = {},
): void {
  const isSell = transaction.side === 'sell'
  if (through && allowedFrom(world, transaction.status).includes(PROCESSING)) {
    receiveFunds(world, transaction, isSell ? { paymentId } : {})
  }
  assertCanMove(world, transaction, 'complete')
  moveTransaction(world, transaction, 'complete', { paymentId })
  if (isSell) sendPayout(world, transaction)
}

/** The user's bank refuses to pay. */
export function simulateBankRefused(world: World, transaction: Transaction): void {
  assertCanMove(world, transaction, PROCESSING)
  if (transaction.side !== 'buy' || transaction.status !== PENDING) {
    throw new DomainError('illegal-transition', 'Only a buy that is pending is paid by a bank.', {
      field: 'side',
      from: transaction.status,
      allowed: [],
    })
  }
  if (world.settings['transactions.bankRefused'] === 'cancelled') {
    moveTransaction(world, transaction, 'cancelled')
  }
  sendBankRefused(world, transaction)
}

export function expireTransaction(world: World, transaction: Transaction): void {
  moveTransaction(world, transaction, 'expired')
  sendExpiry(world, transaction)
}

/** Any status at all; the cancelled one may be spelled as the settings say. */
export function simulateStatus(world: World, transaction: Transaction, status: string): void {
  const isCancelled = status === world.settings['transactions.cancelledStatus']
  forceStatus(world, transaction, isCancelled ? 'cancelled' : status)
}

/** The user grants, or takes back, key-only access (contract, User: accessibleBy). */
export function setAccess(world: World, user: User, accessibleBy: readonly Access[]): void {
  if (!accessibleBy.includes('jwt')) {
    throw new DomainError('invalid', 'accessibleBy always lists jwt.', {
      field: 'accessibleBy',
      rule: 'Resources: User, accessibleBy',
    })
  }
  user.keyAccess = accessibleBy.includes('apiKey')
  world.touch('users', user)
}

export interface AccountRequest {
  autodeposit?: boolean | undefined
  maximumCad?: number | null | undefined
  loginCode?: string | null | undefined
}

/** What is not sent stays. */
export function setAccount(world: World, user: User, request: AccountRequest): void {
  if (request.autodeposit !== undefined) user.autodeposit = request.autodeposit
  if (request.maximumCad !== undefined) user.maximumCad = request.maximumCad
  if (request.loginCode !== undefined) user.loginCode = request.loginCode
  world.touch('users', user)
}
