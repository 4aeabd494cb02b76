import * as z from 'zod'
import { joinEffects } from '../../engine/watch.ts'
import { DomainError, type Problem } from '../../world/domain-error.ts'
import { getIntegratorFor, placeOrder } from '../../world/orders.ts'
import { settleTransaction } from '../../world/simulate.ts'
import { getAnyUser } from '../../world/users.ts'
import { operation } from './dialect.ts'
import { Deliver, Happened, presentEffects, waits } from './effects.ts'
import { isPaidOutside, settleOutside } from './settle.ts'
import { presentTransaction, TransactionRecord } from './transactions.ts'

export const SimulateTransaction = () =>
  z.strictObject({
    side: z.enum(['buy', 'sell']),
    amount: z.number().describe('What the user pays with: CAD for a buy, coins for a sell.'),
    coin: z.string().max(100).optional().describe('`USDC-ETH` by default.'),
    wallet: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('The same address of the user each time by default.'),
    externalSessionId: z.string().nullable().optional(),
    integrator: z
      .string()
      .optional()
      .describe('Name of the integrator that creates it; the first one of the user by default.'),
    settle: z
      .boolean()
      .optional()
      .describe('Whether the funds are received and the transaction completes as well.'),
    deliver: Deliver(),
  })
export type SimulateTransaction = z.input<ReturnType<typeof SimulateTransaction>>

export const TransactionCreated = () =>
  z.strictObject({ transaction: TransactionRecord(), ...Happened().shape })
export type TransactionCreated = z.output<ReturnType<typeof TransactionCreated>>

export const simulateUserTransactions = [
  operation('POST', '/_sandbox/simulate/users/:user/transactions', {
    id: 'simulateTransaction',
    summary: 'A user buys or sells: a quote and its transaction in one step',
    adds: true,
    body: SimulateTransaction,
    answer: TransactionCreated,
    errors: {
      'not-found': 'There is no such user.',
      'not-verified': 'The user is not verified, or lacks what a setting requires.',
      conflict: 'The coins of a buy could not be sent; it stays in processing.',
      'limit-active': 'A value limit or one of the two counting limits is reached.',
    },
    async handle({ services, param, input: { body } }) {
      const { world, timekeeper } = services
      const { integrator: name, settle, deliver, ...order } = body
      const user = getAnyUser(world, param('user'))
      const integrator = getIntegratorFor(world, user, name)
      const create = () => {
        const created = inWordsOfBody(() => placeOrder(world, { integrator, user }, order))
        const isPaid = settle === true && isPaidOutside(world, created)
        if (settle && !isPaid) settleTransaction(world, created, { through: true })
        // As it is now: a receiver of the webhook may move it on before the response.
        return { created, isPaid, transaction: presentTransaction(world, created) }
      }
      const observed = await timekeeper.observe(create, waits({ deliver }))
      const { result, ...effects } = observed
      const { created, isPaid, transaction } = result
      if (!isPaid) return { transaction, ...presentEffects(effects, services) }
      const settling = { ...waits({ deliver }), through: true }
      const all = joinEffects(effects, await settleOutside(services, created, settling))
      return { transaction: presentTransaction(world, created), ...presentEffects(all, services) }
    },
  }),
]

/** What the contract calls the fields of the body. */
const FIELDS = [
  ['leftSideValue', 'amount'],
  ['leftSideLabel', 'coin'],
  ['rightSideLabel', 'coin'],
] as const

/** The errors of the contract's calls, with the names of the fields that were sent here. */
function inWordsOfBody<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, detail } = error
    throw DomainError.ofMany(error.problems.map(rename), { ...detail, code })
  }
}

function rename({ field, message, ...rest }: Problem): Problem {
  const own = FIELDS.find(([name]) => name === field)?.[1] ?? field
  return { ...rest, field: own, message: message.replaceAll(field, own) }
}
