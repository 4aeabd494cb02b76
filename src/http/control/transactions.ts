import * as z from 'zod'
import { joinEffects } from '../../engine/watch.ts'
import { LABELS } from '../../world/coins.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { readBankLink } from '../../world/links.ts'
import { fromMicros, type Side } from '../../world/money.ts'
import { getIntegratorFor, placeOrder } from '../../world/orders.ts'
import {
  expireTransaction,
  receiveFunds,
  settleTransaction,
  simulateBankRefused,
  simulateStatus,
} from '../../world/simulate.ts'
import { COINS, type Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry, moveTransaction } from '../../world/transaction-status.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import { getAnyUser } from '../../world/users.ts'
import type { World } from '../../world/world.ts'
import { presentBreakdown } from '../contract.ts'
import { named } from '../named.ts'
import type { AuthenticatedCall } from '../operation.ts'
import { identifyLinkHolder } from './auth.ts'
import { type LeverNames, lever, operation } from './dialect.ts'
import {
  Deliver,
  Happened,
  isPaidOutside,
  moveIn,
  presentEffects,
  settleOutside,
  type TransactionChange,
  TransactionMoved,
  waits,
} from './effects.ts'
import { Filter, FilterText, Page, PageOf, readPage } from './page.ts'
import type { LeverName } from './routes.ts'
import { Proposed, presentAs, Text, TransactionStatus, WorldTime } from './shapes.ts'

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
    body: () =>
      z.strictObject({ cad: z.number().describe('What the user pays, in CAD.'), ...Order() }),
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
    body: () =>
      z.strictObject({ coins: z.number().describe('How many coins the user sells.'), ...Order() }),
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

export const TransactionRecord = () =>
  named('TransactionRecord', {
    id: z.uuid(),
    side: z.enum(['buy', 'sell']).describe('Whether coins are bought or sold.'),
    status: TransactionStatus().describe('Status of the transaction.'),
    integrator: z.string().describe('Name of the integrator that created it.'),
    userId: z.uuid(),
    email: z.string(),
    createdAt: z.iso.datetime(),
    closedAt: z.iso.datetime().nullable().describe('When it became final.'),
    expiresAt: z.iso.datetime().nullable().describe('When it expires, while it can.'),
    coin: z.enum(COINS),
    leftSideLabel: z.string(),
    leftSideValue: z.number(),
    rightSideLabel: z.string(),
    rightSideValue: z.number(),
    quoteId: z.int(),
    rate: z.number(),
    breakdown: z
      .strictObject({ fee: z.number(), gas: z.number(), spread: z.number(), total: z.number() })
      .describe('In CAD.'),
    wallet: z.string(),
    depositAddress: z.string(),
    paymentType: z.string(),
    paymentId: z.string().nullable(),
    rmtId: z.string(),
    externalSessionId: z.string().nullable(),
    securityAnswer: z.string().nullable(),
    allowed: z.array(TransactionStatus()).describe('Statuses it may move to from here.'),
    history: z.array(z.strictObject({ status: TransactionStatus(), at: WorldTime() })),
  }).describe(
    'A transaction in full, as only the control API shows it. Times are ISO 8601, in world time.',
  )
export type TransactionRecord = z.output<ReturnType<typeof TransactionRecord>>

const PaymentId = (coins = '') =>
  Text(200)
    .optional()
    .describe(`The blockchain transaction hash${coins}; derived from the seed by default.`)

const NO_TRANSACTION = { 'not-found': 'There is no such transaction.' }
const MOVED = {
  success: 'The status, with the events and deliveries that followed.',
  response: TransactionMoved,
  errors: { ...NO_TRANSACTION, conflict: 'The transaction cannot go there from its status.' },
}

type Move = Extract<LeverName, 'simulate.bankRefused' | 'simulate.expired' | 'simulate.cancelled'>

/** A lever that moves a transaction and takes nothing but its id. */
const move = <const Name extends Move>(
  as: Name,
  id: string,
  change: TransactionChange,
  described: LeverNames & { summary: string; about: string },
) =>
  lever(as, id, {
    ...MOVED,
    ...described,
    body: () => z.strictObject({ deliver: Deliver() }),
    tool: true,
    handle: ({ services, param, input }) => moveIn(services, param('id'), input.body, change),
  })

