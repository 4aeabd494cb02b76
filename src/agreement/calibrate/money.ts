import type { Json } from '../../client/http.ts'
import type { HOOK_STEPS } from './hooks.ts'
import { NO_WALLET, order, orderSmallest, quote } from './order.ts'
import { orderOf, type READ_STEPS, type TOKEN_STEPS, tokenOf } from './read.ts'
import { assertOk, errorFields, errorOf, findMin, isOk, numberIn, shapeOf } from './reading.ts'
import type { Reading } from './step.ts'
import {
  type ArrivedEvent,
  CannotImitate,
  type Context,
  NotMeasured,
  type Ordered,
  probesOf,
  refused,
  type Step,
  step,
} from './step.ts'
import { outstandingOf } from './write.ts'

const TRANSACTION = '/v2/transactions/:txId'
const CREATE = 'POST /v2/transactions'
const SESSION_LENGTH_MAX = 10_000
const UNKNOWN_QUOTE = 1

const ofTransaction = (run: (context: Context, txId: string) => Promise<Reading>): Step<Reading> =>
  step('money', ['token'], async (context) => await run(context, transactionOf(context)))
const withToken = (method: string, path: string) =>
  ofTransaction((context, txId) =>
    context.send(`${method} ${path}`, { path: { txId }, token: tokenOf(context) }),
  )

/** Three orders of one body that cannot be accepted; only the quote differs. */
interface Reuse {
  unknown: Reading
  fresh: Reading
  used: Reading
}

export const MONEY_STEPS = {
  orderNothing: step('money', ['token'], (context) =>
    context.send(CREATE, { token: tokenOf(context), body: {}, isRefusal: true }),
  ),
  order: step('money', ['token'], async (context): Promise<Ordered> => {
    const ordered = await orderSmallest(context)
    context.known.ordered = ordered
    return ordered
  }),
  orderEvent: step('money', ['receiver', 'token'], async (context): Promise<ArrivedEvent> => {
    const id = transactionOf(context)
    const event = await context.receiver?.next(({ body }) => body?.payload?.transactionId === id)
    if (event) return event
    throw new NotMeasured('no event came about the transaction')
  }),
  readOne: withToken('GET', TRANSACTION),
  listAfter: step('money', ['token'], (context) =>
    context.send('GET /v2/transactions', { token: tokenOf(context) }),
  ),
  reuse: step('money', ['token'], async (context): Promise<Reuse[]> => {
    const { ordered } = context.known
    if (!ordered?.created) throw new NotMeasured('no transaction could be created')
    const flaws = [
      ...(ordered.rejected === undefined ? [] : [{ amount: ordered.rejected }]),
      ...(ordered.withBadWallet ? [] : [{ wallet: NO_WALLET }]),
    ]
    const tried: Reuse[] = []
    for (const flaw of flaws) {
      const quoteId = await quote(context, ordered.label, ordered.amount)
      tried.push({
        unknown: await order(context, ordered, { ...flaw, quoteId: UNKNOWN_QUOTE }),
        fresh: await order(context, ordered, { ...flaw, quoteId }),
        used: await order(context, ordered, flaw),
      })
    }
    return tried
  }),
  longSession: step('money', ['token'], async (context): Promise<number | undefined> => {
    const { ordered } = context.known
    const { rejected: amount } = ordered ?? {}
    if (!ordered?.created || amount === undefined) {
      throw new NotMeasured('no amount is known to be rejected, so it could create a transaction')
    }
    const quoteId = await quote(context, ordered.label, ordered.amount)
    const bounds = { min: 2, max: SESSION_LENGTH_MAX + 1, expected: 256 }
    return await findMin(bounds, async (length) => {
      const externalSessionId = 'x'.repeat(length)
      const reading = await order(context, ordered, { amount, quoteId, externalSessionId })
      return errorFields(reading).includes('externalSessionId')
    })
  }),
  cancel: ofTransaction(async (context, txId) => {
    const reading = await context.send(`PUT ${TRANSACTION}/cancel`, {
      path: { txId },
      token: tokenOf(context),
    })
    if (isOk(reading)) context.known.isCancelled = true
    return reading
  }),
  cancelAgain: refused('not-cancellable', 'cancel', withToken('PUT', `${TRANSACTION}/cancel`)),
  listBySecond: step(
    'money',
    ['user', 'code', 'secondKey', 'token'],
    async (context): Promise<Reading> => {
      const { user = '', send, receiveCode } = context
      transactionOf(context)
      const key = 'second'
      const found = assertOk(await send('GET /v2/users', { key, query: { email: user } }))
      // A code may be said to be sent to a user whom the key does not find.
      if (!found.data?.[0]) throw new NotMeasured('the second key does not find the user')
      const ask = () => send('POST /v2/auth/login-codes', { key, body: { email: user } })
      const { code } = await receiveCode(user, ask)
      const body = { email: user, code }
      const verified = assertOk(await send('POST /v2/auth/login-codes/verify', { key, body }))
      const token = String(verified.data?.accessToken)
      return assertOk(await send('GET /v2/transactions', { key, token }))
    },
  ),
}

