import { buy, LIST } from './read.ts'
import {
  assertOk,
  errorFields,
  errorOf,
  isOk,
  NotMeasured,
  notMeasured,
  numberIn,
  type Reading,
} from './reading.ts'
import type { Ordered, OtherAmount, Run } from './run.ts'
import { tokenOf } from './step.ts'

export const TRANSACTION = '/v2/transactions/:txId'
export const ORDER = 'POST /v2/transactions'
export const ORDER_FIELDS = [
  'leftSideLabel',
  'leftSideValue',
  'rightSideLabel',
  'wallet',
  'quoteId',
  'externalSessionId',
] as const
/** Nobody's wallet; each transaction is cancelled before it is paid. */
export const WALLET = '0x000000000000000000000000000000000000dEaD'
const QUOTED_CAD = 1_000
/**
 * Likely minimums, each with a smaller amount before it, in rising order, so that one transaction
 * shows the minimum. Each is at most twice the one before, so no order exceeds twice the minimum.
 */
export const AMOUNTS_CAD = [
  0.99, 1, 1.99, 2, 3.99, 4, 4.99, 5, 9.99, 10, 14.99, 15, 19.99, 20, 24.99, 25, 49.99, 50, 99.99,
  100,
]
const CENT = 0.01

/** Creates the smallest transaction that the provider accepts, once. */
export async function orderSmallest(run: Run): Promise<Ordered> {
  tokenOf(run)
  const ordered: Ordered = { label: await findLabel(run), quoteId: 0, amount: 0 }
  run.journal.note({ ordered: null })
  run.known.ordered = ordered
  for (const amount of amountsOf(run)) {
    const last = await place(run, ordered, amount)
    if (last === undefined) continue
    if (isOver(last)) break
    // A lost order may have spent the quote, or filled the limit of open ones.
    const isMixed = ordered.tooSmall !== undefined && ordered.tooSmall.status !== last.status
    Object.assign(ordered, { rejected: amount, tooSmall: last, ...(isMixed && { isMixed }) })
  }
  return ordered
}

/** Prefers the label without a chain, because the transaction then shows which chain is meant. */
async function findLabel(run: Run): Promise<string> {
  const quoted = await run.send('GET /v2/quotes', { ...buy(QUOTED_CAD, 'USDC'), isTrial: true })
  return isOk(quoted) ? 'USDC' : 'USDC-ETH'
}

/** All amounts in a first run; later, the known minimum, one cent less, and larger amounts. */
function amountsOf({ options: { earlier } }: Run): readonly number[] {
  const known = Number(earlier?.settings['limits.minimum'])
  if (!(known > 0)) return AMOUNTS_CAD
  const below = Math.round((known - CENT) * 100) / 100
  return [below, known, ...AMOUNTS_CAD.filter((amount) => amount > known)]
}

/** Orders an amount, with another label if necessary; undefined if it is not quoted. */
async function place(run: Run, ordered: Ordered, amount: number): Promise<Reading | undefined> {
  const other = await placeOther(run, ordered, amount)
  if (other !== undefined) return other
  // The quote has the same amount, because a provider may look at the quote alone.
  const quoteId = await findQuote(run, ordered.label, amount)
  if (quoteId === undefined) return undefined
  const reading = await order(run, ordered, { quoteId, leftSideValue: amount })
  if (isOk(reading)) return accept(run, ordered, { reading, amount, quoteId })
  ordered.error = reading
  if (ordered.label === 'USDC' && errorFields(reading).includes('wallet')) {
    // Its chain has addresses of another form.
    ordered.label = 'USDC-ETH'
    return await place(run, ordered, amount)
  }
  reading.isCompared = false
  return reading
}

/**
 * If an earlier run saw that an order may differ from its quote, makes the one transaction such an
 * order. Whichever of the two decides, the transaction has the smaller amount.
 */
async function placeOther(run: Run, ordered: Ordered, amount: number) {
  const { earlier } = run.options
  const isKnown = amount === Number(earlier?.settings['limits.minimum'])
  const isDecided = earlier?.others['status.quote-amount'] !== undefined
  const isAccepted = Number(earlier?.settings['status.quote-amount']) < 300
  if (!isKnown || !(isDecided || isAccepted)) return undefined
  const [quoted, asked] = isDecided ? [amount, amount + 1] : [amount + 1, amount]
  const quoteId = await findQuote(run, ordered.label, quoted)
  if (quoteId === undefined) return undefined
  const reading = await order(run, ordered, { quoteId, leftSideValue: asked })
  ordered.other = { asked, quoted, reading }
  const isAsBefore = isOk(reading) && amountIn(ordered.other) === amount
  if (isAsBefore) return accept(run, ordered, { reading, amount, quoteId })
  reading.isCompared = false
  await cancelAtOnce(run, reading)
  return undefined
}