export const transactions = [
  lever('transactions.list', 'listTransactionRecords', {
    summary: 'List transactions in full, oldest first, of every integrator',
    about: 'Go on with `after` while `more` is true.',
    words: ['tx list', 'tx'],
    query: () =>
      z.strictObject({
        status: TransactionStatus(FilterText()).optional(),
        email: Filter().describe("Only transactions of this user's e-mail address."),
        ...Page(),
      }),
    response: () => PageOf(TransactionRecord()),
    handle({ world, input: { query } }) {
      const { email, status: asked } = query
      const id = email && world.usersByEmail.get(email.toLowerCase())?.id
      const own = world.userTransactions.get(id ?? '')?.all ?? []
      const rows = email === undefined ? world.transactions : own
      const isCancelled = asked === world.settings['transactions.cancelledStatus']
      const status = isCancelled ? 'cancelled' : asked
      return readPage(rows, { ...query, status }, (row) => presentTransaction(world, row))
    },
  }),
  lever('transactions.get', 'getTransactionRecord', {
    summary: 'Read a transaction in full',
    about: 'It says what it costs, when it expires, its history and where it may move.',
    words: ['tx ID'],
    tool: true,
    response: TransactionRecord,
    errors: NO_TRANSACTION,
    handle: ({ world, param }) => presentTransaction(world, getAnyTransaction(world, param('id'))),
  }),
  lever('simulate.fundsReceived', 'simulateFundsReceived', {
    ...MOVED,
    summary: 'Receive the e-transfer of a buy, or the coins of a sell',
    about:
      'A pending transaction moves to processing and can no longer expire; `transaction.update` is sent. A sell has its `paymentId` from now on, a buy only after `simulateSettled`, which is the next call.',
    words: ['tx ID funds-received', 'funds-received ID'],
    tool: true,
    body: () =>
      z.strictObject({ paymentId: PaymentId(' of the coins of a sell'), deliver: Deliver() }),
    errors: { ...MOVED.errors, invalid: 'A buy has no paymentId yet.' },
    handle: ({ services, param, input: { body } }) =>
      moveIn(services, param('id'), body, (world, row) => receiveFunds(world, row, body)),
  }),
  move('simulate.bankRefused', 'simulateBankRefused', simulateBankRefused, {
    summary: 'Refuse to pay a buy, as the bank of the user would',
    about:
      'The user gets a message. The transaction stays pending, so the user can pay again or it expires; the setting `transactions.bankRefused` cancels it instead.',
    words: ['tx ID bank-refused', 'bank-refused ID'],
  }),
  move('simulate.expired', 'simulateExpired', expireTransaction, {
    summary: 'Expire a pending transaction without moving the clock',
    about:
      'The user gets a message, and `transaction.update` is sent. It counts towards the limit for cancelled and expired ones.',
    words: ['tx ID expired', 'expired ID'],
  }),
  move('simulate.cancelled', 'simulateCancelled', cancel, {
    summary: 'Cancel a pending transaction, as the user would',
    about:
      '`transaction.update` is sent. It counts towards the limit for cancelled and expired ones.',
    words: ['tx ID cancelled', 'cancelled ID'],
  }),
  lever('simulate.settled', 'simulateSettled', {
    ...MOVED,
    summary: 'Complete a transaction',
    about:
      'It is being processed: the coins of a buy are sent, or a sell is paid out. `transaction.update` is sent. With `through` a pending transaction receives its funds first.',
    words: ['tx ID settled', 'settled ID'],
    example: 'tx ID settled --through',
    tool: true,
    body: () =>
      z.strictObject({
        paymentId: PaymentId(),
        through: z.boolean().optional().describe('Receive the funds first, if need be.'),
        deliver: Deliver(),
      }),
    async handle({ services, world, param, input: { body } }) {
      const id = param('id')
      const transaction = getAnyTransaction(world, id)
      if (body.paymentId !== undefined || !isPaidOutside(world, transaction)) {
        return await moveIn(services, id, body, (_, row) => settleTransaction(world, row, body))
      }
      const from = transaction.status as TransactionStatus
      const effects = await settleOutside(services, transaction, body)
      return {
        ...{ transactionId: id, from, to: 'complete' as const },
        ...presentEffects(effects, services),
      }
    },
  }),
  lever('simulate.status', 'simulateStatus', {
    ...MOVED,
    summary: 'Force any status, for what the contract leaves open',
    about:
      'It may be one that the contract does not name, to test what a client makes of it. `transaction.update` is sent unless it has that status already. An unknown status goes on like processing.',
    words: ['tx ID status STATUS'],
    body: () =>
      z.strictObject({
        status: Text(100).describe('Any status at all.'),
        force: z.literal(true).optional(),
        deliver: Deliver(),
      }),
    errors: NO_TRANSACTION,
    handle: ({ services, param, input: { body } }) =>
      moveIn(services, param('id'), body, (world, row) => simulateStatus(world, row, body.status)),
  }),
  operation('POST', '/_sandbox/bank/:id', 'answerMoneyRequest', {
    ...MOVED,
    summary: 'Let the user approve a money request, or the bank refuse it',
    about:
      'The page behind a money request does this. Approval moves a pending buy to processing, which `transaction.update` reports. No control token is needed: the link is enough.',
    auth: identifyLinkHolder,
    body: () => z.strictObject({ decision: z.enum(['approve', 'refuse']), deliver: Deliver() }),
    errors: {
      ...NO_TRANSACTION,
      conflict: 'The transaction is not a buy that waits for its money.',
    },
    handle({ services, who, param, input: { body } }) {
      const { id, isWhole } = readBankLink(services.world, param('id'))
      if (!isWhole && who === undefined) {
        throw new DomainError('not-found', 'There is no such money request.', { field: 'id' })
      }
      const isApproved = body.decision === 'approve'
      return moveIn(services, id, body, isApproved ? receiveFunds : simulateBankRefused)
    },
  }),
]

function cancel(world: World, transaction: Transaction) {
  moveTransaction(world, transaction, 'cancelled')
}

function presentTransaction(world: World, transaction: Transaction): TransactionRecord {
  const { userId, status, createdAt, closedAt, leftSide, rightSide, rate } = transaction
  const shown = (known: string) => shownStatus(world, known) as TransactionStatus
  const expiry = findExpiry(world, transaction)
  return presentAs(TransactionRecord, transaction, {
    status: shown(status),
    email: world.usersById.get(userId)?.email ?? '',
    createdAt: formatInstant(createdAt),
    closedAt: closedAt === null ? null : formatInstant(closedAt),
    expiresAt: expiry ? formatInstant(expiry.at) : null,
    leftSideValue: fromMicros(leftSide),
    rightSideValue: fromMicros(rightSide),
    rate: fromMicros(rate),
    breakdown: presentBreakdown(transaction),
    allowed: allowedFrom(world, status).map(shown),
    history: transaction.history.map((change) => ({
      status: shown(change.status),
      at: formatInstant(change.at),
    })),
  })
}
