import type { Json } from '../client/http.ts'
import { idOf } from './hooks.ts'
import { buy, LIST } from './read.ts'
import {
  assertOk,
  CannotImitate,
  errorFields,
  errorOf,
  isOk,
  notMeasured,
  notShown,
  numberIn,
  orderOf,
  outstandingOf,
  type Reading,
  shapeOf,
} from './reading.ts'
import type { Ordered, Run } from './run.ts'
import { call, PATHS, type Step, step, tokenOf } from './step.ts'

const TRANSACTION = '/v2/transactions/:txId'
const CREATE = 'POST /v2/transactions'
/** Nobody's, and the transaction is cancelled before it is paid. */
const WALLET = '0x000000000000000000000000000000000000dEaD'
const NO_WALLET = 'calibrate'
const QUOTED_CAD = 1_000
/** Pairs around the bounds that a provider may have, so that one transaction shows which it is. */
const AMOUNTS_CAD = [4.99, 5, 9.99, 10, 14.99, 15, 19.99, 20, 24.99, 25, 49.99, 50, 99.99, 100]

/** A chain as a field of a transaction may name it: `eth network`, `polygon`. */
const CHAIN = /^(eth|poly|arb|base)(ereum|gon|itrum)?( (network|mainnet))?$/i
const PRICED = ['leftSideLabel', 'leftSideValue', 'rightSideLabel', 'wallet', 'quoteId']
const TRANSACTION_FIELDS = [
  ...['id', 'date', 'coin', 'leftSideLabel', 'leftSideValue', 'rightSideLabel', 'rightSideValue'],
  ...['status', 'wallet', 'paymentType', 'paymentId', 'rmtId'],
]
const own = { of: 'transaction', byUser: true } as const

