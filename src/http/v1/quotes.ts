import * as z from 'zod'
import { fromMicros } from '../../world/money.ts'
import { createQuote } from '../../world/quotes.ts'
import type { Quote } from '../../world/state.ts'
import { requireKeyIfAsked } from '../auth.ts'
import { assumeCents, DecimalText } from '../contract.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
import { toCents } from './format.ts'

export const quotes = [
  operation('GET', '/priceQuote', {
    id: 'v1PriceQuote',
    like: ['createQuote'],
    summary: 'Lock a rate (v1)',
    about:
      'Prices an exchange and locks its rate for a while. Create the transaction with the `quoteId`: a quote of either version works in both.',
    success: 'The quote, with what it costs.',
    adds: true,
    ref: 'Versioning: GET /priceQuote',
    successor: 'GET /v2/quotes',
    auth: requireKeyIfAsked,
    query: () =>
      z.object({
        leftSideLabel: z.string(),
        leftSideValue: DecimalText(),
        rightSideLabel: z.string(),
      }),
    answer: () =>
      titled('V1Quote', {
        quoteId: z.int(),
        gasId: z.int(),
        cadusd: z.number(),
        leftSideLabel: z.string(),
        leftSideValue: z.string(),
        rightSideLabel: z.string(),
        rightSideValue: z.string(),
        fee: z.number(),
        ethGasFee: z.number(),
      }),
    handle(call) {
      const { world, who } = call
      const { query } = call.input
      const leftSideValue = Number(query.leftSideValue)
      const quote = createQuote(world, who.integrator, { ...query, leftSideValue })
      assumeCents(call, leftSideValue, quote.leftSide)
      return presentQuote(quote, query.leftSideValue)
    },
  }),
]

/** Keeps the two ids of a quote apart; both have six digits and increase. */
const GAS_ID_OFFSET = 400_000

/** The amount asked for is answered as it was written, `100.00` as `100.00`, unless it was rounded. */
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
