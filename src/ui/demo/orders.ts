import type { TransactionUpdate } from '../../control-api/wire.ts'
import type {
  LimitsResponse,
  TransactionResponse,
  TransactionsResponse,
} from '../../http/v2/shapes.ts'
import { api, simulate } from './api.ts'
import { askRates, balanceOf, heldLabels, rateOf } from './balances.ts'
import { walletOf } from './coins.ts'
import { customer, note } from './customer.ts'
import { formatAmount, parseAmount } from './format.ts'
import { findAmountProblem, labelsOf, NOTHING_OPEN } from './quotes.ts'
import { change, type OrderFacts, state } from './store.ts'
import { isBuy, isDone, isOpen, isPending } from './transactions.ts'

const HOUR_MS = 3_600_000
const PAGES_MAX = 100

export const openCount = (): number => state.transactions.filter(isOpen).length

export async function goHome(): Promise<void> {
  const limits = await api<LimitsResponse>('GET', '/limits')
  const transactions = await readOrders()
  change({ limits: limits.leftSideCurrency, transactions, screen: 'home', ...NOTHING_OPEN })
  await askRates()
}

/** Every order of the customer, newest first. */
async function readOrders(): Promise<TransactionResponse[]> {
  const orders: TransactionResponse[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    // Pages have the size of the service, because the settings may refuse any other.
    const query = `?offset=${orders.length}`
    const { items, total } = await api<TransactionsResponse>('GET', `/transactions${query}`)
    orders.push(...items)
    if (items.length === 0 || orders.length >= total) break
  }
  return orders
}

/** Places the order; a sell only if nobody has sold the coins elsewhere meanwhile. */
export async function placeOrder(): Promise<void> {
  if (state.side === 'sell') {
    change({ transactions: await readOrders() })
    if (findAmountProblem() !== undefined) return change({ screen: 'amount' })
  }
  const { quoteId, rate, breakdown } = state.quote ?? {}
  const transaction = await api<TransactionResponse>('POST', '/transactions', {
    ...labelsOf(),
    leftSideValue: parseAmount(state.amount),
    wallet: walletOf(state.coin),
    quoteId,
    externalSessionId: `wallet-${quoteId}`,
  })
  const { id, depositAddress } = transaction
  noteOrder(id, { rate, breakdown, depositAddress })
  change({ transaction, screen: 'order', transactions: [transaction, ...state.transactions] })
}

export const openOrder = (transaction: TransactionResponse): void =>
  change({ transaction, screen: 'order' })

/** Notes facts about an order that only its quote, its creation and webhooks contain. */
export function noteOrder(id: string, facts: OrderFacts): void {
  const { orders } = customer()
  note({ orders: { ...orders, [id]: { ...orders[id], ...facts } } })
}

export const factsOf = ({ id }: Pick<TransactionResponse, 'id'>): OrderFacts =>
  customer().orders[id] ?? {}

/** When an order expires that nobody pays (contract, Limits). */
export const deadlineOf = (transaction: TransactionResponse): number =>
  Date.parse(transaction.date) + (isBuy(transaction) ? HOUR_MS : 24 * HOUR_MS)

/** Handles a verified `transaction.update` webhook: without a call, for it says what changed. */
export async function onTransactionUpdate(
  payload: TransactionUpdate,
  sentAt: number,
): Promise<void> {
  const { transactionId: id, status, paymentId, etransferSecurityAnswer: answer } = payload
  if (!isPending(payload)) {
    const isPaidOut = isDone(payload) && payload.rightSideLabel === 'CAD'
    noteOrder(id, {
      [isDone(payload) ? 'doneAt' : 'gotAt']: sentAt,
      // Without an answer the bank deposits automatically.
      ...(isPaidOut && { answer, isDeposited: answer === null }),
    })
  }
  show(state.transactions.map((row) => (row.id === id ? { ...row, status, paymentId } : row)))
  if (heldLabels().some((label) => rateOf(label) === 0)) await askRates()
}

/** Reads the orders again, in case webhooks never arrived. */
export async function reconcile(): Promise<void> {
  show(await readOrders())
}

/** Shows the orders, and leaves the bank page once the order is paid. */
function show(transactions: TransactionResponse[]): void {
  const { depositAddress = null, id } = state.transaction ?? {}
  const found = transactions.find((row) => row.id === id)
  // The notice may be about an earlier status of the order.
  change({ transactions, notice: '' })
  if (!found) return
  const isLeft = state.screen === 'bank' && !isPending(found)
  change({ transaction: { depositAddress, ...found }, ...(isLeft && { screen: 'order' }) })
}

export async function cancel(): Promise<void> {
  await api('PUT', `/transactions/${state.transaction?.id}/cancel`)
}

/** The user sends coins from this wallet; the provider sees them arrive. */
export async function sendCoins(): Promise<void> {
  const { id, leftSideLabel = '', leftSideValue = 0 } = state.transaction ?? {}
  const balance = balanceOf(leftSideLabel)
  if (balance < 0) {
    const held = formatAmount(Math.max(0, balance + leftSideValue), leftSideLabel)
    return change({ problem: `You hold ${held}.` })
  }
  await simulate(`/simulate/transactions/${id}/funds-received`)
}
