import type { Json } from '../client/http.ts'
import { idOf, isAbout } from './hooks.ts'
import {
  amountIn,
  findOrderFields,
  ORDER,
  ORDER_FIELDS,
  orderOtherAmount,
  orderSmallest,
  reuseQuote,
  TRANSACTION,
} from './order.ts'
import { LIST } from './read.ts'
import {
  assertOk,
  CannotImitate,
  errorFields,
  errorOf,
  formatError,
  isOk,
  notMeasured,
  notShown,
  orderOf,
  outstandingOf,
  type Reading,
  Shown,
  shapeOf,
} from './reading.ts'
import type { ArrivedEvent, Ordered, OtherAmount, Run } from './run.ts'
import { call, PATHS, type SeenStep, type Step, step } from './step.ts'

/** A chain as a field of a transaction may name it: `eth network`, `polygon`. */
const CHAIN = /^(eth|poly|arb|base)(ereum|gon|itrum)?( (network|mainnet))?$/i
/** The fields of an order without which there is no price. */
const PRICED = ORDER_FIELDS.filter((field) => field !== 'externalSessionId')
const TRANSACTION_FIELDS = [
  'id',
  'date',
  'coin',
  'leftSideLabel',
  'leftSideValue',
  'rightSideLabel',
  'rightSideValue',
  'status',
  'wallet',
  'paymentType',
  'paymentId',
  'rmtId',
]
/** Amounts in CAD have cents. */
const CENT = 0.011

export const MONEY_STEPS: Readonly<Record<string, Step>> = {
  orderNothing: call(ORDER, {
    byUser: true,
    meets: 'invalid-body',
    needsSuccess: true,
    body: {},
  }),
  order: step(orderSmallest, {
    'limits.minimum': minimumIn,
    'status.limit-minimum': ({ created, tooSmall, isMixed }) => {
      if (isMixed) return notMeasured('smaller amounts get different errors')
      return created && tooSmall ? new Shown(tooSmall.status, tooSmall) : notShown()
    },
    'status.requirements-outstanding': refusalIn,
    'transactions.depositAddress': byCreation(({ depositAddress, leftSideLabel }) => {
      if (depositAddress === undefined) return 'absent'
      if (depositAddress === null) return 'null'
      if (depositAddress === '' || leftSideLabel !== 'CAD') return 'string'
      throw new CannotImitate('a buy has an address, as a sell has')
    }),
    'transactions.paymentType': byCreation(({ paymentType }) => {
      const type = String(paymentType)
      return / network$/.test(type) ? 'chain' : type
    }),
    'quotes.bareLabels': chainIn,
  }),
  orderFields: step(findRequiredOfOrder, { 'transactions.required': toRequired }),
  orderEvent: step(awaitOrder, {
    'names.securityAnswerField': ({ body }) =>
      Object.keys(body?.payload ?? {}).find((field) => /answer/i.test(field)) ??
      notMeasured('no field of the event is about an answer'),
    'names.envelopeId': idOf,
  }),
  readOne: call(`GET ${TRANSACTION}`, {
    of: 'transaction',
    byUser: true,
    tells: { 'fields.getTransaction': fieldsOfOne },
  }),
  listAfter: call(LIST, { byUser: true, tells: { 'transactions.list.order': orderOf } }),
  // The last order that may be accepted.
  orderOtherAmount: step(orderOtherAmount, { 'status.quote-amount': statusOfOther }),
  reuse: step(reuseQuote, {
    'status.unknown-quote': ({ unknown }) => new Shown(unknown.status, unknown),
    'status.quote-spent': ({ fresh, used }) => {
      const isAccepted = isOk(used) || errorOf(used) === errorOf(fresh)
      return new Shown(isAccepted ? 200 : used.status, used)
    },
  }),
  cancel: call(`PUT ${TRANSACTION}/cancel`, {
    of: 'transaction',
    byUser: true,
    isRepeatable: true,
    tells: {
      'transactions.cancelledStatus': (cancelled) => String(assertOk(cancelled).data?.status),
    },
  }),
  cancelAgain: call(`PUT ${TRANSACTION}/cancel`, {
    of: 'transaction',
    byUser: true,
    meets: 'not-cancellable',
    unlike: 'cancel',
  }),
}

/** The response that created the one transaction. */
function createdIn(ordered: Ordered | undefined, run: Run): Reading {
  if (ordered?.created !== undefined) return ordered.created
  const { others = [] } = run.known
  const why = ordered?.error ? `: ${formatError(ordered.error)}` : ''
  const named = others.length > 0 ? `; the user has ${others.length} open ones of others` : ''
  return notMeasured(`no transaction could be created${why}${named}`)
}

