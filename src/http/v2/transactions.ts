import * as z from 'zod'
import { ActingFor, CostFields } from '../../control-api/fields.ts'
import { inField, named } from '../../control-api/schema.ts'
import { toDate } from '../../webhooks/date.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import {
  depositAddress,
  GIVEN_NAMES,
  type Given,
  givenFields,
  LeftSideLabel,
  leftSideValue,
  PaymentId,
  RightSideLabel,
  RightSideValue,
  ShownTransactionStatus,
  toGiven,
  wallet,
} from '../../world/fields.ts'
import { getLimits } from '../../world/limits.ts'
import { fromMicros } from '../../world/money.ts'
import { createQuote } from '../../world/quotes.ts'
import { LENGTHS } from '../../world/settings/constants.ts'
import { isRefused } from '../../world/settings/errors.ts'
import type { Quote, Transaction } from '../../world/state.ts'
import { cancelTransaction, createTransaction, listTransactions } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import {
  getSubject,
  requireApiKey,
  requireTransaction,
  requireUser,
  requireUserIfAsked,
  requireUserOrBody,
} from '../auth.ts'
import { DecimalText, isFull, presentBreakdown, QuoteId } from '../contract.ts'
import { assumeCents, noteOrder } from '../notes.ts'
import { operation } from './dialect.ts'

/** A field of v1 that is only rejected, so no document lists it. */
const rejected = () => z.unknown().optional().meta({ hidden: true })

const CreateTransaction = () =>
  z.object({
    leftSideLabel: LeftSideLabel(),
    leftSideValue: leftSideValue(z.number()),
    rightSideLabel: RightSideLabel(),
    wallet: wallet(z.string().min(1).max(LENGTHS.wallet.max)),
    quoteId: QuoteId().describe('Number of the quote whose rate applies.'),
    userId: ActingFor(),
    ethCost: rejected(),
    gasId: rejected(),
    ...givenFields((text) => text.optional()),
  })

const WHOLE = /^\d{1,9}$/
const ListTransactions = () =>
  z.object({
    limit: z
      .string()
      .regex(WHOLE, { error: 'must be a whole number' })
      .transform(Number)
      .meta({ wire: { type: 'integer', minimum: 1 } })
      .optional()
      .describe('Transactions on a page, from 1; without it, `transactions.list.limit`.'),
    offset: z
      .string()
      .describe('How many transactions to skip.')
      .regex(/^\d{1,9}(\.\d+)?$/, { error: 'must be a whole number, 0 or more' })
      .transform(Number)
      .meta({ wire: { type: 'integer', minimum: 0 } })
      .optional(),
    userId: ActingFor(),
  })

const TransactionResponse = () =>
  named('Transaction', {
    id: z.uuid().describe('Id of the transaction: `txId` in paths, `transactionId` in webhooks.'),
    date: z.iso.datetime({ precision: 3 }).describe('When it was created: world time, ISO 8601.'),
    coin: z.string().describe('The stablecoin without its chain.'),
    leftSideLabel: LeftSideLabel(),
    leftSideValue: leftSideValue(z.number()),
    rightSideLabel: RightSideLabel(),
    rightSideValue: RightSideValue(),
    status: ShownTransactionStatus(),
    wallet: wallet(z.string()),
    paymentType: z
      .string()
      .describe('Label of the payment method (the setting `transactions.paymentType`).'),
    paymentId: PaymentId(),
    rmtId: z.string().describe('Reference of the money transfer.'),
    depositAddress: depositAddress(z.string().nullish()),
  })
export type TransactionResponse = z.output<ReturnType<typeof TransactionResponse>>

const TransactionsResponse = () =>
  named('TransactionPage', {
    items: z.array(TransactionResponse()).describe('The transactions, in the order of the list.'),
    total: z.int().describe('Total number of transactions on all pages.'),
    limit: z.int().describe('Page size.'),
    offset: z.int().describe('How many transactions were skipped.'),
  })
export type TransactionsResponse = z.output<ReturnType<typeof TransactionsResponse>>

