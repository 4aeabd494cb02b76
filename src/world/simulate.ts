import { DomainError } from './domain-error.ts'
import { sendBankRefusal, sendExpiry, sendPayout } from './messages.ts'
import type { Transaction, User } from './state.ts'
import {
  forceStatus,
  moveTransaction,
  PENDING,
  PROCESSING,
  refuseMove,
} from './transaction-status.ts'
import type { Access } from './users.ts'
import type { World } from './world.ts'

/** The e-transfer was approved, or the coins arrived. */
export function receiveFunds(world: World, transaction: Transaction): void {
  moveTransaction(world, transaction, PROCESSING)
}

/** The money is finished; `through` also receives the funds of a pending one. */
export function settleTransaction(
  world: World,
  transaction: Transaction,
  { paymentId, through }: { paymentId?: string | undefined; through?: boolean | undefined } = {},
): void {
  if (through && transaction.status === PENDING) receiveFunds(world, transaction)
  if (world.settings['transactions.sending'] === 'shown') sendCoins(world, transaction)
  moveTransaction(world, transaction, 'complete', { paymentId })
  if (transaction.side === 'sell') sendPayout(world, transaction)
}

/** A status of its own, which follows processing as if it were the same. */
function sendCoins(world: World, transaction: Transaction): void {
  refuseMove(world, transaction, 'complete')
  forceStatus(world, transaction, `sending ${transaction.coin}`)
}

/** The user's bank said no: the user is told, and the transaction follows the settings. */
export function refuseByBank(world: World, transaction: Transaction): void {
  if (transaction.side !== 'buy' || transaction.status !== PENDING) {
    refuseMove(world, transaction, PROCESSING)
    throw new DomainError('conflict', 'side', 'Only a buy is paid through a bank.', {
      code: 'illegal-transition',
      from: transaction.status,
      allowed: [],
    })
  }
  if (world.settings['transactions.bankRefused'] === 'cancelled') {
    moveTransaction(world, transaction, 'cancelled')
  }
  sendBankRefusal(world, transaction)
}

export function expireTransaction(world: World, transaction: Transaction): void {
  moveTransaction(world, transaction, 'expired')
  sendExpiry(world, transaction)
}

/** Any status at all; the spelling that the settings gives the cancelled state means that state. */
export function simulateStatus(world: World, transaction: Transaction, status: string): void {
  const isCancelled = status === world.settings['transactions.cancelledStatus']
  forceStatus(world, transaction, isCancelled ? 'cancelled' : status)
}

/** The user grants, or takes back, key-only access (contract, User: accessibleBy). */
export function setAccess(world: World, user: User, accessibleBy: readonly Access[]): void {
  if (!accessibleBy.includes('jwt')) {
    throw new DomainError('invalid', 'accessibleBy', 'accessibleBy always lists jwt.', {
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

/** What differs per account; what is not sent stays. */
export function setAccount(world: World, user: User, request: AccountRequest): void {
  if (request.autodeposit !== undefined) user.autodeposit = request.autodeposit
  if (request.maximumCad !== undefined) user.maximumCad = request.maximumCad
  if (request.loginCode !== undefined) user.loginCode = request.loginCode
  world.touch('users', user)
}