/** Finds a setting from the response that created the transaction. */
function byCreation(tell: (transaction: Json) => string) {
  return (ordered: Ordered, _: SeenStep, run: Run): Shown => {
    const created = createdIn(ordered, run)
    if (created.data?.id === undefined) return notMeasured('the response has no transaction')
    return new Shown(tell(created.data), created)
  }
}

/** Returns the smallest accepted amount, if one cent less was rejected. */
function minimumIn(ordered: Ordered, _: SeenStep, run: Run): Shown {
  const created = createdIn(ordered, run)
  const { amount, rejected } = ordered
  if (rejected !== undefined && amount - rejected < CENT) return new Shown(amount, created)
  const above = rejected === undefined ? '' : `above ${rejected}, and `
  const seen = `it is ${above}${amount} at most`
  const isKnown = run.options.earlier?.settings['limits.minimum'] !== undefined
  // An earlier run knew the minimum, so it must have changed.
  if (isKnown) throw new CannotImitate(seen, { nearest: amount, by: [created] })
  return notMeasured(seen)
}

function refusalIn({ created, error }: Ordered, seen: SeenStep): Shown {
  const outstanding = outstandingOf(seen('requirementsOfUser'))
  if (outstanding.length === 0) return notMeasured('nothing is outstanding for the user')
  if (created) return new Shown(200, created)
  const isNamed = error && errorFields(error).some((name) => outstanding.includes(name))
  return isNamed ? new Shown(error.status, error) : notShown()
}

function chainIn(ordered: Ordered, _: SeenStep, run: Run): Shown {
  const created = createdIn(ordered, run)
  if (ordered.label !== 'USDC') return notMeasured('USDC alone is not quoted')
  const values: Json[] = Object.values(created.data)
  const named = values.flatMap((value) => CHAIN.exec(String(value))?.[1]?.toUpperCase() ?? [])
  const [chain, ...others] = new Set(named)
  if (chain !== undefined && others.length === 0) return new Shown(chain, created)
  return notMeasured('no field of the transaction names the chain')
}

/** Finds the required fields from the error of an empty order, or else by leaving out each. */
async function findRequiredOfOrder(run: Run): Promise<{ names: string[]; by: Reading }> {
  const by = run.readingOf('orderNothing')
  createdIn(run.known.ordered, run)
  const named = [...new Set(errorFields(by))]
  const isAllNamed = ORDER_FIELDS.every((field) => named.includes(field))
  // The provider may check a field that this error does not name later.
  const names = isAllNamed ? named : await findOrderFields(run, named)
  return { names, by: isAllNamed ? by : (run.readings.at(-1) ?? by) }
}

function toRequired({ names, by }: { names: readonly string[]; by: Reading }): Shown {
  const isAll = (fields: readonly string[]) =>
    fields.length === names.length && fields.every((field) => names.includes(field))
  if (isAll(ORDER_FIELDS)) return new Shown('all', by)
  if (isAll(PRICED)) return new Shown('priced', by)
  throw new CannotImitate(`they are ${names.join(', ')}`, { by: [by] })
}

async function awaitOrder(run: Run): Promise<ArrivedEvent> {
  run.receiverUrl()
  const { txId } = PATHS.transaction(run)
  const event = await run.nextEvent(isAbout(txId))
  return event ?? notMeasured('no event came about the transaction')
}

function fieldsOfOne(one: Reading, _: SeenStep, run: Run): string {
  if (!('depositAddress' in createdIn(run.known.ordered, run).data)) {
    return notMeasured('a buy has no deposit address at all')
  }
  return shapeOf(assertOk(one).data, {
    full: [...TRANSACTION_FIELDS, 'depositAddress'],
    contract: TRANSACTION_FIELDS,
  })
}

/** Finds the status of an order whose amount differs from its quote. */
function statusOfOther(other: OtherAmount): Shown {
  const { asked, quoted, reading } = other
  if (isOk(reading)) {
    const ordered = amountIn(other)
    if (ordered === asked) return new Shown(200, reading)
    const seen = ordered === quoted ? 'the quote decides the amount' : 'the amount differs'
    throw new CannotImitate(seen, { by: [reading] })
  }
  // Another limit may refuse a second transaction.
  const isNamed = errorFields(reading).some((field) => /leftSide|amount|quote/i.test(field))
  return isNamed ? new Shown(reading.status, reading) : notShown()
}
