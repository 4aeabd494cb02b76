import * as z from 'zod'
import { shownStatus } from '../../world/events.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { createTransaction, getTransactionOf } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import { requireUser } from '../auth.ts'
import { assumeAmount, isFull, QuoteId, TransactionStatus, toQuoteId } from '../contract.ts'
import { titled } from '../titled.ts'
import { succeeded } from '../unversioned.ts'
import { operation } from './dialect.ts'
import { toCents, toSecond } from './format.ts'

const CreateTransaction = () =>
  z.object({
    leftSideLabel: z.string(),
    leftSideValue: z.number(),
    rightSideLabel: z.string(),
    wallet: z.string().max(500).optional(),
    quoteId: QuoteId(),
    externalSessionId: z.string().optional(),
    // Clients send them; the price comes from the quote.
    gasId: z.unknown().optional(),
    ethCost: z.unknown().optional(),
  })

const TransactionAnswer = () =>
  titled('V1Transaction', {
    coin: z.string(),
    date: z.iso.datetime({ precision: 0 }),
    fee: z.string(),
    leftSideLabel: z.string(),
    leftSideValue: z.number(),
    rightSideLabel: z.string(),
    rightSideValue: z.number(),
    status: TransactionStatus(),
    tx_id: z.uuid(),
    wallet: z.string(),
    eth_fee: z.boolean(),
    payment_id: z.string().nullable(),
    payment_type: z.string(),
  })

export const transactions = [
  operation('POST', '/transaction', {
    id: 'v1CreateTransaction',
    like: ['createTransaction'],
    summary: 'Create a buy or a sell at a locked rate (v1)',
    about:
      'Creates a buy or a sell for a verified user at the rate of a quote, which `v1PriceQuote` makes first. It expires an hour (buy) or a day (sell) later unless the user pays. Webhooks report this and every change of the status.',
    success: 'The transaction is created and waits for the user to pay.',
    adds: true,
    ref: 'Versioning: POST /transaction',
    successor: 'POST /v2/transactions',
    auth: requireUser,
    body: CreateTransaction,
    answer: () =>
      z.strictObject({
        ...succeeded('New transaction created'),
        tx: z.uuid(),
        rmt: z.string(),
        depositAddress: z.string().optional(),
      }),
    handle(call) {
      const { world, who, input } = call
      const { body } = input
      const { wallet = '', externalSessionId = null } = body
      const created = createTransaction(world, who, {
        ...body,
        ...toQuoteId(world, body),
        wallet,
        externalSessionId,
      })
      assumeAmount(call, body.leftSideValue, created)
      const { id, rmtId, depositAddress } = created
      return {
        message: 'New transaction created',
        status: 'success',
        tx: id,
        rmt: rmtId,
        // A buy has none.
        ...(depositAddress !== '' && isFull(world, 'v1CreateTransaction') && { depositAddress }),
      } as const
    },
  }),
  operation('GET', '/transaction', {
    id: 'v1GetTransaction',
    like: ['getTransaction'],
    summary: 'Read one transaction (v1)',
    about:
      'Reads one transaction of the user with its present status. Those that were created through v2 are found as well.',
    success: 'The transaction as it is now.',
    ref: 'Versioning: GET /transaction',
    successor: 'GET /v2/transactions or GET /v2/transactions/{txId}',
    auth: requireUser,
    query: () => z.object({ tx_id: z.string() }),
    answer: TransactionAnswer,
    handle: ({ world, who, input }) =>
      present(world, getTransactionOf(world, who, input.query.tx_id)),
  }),
]

function present(world: World, transaction: Transaction) {
  return {
    coin: transaction.coin,
    date: toSecond(transaction.createdAt),
    fee: toCents(transaction.fee),
    leftSideLabel: transaction.leftSideLabel,
    leftSideValue: fromMicros(transaction.leftSide),
    rightSideLabel: transaction.rightSideLabel,
    rightSideValue: fromMicros(transaction.rightSide),
    status: shownStatus(world, transaction.status),
    tx_id: transaction.id,
    wallet: transaction.wallet,
    eth_fee: transaction.gas > 0,
    payment_id: transaction.paymentId,
    payment_type: transaction.paymentType,
  }
}