interface Accepted {
  reading: Reading
  amount: number
  quoteId: number
}

function accept(run: Run, ordered: Ordered, { reading, amount, quoteId }: Accepted): Reading {
  const asked = { amount: Number(reading.data?.leftSideValue ?? amount), quoteId }
  Object.assign(ordered, { ...asked, created: reading })
  run.journal.note({ ordered: reading.data?.id ?? null })
  return reading
}

/** Ends the search: there is a transaction, or the user may not trade. */
const isOver = (reading: Reading) => isOk(reading) || [401, 403].includes(reading.status)

/** Orders slightly more than the quote, unless that was done before, and cancels the order. */
export async function orderOtherAmount(run: Run): Promise<OtherAmount> {
  const ordered = orderedOf(run)
  if (ordered.other !== undefined) return ordered.other
  const quoted = ordered.amount
  const asked = quoted + 1
  const quoteId = await quote(run, ordered.label, quoted)
  const reading = await order(run, ordered, { quoteId, leftSideValue: asked })
  await cancelAtOnce(run, reading)
  ordered.other = { asked, quoted, reading }
  return ordered.other
}

/** Sends three orders with an amount that is rejected anyway; they differ only in the quote. */
export async function reuseQuote(run: Run) {
  const ordered = orderedOf(run)
  const { rejected, label, amount, other } = ordered
  if (rejected === undefined) return notMeasured('no amount is refused in any case')
  if (other === undefined) {
    return run.missing('orderOtherAmount', 'no order of another amount was made')
  }
  // If the quote decides the amount, the quote must have the rejected amount.
  const isDecided = isOk(other.reading) && amountIn(other) === other.quoted
  const body = { leftSideValue: rejected }
  const quoteId = await quote(run, label, isDecided ? rejected : amount)
  const unknown = await order(run, ordered, { ...body, quoteId: 1 })
  const fresh = await order(run, ordered, { ...body, quoteId })
  await cancelAtOnce(run, fresh)
  const used = await order(run, ordered, { ...body, quoteId: ordered.quoteId })
  await cancelAtOnce(run, used)
  if (errorOf(unknown) !== errorOf(fresh)) return { unknown, fresh, used }
  return notMeasured('the amount is checked before the quote')
}

/** The amount of an order, as the response says it. */
export const amountIn = ({ reading }: OtherAmount): number =>
  numberIn(reading.data?.leftSideValue, 'leftSideValue')

/** Finds required fields by leaving out each; `named` are in the error of an empty order. */
export async function findOrderFields(run: Run, named: readonly string[]): Promise<string[]> {
  const ordered = orderedOf(run)
  const { rejected, tooSmall, label } = ordered
  if (rejected === undefined || tooSmall === undefined) {
    return notMeasured('the error does not name all that is missing')
  }
  const whole = { quoteId: await quote(run, label, rejected), leftSideValue: rejected }
  const required: string[] = []
  for (const field of ORDER_FIELDS) {
    const reading = await order(run, ordered, { ...whole, [field]: undefined })
    await cancelAtOnce(run, reading)
    reading.isCompared = false
    const isSame = isSameError(reading, tooSmall)
    if (!isSame && !errorFields(reading).includes(field)) {
      return notMeasured(`an order without ${field} gets an error that does not name it`)
    }
    if (!isSame || named.includes(field)) required.push(field)
    // The other fields would not show either.
    if (isSame && named.includes(field)) return notMeasured('the amount is checked before fields')
  }
  return required.length > 0 ? required : notMeasured('all orders get the same error')
}

const isSameError = (one: Reading, other: Reading) => errorOf(one) === errorOf(other)

function orderedOf({ known: { ordered } }: Run): Ordered {
  return ordered?.created ? ordered : notMeasured('no transaction could be created')
}

/** Sends an order like the first one, with the given changes. */
async function order(run: Run, { quoteId, amount, label }: Ordered, change: object = {}) {
  const body = {
    leftSideLabel: 'CAD',
    leftSideValue: amount,
    rightSideLabel: label,
    quoteId,
    wallet: WALLET,
    externalSessionId: 'calibrate',
    ...change,
  }
  const sent = { token: tokenOf(run), body, isOnce: true }
  try {
    return await run.send(ORDER, sent)
  } catch (error) {
    if (!(error instanceof NotMeasured) || !error.isFailure) throw error
    // If the list has no new transaction, the failed call had no effect.
    const cancelled = await cancelOwn(run, run.known.ordered?.created?.data?.id).catch(() => 1)
    if (cancelled > 0) throw error
    return await run.send(ORDER, sent)
  }
}

