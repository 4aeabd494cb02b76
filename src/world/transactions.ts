import { newAddress, type Pair, refuseWallet, toPair } from './coins.ts'
import { DomainError } from './domain-error.ts'
import { emitTransactionUpdate, shownStatus } from './events.ts'
import { refuseCounts, refuseValue } from './limits.ts'
import { sendDepositInstructions, sendMoneyRequest } from './messages.ts'
import { fromMicros, price } from './money.ts'
import { getQuoteFor, refuseNothingLeft, termsOf, toAmount } from './quotes.ts'
import { ALPHANUMERIC, letters, uuid } from './random.ts'
import type { Integrator, Quote, Transaction, User } from './state.ts'
import { allowedFrom, moveTransaction, PENDING, scheduleNext } from './transaction-status.ts'
import type { World } from './world.ts'

export interface TransactionRequest {
  leftSideLabel: string
  leftSideValue: number
  rightSideLabel: string
  /** Empty only where v1 lets a sell come without one. */
  wallet: string
  quoteId: number
  externalSessionId: string | null
}

/** Who acts, and for whom. */
export interface Caller {
  integrator: Integrator
  user: User
}

export function createTransaction(
  world: World,
  { integrator, user }: Caller,
  request: TransactionRequest,
): Transaction {
  const priced = refuseTransaction(world, { integrator, user }, request)
  const transaction = newTransaction(world, { integrator, user }, { request, priced })
  countTransaction(user, priced.quote)
  world.insert('transactions', transaction)
  scheduleNext(world, transaction)
  if (transaction.side === 'buy') sendMoneyRequest(world, transaction)
  else sendDepositInstructions(world, transaction)
  emitTransactionUpdate(world, transaction)
  return transaction
}

/** Needs no `touch`: what is kept of a world counts its new transactions by the same. */
export function countTransaction(user: User | undefined, quote: Quote | undefined): void {
  if (user) user.transactionCount++
  if (quote) quote.uses++
}

/** Everything that can be wrong with a request, before anything is written. */
function refuseTransaction(
  world: World,
  { integrator, user }: Caller,
  request: TransactionRequest,
) {
  if (user.status !== 'verified') {
    throw new DomainError(
      world.settings['errors.notVerified'],
      'user',
      `The user is ${user.status}; only verified users trade.`,
      {
        rule: 'States: User statuses',
        hint: `POST /_sandbox/simulate/users/${user.email}/kyc with { "status": "verified" } approves it.`,
      },
    )
  }
  const { leftSideLabel, rightSideLabel, quoteId, wallet } = request
  const pair = toPair(leftSideLabel, rightSideLabel)
  const leftSide = toAmount(request.leftSideValue)
  if (wallet === '' && pair.side === 'buy') {
    throw new DomainError(
      'invalid',
      'wallet',
      'wallet is required: it receives the coins of a buy.',
    )
  }
  const isChecked = world.settings['transactions.wallet'] === 'checked'
  if (wallet !== '' && isChecked) refuseWallet(wallet, pair.chain)
  const quote = getQuoteFor(world, integrator, { quoteId, leftSideLabel, rightSideLabel })
  const repriced = leftSide === quote.leftSide ? quote : reprice(world, pair, { quote, leftSide })
  refuseNothingLeft(repriced.rightSide)
  refuseValue(world, user, { side: pair.side, rate: quote.rate, leftSide })
  refuseCounts(world, user)
  const { rightSide, fee, gas, spread } = repriced
  return { pair, quote, leftSide, rightSide, fee, gas, spread }
}

function reprice(
  world: World,
  pair: Pair,
  { quote, leftSide }: { quote: Quote; leftSide: number },
) {
  if (world.settings['transactions.quoteMismatch'] === 'reprice') {
    return price(leftSide, termsOf(world, pair, quote.rate))
  }
  throw new DomainError(
    'invalid',
    'leftSideValue',
    `The quote is for ${fromMicros(quote.leftSide)} ${quote.leftSideLabel}; ask for another one.`,
  )
}

