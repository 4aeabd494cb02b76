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
/** Nobody's, and each transaction is cancelled before it is paid. */
export const WALLET = '0x000000000000000000000000000000000000dEaD'
const QUOTED_CAD = 1_000
/**
 * Pairs around the bounds that a provider may have, upwards, so that one transaction shows which it is.
 * Each is at most twice the one before, and so is what is ordered of the smallest amount.
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
    Object.assign(ordered, { rejected: amount, tooSmall: last })
  }
  return ordered
}

/** The label without a chain, if the provider quotes it: the transaction then names the chain. */
async function findLabel(run: Run): Promise<string> {
  const quoted = await run.send('GET /v2/quotes', { ...buy(QUOTED_CAD, 'USDC'), isTrial: true })
  return isOk(quoted) ? 'USDC' : 'USDC-ETH'
}

/** Lists the amounts to try: all in a first run, later the known minimum, its neighbour and larger ones. */
function amountsOf({ options: { earlier } }: Run): readonly number[] {
  const known = Number(earlier?.settings['limits.minimum'])
  if (!(known > 0)) return AMOUNTS_CAD
  const below = Math.round((known - CENT) * 100) / 100
  return [below, known, ...AMOUNTS_CAD.filter((amount) => amount > known)]
}

/** Orders an amount; undefined where it is not quoted, or where nothing but the label was wrong. */
async function place(run: Run, ordered: Ordered, amount: number): Promise<Reading | undefined> {
  const other = await placeOther(run, ordered, amount)
  if (other !== undefined) return other
  // A quote of the same amount, as a provider may go by the quote alone.
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
 * Where an earlier run saw that an order may have another amount than its quote, the one transaction
 * is such an order, of the smaller amount whichever of them decides.
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

/** Another amount would change nothing: there is a transaction, or the user may not trade. */
const isOver = (reading: Reading) => isOk(reading) || [401, 403].includes(reading.status)

/** Orders a little more than the quote says, if that is not seen already, and cancels what is accepted. */
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

/** Three orders of one body that cannot be accepted, where only the quote makes a difference. */
export async function reuseQuote(run: Run) {
  const ordered = orderedOf(run)
  const { rejected, label, amount, other } = ordered
  if (rejected === undefined) return notMeasured('no amount is refused in any case')
  if (other === undefined) {
    throw (
      run.failed.get('orderOtherAmount') ?? new NotMeasured('no order of another amount was made')
    )
  }
  // Where the quote decides the amount, the one that is rejected has to be quoted.
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

/** The fields without which an order of a rejected amount gets another error; `named` are known. */
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
    // Then nothing of the other fields would show either.
    if (isSame && named.includes(field)) return notMeasured('the amount is checked before fields')
  }
  return required
}

const isSameError = (one: Reading, other: Reading) => errorOf(one) === errorOf(other)

function orderedOf({ known: { ordered } }: Run): Ordered {
  return ordered?.created ? ordered : notMeasured('no transaction could be created')
}

/** One order; what is not named is as in the one that was made. */
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
    // The service did nothing, if the list of transactions has nothing new.
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
  const path = { txId: String(reading.data?.id) }
  const route = `PUT ${TRANSACTION}/cancel`
  assertOk(await run.send(route, { path, token: tokenOf(run), isTrial: true }))
}

/** Cancels what a run ordered, also by a call whose response was lost, and counts it; `kept` stays. */
export async function cancelOwn(run: Run, kept?: string): Promise<number> {
  const { token } = run.known
  if (token === undefined) return notMeasured('there is no access token')
  const { data } = assertOk(await run.send(LIST, { token, isTrial: true }))
  const items: Reading['data'][] = data?.items
  if (!Array.isArray(items)) return notMeasured('the list of transactions has no items')
  let cancelled = 0
  for (const { id, wallet, status } of items) {
    if (id === kept || wallet !== WALLET || !/^pending/.test(String(status))) continue
    const path = { txId: id }
    const reading = await run.send(`PUT ${TRANSACTION}/cancel`, { path, token, isTrial: true })
    if (!isOk(reading)) return notMeasured(`cancelling ${id} got ${reading.status}`)
    cancelled++
  }
  return cancelled
}
