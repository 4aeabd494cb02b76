import { assertWallet, newAddress, type Pair, toPair } from './coins.ts'
import { DomainError } from './domain-error.ts'
import { emitTransactionUpdate, shownStatus } from './events.ts'
import { GIVEN_NAMES, type Given, toGiven } from './fields.ts'
import { assertCounts, assertValue } from './limits.ts'
import { sendAbout } from './messages.ts'
import { fromMicros } from './money.ts'
import { price } from './price.ts'
import { assertPrice, getQuoteFor, termsOf, toAmount } from './quotes.ts'
import { ALPHANUMERIC, randomText, unusedUuid } from './random.ts'
import { getRequirements } from './requirements.ts'
import { LENGTHS } from './settings/constants.ts'
import { isRefused } from './settings/errors.ts'
import { isStartOf } from './short-id.ts'
import type { Integrator, Quote, Transaction, User } from './state.ts'
import { allowedFrom, moveTransaction, PENDING, scheduleNext } from './transaction-status.ts'
import { toVisible } from './word-list.ts'
import type { World } from './world.ts'

export interface TransactionRequest extends Given {
  leftSideLabel: string
  leftSideValue: number
  rightSideLabel: string
  /** Empty only for a sell in v1. */
  wallet: string
  quoteId: number
}

export interface Caller {
  integrator: Integrator
  user: User
}

export function createTransaction(
  world: World,
  caller: Caller,
  request: TransactionRequest,
): Transaction {
  const priced = priceTransaction(world, caller, request)
  return addTransaction(world, caller, { request, priced })
}

/** Adds a transaction that was checked. The user gets a message, the integrator an event. */
export function addTransaction(world: World, caller: Caller, order: Order): Transaction {
  const { user } = caller
  const { priced } = order
  const transaction = newTransaction(world, caller, order)
  user.transactionCount++
  priced.quote.uses++
  world.insert('transactions', transaction)
  world.touch('users', user)
  world.touch('quotes', priced.quote)
  scheduleNext(world, transaction)
  const isBuy = transaction.side === 'buy'
  sendAbout(world, transaction, isBuy ? 'money-request' : 'deposit-instructions')
  emitTransactionUpdate(world, transaction)
  return transaction
}

function assertVerified(user: User): void {
  const { status } = user
  if (status === 'verified') return
  const message = `The user’s status is ${status}; only verified users can create transactions.`
  throw new DomainError('not-verified', message, { remedy: 'verify-user', user: user.email })
}

function assertRequirements(world: World, user: User): void {
  if (!isRefused(world.settings, 'requirements-outstanding')) return
  const { complete, outstanding } = getRequirements(world, user)
  if (complete) return
  throw DomainError.ofMany(outstanding, { code: 'requirements-outstanding' })
}

function assertGiven(given: Given): void {
  for (const field of GIVEN_NAMES) {
    const { max } = LENGTHS[field]
    if ((given[field] ?? '').length <= max) continue
    const message = `${field} may have at most ${max} characters.`
    throw new DomainError('invalid', message, { field })
  }
}

function assertUsableWallet(wallet: string, pair: Pair): void {
  if (wallet === '' && pair.side === 'buy') {
    const message = 'wallet is required: it receives the coins of a buy.'
    throw new DomainError('invalid', message, { field: 'wallet' })
  }
  if (wallet !== '') assertWallet(wallet, pair)
}

/** Checks everything about a request, and prices it by the quote that it names, or a fresh one. */
export function priceTransaction(
  world: World,
  { integrator, user }: Caller,
  request: TransactionRequest,
  fresh?: Quote,
) {
  assertVerified(user)
  assertRequirements(world, user)
  assertGiven(request)
  const { leftSideLabel, rightSideLabel, quoteId, wallet } = request
  const pair = toPair(request)
  const leftSide = toAmount(world, pair, request.leftSideValue)
  assertUsableWallet(wallet, pair)
  const named = { quoteId, leftSideLabel, rightSideLabel }
  const quote = fresh ?? getQuoteFor(world, integrator, named)
  const repriced = leftSide === quote.leftSide ? quote : reprice(world, pair, { quote, leftSide })
  assertPrice(repriced)
  assertValue(world, user, {
    side: pair.side,
    rate: quote.rate,
    leftSide,
    asked: request.leftSideValue,
  })
  assertCounts(world, user)
  const { rightSide, fee, gas, spread } = repriced
  return { pair, quote, leftSide, rightSide, fee, gas, spread }
}

function reprice(
  world: World,
  pair: Pair,
  { quote, leftSide }: { quote: Quote; leftSide: number },
) {
  if (!isRefused(world.settings, 'quote-amount')) {
    return price(leftSide, termsOf(world, pair, quote.rate))
  }
  const quoted = `${fromMicros(quote.leftSide)} ${quote.leftSideLabel}`
  throw new DomainError('quote-amount', `The quote is for ${quoted}; ask for another one.`)
}

