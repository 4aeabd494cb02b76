import { tokenOf } from './read.ts'
import { assertOk, errorFields, isOk, numberIn } from './reading.ts'
import type { Reading } from './step.ts'
import { type Context, NotMeasured, type Ordered } from './step.ts'

/** Nobody's, and the transaction is cancelled before it is paid. */
const WALLET = '0x000000000000000000000000000000000000dEaD'
export const NO_WALLET = 'calibrate'
const SESSION = 'calibrate'
const QUOTED_CAD = 1_000
/** Pairs around the bounds that a provider may have, so that one transaction shows which it is. */
const AMOUNTS_CAD = [4.99, 5, 9.99, 10, 14.99, 15, 19.99, 20, 24.99, 25, 49.99, 50, 99.99, 100]
const TRANSACTIONS = '/v2/transactions'

/**
 * Creates the smallest transaction that the provider accepts, once. It is as unusual as it may be:
 * what the provider names as wrong is put right, and whatever it accepts is found.
 */
export async function orderSmallest(context: Context): Promise<Ordered> {
  const label = await findLabel(context)
  const lenient = { withoutSession: true, withBadWallet: true, withOtherAmount: true }
  const ordered: Ordered = {
    ...lenient,
    ...{
      created: undefined,
      rejected: undefined,
      error: undefined,
      mismatch: undefined,
      tooSmall: undefined,
    },
    ...{ quoteId: await quote(context, label, QUOTED_CAD), label, amount: 0 },
  }
  context.putBack('PUT /v2/transactions/{id}/cancel of the pending one', () => cancelOwn(context))
  for (const amount of AMOUNTS_CAD) {
    ordered.amount = amount
    if (await tryAmount(context, ordered)) return ordered
    if (isBlocked(ordered)) return ordered
    ordered.rejected = amount
    ordered.tooSmall = ordered.error
  }
  return ordered
}

async function tryAmount(context: Context, ordered: Ordered): Promise<boolean> {
  if (ordered.withOtherAmount) {
    if (await tryFields(context, ordered)) return true
    if (isBlocked(ordered)) return false
  }
  // Of the same amount, so that only the quote makes a difference.
  const { quoteId, error } = ordered
  ordered.quoteId = await quote(context, ordered.label, ordered.amount)
  if (!(await tryFields(context, ordered))) {
    ordered.quoteId = quoteId
    return false
  }
  // Whatever was wrong before, it was the amount.
  if (ordered.withOtherAmount) ordered.mismatch = error
  ordered.withOtherAmount = false
  return true
}

/** Puts right one by one what the provider names. */
async function tryFields(context: Context, ordered: Ordered): Promise<boolean> {
  for (;;) {
    const reading = await order(context, ordered)
    if (isOk(reading)) {
      ordered.created = reading
      const id: unknown = reading.data?.id
      if (typeof id === 'string') {
        context.known.transactionId = id
        context.note({ transaction: id })
      }
      return true
    }
    ordered.error = reading
    const fields = errorFields(reading)
    if (ordered.withoutSession && fields.includes('externalSessionId')) {
      ordered.withoutSession = false
    } else if (ordered.withBadWallet && fields.includes('wallet')) ordered.withBadWallet = false
    else return false
  }
}

/** Whether another amount would change nothing: the user may not trade. */
const isBlocked = ({ error }: Ordered) =>
  error !== undefined && (error.status === 403 || error.status === 401)

/** One order; what is not named is as in the one that was made. */
export function order(
  context: Context,
  ordered: Ordered,
  change: { quoteId?: number; amount?: number; externalSessionId?: string; wallet?: string } = {},
) {
  const { quoteId, amount, label, withBadWallet, withoutSession } = ordered
  const body = {
    leftSideLabel: 'CAD',
    leftSideValue: change.amount ?? amount,
    rightSideLabel: label,
    wallet: change.wallet ?? (withBadWallet ? NO_WALLET : WALLET),
    quoteId: change.quoteId ?? quoteId,
    ...(!withoutSession && { externalSessionId: SESSION }),
    ...(change.externalSessionId && { externalSessionId: change.externalSessionId }),
  }
  return context.send(`POST ${TRANSACTIONS}`, { token: tokenOf(context), body })
}

/** The label without a chain, if the provider quotes it: the transaction then names the chain. */
async function findLabel(context: Context): Promise<string> {
  const query = { leftSideLabel: 'CAD', leftSideValue: QUOTED_CAD, rightSideLabel: 'USDC' }
  return isOk(await context.send('GET /v2/quotes', { query })) ? 'USDC' : 'USDC-ETH'
}

export async function quote({ send }: Context, rightSideLabel: string, leftSideValue: number) {
  const query = { leftSideLabel: 'CAD', leftSideValue, rightSideLabel }
  const { data } = assertOk(await send('GET /v2/quotes', { query }))
  return numberIn(data?.quoteId, 'quoteId')
}

/** Also what was created by a call whose response was lost. */
async function cancelOwn(context: Context): Promise<void> {
  const { known, send } = context
  if (known.isCancelled) return
  const { token, transactionId } = known
  // Without a call that was sent there is nothing to cancel.
  if (token === undefined && transactionId === undefined) return
  if (token === undefined) throw new NotMeasured(`no token to cancel ${transactionId}`)
  const { data } = assertOk(await send(`GET ${TRANSACTIONS}`, { token }))
  const items: Reading['data'] = data?.items
  const own = Array.isArray(items) ? items.filter(isOwnPending) : []
  for (const { id } of own) {
    const reading = await send(`PUT ${TRANSACTIONS}/:txId/cancel`, { path: { txId: id }, token })
    if (!isOk(reading)) throw new NotMeasured(`cancelling ${id} got ${reading.status}`)
  }
}

const isOwnPending = ({ wallet, status }: Reading['data']) =>
  [WALLET, NO_WALLET].includes(wallet) && /^pending/.test(String(status))