export const transactions = [
  operation('POST', '/v2/transactions', {
    id: 'createTransaction',
    summary: 'Create a buy or a sell at a locked rate',
    about:
      "Creates a buy or a sell for a verified user at the rate of a quote from `createQuote`. A buy waits for the user's e-transfer for an hour, a sell for coins at `depositAddress` for a day; then it expires. `transaction.update` is sent now and whenever the status changes.",
    success: 'The transaction is created and is waiting for payment.',
    adds: true,
    auth: requireUserOrBody,
    body: CreateTransaction,
    response: TransactionResponse,
    handle(call) {
      const { world, who, input } = call
      const { body } = input
      const user = getSubject(call, who, body.userId || call.query('userId'))
      assertNoV1Fields(body)
      assertNoUserId(world, body)
      const given = toGiven(body)
      assertRequired(world, given)
      const caller = { integrator: who.integrator, user }
      const created = createTransaction(world, caller, {
        leftSideLabel: body.leftSideLabel,
        leftSideValue: body.leftSideValue,
        rightSideLabel: body.rightSideLabel,
        wallet: body.wallet,
        quoteId: body.quoteId,
        ...given,
      })
      noteOrder(call, body.leftSideValue, created)
      return presentCreated(world, created)
    },
  }),
  operation('GET', '/v2/transactions', {
    id: 'listTransactions',
    summary: 'List the transactions of the user',
    about:
      'Lists the transactions that you created for the user, a page at a time. Increase `offset` until it reaches `total`.',
    success: 'A page of transactions.',
    auth: requireUser,
    query: ListTransactions,
    response: TransactionsResponse,
    handle({ world, who, input }) {
      const page = listTransactions(world, who, toPage(world, input.query))
      const { items, total, limit, offset } = page
      return { items: items.map((row) => present(world, row)), total, limit, offset }
    },
  }),
  operation('GET', '/v2/transactions/:txId', {
    id: 'getTransaction',
    params: { txId: 'Id of the transaction.' },
    summary: 'Read one transaction',
    about:
      'Reads a transaction with its current status. Webhooks are sent once and not retried, so read it again if one may have been lost.',
    success: 'The transaction as it is now.',
    auth: requireTransaction,
    response: TransactionResponse,
    handle: ({ world, who: { transaction } }) => present(world, transaction),
  }),
  operation('PUT', '/v2/transactions/:txId/cancel', {
    id: 'cancelTransaction',
    params: { txId: 'Id of the transaction.' },
    summary: 'Cancel a pending transaction',
    about:
      'Cancels a transaction that is waiting for payment. `transaction.update` is sent. The transaction then counts towards the limit for cancelled and expired ones.',
    success: 'The transaction is cancelled.',
    auth: requireTransaction,
    response: TransactionResponse,
    handle: ({ world, who }) => present(world, cancelTransaction(world, who.transaction)),
  }),
]

/** Pricing is derived on the server, so two fields of v1 are not accepted (contract, Transactions). */
function assertNoV1Fields(sent: { ethCost?: unknown; gasId?: unknown }) {
  for (const field of ['ethCost', 'gasId'] as const) {
    if (sent[field] === undefined) continue
    const message = `${field} is not accepted; the quote decides the price.`
    throw new DomainError('invalid', message, { field, rule: 'Endpoints: Transactions, POST' })
  }
}

function assertRequired({ settings }: World, given: Given) {
  const field = GIVEN_NAMES.find((name) => given[name] === null)
  if (field === undefined || settings['transactions.required'] !== 'all') return
  throw new DomainError('invalid', `${field} is required.`, { field })
}

/** The contract's body names no user; a setting allows it. */
function assertNoUserId({ settings }: World, { userId }: { userId?: string | undefined }) {
  const isNamed = userId !== undefined && settings['access.subject'] === 'refuse'
  if (!isNamed || !isRefused(settings, 'unknown-field')) return
  throw new DomainError('unknown-field', 'userId is not a field of this request.', {
    field: 'userId',
  })
}

function toPage(world: World, query: { limit?: number | undefined; offset?: number | undefined }) {
  const { settings } = world
  const limitMax = settings['transactions.list.maximum']
  const limit = query.limit ?? Math.min(settings['transactions.list.limit'], limitMax)
  const offset = query.offset ?? 0
  const message = `limit must be a whole number from 1 to ${limitMax}.`
  if (limit > limitMax) world.assertAccepted(new DomainError('page-too-large', message))
  if (limit < 1) throw new DomainError('invalid', message, { field: 'limit' })
  if (!Number.isInteger(offset)) {
    throw new DomainError('invalid', 'offset must be a whole number, 0 or more.', {
      field: 'offset',
    })
  }
  return { limit: Math.min(limit, limitMax), offset }
}

