import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { getLimits } from '../../world/limits.ts'
import { fromMicros } from '../../world/money.ts'
import { createQuote } from '../../world/quotes.ts'
import type { Quote } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { requireKeyIfAsked, requireUserIfAsked } from '../auth.ts'
import { assumeCents, DecimalText, isFull, presentBreakdown } from '../contract.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'

const AskQuote = () =>
  z.object({
    leftSideLabel: z.string(),
    leftSideValue: DecimalText().transform(Number),
    rightSideLabel: z.string(),
  })

const Breakdown = () =>
  titled('Breakdown', { fee: z.number(), gas: z.number(), spread: z.number(), total: z.number() })
const QuoteAnswer = () =>
  titled('Quote', {
    quoteId: z.int().describe('Number of the quote, for the transaction that uses it.'),
    leftSideLabel: z.string().optional(),
    leftSideValue: z.number().optional(),
    rightSideLabel: z.string().optional(),
    rightSideValue: z.number().optional(),
    rate: z.number().optional(),
    expiresAt: z.iso.datetime().optional(),
    breakdown: Breakdown(),
  })
const LimitsAnswer = () =>
  titled('Limits', {
    leftSideCurrency: z.record(
      z.string(),
      titled('Bounds', { minimum: z.number(), maximum: z.number() }),
    ),
  })

export const quotes = [
  operation('GET', '/v2/quotes', {
    id: 'createQuote',
    summary: 'Lock a rate',
    about:
      'Prices an exchange and locks its rate until `expiresAt`. Create the transaction with the `quoteId` before then. Amounts beyond the limits are quoted too: those apply when the transaction is created.',
    success: 'The quote, with what it costs.',
    adds: true,
    ref: 'Endpoints: Quotes and limits, GET /quotes',
    auth: requireKeyIfAsked,
    query: AskQuote,
    answer: QuoteAnswer,
    handle(call) {
      const { world, who, input } = call
      const quote = createQuote(world, who.integrator, input.query)
      assumeCents(call, input.query.leftSideValue, quote.leftSide)
      return presentQuote(world, quote)
    },
  }),
  operation('GET', '/v2/limits', {
    id: 'getLimits',
    summary: 'Read what one transaction may be worth',
    about:
      'Reads what one transaction of this user may be worth, by the currency that the user pays with. The bounds of coins follow the current rate, so do not cache them.',
    success: 'The bounds, by currency.',
    ref: 'Endpoints: Quotes and limits, GET /limits',
    auth: requireUserIfAsked,
    answer: LimitsAnswer,
    handle: ({ world, who }) => getLimits(world, who.user ?? undefined),
  }),
]

function presentQuote(world: World, quote: Quote) {
  const breakdown = presentBreakdown(quote)
  if (!isFull(world, 'createQuote')) return { quoteId: quote.quoteId, breakdown }
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