function transactionOf({ known }: Context): string {
  if (known.transactionId !== undefined) return known.transactionId
  throw new NotMeasured('no transaction could be created')
}

const probe = probesOf<
  typeof MONEY_STEPS & typeof TOKEN_STEPS & typeof READ_STEPS & typeof HOOK_STEPS
>()
type Steps = { order: Ordered }

/** What the one transaction shows. */
function createdOf({ order: { created, error } }: Steps): Reading {
  if (created !== undefined) return created
  const fields = error && errorFields(error).join(', ')
  throw new NotMeasured(`no transaction could be created: ${error?.status} on ${fields}`)
}

/** Whether an order was rejected for what is outstanding. */
const isEnforced = ({ created, error }: Ordered, outstanding: readonly string[]) =>
  !created && error !== undefined && errorFields(error).some((name) => outstanding.includes(name))

/** The responses to a quote, where they show that the quote is looked at. */
function seenOf(reuse: readonly Reuse[]): Reuse {
  const seen = reuse.find(({ unknown, fresh }) => errorOf(unknown) !== errorOf(fresh))
  if (seen) return seen
  throw new NotMeasured('something else is checked before the quote')
}

/** Chains as a field of a transaction may name them: `eth network`, `polygon`. */
const CHAINS: Readonly<Record<string, RegExp>> = {
  ETH: /^(eth|ethereum)( (network|mainnet))?$/i,
  POLY: /^(poly|polygon)( (network|mainnet))?$/i,
  ARB: /^(arb|arbitrum)( (network|mainnet))?$/i,
  BASE: /^base( (network|mainnet))?$/i,
}
const PRICED = ['leftSideLabel', 'leftSideValue', 'rightSideLabel', 'wallet', 'quoteId']
const TRANSACTION_FIELDS = [
  ...['id', 'date', 'coin', 'leftSideLabel', 'leftSideValue', 'rightSideLabel', 'rightSideValue'],
  ...['status', 'wallet', 'paymentType', 'paymentId', 'rmtId'],
]

