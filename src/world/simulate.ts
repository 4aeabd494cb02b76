import { Refusal } from './errors.ts'
import type { Message } from './facts.ts'
import { fromMicros } from './money.ts'
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
  if (world.policy['transactions.sending'] === 'shown') sendCoins(world, transaction)
  moveTransaction(world, transaction, 'complete', { paymentId })
  if (transaction.side === 'sell') writePayout(world, transaction)
}

/** A status of its own, which follows processing as if it were the same. */
function sendCoins(world: World, transaction: Transaction): void {
  refuseMove(world, transaction, 'complete')
  forceStatus(world, transaction, `sending ${transaction.coin}`)
}

/** The user's bank said no: the user is told, and the transaction follows the policy. */
export function refuseByBank(world: World, transaction: Transaction): void {
  if (transaction.side !== 'buy' || transaction.status !== PENDING) {
    refuseMove(world, transaction, PROCESSING)
    throw new Refusal('conflict', 'side', 'Only a buy is paid through a bank.', {
      code: 'illegal-transition',
      from: transaction.status,
      allowed: [],
    })
  }
  if (world.policy['transactions.bankRefused'] === 'cancelled') {
    moveTransaction(world, transaction, 'cancelled')
  }
  writeTo(world, transaction, {
    kind: 'bank-refusal',
    subject: 'Your bank refused the e-transfer',
    text: `Your bank refused to pay the request ${transaction.rmtId}; its own limit may be lower.`,
    code: null,
  })
}

export function expireTransaction(world: World, transaction: Transaction): void {
  moveTransaction(world, transaction, 'expired')
  writeTo(world, transaction, {
    kind: 'transaction-closed',
    subject: 'Your transaction expired',
    text: `Nothing arrived in time for ${transaction.rmtId}.`,
    code: null,
  })
}

/** Any status at all; the spelling that the policy gives the cancelled state means that state. */
export function simulateStatus(world: World, transaction: Transaction, status: string): void {
  const isCancelled = status === world.policy['transactions.cancelledStatus']
  forceStatus(world, transaction, isCancelled ? 'cancelled' : status)
}

function writePayout(world: World, transaction: Transaction): void {
  const { securityAnswer } = transaction
  const answer = securityAnswer ? `the answer is ${securityAnswer}` : 'it was deposited by itself'
  writeTo(world, transaction, {
    kind: 'payout',
    subject: 'You received an e-transfer',
    text: `${fromMicros(transaction.rightSide)} CAD were sent to you; ${answer}.`,
    code: securityAnswer,
  })
}

function writeTo(
  world: World,
  transaction: Transaction,
  { kind, subject, text, code }: Pick<Message, 'kind' | 'subject' | 'text' | 'code'>,
): void {
  const user = world.usersById.get(transaction.userId)
  if (user) world.write({ to: user.email, kind, subject, text, code, ref: transaction.id })
}

/** The user grants, or takes back, key-only access (contract, User: accessibleBy). */
export function setAccess(world: World, user: User, accessibleBy: readonly Access[]): void {
  if (!accessibleBy.includes('jwt')) {
    throw new Refusal('invalid', 'accessibleBy', 'accessibleBy always lists jwt.', {
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
