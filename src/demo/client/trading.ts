import type { Json } from '../../client/http.ts'
import type { Side } from '../../world/money.ts'
import { api, simulate } from './api.ts'
import { note } from './session.ts'
import { change, state } from './store.ts'
import { coinOf, decimalsOf, formatAmount, parseAmount, t, toTyped } from './words.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const SOLANA_WALLET = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
const PAGES_MAX = 5

/** Coins that come from another wallet; the provider knows nothing of them. */
const RECEIVED_USDC = 120

export const COINS = [
  { label: 'USDC-ETH', network: 'Ethereum' },
  { label: 'USDC-SOL', network: 'Solana' },
  { label: 'USDC-BASE', network: 'Base' },
  { label: 'USDC-POLY', network: 'Polygon' },
  { label: 'CADC-ETH', network: 'Ethereum' },
] as const

export const networkOf = (label: string): string =>
  COINS.find((coin) => coin.label === label)?.network ?? 'Ethereum'

export const walletOf = (label: string): string => (label.endsWith('-SOL') ? SOLANA_WALLET : WALLET)

export const isPending = ({ status }: Json): boolean => status.startsWith('pending')
export const isOpen = (transaction: Json): boolean =>
  !['complete', 'cancelled', 'canceled', 'expired'].includes(transaction.status)
export const isBuy = ({ leftSideLabel }: Json): boolean => leftSideLabel === 'CAD'
export const isDone = ({ status }: Json): boolean => status === 'complete'

export const coinLabel = (row: Json): string =>
  isBuy(row) ? row.rightSideLabel : row.leftSideLabel
export const paysOf = (row: Json): string => formatAmount(row.leftSideValue, row.leftSideLabel)
export const getsOf = (row: Json): string => formatAmount(row.rightSideValue, row.rightSideLabel)

/** Coins come from somewhere else: only this wallet knows of them. */
export async function receiveCoins(): Promise<void> {
  const date = new Date(state.now).toISOString()
  const received = { id: `received-${state.received.length + 1}`, amount: RECEIVED_USDC, date }
  change({ received: [...state.received, received] })
  await note({ received })
}

/** Coins that the wallet holds: those it received, and what was bought and sold since. */
export function balanceOf(coin: string): number {
  let balance = coin === 'USDC' ? state.received.length * RECEIVED_USDC : 0
  for (const row of state.transactions) {
    if (coinOf(row.rightSideLabel) === coin && isDone(row)) balance += row.rightSideValue
    const hasLeft = isDone(row) || (isOpen(row) && !isPending(row))
    if (coinOf(row.leftSideLabel) === coin && hasLeft) balance -= row.leftSideValue
  }
  // Coins were sold that came from somewhere this wallet knows nothing of.
  return Math.max(0, Math.round(balance * 1e6) / 1e6)
}

/** Coins that the wallet can sell under a label. */
export const heldOf = (label: string): number => balanceOf(coinOf(label))

/** CAD for one coin, from the two maximums that the limits give. */
export function rateOf(coin: string): number {
  const { CAD, [coin]: bounds } = state.limits ?? {}
  return bounds?.maximum > 0 ? CAD.maximum / bounds.maximum : 0
}

export const openCount = (): number => state.transactions.filter(isOpen).length

export async function goHome(): Promise<void> {
  const limits = await api('GET', '/limits')
  const transactions: Json[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = page === 0 ? '' : `?offset=${transactions.length}`
    const { items, total } = await api('GET', `/transactions${query}`)
    transactions.push(...items)
    if (items.length === 0 || transactions.length >= total) break
  }
  change({ limits: limits.leftSideCurrency, transactions, screen: 'home', ...CLOSED })
}

const CLOSED = { transaction: null, quote: null, isChoosing: false }

/** A sell begins with a coin that is held. */
export async function order(side: Side): Promise<void> {
  const held = COINS.map(({ label }) => label).find((label) => heldOf(label) > 0)
  if (side === 'sell' && held === undefined)
    return change({ notice: 'You have no coins to sell yet. Buy some first, or receive some.' })
  if (side === 'sell' && held && heldOf(state.coin) === 0) change({ coin: held })
  const amount = side === 'buy' ? '250' : toTyped(Math.min(100, heldOf(state.coin)))
  change({ ...CLOSED, side, screen: 'amount', amount })
  await askQuote()
}