export const MONEY_PROBES = [
  probe('transactions.required', ['orderNothing', 'order'], (steps) => {
    const named = new Set(errorFields(steps.orderNothing))
    createdOf(steps)
    const isPriced = PRICED.every((name) => named.has(name))
    if (named.size > 1 && !isPriced) throw new CannotImitate(`they are ${[...named].join(', ')}`)
    if (!steps.order.withoutSession) return 'all'
    if (isPriced) return 'priced'
    throw new NotMeasured('the error does not name all that is missing')
  }),
  probe('transactions.wallet', ['order'], (steps) => {
    createdOf(steps)
    return steps.order.withBadWallet ? 'any' : 'checked'
  }),
  probe('status.quote-amount', ['order'], (steps) => {
    createdOf(steps)
    if (steps.order.withOtherAmount) return 200
    return steps.order.mismatch?.status ?? notShown()
  }),
  probe('limits.minimum', ['order'], (steps) => {
    createdOf(steps)
    const { amount, rejected } = steps.order
    if (rejected === undefined) throw new NotMeasured(`it is ${amount} at most`)
    if (amount - rejected < 0.011) return amount
    throw new NotMeasured(`it is above ${rejected}, and ${amount} at most`)
  }),
  probe('status.limit-minimum', ['order'], (steps) => {
    createdOf(steps)
    return steps.order.tooSmall?.status ?? notShown()
  }),
  probe('status.requirements-outstanding', ['order', 'requirementsOfUser'], (steps) => {
    const outstanding = outstandingOf(steps.requirementsOfUser)
    if (outstanding.length === 0) throw new NotMeasured('nothing is outstanding for the user')
    if (steps.order.created) return 200
    const isNamed = isEnforced(steps.order, outstanding)
    return isNamed && steps.order.error ? steps.order.error.status : notShown()
  }),
  probe('transactions.depositAddress', ['order'], (steps) => {
    const { depositAddress, leftSideLabel } = createdOf(steps).data
    if (depositAddress === undefined) return 'absent'
    if (depositAddress === null) return 'null'
    if (depositAddress === '' || leftSideLabel !== 'CAD') return 'string'
    throw new CannotImitate('a buy has an address, as a sell has')
  }),
  probe('transactions.paymentType', ['order'], (steps) => {
    const type = String(createdOf(steps).data?.paymentType)
    return / network$/.test(type) ? 'chain' : type
  }),
  probe('quotes.bareLabels', ['order'], (steps) => {
    const { data } = createdOf(steps)
    if (steps.order.label !== 'USDC') throw new NotMeasured('USDC alone is not quoted')
    const texts = Object.values<Json>(data).filter((value) => typeof value === 'string')
    const named = Object.keys(CHAINS).filter((chain) =>
      texts.some((text) => CHAINS[chain]?.test(text)),
    )
    const [chain, ...others] = named
    if (chain !== undefined && others.length === 0) return chain
    throw new NotMeasured('no field of the transaction names the chain')
  }),
  probe('fields.getTransaction', ['order', 'readOne'], (steps) => {
    if (!('depositAddress' in createdOf(steps).data)) {
      throw new NotMeasured('a buy has no deposit address at all')
    }
    return shapeOf(assertOk(steps.readOne).data, {
      full: [...TRANSACTION_FIELDS, 'depositAddress'],
      contract: TRANSACTION_FIELDS,
    })
  }),
  probe('transactions.list.order', ['listAfter'], ({ listAfter }) => orderOf(listAfter)),
  probe('transactions.cancelledStatus', ['cancel'], ({ cancel }) =>
    String(assertOk(cancel).data?.status),
  ),
  probe('status.unknown-quote', ['reuse'], ({ reuse }) => seenOf(reuse).unknown.status),
  probe('status.quote-spent', ['reuse'], ({ reuse }) => {
    const { fresh, used } = seenOf(reuse)
    return errorOf(used) === errorOf(fresh) ? 200 : used.status
  }),
  probe('transactions.externalSessionId.max', ['longSession'], ({ longSession }) => {
    if (longSession === undefined) throw new NotMeasured('another error comes first')
    return numberIn(longSession, 'length') - 1
  }),
  probe('transactions.list.scope', ['order', 'listBySecond'], (steps) => {
    const { id } = createdOf(steps).data
    const items: { id: string }[] = steps.listBySecond.data.items
    return items.some((item) => item.id === id) ? 'user' : 'integrator'
  }),
  probe('names.securityAnswerField', ['orderEvent'], ({ orderEvent: { body } }) => {
    const name = Object.keys(body?.payload ?? {}).find((field) => /answer/i.test(field))
    if (name !== undefined) return name
    throw new NotMeasured('no field of the event is about an answer')
  }),
  probe('names.envelopeId', ['testEvent', 'orderEvent', 'createEvent'], (steps) => {
    const events = [steps.testEvent, steps.orderEvent, steps.createEvent].filter((event) => event)
    const found = new Set(events.map((event) => idNamesOf(event?.body)))
    const [name, ...others] = found
    if (others.length > 0) throw new CannotImitate(`it is ${[...found].join(' or ')} by type`)
    return name ?? notShown()
  }),
]

function idNamesOf(body: Json): string {
  const names = ['id', 'eventId'].filter((name) => typeof body?.[name] === 'string')
  return names.length === 2 ? 'both' : (names[0] ?? 'none')
}

function notShown(): never {
  throw new NotMeasured('no response shows it')
}
