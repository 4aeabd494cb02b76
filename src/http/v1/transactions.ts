import * as z from 'zod'
import { named } from '../../control-api/schema.ts'
import { shownStatus } from '../../world/events.ts'
import {
  depositAddress,
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
import { CENT, fromMicros, type Micros } from '../../world/money.ts'
import { createQuote } from '../../world/quotes.ts'
import { LENGTHS } from '../../world/settings/constants.ts'
import type { Quote, Transaction } from '../../world/state.ts'
import { createTransaction, getTransactionOf } from '../../world/transactions.ts'
import type { World } from '../../world/world.ts'
import { requireKeyIfAsked, requireUser } from '../auth.ts'
import { DecimalText, isFull, QuoteId } from '../contract.ts'
import { assumeCents, noteOrder } from '../notes.ts'
import { succeeded } from '../unversioned.ts'
import { operation } from './dialect.ts'

const CreateTransaction = () =>
  z.object({
    leftSideLabel: LeftSideLabel(),
    leftSideValue: leftSideValue(z.number()),
    rightSideLabel: RightSideLabel(),
    wallet: wallet(z.string().max(LENGTHS.wallet.max).optional()),
    quoteId: QuoteId().describe('Number of the quote whose rate applies.'),
    externalSessionId: givenFields((text) => text.optional()).externalSessionId,
    // Clients send these; the price comes from the quote.
    gasId: z
      .unknown()
      .optional()
      .describe('Id of the gas price from the quote; accepted but not used.'),
    ethCost: z
      .unknown()
      .optional()
      .describe('Gas cost that the client computed, in CAD; accepted but not used.'),
  })

const TransactionResponse = () =>
  named('V1Transaction', {
    coin: z.string().describe('The stablecoin without its chain.'),
    date: z.iso
      .datetime({ precision: 0 })
      .describe('When it was created: world time, ISO 8601 to the second.'),
    fee: z.string().describe('Fee of the service in CAD, with two decimals.'),
    leftSideLabel: LeftSideLabel(),
    leftSideValue: leftSideValue(z.number()),
    rightSideLabel: RightSideLabel(),
    rightSideValue: RightSideValue(),
    status: ShownTransactionStatus(),
    tx_id: z.uuid().describe('Id of the transaction.'),
    wallet: wallet(z.string()),
    eth_fee: z.boolean().describe('Whether a gas cost was charged.'),
    payment_id: PaymentId(),
    payment_type: z.string().describe('Label of the payment method.'),
  })

export const transactions = [
  operation('GET', '/priceQuote', {
    id: 'v1PriceQuote',
    summary: 'Lock a rate (v1)',
    about:
      'Prices an exchange and locks its rate for a while. Create the transaction with the `quoteId`: a quote of either version works in both.',
    success: 'The quote and its costs.',
    adds: true,
    successor: 'GET /v2/quotes',
    auth: requireKeyIfAsked,
    query: () =>
      z.object({
        leftSideLabel: LeftSideLabel(),
        leftSideValue: leftSideValue(DecimalText()),
        rightSideLabel: RightSideLabel(),
      }),
    response: () =>
      named('V1Quote', {
        quoteId: z.int().describe('Number of the quote whose rate applies.'),
        gasId: z.int().describe('Id of the gas price, to send to `POST /transaction`.'),
        cadusd: z.number().describe('Price of a coin, in CAD.'),
        leftSideLabel: LeftSideLabel(),
        leftSideValue: z.string().describe('Amount sent, as written in the query.'),
        rightSideLabel: RightSideLabel(),
        rightSideValue: z.string().describe('Amount received, with two decimals.'),
        fee: z.number().describe('Fee of the service, in CAD.'),
        ethGasFee: z.number().describe('Cost of the blockchain transfer, in CAD.'),
      }),
    handle(call) {
      const { world, who } = call
      const { query } = call.input
      const { leftSideLabel, rightSideLabel } = query
      const leftSideValue = Number(query.leftSideValue)
      const asked = { leftSideLabel, leftSideValue, rightSideLabel }
      const quote = createQuote(world, who.integrator, asked)
      assumeCents(call, leftSideValue, quote.leftSide)
      return presentQuote(quote, query.leftSideValue)
    },
  }),
  operation('POST', '/transaction', {
    id: 'v1CreateTransaction',
    summary: 'Create a buy or a sell at a locked rate (v1)',
    about:
      'Creates a buy or a sell for a verified user at the rate of a quote from `v1PriceQuote`. It expires an hour (buy) or a day (sell) later unless the user pays.',
    success: 'The transaction is created and is waiting for payment.',
    adds: true,
    successor: 'POST /v2/transactions',
    auth: requireUser,
    body: CreateTransaction,
    response: () =>
      succeeded('New transaction created', {
        tx: z.uuid().describe('Id of the new transaction.'),
        rmt: z.string().describe('Reference of the money transfer.'),
        depositAddress: depositAddress(z.string().optional()),
      }),
    handle(call) {
      const { world, who, input } = call
      const { body } = input
      const { wallet = '', externalSessionId } = body
      const created = createTransaction(world, who, {
        leftSideLabel: body.leftSideLabel,
        leftSideValue: body.leftSideValue,
        rightSideLabel: body.rightSideLabel,
        wallet,
        quoteId: body.quoteId,
        ...toGiven({ externalSessionId }),
      })
      noteOrder(call, body.leftSideValue, created)
      const { id, rmtId, depositAddress } = created
      return {
        message: 'New transaction created',
        status: 'success',
        tx: id,
        rmt: rmtId,
        // A buy has none.
        ...(depositAddress !== '' && isFull(world) && { depositAddress }),
      } as const
    },
  }),
  operation('GET', '/transaction', {
    id: 'v1GetTransaction',
    summary: 'Read one transaction (v1)',
    about:
      'Reads one transaction of the user with its current status. It also finds transactions that were created through v2.',
    success: 'The transaction as it is now.',
    successor: 'GET /v2/transactions or GET /v2/transactions/{txId}',
    auth: requireUser,
    query: () => z.object({ tx_id: z.string().describe('Id of the transaction.') }),
    response: TransactionResponse,
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

/** Keeps the two ids of a quote apart; both have six digits and increase. */
const GAS_ID_OFFSET = 400_000

/** Returns the amount as it was written, `100.00` as `100.00`, unless it was rounded. */
function presentQuote(quote: Quote, asked: string) {
  const isRounded = Number(asked) !== fromMicros(quote.leftSide)
  const leftSideValue = isRounded ? toCents(quote.leftSide) : asked
  return {
    quoteId: quote.quoteId,
    gasId: quote.quoteId + GAS_ID_OFFSET,
    cadusd: fromMicros(quote.rate),
    leftSideLabel: quote.leftSideLabel,
    leftSideValue,
    rightSideLabel: quote.rightSideLabel,
    rightSideValue: toCents(quote.rightSide),
    fee: fromMicros(quote.fee),
    ethGasFee: fromMicros(quote.gas),
  }
}

/** Formats an amount for v1's text fields, with two decimals. */
function toCents(micros: Micros): string {
  return (Math.round(micros / CENT) / 100).toFixed(2)
}

/** An instant as v1 writes it: without milliseconds. */
function toSecond(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