export interface Ordered {
  request: Omit<TransactionRequest, 'leftSideValue' | 'quoteId'>
  priced: ReturnType<typeof refuseTransaction>
}

/** A pending transaction, with everything about it that the seed decides. */
export function newTransaction(
  world: World,
  { integrator, user }: Caller,
  { request, priced }: Ordered,
): Transaction {
  const { pair, quote } = priced
  const ordinal = user.transactionCount + 1
  const id = uuid(world.random('transaction', user.id, ordinal))
  const random = world.random('transaction-parts', id, 1)
  const isSell = pair.side === 'sell'
  const answered =
    isSell && !user.autodeposit && world.settings['transactions.securityAnswer'] === 'sells'
  const byChain = world.settings['transactions.paymentType'] === 'chain'
  return {
    id,
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
    paymentType: byChain ? pair.network : 'etransfer',
    paymentId: null,
    rmtId: `CA${letters(random, ALPHANUMERIC, 10)}`,
    depositAddress: isSell ? newAddress(random, pair.chain) : '',
    quoteId: quote.quoteId,
    externalSessionId: request.externalSessionId,
    securityAnswer: answered ? letters(random, ALPHANUMERIC, 8) : null,
    history: [{ status: PENDING, at: world.now }],
  }
}

/** The transactions this integrator made for the user, oldest first. */
function transactionsOf(world: World, { integrator, user }: Caller): readonly Transaction[] {
  return world.userTransactions.get(user.id)?.byIntegrator.get(integrator.name) ?? []
}

export interface Page {
  items: Transaction[]
  total: number
  limit: number
  offset: number
}

/** A page, newest first. */
export function listTransactions(
  world: World,
  caller: Caller,
  { limit, offset }: { limit: number; offset: number },
): Page {
  const all = transactionsOf(world, caller)
  const end = Math.max(all.length - offset, 0)
  const items = all.slice(Math.max(end - limit, 0), end).reverse()
  return { items, total: all.length, limit, offset }
}

/** A transaction of this integrator; for any other, or another user, it does not exist. */
export function getTransaction(world: World, integrator: Integrator, txId: string): Transaction {
  const transaction = world.transactionsById.get(txId)
  if (transaction?.integrator === integrator.name) return transaction
  throw new DomainError('not-found', 'txId', 'There is no transaction with this id.', {
    ...(transaction && { hint: `The integrator ${transaction.integrator} created it.` }),
  })
}

/** A transaction that this integrator made for this user. */
export function getTransactionOf(
  world: World,
  { integrator, user }: Caller,
  txId: string,
): Transaction {
  const transaction = getTransaction(world, integrator, txId)
  refuseForeign(transaction, user)
  return transaction
}

/** For any user but its own, a transaction does not exist. */
export function refuseForeign({ userId }: Transaction, { id }: User): void {
  if (userId === id) return
  throw new DomainError('not-found', 'txId', 'There is no transaction with this id.', {
    hint: 'It belongs to another user than the access token.',
  })
}

export function getAnyTransaction(world: World, id: string): Transaction {
  const transaction = world.transactionsById.get(id)
  if (transaction) return transaction
  throw new DomainError('not-found', 'transaction', `There is no transaction ${id}.`)
}

/** The user withdraws. */
export function cancelTransaction(world: World, transaction: Transaction): Transaction {
  const { status } = transaction
  if (!allowedFrom(world, status).includes('cancelled')) {
    const from = shownStatus(world, status)
    throw new DomainError(
      world.settings['transactions.cancelRefused'],
      'txId',
      `The transaction is ${from}; it cannot be cancelled now.`,
      {
        rule: 'Endpoints: Transactions, PUT cancel',
        from,
      },
    )
  }
  moveTransaction(world, transaction, 'cancelled')
  return transaction
}
