import * as z from 'zod'
import { joinEffects } from '../../engine/watch.ts'
import { LABELS } from '../../world/coins.ts'
import { DomainError } from '../../world/domain-error.ts'
import type { Side } from '../../world/money.ts'
import { getIntegratorFor, placeOrder } from '../../world/orders.ts'
import { settleTransaction } from '../../world/simulate.ts'
import { getAnyUser } from '../../world/users.ts'
import type { AuthenticatedCall } from '../operation.ts'
import { lever } from './dialect.ts'
import { Deliver, Happened, presentEffects, waits } from './events.ts'
import { Proposed, Text } from './shapes.ts'
import {
  isPaidOutside,
  presentTransaction,
  settleOutside,
  TransactionRecord,
} from './transactions.ts'

const COIN_LABELS = LABELS.filter((label) => label !== 'CAD')

const Order = () => ({
  coin: Proposed(z.string().max(100), COIN_LABELS).optional().describe('`USDC-ETH` by default.'),
  wallet: Text(500).optional().describe('By default the same address of the user each time.'),
  externalSessionId: z.string().nullable().optional(),
  integrator: z.string().optional().describe('Its name; the first one of the user by default.'),
  settle: z.boolean().optional().describe('Also receive the funds and complete the transaction.'),
  deliver: Deliver(),
})

export const TransactionCreated = () =>
  z.strictObject({ transaction: TransactionRecord(), ...Happened().shape })
export type TransactionCreated = z.output<ReturnType<typeof TransactionCreated>>

const CREATED = {
  about:
    'This asks for a quote and creates a transaction with it, as the user would through an integrator, with the same checks and errors; when one of them fails, nothing changes. The user gets the message, and `transaction.update` is sent. With `settle` the funds are received and the transaction completes, too.',
  success: 'The transaction as it is then, with the events and deliveries that followed.',
  response: TransactionCreated,
  tool: true as const,
  adds: true,
  errors: {
    'not-found': 'There is no such user.',
    'not-verified': 'The user is not verified, or lacks what a setting requires.',
    'limit-active': 'A value limit or one of the two counting limits is reached.',
  },
}

export const orders = [
  lever('buy', 'simulateBuy', {
    ...CREATED,
    summary: 'Buy for a user: a quote and its transaction in one step',
    words: ['buy USER CAD'],
    example: 'buy ana@example.com 100 --settle',
    body: () => ({ cad: z.number().describe('What the user pays, in CAD.'), ...Order() }),
    errors: {
      ...CREATED.errors,
      conflict: 'The chain did not take the coins of a buy; it stays in processing.',
    },
    handle: (call) => trade(call, 'buy', call.input.body.cad),
  }),
  lever('sell', 'simulateSell', {
    ...CREATED,
    summary: 'Sell for a user, in one step',
    words: ['sell USER COINS'],
    example: 'sell ana@example.com 50 --coin USDC-SOL',
    body: () => ({ coins: z.number().describe('How many coins the user sells.'), ...Order() }),
    handle: (call) => trade(call, 'sell', call.input.body.coins),
  }),
]

type Order = z.output<z.ZodObject<ReturnType<typeof Order>>>
type TradeCall = AuthenticatedCall<unknown, unknown, Order>

async function trade({ services, param, input: { body } }: TradeCall, side: Side, amount: number) {
  const { world, timekeeper } = services
  const { integrator: name, settle, coin, wallet, externalSessionId } = body
  const order = { side, amount, coin, wallet, externalSessionId }
  const user = getAnyUser(world, param('user'))
  const integrator = getIntegratorFor(world, user, name)
  const create = () => {
    const created = inWordsOfBody(side, () => placeOrder(world, { integrator, user }, order))
    const isPaid = settle === true && isPaidOutside(world, created)
    if (settle && !isPaid) settleTransaction(world, created, { through: true })
    // As it is now: a receiver of the webhook may move it on before the response.
    return { created, isPaid, transaction: presentTransaction(world, created) }
  }
  const { result, ...effects } = await timekeeper.observe(create, waits(body))
  const { created, isPaid, transaction } = result
  if (!isPaid) return { transaction, ...presentEffects(effects, services) }
  const settled = await settleOutside(services, created, { ...body, through: true })
  const all = joinEffects(effects, settled)
  return { transaction: presentTransaction(world, created), ...presentEffects(all, services) }
}

/** The errors of the contract's calls, with the names of the fields that were sent here. */
function inWordsOfBody<Result>(side: Side, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, detail } = error
    const own: Record<string, string> = {
      leftSideValue: side === 'buy' ? 'cad' : 'coins',
      leftSideLabel: 'coin',
      rightSideLabel: 'coin',
    }
    const problems = error.problems.map(({ field, message, ...rest }) => {
      const name = own[field] ?? field
      return { ...rest, field: name, message: message.replaceAll(field, name) }
    })
    throw DomainError.ofMany(problems, { ...detail, code })
  }
}
