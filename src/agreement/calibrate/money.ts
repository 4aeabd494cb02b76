import type { ArrivedEvent, Context, Ordered } from './context.ts'
import { NotMeasured } from './not-measured.ts'
import { order, orderSmallest, quote } from './order.ts'
import { probesOf, type Step, step } from './probe.ts'
import type { Reading } from './provider.ts'
import { gasOf, type READ_STEPS, type TOKEN_STEPS, tokenOf } from './read.ts'
import {
  assertOk,
  errorFields,
  errorOf,
  errorStatusOf,
  findLeast,
  isOk,
  numberIn,
} from './reading.ts'
import { outstandingOf } from './write.ts'

const TRANSACTION = '/v2/transactions/:txId'
const SESSION_LENGTH_MAX = 10_000
const SESSION_LENGTH_EXPECTED = 255
const UNKNOWN_QUOTE = 1

const ofTransaction = (run: (context: Context, txId: string) => Promise<Reading>): Step<Reading> =>
  step('money', ['token'], async (context) => await run(context, transactionOf(context)))
const withToken = (method: string, path: string) =>
  ofTransaction((context, txId) =>
    context.send(`${method} ${path}`, { path: { txId }, token: tokenOf(context) }),
  )

export const MONEY_STEPS = {
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
  cancel: ofTransaction(async (context, txId) => {
    const answer = await context.send(`PUT ${TRANSACTION}/cancel`, {
      path: { txId },
      token: tokenOf(context),
    })
    if (isOk(answer)) context.known.isCancelled = true
    return answer
  }),
  cancelAgain: withToken('PUT', `${TRANSACTION}/cancel`),
  reuse: step('money', ['token'], async (context): Promise<Reuse> => {
    const { ordered, amount } = rejectedOf(context)
    const quoteId = await quote(context, ordered.label, ordered.amount)
    return {
      unknown: await order(context, ordered, { amount, quoteId: UNKNOWN_QUOTE }),
      fresh: await order(context, ordered, { amount, quoteId }),
      used: await order(context, ordered, { amount }),
    }
  }),
  longSession: step('money', ['token'], async (context): Promise<number | undefined> => {
    const { ordered, amount } = rejectedOf(context)
    const bounds = {
      least: 2,
      most: SESSION_LENGTH_MAX + 1,
      expected: SESSION_LENGTH_EXPECTED + 1,
    }
    return await findLeast(bounds, async (length) => {
      const externalSessionId = 'x'.repeat(length)
      const answer = await order(context, ordered, { amount, externalSessionId })
      return errorFields(answer).includes('externalSessionId')
    })
  }),
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

interface Reuse {
  /** All three are too small to be accepted. */
  unknown: Reading
  fresh: Reading
  used: Reading
}

function transactionOf({ known }: Context): string {
  if (known.transactionId !== undefined) return known.transactionId
  throw new NotMeasured('no transaction could be created')
}

/** The order that was made, with an amount that is rejected in any case. */
function rejectedOf({ known: { ordered } }: Context): { ordered: Ordered; amount: number } {
  const { rejected: amount, created } = ordered ?? {}
  if (ordered && created && amount !== undefined) return { ordered, amount }
  throw new NotMeasured('no amount is known to be rejected, so it could create a transaction')
}

const { probe } = probesOf<typeof MONEY_STEPS & typeof TOKEN_STEPS & typeof READ_STEPS>()
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

/** The chain that the label USDC means. */
function chainOf(steps: Steps): string {
  const [, chain] = /^(\w+) network$/.exec(String(createdOf(steps).data?.paymentType)) ?? []
  if (steps.order.label !== 'USDC') throw new NotMeasured('USDC alone is not quoted')
  if (chain === undefined) throw new NotMeasured('the payment type does not name the chain')
  return chain.toUpperCase()
}

export const MONEY_PROBES = [
  probe('transactions.required', ['order'], (steps) => {
    createdOf(steps)
    return steps.order.withoutSession ? 'priced' : 'all'
  }),
  probe('transactions.wallet', ['order'], (steps) => {
    createdOf(steps)
    return steps.order.withBadWallet ? 'any' : 'checked'
  }),
  probe('status.quote-amount', ['order'], (steps) => {
    createdOf(steps)
    return steps.order.withOtherAmount ? 200 : 400
  }),
  probe('limits.minimum', ['order'], (steps) => {
    createdOf(steps)
    const { amount, rejected } = steps.order
    if (rejected === undefined) throw new NotMeasured(`it is ${amount} at most`)
    if (amount - rejected < 0.011) return amount
    throw new NotMeasured(`it is above ${rejected}, and ${amount} at most`)
  }),
  probe('status.requirements-outstanding', ['order', 'requirementsOfUser'], (steps) => {
    const outstanding = outstandingOf(steps.requirementsOfUser)
    if (outstanding.length === 0) throw new NotMeasured('nothing is outstanding for the user')
    if (steps.order.created) return 200
    const { error } = steps.order
    return error && isEnforced(steps.order, outstanding) ? error.status : createdOf(steps).status
  }),
  probe('transactions.depositAddress', ['order'], (steps) => {
    const { depositAddress } = createdOf(steps).data
    if (depositAddress === undefined) return 'absent'
    return depositAddress === null ? 'null' : 'string'
  }),
  probe('transactions.paymentType', ['order'], (steps) => {
    const type = String(createdOf(steps).data?.paymentType)
    return / network$/.test(type) ? 'chain' : type
  }),
  probe('quotes.bareLabels', ['order'], (steps) => chainOf(steps)),
  probe('quotes.gas.other', ['order', 'quoteBare'], (steps) => {
    if (chainOf(steps) !== 'ETH') return gasOf(steps.quoteBare)
    throw new NotMeasured('no quote shows another chain')
  }),
  probe('fields.getTransaction', ['order', 'readOne'], (steps) => {
    if (!('depositAddress' in createdOf(steps).data)) {
      throw new NotMeasured('a buy has no deposit address at all')
    }
    return 'depositAddress' in assertOk(steps.readOne).data ? 'full' : 'contract'
  }),
  probe('transactions.cancelledStatus', ['cancel'], ({ cancel }) =>
    String(assertOk(cancel).data?.status),
  ),
  probe('status.not-cancellable', ['cancel', 'cancelAgain'], ({ cancel, cancelAgain }) => {
    assertOk(cancel)
    return errorStatusOf(cancelAgain)
  }),
  probe('status.quote-spent', ['reuse'], ({ reuse: { unknown, fresh, used } }) => {
    const isSeen = errorOf(unknown) !== errorOf(fresh)
    if (!isSeen) throw new NotMeasured('the amount is checked before the quote')
    return errorOf(used) === errorOf(fresh) ? 200 : used.status
  }),
  probe('transactions.externalSessionId.max', ['longSession'], ({ longSession }) => {
    if (longSession === undefined) throw new NotMeasured(`it is above ${SESSION_LENGTH_MAX}`)
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
]
