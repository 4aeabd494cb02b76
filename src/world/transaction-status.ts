import { findCoinLabel, newHash } from './coins.ts'
import { DomainError } from './domain-error.ts'
import { emitTransactionUpdate, shownStatus } from './events.ts'
import type { Side } from './money.ts'
import { CONSTANTS } from './settings/constants.ts'
import type { Task, TaskKind, Transaction } from './state.ts'
import { wordList } from './word-list.ts'
import type { KnownTransactionStatus } from './words.ts'
import type { World } from './world.ts'

export const PENDING = 'pending request money transfer'
export const PROCESSING = 'processing request money transfer'

/** Final means no way out; active means not final. */
const TRANSITIONS: Record<KnownTransactionStatus, readonly KnownTransactionStatus[]> = {
  [PENDING]: [PROCESSING, 'cancelled', 'expired'],
  [PROCESSING]: ['complete'],
  complete: [],
  cancelled: [],
  expired: [],
}

const isKnown = (status: string): status is KnownTransactionStatus =>
  Object.hasOwn(TRANSITIONS, status)

/** A forced status that is not in the table counts as processing. */
export const allowedFrom = (status: string): readonly KnownTransactionStatus[] =>
  TRANSITIONS[isKnown(status) ? status : PROCESSING]

export const isFinal = (status: string): boolean =>
  isKnown(status) && TRANSITIONS[status].length === 0

export function assertCanMove(
  world: World,
  transaction: Transaction,
  to: KnownTransactionStatus,
): void {
  const from = shownStatus(world, transaction.status)
  const allowed = allowedFrom(transaction.status)
  if (allowed.includes(to)) return
  const shown = allowed.map((status) => shownStatus(world, status))
  const choices = wordList(
    shown.map((status) => `“${status}”`),
    'or',
  )
  const message =
    shown.length === 0
      ? `The transaction is ${from}, which is a final status.`
      : `The transaction has the status “${from}”, which can only change to ${choices}, not to “${shownStatus(world, to)}”.`
  const hint = to === 'complete' && allowed.includes(PROCESSING) ? EARLY : undefined
  throw new DomainError('illegal-transition', message, {
    field: 'status',
    from,
    allowed: shown,
    hint,
  })
}

const EARLY = 'Receive the funds first (funds-received), or send { "through": true }.'

export function moveTransaction(
  world: World,
  transaction: Transaction,
  to: KnownTransactionStatus,
  { paymentId }: { paymentId?: string | undefined } = {},
): void {
  assertCanMove(world, transaction, to)
  setStatus(world, transaction, to, paymentId)
}

/** Sets any status, for what the contract leaves open. */
export function forceStatus(world: World, transaction: Transaction, status: string): void {
  if (status === transaction.status) return
  setStatus(world, transaction, status)
}

function setStatus(world: World, transaction: Transaction, to: string, paymentId?: string): void {
  transaction.status = to
  // `push` would allocate room for sixteen more entries.
  transaction.history = [...transaction.history, { status: to, at: world.now }]
  transaction.closedAt = isFinal(to) ? world.now : null
  if (isFinal(to)) world.noteClosed(transaction)
  transaction.paymentId = paymentIdIn(world, transaction, { to, paymentId })
  world.cancelTasks(transaction.id)
  scheduleNext(world, transaction)
  world.touch('transactions', transaction)
  emitTransactionUpdate(world, transaction)
}

/** Null until coins move: a sell begins with the transfer of the coins, a buy ends with it. */
function paymentIdIn(
  world: World,
  transaction: Transaction,
  { to, paymentId }: { to: string; paymentId: string | undefined },
): string | null {
  const { side, paymentId: known } = transaction
  if (to === 'complete' || (to === PROCESSING && side === 'sell')) {
    return paymentId ?? known ?? newPaymentId(world, transaction)
  }
  // The status was forced: a buy has sent nothing yet, and a pending sell has received nothing.
  return side === 'buy' || to === PENDING ? null : known
}

function newPaymentId(world: World, transaction: Transaction): string {
  const { id, side, leftSideLabel, rightSideLabel } = transaction
  const label = findCoinLabel(side === 'buy' ? rightSideLabel : leftSideLabel)
  return newHash(world.random('payment', id, 1), label?.chain ?? 'ETH')
}

const WINDOWS_MS: Readonly<Record<Side, number>> = {
  buy: CONSTANTS['transactions.buyWindow'].value,
  sell: CONSTANTS['transactions.sellWindow'].value,
}

/** When a pending transaction with this creation time expires. */
export function expiryOf({ settings }: World, side: Side, createdAt: number): number {
  return createdAt + WINDOWS_MS[side] + settings['transactions.expiryLag']
}

/** The task by which a transaction expires; undefined if none is scheduled. */
export const findExpiry = (world: World, { id }: Transaction): Task | undefined =>
  world.tasks.of(id).find(({ kind }) => kind === 'expire-transaction')

/** Expiry while pending, and under automatic settlement the next move of money. */
export function scheduleNext(world: World, { id, side, createdAt, status }: Transaction): void {
  const { settings } = world
  const auto = settings['transactions.settlement'] === 'auto'
  if (status === PENDING) {
    schedule('expire-transaction', Math.max(expiryOf(world, side, createdAt), world.now))
    if (auto) schedule('receive-funds', world.now + settings['transactions.fundsAfter'])
  } else if (status === PROCESSING && auto) {
    schedule('settle-transaction', world.now + settings['transactions.settleAfter'])
  }

  function schedule(kind: TaskKind, at: number) {
    world.schedule({ at, kind, ref: id, status: null, reasons: null })
  }
}
