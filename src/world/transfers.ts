import type { Transfer, TransferOutcome, Worth } from './chain-state.ts'
import { toPair } from './coins.ts'
import { isValueAllowed } from './limits.ts'
import { sendDepositNotice } from './messages.ts'
import { fromMicros, type Micros } from './money.ts'
import { price } from './price.ts'
import { termsOf } from './quotes.ts'
import { receiveFunds, settleTransaction } from './simulate.ts'
import type { Transaction } from './state.ts'
import {
  allowedFrom,
  assertCanMove,
  forceStatus,
  moveTransaction,
  PENDING,
  PROCESSING,
} from './transaction-status.ts'
import type { World } from './world.ts'

export type SeenTransfer = Omit<Transfer, 'at' | 'outcome' | 'isGone' | 'before'>

/** Transfers that are kept of one transaction; a few make a deposit. */
const TRANSFERS_MAX = 1_000

/** Tokens arrived at the deposit address of a sell. Undefined for a transfer that is known. */
export function receiveTransfer(
  world: World,
  transaction: Transaction,
  seen: SeenTransfer,
): Transfer | undefined {
  const transfers = transaction.transfers ?? []
  const known = transfers.findLast((other) => isSame(other, seen))
  if (known && !known.isGone) return undefined
  if (known && world.settings['chain.reorganised'] === 'kept') return bringBack(world, known, seen)
  if (transfers.length >= TRANSFERS_MAX) return undefined
  const outcome = outcomeOf(world, transaction, seen)
  const transfer: Transfer = { ...seen, at: world.now, outcome, isGone: false, before: null }
  transaction.transfers = [...transfers, transfer]
  world.touch('transactions', transaction)
  FOLLOW[outcome](world, transaction, transfer)
  return transfer

  function bringBack(ofWorld: World, back: Transfer, { block, blockHash }: SeenTransfer) {
    Object.assign(back, { block, blockHash, isGone: false })
    ofWorld.touch('transactions', transaction)
    return undefined
  }
}

const isSame = (a: SeenTransfer, b: SeenTransfer) =>
  a.hash === b.hash && a.ordinal === b.ordinal && a.network === b.network

function outcomeOf(world: World, transaction: Transaction, seen: SeenTransfer): TransferOutcome {
  if (seen.coin !== transaction.coin) return 'wrong-token'
  const { status } = transaction
  if (!allowedFrom(world, status).includes(PROCESSING)) {
    return status === 'expired' ? 'after-expiry' : 'not-pending'
  }
  const total = arrived(world, transaction) + seen.amount
  if (total === transaction.leftSide) return 'exact'
  return total < transaction.leftSide ? 'too-little' : 'too-much'
}

/** What came before and counts towards the deposit. */
function arrived(world: World, { transfers = [] }: Transaction): Micros {
  if (world.settings['chain.parts'] === 'separate') return 0
  const counting = transfers.filter(({ outcome, isGone }) => outcome === 'too-little' && !isGone)
  return counting.reduce((sum, { amount }) => sum + amount, 0)
}

type Follow = (world: World, transaction: Transaction, transfer: Transfer) => void

