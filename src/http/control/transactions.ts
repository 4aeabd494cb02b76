import * as z from 'zod'
import { type Effects, joinEffects } from '../../engine/watch.ts'
import { findCustody } from '../../world/coins.ts'
import { DomainError } from '../../world/domain-error.ts'
import { shownStatus } from '../../world/events.ts'
import { readBankLink } from '../../world/links.ts'
import { fromMicros } from '../../world/money.ts'
import {
  expireTransaction,
  receiveFunds,
  settleTransaction,
  simulateBankRefused,
  simulateStatus,
} from '../../world/simulate.ts'
import { COINS, type Transaction } from '../../world/state.ts'
import {
  allowedFrom,
  assertCanMove,
  findExpiry,
  moveTransaction,
  PROCESSING,
} from '../../world/transaction-status.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import { presentBreakdown } from '../contract.ts'
import { named } from '../named.ts'
import type { Services } from '../services.ts'
import { identifyLinkHolder } from './auth.ts'
import { type LeverNames, lever, operation } from './dialect.ts'
import { Deliver, type Delivering, Happened, observe, presentEffects, waits } from './events.ts'
import { Filter, FilterText, Page, PageOf, readPage } from './page.ts'
import type { LeverName } from './routes.ts'
import { presentAs, Text, TransactionStatus, WorldTime } from './shapes.ts'

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

export const TransactionMoved = () =>
  z.strictObject({
    transactionId: z.uuid(),
    from: TransactionStatus(),
    to: TransactionStatus(),
    ...Happened().shape,
  })
export type TransactionMoved = z.output<ReturnType<typeof TransactionMoved>>

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
    body: () => ({ deliver: Deliver() }),
    tool: true,
    handle: ({ services, param, input }) => moveIn(services, param('id'), input.body, change),
  })

export const transactions = [
  lever('transactions.list', 'listTransactionRecords', {
    summary: 'List transactions in full, oldest first, of every integrator',
    about: 'Go on with `after` while `more` is true.',
    words: ['tx list', 'tx'],
    query: () => ({
      status: TransactionStatus(FilterText()).optional(),
      email: Filter().describe("Only transactions of this user's e-mail address."),
      ...Page(),
    }),
    response: () => PageOf(TransactionRecord()),
    handle({ world, input: { query } }) {
      const { email, status: asked, ...rest } = query
      const id = world.usersByEmail.get(email?.toLowerCase() ?? '')?.id
      const own = world.userTransactions.get(id ?? '')?.all ?? []
      const rows = email === undefined ? world.transactions : own
      const isCancelled = asked === world.settings['transactions.cancelledStatus']
      const status = isCancelled ? 'cancelled' : asked
      const present = (row: Transaction) => presentTransaction(world, row)
      return readPage(rows, { query: { ...rest, status }, present })
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
    body: () => ({ paymentId: PaymentId(' of the coins of a sell'), deliver: Deliver() }),
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
    body: () => ({
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
    body: () => ({
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
    body: () => ({ decision: z.enum(['approve', 'refuse']), deliver: Deliver() }),
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

export function presentTransaction(world: World, transaction: Transaction): TransactionRecord {
  const { userId, status, leftSide, rightSide, rate } = transaction
  const shown = (known: string) => shownStatus(world, known) as TransactionStatus
  return presentAs(TransactionRecord, transaction, {
    status: shown(status),
    email: world.usersById.get(userId)?.email ?? '',
    expiresAt: findExpiry(world, transaction)?.at ?? null,
    leftSideValue: fromMicros(leftSide),
    rightSideValue: fromMicros(rightSide),
    rate: fromMicros(rate),
    breakdown: presentBreakdown(transaction),
    allowed: allowedFrom(world, status).map(shown),
    history: transaction.history.map(({ status, at }) => ({ status: shown(status), at })),
  })
}

type TransactionChange = (world: World, transaction: Transaction) => void

/** Moves a transaction and returns what followed. */
async function moveIn(
  services: Services,
  id: string,
  body: Delivering,
  change: TransactionChange,
): Promise<TransactionMoved> {
  const { world } = services
  const transaction = getAnyTransaction(world, id)
  const shown = () => shownStatus(world, transaction.status) as TransactionStatus
  const from = shown()
  return await observe(services, body, () => {
    change(world, transaction)
    // The status now: a receiver of the webhook may move the transaction on before the response.
    return { transactionId: id, from, to: shown() }
  })
}

/** Whether the coins of a transaction are sent by the one who holds them. */
export const isPaidOutside = (world: World, { rightSideLabel }: Transaction): boolean =>
  findCustody(world, rightSideLabel) !== undefined

/**
 * Receives the funds of a buy, has its coins sent, and settles it with their hash. A buy whose coins
 * could not be sent stays in processing. With `through` a pending one may receive its funds first.
 */
export async function settleOutside(
  services: Services,
  buy: Transaction,
  body: Delivering & { through?: boolean | undefined },
): Promise<Effects> {
  const { world, timekeeper, timeline } = services
  const origin = timeline.current
  const { id, wallet, coin, rightSide, rightSideLabel } = buy
  const receive = () => {
    const isPending = allowedFrom(world, buy.status).includes(PROCESSING)
    if (body.through && isPending) receiveFunds(world, buy)
    assertCanMove(world, buy, 'complete')
  }
  const received = await timekeeper.observe(receive, waits(body))
  const paymentId = await services.coins?.pay({
    ...{ id, wallet, coin, amount: fromMicros(rightSide) },
    network: findCustody(world, rightSideLabel) ?? '',
  })
  const settle = () => {
    assertNotReset(services, world)
    settleTransaction(world, buy, { paymentId })
  }
  const settleAsCaller = () => (origin ? timeline.run(origin, settle) : settle())
  assertNotReset(services, world)
  return joinEffects(received, await timekeeper.observe(settleAsCaller, waits(body)))
}

/** The transaction is gone with its world, though the coins are with the user. */
function assertNotReset(services: Services, world: World): void {
  if (services.world === world) return
  const message = 'The world was reset while the coins were sent.'
  throw new DomainError('reset', message, { field: 'id' })
}