interface Order {
  id?: string | undefined
  request: Omit<TransactionRequest, 'leftSideValue' | 'quoteId'>
  priced: ReturnType<typeof priceTransaction>
}

function newTransaction(
  world: World,
  { integrator, user }: Caller,
  { id: given, request, priced }: Order,
): Transaction {
  const { pair, quote } = priced
  const draw = (ordinal: number) => world.random('transaction', user.id, ordinal)
  const isUsed = (one: string) => world.transactionsById.has(one)
  const id = unusedUuid(draw, user.transactionCount + 1, isUsed)
  const random = world.random('transaction-parts', id, 1)
  const isSell = pair.side === 'sell'
  const hasAnswer = isSell && !user.autodeposit
  const byChain = world.settings['transactions.paymentType'] === 'chain'
  return {
    id: given ?? id,
    userId: user.id,
    integrator: integrator.name,
    side: pair.side,
    createdAt: world.now,
    closedAt: null,
    coin: pair.coin,
    leftSideLabel: request.leftSideLabel,
    leftSide: priced.leftSide,
    rightSideLabel: request.rightSideLabel,
    rightSide: priced.rightSide,
    rate: quote.rate,
    fee: priced.fee,
    gas: priced.gas,
    spread: priced.spread,
    status: PENDING,
    wallet: request.wallet,
    paymentType: byChain ? `${pair.chain.toLowerCase()} network` : 'etransfer',
    paymentId: null,
    rmtId: `CA${randomText(random, ALPHANUMERIC, 10)}`,
    depositAddress: isSell ? newAddress(random, pair.chain) : '',
    quoteId: quote.quoteId,
    securityAnswer: hasAnswer ? randomText(random, ALPHANUMERIC, 8) : null,
    history: [{ status: PENDING, at: world.now }],
    ...toGiven(request),
  }
}

/** Transactions of the user that the integrator may list, oldest first. */
function transactionsOf(world: World, { integrator, user }: Caller): readonly Transaction[] {
  return world
    .transactionsOf(user.id)
    .filter((transaction) => transaction.integrator === integrator.name)
}

export interface TransactionPage {
  items: Transaction[]
  total: number
  limit: number
  offset: number
}

export function listTransactions(
  world: World,
  caller: Caller,
  { limit, offset }: { limit: number; offset: number },
): TransactionPage {
  const all = transactionsOf(world, caller)
  if (world.settings['transactions.list.order'] === 'oldest') {
    return { items: all.slice(offset, offset + limit), total: all.length, limit, offset }
  }
  const end = Math.max(all.length - offset, 0)
  const items = all.slice(Math.max(end - limit, 0), end).reverse()
  return { items, total: all.length, limit, offset }
}

/** For any other integrator, the transaction does not exist. */
export function getTransaction(world: World, integrator: Integrator, txId: string): Transaction {
  const transaction = world.transactionsById.get(txId)
  if (transaction?.integrator === integrator.name) return transaction
  throw newUnknownError(transaction && `The integrator ${transaction.integrator} created it.`)
}

/** For any other integrator or user, the transaction does not exist. */
export function getTransactionOf(
  world: World,
  { integrator, user }: Caller,
  txId: string,
): Transaction {
  const transaction = getTransaction(world, integrator, txId)
  assertOwner(transaction, user)
  return transaction
}

export function assertOwner({ userId }: Transaction, { id }: User): void {
  if (userId !== id) throw newUnknownError('It belongs to a different user than the access token.')
}

function newUnknownError(hint: string | undefined): DomainError {
  const message = 'There is no transaction with this id.'
  return new DomainError('unknown-transaction', message, { hint })
}

export function getAnyTransaction(world: World, id: string): Transaction {
  const found = findAnyTransaction(world, id)
  if (found) return found
  const message = `There is no transaction ${toVisible(id)}.`
  throw new DomainError('not-found', message, { field: 'transaction' })
}

/** Finds a transaction by its id, or by a beginning of it, which must not be ambiguous. */
export function findAnyTransaction(world: World, id: string): Transaction | undefined {
  const transaction = world.transactionsById.get(id)
  if (transaction) return transaction
  const [found, ...others] = world.transactions.filter((row) => isStartOf(id, row.id))
  if (others.length === 0) return found
  const message = `The ids of ${others.length + 1} transactions begin with ${id}; use more characters.`
  throw new DomainError('not-found', message, { field: 'transaction' })
}

export function cancelTransaction(world: World, transaction: Transaction): Transaction {
  const { status } = transaction
  if (!allowedFrom(status).includes('cancelled')) {
    const from = shownStatus(world, status)
    const message = `A transaction with the status “${from}” cannot be cancelled.`
    throw new DomainError('not-cancellable', message, { from })
  }
  moveTransaction(world, transaction, 'cancelled')
  return transaction
}