export const MONEY_STEPS: Readonly<Record<string, Step>> = {
  orderNothing: call(CREATE, { byUser: true, meets: 'invalid-body', body: {} }),
  order: step(orderSmallest, {
    'transactions.required': (ordered, seen) => {
      const named = new Set(errorFields(seen('orderNothing')))
      dataOf(ordered)
      const isPriced = PRICED.every((name) => named.has(name))
      if (named.size > 1 && !isPriced) throw new CannotImitate(`they are ${[...named].join(', ')}`)
      if (!ordered.flaws.has('externalSessionId')) return 'all'
      return isPriced ? 'priced' : notMeasured('the error does not name all that is missing')
    },
    'transactions.wallet': (ordered) =>
      dataOf(ordered) && ordered.flaws.has('wallet') ? 'any' : 'checked',
    'limits.minimum': (ordered) => {
      const { amount, rejected } = dataOf(ordered) && ordered
      if (rejected === undefined) return notMeasured(`it is ${amount} at most`)
      if (amount - rejected < 0.011) return amount
      return notMeasured(`it is above ${rejected}, and ${amount} at most`)
    },
    'status.limit-minimum': (ordered) =>
      (dataOf(ordered) && ordered.tooSmall?.status) ?? notShown(),
    'status.requirements-outstanding': ({ created, error }, seen) => {
      const outstanding = outstandingOf(seen('requirementsOfUser'))
      if (outstanding.length === 0) return notMeasured('nothing is outstanding for the user')
      if (created) return 200
      const isNamed = error && errorFields(error).some((name) => outstanding.includes(name))
      return isNamed ? error.status : notShown()
    },
    'transactions.depositAddress': (ordered) => {
      const { depositAddress, leftSideLabel } = dataOf(ordered)
      if (depositAddress === undefined) return 'absent'
      if (depositAddress === null) return 'null'
      if (depositAddress === '' || leftSideLabel !== 'CAD') return 'string'
      throw new CannotImitate('a buy has an address, as a sell has')
    },
    'transactions.paymentType': (ordered) => {
      const type = String(dataOf(ordered).paymentType)
      return / network$/.test(type) ? 'chain' : type
    },
    'quotes.bareLabels': (ordered) => {
      const values: Json[] = Object.values(dataOf(ordered))
      if (ordered.label !== 'USDC') return notMeasured('USDC alone is not quoted')
      const named = values.flatMap((value) => CHAIN.exec(String(value))?.[1]?.toUpperCase() ?? [])
      const [chain, ...others] = new Set(named)
      if (chain !== undefined && others.length === 0) return chain
      return notMeasured('no field of the transaction names the chain')
    },
  }),
  orderEvent: step(
    async (run) => {
      run.receiverUrl()
      const { txId } = PATHS.transaction(run)
      const event = await run.nextEvent(({ body }) => body?.payload?.transactionId === txId)
      return event ?? notMeasured('no event came about the transaction')
    },
    {
      'names.securityAnswerField': ({ body }) =>
        Object.keys(body?.payload ?? {}).find((field) => /answer/i.test(field)) ??
        notMeasured('no field of the event is about an answer'),
      'names.envelopeId': idOf,
    },
  ),
  readOne: call(`GET ${TRANSACTION}`, {
    ...own,
    tells: {
      'fields.getTransaction': (one, _, { known }) => {
        if (!('depositAddress' in dataOf(known.ordered))) {
          return notMeasured('a buy has no deposit address at all')
        }
        return shapeOf(assertOk(one).data, {
          full: [...TRANSACTION_FIELDS, 'depositAddress'],
          contract: TRANSACTION_FIELDS,
        })
      },
    },
  }),
  listAfter: call(LIST, { byUser: true, tells: { 'transactions.list.order': orderOf } }),
  reuse: step(reuseQuote, {
    'status.unknown-quote': ({ unknown }) => unknown.status,
    'status.quote-spent': ({ fresh, used }) =>
      errorOf(used) === errorOf(fresh) ? 200 : used.status,
  }),
  orderOtherAmount: step(orderOtherAmount, {
    'status.quote-amount': ({ asked, reading }) => {
      if (isOk(reading)) {
        const ordered = Number(reading.data?.leftSideValue)
        if (ordered === asked) return 200
        throw new CannotImitate('the quote decides the amount')
      }
      // Another limit may refuse a second transaction.
      const isNamed = errorFields(reading).some((field) => /leftSide|amount|quote/i.test(field))
      return isNamed ? reading.status : notShown()
    },
  }),
  cancel: call(`PUT ${TRANSACTION}/cancel`, {
    ...own,
    tells: {
      'transactions.cancelledStatus': (cancelled) => String(assertOk(cancelled).data?.status),
    },
  }),
  cancelAgain: call(`PUT ${TRANSACTION}/cancel`, {
    ...own,
    meets: 'not-cancellable',
    unlike: 'cancel',
  }),
}

/** The one transaction. */
function dataOf(ordered: Ordered | undefined): Json {
  if (ordered?.created !== undefined) return ordered.created.data
  const { error } = ordered ?? {}
  const why = error ? `: ${error.status} on ${errorFields(error).join(', ')}` : ''
  return notMeasured(`no transaction could be created${why}`)
}

/**
 * Creates the smallest transaction that the provider accepts, once. It is as unusual as it may be:
 * what the provider names as wrong is put right, and whatever it accepts is found.
 */
async function orderSmallest(run: Run): Promise<Ordered> {
  // The label without a chain, if the provider quotes it: the transaction then names the chain.
  const bare = { ...buy(QUOTED_CAD, 'USDC'), isTrial: true }
  const isBare = isOk(await run.send('GET /v2/quotes', bare))
  const label = isBare ? 'USDC' : 'USDC-ETH'
  tokenOf(run)
  const ordered: Ordered = {
    label,
    quoteId: 0,
    amount: 0,
    flaws: new Set(['externalSessionId', 'wallet']),
  }
  run.journal.note({ ordered: null })
  run.known.ordered = ordered
  for (const amount of AMOUNTS_CAD) {
    // A quote of the same amount, as a provider may go by the quote alone.
    Object.assign(ordered, { amount, quoteId: await quote(run, label, amount) })
    const last = await place(run, ordered)
    if (isOver(last)) break
    Object.assign(ordered, { rejected: amount, tooSmall: last })
  }
  return ordered
}