/** The id of a quote; undefined where the amount is not quoted. */
async function findQuote(run: Run, label: string, cad: number): Promise<number | undefined> {
  const quoted = await run.send('GET /v2/quotes', { ...buy(cad, label), isTrial: true })
  return isOk(quoted) ? numberIn(quoted.data?.quoteId, 'quoteId') : undefined
}

async function quote(run: Run, label: string, cad: number): Promise<number> {
  return (await findQuote(run, label, cad)) ?? notMeasured(`${cad} CAD of ${label} are not quoted`)
}

async function cancelAtOnce(run: Run, reading: Reading): Promise<void> {
  if (!isOk(reading)) return
  reading.isCompared = false
  await cancelOne(run, String(reading.data?.id))
}

/** Cancels all transactions of a run but `kept`, even after a lost response; returns the count. */
export async function cancelOwn(run: Run, kept?: string): Promise<number> {
  const items = await readEnds(run)
  const open = items.filter((item) => isOpenOwn(item, run)).map(({ id }) => String(id))
  const listed = items.map(({ id }) => String(id))
  // A list may show a transaction late, or somewhere in the middle.
  const missed = idsOfOrders(run).filter((id) => !listed.includes(id) && !isClosed(run, id))
  let cancelled = 0
  for (const id of new Set([...open, ...missed])) {
    if (id === kept || (isClosed(run, id) && (await isFinal(run, id)))) continue
    await cancelOne(run, id)
    cancelled++
  }
  return cancelled
}

type Item = Reading['data']

/** Ids of the transactions that responses have shown to this run, or to one that was killed. */
function idsOfOrders({ readings, journal }: Run): string[] {
  const made = readings.filter((reading) => reading.route === ORDER && isOk(reading))
  return [journal.changes.ordered, ...made.map(({ data }) => data?.id)].filter(
    (id) => typeof id === 'string',
  )
}

/** The first and the last page of the list: it may begin with the oldest transactions. */
async function readEnds(run: Run): Promise<Item[]> {
  const readPage = async (offset?: number): Promise<Item> => {
    const page = { token: tokenFor(run), isTrial: true, ...(offset && { query: { offset } }) }
    const { data } = assertOk(await run.send(LIST, page))
    return Array.isArray(data?.items) ? data : notMeasured('the list of transactions has no items')
  }
  const { items, total } = await readPage()
  const isWhole = !(total > items.length)
  return isWhole ? items : [...items, ...(await readPage(total - items.length)).items]
}

/** Recognises a transaction of a run that is not final, however the provider spells its wallet. */
function isOpenOwn({ wallet, status }: Item, run: Run): boolean {
  const isOwn = String(wallet).toLowerCase() === WALLET.toLowerCase()
  return isOwn && (isPending(status) || status === run.known.ordered?.created?.data?.status)
}

const isPending = (status: unknown): boolean => /^pending/i.test(String(status))

/** Tells if a response about one transaction has shown that it is no longer pending. */
const isClosed = ({ readings }: Run, id: string): boolean =>
  readings.some((reading) => {
    const isOfIt = reading.sent.path?.txId === id
    return isOfIt && isOk(reading) && isSettled(reading.data)
  })

const isSettled = (transaction: Item): boolean =>
  typeof transaction?.status === 'string' && !isPending(transaction.status)

async function isFinal(run: Run, txId: string): Promise<boolean> {
  const one = { path: { txId }, token: tokenFor(run), isTrial: true }
  return isSettled((await run.send(`GET ${TRANSACTION}`, one)).data)
}

/** Cancels a transaction; throws unless a response shows that it is cancelled. */
async function cancelOne(run: Run, txId: string): Promise<void> {
  const sent = { path: { txId }, token: tokenFor(run), isTrial: true }
  const reading = await run.send(`PUT ${TRANSACTION}/cancel`, sent)
  if (!isOk(reading)) return notMeasured(`cancelling ${txId} got ${reading.status}`)
  // A provider may accept the call and do nothing, or do it later.
  if (isSettled(reading.data) || (await isFinal(run, txId))) return
  return notMeasured(`cancelling ${txId} got ${reading.status}, and it is still pending`)
}

/** The access token, where the login may have failed before. */
const tokenFor = ({ known }: Run): string => known.token ?? notMeasured('there is no access token')