const FOLLOW: Record<TransferOutcome, Follow> = {
  exact: (world, transaction, { hash }) => receiveFunds(world, transaction, { paymentId: hash }),
  'too-little'(world, transaction, transfer) {
    const rule = world.settings['chain.tooLittle']
    const counted = arrived(world, transaction) || transfer.amount
    const { leftSide, leftSideLabel } = transaction
    const what = `${fromMicros(counted)} of ${fromMicros(leftSide)} ${leftSideLabel} arrived`
    if (rule === 'repriced' && reprice(world, transaction, { transfer, leftSide: counted })) {
      notify(`Only ${what}; you are paid for that.`)
      receiveFunds(world, transaction, { paymentId: transfer.hash })
    } else if (rule === 'cancelled') {
      cancel(world, transaction)
      notify(`Only ${what}; the transaction is cancelled.`)
    } else if (world.settings['chain.parts'] === 'separate') {
      notify(`Only ${what}; send the whole amount at once.`)
    } else {
      notify(`${what}; send the other ${fromMicros(leftSide - counted)}.`)
    }

    function notify(text: string) {
      sendDepositNotice(world, transaction, 'Your deposit is too small', text)
    }
  },
  'too-much'(world, transaction, transfer) {
    const { leftSide, leftSideLabel } = transaction
    const total = arrived(world, transaction) + transfer.amount
    const isRepriced =
      world.settings['chain.tooMuch'] === 'repriced' &&
      reprice(world, transaction, { transfer, leftSide: total })
    const what = `${fromMicros(total)} ${leftSideLabel} arrived, ${fromMicros(total - leftSide)} more than ordered`
    const end = isRepriced ? 'you are paid for all of it' : 'support returns the rest'
    sendDepositNotice(world, transaction, 'Your deposit is too large', `${what}; ${end}.`)
    receiveFunds(world, transaction, { paymentId: transfer.hash })
  },
  'wrong-token'(world, transaction, { coin, token, hash }) {
    const isCancelled = world.settings['chain.wrongToken'] === 'cancelled'
    if (isCancelled) cancel(world, transaction)
    const what = `${coin ?? `A token (${token})`} arrived in place of ${transaction.leftSideLabel}`
    const text = `${what}; support returns it: ${hash}.`
    sendDepositNotice(world, transaction, 'You sent another token', text)
  },
  'after-expiry': (world, transaction, transfer) =>
    notifyUnexpected(world, transaction, transfer, 'Your deposit came too late'),
  'not-pending': (world, transaction, transfer) =>
    notifyUnexpected(world, transaction, transfer, 'Your deposit was not expected'),
}

function notifyUnexpected(
  world: World,
  transaction: Transaction,
  { amount, hash }: Transfer,
  subject: string,
): void {
  if (world.settings['chain.notPending'] === 'silent') return
  const { leftSideLabel, rmtId } = transaction
  const what = `${fromMicros(amount)} ${leftSideLabel} arrived for ${rmtId}`
  sendDepositNotice(world, transaction, subject, `${what}; support returns it: ${hash}.`)
}

function cancel(world: World, transaction: Transaction): void {
  if (!allowedFrom(world, transaction.status).includes('cancelled')) return
  moveTransaction(world, transaction, 'cancelled')
}

/** At the rate of the quote; not beyond the limits, nor where nothing would be left to pay. */
function reprice(
  world: World,
  transaction: Transaction,
  { transfer, leftSide }: { transfer: Transfer; leftSide: Micros },
): boolean {
  const user = world.usersById.get(transaction.userId)
  if (!isValueAllowed(world, user, { ...transaction, leftSide })) return false
  const priced = price(leftSide, termsOf(world, toPair(world, transaction), transaction.rate))
  if (priced.rightSide <= 0) return false
  transfer.before = toWorth(transaction)
  Object.assign(transaction, priced, { leftSide })
  return true
}

const toWorth = ({ leftSide, rightSide, fee, gas, spread }: Transaction): Worth => {
  return { leftSide, rightSide, fee, gas, spread }
}

/** The block of a transfer was replaced, and the transfer is in no other. */
export function loseTransfer(world: World, transaction: Transaction, transfer: Transfer): void {
  transfer.isGone = true
  world.touch('transactions', transaction)
  const { hash, before } = transfer
  const isUndone =
    world.settings['chain.reorganised'] === 'undone' &&
    transaction.status === PROCESSING &&
    transaction.paymentId === hash
  if (isUndone) {
    if (before) Object.assign(transaction, before)
    forceStatus(world, transaction, PENDING)
  }
  const end = isUndone ? 'send it again' : 'nothing changes for you'
  const text = `The chain dropped the block of ${hash}; ${end}.`
  sendDepositNotice(world, transaction, 'Your deposit is gone from the chain', text)
}

/** Before the coins of a buy leave: nothing brings them back. */
export function assertCanSettle(
  world: World,
  transaction: Transaction,
  { through }: { through?: boolean | undefined },
): void {
  if (through && allowedFrom(world, transaction.status).includes(PROCESSING)) return
  assertCanMove(world, transaction, 'complete')
}

/** The coins of a buy are with the user, so it is complete, even if it expired meanwhile. */
export function settlePaidBuy(world: World, transaction: Transaction, paymentId: string): void {
  const allowed = allowedFrom(world, transaction.status)
  const isComplete = transaction.status === 'complete'
  if (isComplete || allowed.includes('complete') || allowed.includes(PROCESSING)) {
    settleTransaction(world, transaction, { paymentId, through: true })
  } else {
    transaction.paymentId = paymentId
    forceStatus(world, transaction, 'complete')
  }
}
