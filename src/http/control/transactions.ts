import * as z from 'zod'
import { Deliver, type Delivering } from '../../control-api/events.ts'
import type { TransactionStatus } from '../../control-api/shapes.ts'
import {
  MOVED,
  NO_TRANSACTION,
  type TransactionMoved,
  TransactionRecord,
} from '../../control-api/transactions.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import {
  expireTransaction,
  receiveFunds,
  settleTransaction,
  simulateBankRefused,
  simulateStatus,
} from '../../world/lifecycle.ts'
import { readBankLink } from '../../world/links.ts'
import { fromMicros } from '../../world/money.ts'
import { withoutEllipsis } from '../../world/short-id.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, findExpiry, moveTransaction } from '../../world/transaction-status.ts'
import { getAnyTransaction } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import { presentBreakdown } from '../contract.ts'
import type { AuthenticatedCall } from '../operation.ts'
import { identifyLinkHolder } from './auth.ts'
import { implement, operation } from './dialect.ts'
import { observe } from './events.ts'
import { addUnknown, assertStatus, contains, equals } from './filters.ts'
import { readPage } from './page.ts'
import { presentAs } from './present-as.ts'

export const transactions = [
  implement('transactions.list', ({ world, input: { query } }) => {
    const { email, status: asked, ...rest } = query
    assertStatus(world, asked)
    const id = world.usersByEmail.get(email?.toLowerCase() ?? '')?.id
    const own = world.transactionsOf(id ?? '')
    const rows = email === undefined ? world.transactions : own
    const isCancelled = asked === world.settings['transactions.cancelledStatus']
    const status = isCancelled ? 'cancelled' : asked
    const present = (row: Transaction) => presentTransaction(world, row)
    const page = readPage(rows, { query: { ...rest, status }, filters: filtersFor(world), present })
    return addUnknown(page, world, query)
  }),
  implement('transactions.get', ({ world, param }) =>
    presentTransaction(world, getAnyTransaction(world, param('id'))),
  ),
  implement('simulate.fundsReceived', (call) => moveBy(call, receiveFunds)),
  implement('simulate.bankRefused', (call) => moveBy(call, simulateBankRefused)),
  implement('simulate.expired', (call) => moveBy(call, expireTransaction)),
  implement('simulate.cancelled', (call) => moveBy(call, cancel)),
  implement('simulate.settled', (call) => moveBy(call, settleTransaction)),
  implement('simulate.status', (call) =>
    moveBy(call, (world, transaction, { status }) => simulateStatus(world, transaction, status)),
  ),
  operation('POST', '/_sandbox/bank/:id', 'answerMoneyRequest', {
    action: 'simulation',
    ...MOVED,
    summary: 'Let the user approve a money request, or the bank refuse it',
    about:
      'The page that a money request links to makes this call. Approval moves a pending buy to processing, which `transaction.update` reports. It needs no control token.',
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
      conflict: 'The transaction is not a buy that is waiting for payment.',
    },
    handle(call) {
      const { id, isWhole } = readBankLink(call.world, call.param('id'))
      if (!isWhole && call.who === undefined) {
        throw new DomainError('not-found', 'There is no such money request.', { field: 'id' })
      }
      const isApproved = call.input.body.decision === 'approve'
      return moveBy(call, isApproved ? approve : simulateBankRefused, id)
    },
  }),
]

const filtersFor = (world: World) => ({
  status: equals('status'),
  side: equals('side'),
  id: ({ id }: Transaction, start: string) => id.startsWith(withoutEllipsis(start)),
  reference: ({ rmtId, externalSessionId, paymentId }: Transaction, text: string) =>
    [rmtId, externalSessionId, paymentId].includes(text),
  amount: ({ leftSide, rightSide }: Transaction, amount: number) =>
    [leftSide, rightSide].some((side) => fromMicros(side) === amount),
  since: ({ createdAt }: Transaction, at: number) => createdAt >= at,
  until: ({ createdAt }: Transaction, at: number) => createdAt < at,
  q: contains((row: Transaction) => [
    ...Object.values(row).filter((value) => typeof value === 'string'),
    ...[
      world.usersById.get(row.userId)?.email,
      fromMicros(row.leftSide),
      fromMicros(row.rightSide),
    ],
  ]),
})

function approve(world: World, transaction: Transaction) {
  receiveFunds(world, transaction)
}

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
    allowed: allowedFrom(status).map(shown),
    history: transaction.history.map(({ status, at }) => ({
      status: shown(status),
      at: formatInstant(at),
    })),
  })
}

/** Changes the transaction in the path, and returns its statuses with what followed. */
async function moveBy<Body extends Delivering>(
  { services, world, param, input: { body } }: AuthenticatedCall<unknown, unknown, Body>,
  change: (world: World, transaction: Transaction, body: Body) => void,
  id = param('id'),
): Promise<TransactionMoved> {
  const transaction = getAnyTransaction(world, id)
  const shown = () => shownStatus(world, transaction.status) as TransactionStatus
  const from = shown()
  return await observe(services, body, () => {
    change(world, transaction, body)
    // Presented now, because a receiver of the webhook may move it on before the response.
    return { transactionId: transaction.id, from, to: shown() }
  })
}
