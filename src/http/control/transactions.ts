import * as z from 'zod'
import { type Effects, joinEffects } from '../../engine/watch.ts'
import { Deliver, type Delivering } from '../../levers/events.ts'
import type { TransactionStatus } from '../../levers/shapes.ts'
import {
  MOVED,
  NO_TRANSACTION,
  type TransactionMoved,
  TransactionRecord,
} from '../../levers/transactions.ts'
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
import type { Transaction } from '../../world/state.ts'
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
import type { Services } from '../services.ts'
import { identifyLinkHolder } from './auth.ts'
import { implement, operation } from './dialect.ts'
import { observe, presentEffects, waits } from './events.ts'
import { readPage } from './page.ts'
import { presentAs } from './present-as.ts'

export const transactions = [
  implement('transactions.list', ({ world, input: { query } }) => {
    const { email, status: asked, ...rest } = query
    const id = world.usersByEmail.get(email?.toLowerCase() ?? '')?.id
    const own = world.userTransactions.get(id ?? '')?.all ?? []
    const rows = email === undefined ? world.transactions : own
    const isCancelled = asked === world.settings['transactions.cancelledStatus']
    const status = isCancelled ? 'cancelled' : asked
    const present = (row: Transaction) => presentTransaction(world, row)
    return readPage(rows, { query: { ...rest, status }, present })
  }),
  implement('transactions.get', ({ world, param }) =>
    presentTransaction(world, getAnyTransaction(world, param('id'))),
  ),
  implement('simulate.fundsReceived', ({ services, param, input: { body } }) =>
    moveIn(services, param('id'), body, (world, row) => receiveFunds(world, row, body)),
  ),
  implement('simulate.bankRefused', ({ services, param, input }) =>
    moveIn(services, param('id'), input.body, simulateBankRefused),
  ),
  implement('simulate.expired', ({ services, param, input }) =>
    moveIn(services, param('id'), input.body, expireTransaction),
  ),
  implement('simulate.cancelled', ({ services, param, input }) =>
    moveIn(services, param('id'), input.body, cancel),
  ),
  implement('simulate.settled', async ({ services, world, param, input: { body } }) => {
    const id = param('id')
    const transaction = getAnyTransaction(world, id)
    if (body.paymentId !== undefined || !isPaidOutside(world, transaction)) {
      return await moveIn(services, id, body, (_, row) => settleTransaction(world, row, body))
    }
    const from = transaction.status as TransactionStatus
    const effects = await settleOutside(services, transaction, body)
    return {
      transactionId: id,
      from,
      to: 'complete' as const,
      ...presentEffects(effects, services),
    }
  }),
  implement('simulate.status', ({ services, param, input: { body } }) =>
    moveIn(services, param('id'), body, (world, row) => simulateStatus(world, row, body.status)),
  ),
  operation('POST', '/_sandbox/bank/:id', 'answerMoneyRequest', {
    ...MOVED,
    summary: 'Let the user approve a money request, or the bank refuse it',
    about:
      'The page behind a money request does this. Approval moves a pending buy to processing, which `transaction.update` reports. No control token is needed: the link is enough.',
    auth: identifyLinkHolder,
    params: { id: 'Last part of the link of a money request.' },
    body: () => ({
      decision: z
        .enum(['approve', 'refuse'])
        .describe('What the user, or the bank, does with the request.'),
      deliver: Deliver(),
    }),
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
    // Presented now, because a receiver of the webhook may move it on before the response.
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
    id,
    wallet,
    coin,
    amount: fromMicros(rightSide),
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