/** Orders a little more than its quote says, and cancels at once what is accepted. */
async function orderOtherAmount(run: Run) {
  const { ordered } = run.known
  if (!ordered?.created) return notMeasured('no transaction could be created')
  const asked = ordered.amount + 1
  const quoteId = await quote(run, ordered.label, ordered.amount)
  const reading = await order(run, ordered, { quoteId, leftSideValue: asked })
  if (isOk(reading)) {
    const path = { txId: String(reading.data?.id) }
    assertOk(await run.send(`PUT ${TRANSACTION}/cancel`, { path, token: tokenOf(run) }))
  }
  return { asked, reading }
}

/** Places an order, and puts right one by one what the provider names. */
async function place(run: Run, ordered: Ordered): Promise<Reading> {
  for (;;) {
    const reading = await order(run, ordered)
    if (isOk(reading)) {
      ordered.created = reading
      run.journal.note({ ordered: reading.data?.id ?? null })
      return reading
    }
    ordered.error = reading
    const named = errorFields(reading).find((field) => ordered.flaws.delete(field))
    if (named === undefined) return reading
  }
}

/** Whether another amount would change nothing: there is one, or the user may not trade. */
const isOver = (reading: Reading) => isOk(reading) || [401, 403].includes(reading.status)

/** One order; what is not named is as in the one that was made. */
function order(run: Run, ordered: Ordered, change: object = {}) {
  const { quoteId, amount, label, flaws } = ordered
  const body = {
    ...{ leftSideLabel: 'CAD', leftSideValue: amount, rightSideLabel: label, quoteId },
    wallet: flaws.has('wallet') ? NO_WALLET : WALLET,
    ...(!flaws.has('externalSessionId') && { externalSessionId: 'calibrate' }),
    ...change,
  }
  return run.send(CREATE, { token: tokenOf(run), body })
}

async function quote(run: Run, label: string, cad: number) {
  const { data } = assertOk(await run.send('GET /v2/quotes', buy(cad, label)))
  return numberIn(data?.quoteId, 'quoteId')
}

/** Three orders of one body that cannot be accepted, where only the quote makes a difference. */
async function reuseQuote(run: Run) {
  const { ordered } = run.known
  if (!ordered?.created) return notMeasured('no transaction could be created')
  const flaws = [
    ...(ordered.rejected === undefined ? [] : [{ leftSideValue: ordered.rejected }]),
    ...(ordered.flaws.has('wallet') ? [] : [{ wallet: NO_WALLET }]),
  ]
  for (const flaw of flaws) {
    const quoteId = await quote(run, ordered.label, ordered.amount)
    const unknown = await order(run, ordered, { ...flaw, quoteId: 1 })
    const fresh = await order(run, ordered, { ...flaw, quoteId })
    const used = await order(run, ordered, flaw)
    if (errorOf(unknown) !== errorOf(fresh)) return { unknown, fresh, used }
  }
  return notMeasured('something else is checked before the quote')
}

/** Cancels what a run ordered, also by a call whose response was lost. */
export async function cancelOwn(run: Run): Promise<void> {
  const { token } = run.known
  if (token === undefined) return notMeasured('there is no access token')
  const { data } = assertOk(await run.send(LIST, { token }))
  const items: Reading['data'][] = data?.items
  if (!Array.isArray(items)) return notMeasured('the list of transactions has no items')
  for (const { id, wallet, status } of items) {
    if (![WALLET, NO_WALLET].includes(wallet) || !/^pending/.test(String(status))) continue
    const reading = await run.send(`PUT ${TRANSACTION}/cancel`, { path: { txId: id }, token })
    if (!isOk(reading)) return notMeasured(`cancelling ${id} got ${reading.status}`)
  }
}