function present(world: World, transaction: Transaction): TransactionResponse {
  return {
    id: transaction.id,
    date: toDate(transaction.createdAt),
    coin: transaction.coin,
    leftSideLabel: transaction.leftSideLabel,
    leftSideValue: fromMicros(transaction.leftSide),
    rightSideLabel: transaction.rightSideLabel,
    rightSideValue: fromMicros(transaction.rightSide),
    status: shownStatus(world, transaction.status),
    wallet: transaction.wallet,
    paymentType: transaction.paymentType,
    paymentId: transaction.paymentId,
    rmtId: transaction.rmtId,
  }
}

/** The create response alone carries the deposit address. */
function presentCreated(world: World, transaction: Transaction): TransactionResponse {
  const shown = present(world, transaction)
  const { depositAddress } = transaction
  const settings = world.settings['transactions.depositAddress']
  if (depositAddress !== '' || settings === 'string') shown.depositAddress = depositAddress
  else if (settings === 'null') shown.depositAddress = null
  return shown
}

const AskQuote = () =>
  z.object({
    leftSideLabel: LeftSideLabel(),
    leftSideValue: leftSideValue(DecimalText().transform(Number)),
    rightSideLabel: RightSideLabel(),
  })

const Breakdown = () => named('Breakdown', CostFields())
const QuoteResponse = () =>
  named('Quote', {
    quoteId: z.int().describe('Number of the quote, for the transaction that uses it.'),
    leftSideLabel: LeftSideLabel().optional(),
    leftSideValue: leftSideValue(z.number().optional()),
    rightSideLabel: RightSideLabel().optional(),
    rightSideValue: RightSideValue().optional(),
    rate: z.number().optional().describe('Price of a coin, in CAD.'),
    expiresAt: z.iso
      .datetime()
      .optional()
      .describe('When the locked rate expires: world time, ISO 8601.'),
    breakdown: inField(
      Breakdown(),
      'What makes up the difference between the two sides, in CAD; the parts add up to `total`.',
    ),
  })
export type QuoteResponse = z.output<ReturnType<typeof QuoteResponse>>

const LimitsResponse = () =>
  named('Limits', {
    leftSideCurrency: z
      .record(
        z.string(),
        named('Bounds', {
          minimum: z.number().describe('Minimum amount, in the currency of its key.'),
          maximum: z.number().describe('Maximum amount, in the currency of its key.'),
        }),
      )
      .describe('Bounds by the currency that the user pays with: `CAD`, `USDC`, `CADC`.'),
  })
export type LimitsResponse = z.output<ReturnType<typeof LimitsResponse>>

export const quotes = [
  operation('GET', '/v2/quotes', {
    id: 'createQuote',
    summary: 'Lock a rate',
    about:
      'Prices an exchange and locks its rate until `expiresAt`. Create the transaction with the `quoteId` before then. Limits apply only then.',
    success: 'The quote and its costs.',
    adds: true,
    auth: requireApiKey,
    query: AskQuote,
    response: QuoteResponse,
    handle(call) {
      const { world, who, input } = call
      const quote = createQuote(world, who.integrator, input.query)
      assumeCents(call, input.query.leftSideValue, quote.leftSide)
      return presentQuote(world, quote)
    },
  }),
  operation('GET', '/v2/limits', {
    id: 'getLimits',
    summary: 'Read the value limits of a transaction',
    about:
      'Reads what one transaction of this user may be worth, by the currency that the user pays with. The bounds of coins follow the current rate, so do not cache them.',
    success: 'The bounds, by currency.',
    auth: requireUserIfAsked,
    response: LimitsResponse,
    handle: ({ world, who }) => getLimits(world, who.user ?? undefined),
  }),
]

function presentQuote(world: World, quote: Quote) {
  const breakdown = presentBreakdown(quote)
  if (!isFull(world)) return { quoteId: quote.quoteId, breakdown }
  return {
    quoteId: quote.quoteId,
    leftSideLabel: quote.leftSideLabel,
    leftSideValue: fromMicros(quote.leftSide),
    rightSideLabel: quote.rightSideLabel,
    rightSideValue: fromMicros(quote.rightSide),
    rate: fromMicros(quote.rate),
    expiresAt: formatInstant(quote.expiresAt),
    breakdown,
  }
}