/** The least and the most of one order, in what the user pays with. */
export function boundsOf(): { minimum: number; maximum: number } | undefined {
  return state.limits?.[state.side === 'buy' ? 'CAD' : coinOf(state.coin)]
}

/** Finds what is wrong with the typed amount; nothing is asked of the provider until it is right. */
export function findAmountProblem(): string | undefined {
  const { amount, side, coin } = state
  const value = parseAmount(amount)
  const { minimum = 0, maximum = Infinity } = boundsOf() ?? {}
  const count = side === 'buy' ? 2 : 6
  const show = (of: number) => ({ amount: formatAmount(of, side === 'buy' ? 'CAD' : coin) })
  if (!value) return t('Enter an amount in digits, such as {example}.', { example: '250' })
  if (decimalsOf(amount) > count) return t('At most {count} decimals.', { count })
  if (value < minimum) return t('The least per order is {amount}.', show(minimum))
  if (value > maximum) return t('The most per order is {amount}.', show(maximum))
  const isTooMuch = side === 'sell' && value > heldOf(coin)
  return isTooMuch ? t('You hold {amount}.', show(heldOf(coin))) : undefined
}

function labelsOf() {
  const { side, coin } = state
  return side === 'buy'
    ? { leftSideLabel: 'CAD', rightSideLabel: coin }
    : { leftSideLabel: coin, rightSideLabel: 'CAD' }
}

export async function askQuote(): Promise<void> {
  const { amount, coin } = state
  if (findAmountProblem() !== undefined) return
  const value = String(parseAmount(amount))
  const { leftSideLabel, rightSideLabel } = labelsOf()
  const query = new URLSearchParams({ leftSideLabel, leftSideValue: value, rightSideLabel })
  const quote = await api('GET', `/quotes?${query}`)
  // The user may have typed on meanwhile; another quote is asked for then.
  if (state.amount === amount && state.coin === coin) change({ quote })
}

export const isQuoteExpired = (): boolean =>
  state.quote !== null && Date.parse(state.quote.expiresAt ?? '') <= state.now

export async function placeOrder(): Promise<void> {
  const { quoteId, rate, breakdown } = state.quote ?? {}
  const transaction = await api('POST', '/transactions', {
    ...labelsOf(),
    leftSideValue: parseAmount(state.amount),
    wallet: walletOf(state.coin),
    quoteId,
    externalSessionId: `wallet-${quoteId}`,
  })
  const { id, depositAddress } = transaction
  await keep({ id, rate, breakdown, depositAddress })
  change({ transaction, screen: 'order', transactions: [transaction, ...state.transactions] })
}

export const open = (transaction: Json): void => change({ transaction, screen: 'order' })

/** Keeps what only the quote, the created transaction and webhooks say of an order. */
export async function keep(order: Json): Promise<void> {
  const { orders } = state
  change({ orders: { ...orders, [order.id]: { ...orders[order.id], ...order } } })
  await note({ order })
}

/** Facts that were kept of the open order. */
export const orderOf = (transaction: Json | null): Json => state.orders[transaction?.id] ?? {}

export const deadlineOf = (transaction: Json): number =>
  Date.parse(transaction.date) + state.windowsMs[isBuy(transaction) ? 'buy' : 'sell']

/** Handles a verified `transaction.update` webhook: without a call, for it says what changed. */
export async function onTransactionUpdate(payload: Json, sentAt: number): Promise<void> {
  const { transactionId: id, status, paymentId, etransferSecurityAnswer: answer } = payload
  if (!isPending(payload)) {
    const isPaidOut = isDone(payload) && payload.rightSideLabel === 'CAD'
    await keep({
      id,
      [isDone(payload) ? 'doneAt' : 'gotAt']: sentAt,
      // Without an answer the bank deposits by itself.
      ...(isPaidOut && { answer, isDeposited: answer === null }),
    })
  }
  show(state.transactions.map((row) => (row.id === id ? { ...row, status, paymentId } : row)))
}

/** Reads the transactions again, for webhooks that never arrived. */
export async function reconcile(): Promise<void> {
  const { items } = await api('GET', '/transactions')
  show(items)
}

/** The bank is left once it has nothing more to ask. */
function show(transactions: Json[]): void {
  const { depositAddress, id } = state.transaction ?? {}
  const found = transactions.find((row) => row.id === id)
  // What a notice said of an order may be over.
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
  await simulate(`/simulate/transactions/${state.transaction?.id}/funds-received`)
}
