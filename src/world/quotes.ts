import { labelsOf, type Pair, toPair } from './coins.ts'
import { DomainError } from './domain-error.ts'
import { formatInstant } from './duration.ts'
import { AMOUNT_MAX, MICRO, type Micros, roundDecimals, toMicros } from './money.ts'
import { type Price, price, type Terms } from './price.ts'
import { isRefused } from './settings/errors.ts'
import type { Coin, Integrator, Quote, Rates } from './state.ts'
import type { World } from './world.ts'

export interface QuoteRequest {
  leftSideLabel: string
  leftSideValue: number
  rightSideLabel: string
}

/** Locks the current rate. Any amount is quoted; limits apply when the transaction is created. */
export function createQuote(
  world: World,
  integrator: Integrator | null,
  request: QuoteRequest,
  labels = labelsOf(world),
): Quote {
  return addQuote(world, newQuote(world, integrator, request, labels))
}

export function addQuote(world: World, quote: Quote): Quote {
  world.nextQuoteId++
  world.insert('quotes', quote)
  return quote
}

/** Makes a quote without adding it to the world. */
export function newQuote(
  world: World,
  integrator: Integrator | null,
  request: QuoteRequest,
  labels = labelsOf(world),
): Quote {
  const { leftSideLabel, rightSideLabel } = request
  const pair = toPair(request, labels)
  const leftSide = toAmount(world, pair, request.leftSideValue)
  const rate = Math.round(world.rates[pair.coin].cad * MICRO)
  const priced = price(leftSide, termsOf(world, pair, rate))
  assertPrice(priced)
  return {
    quoteId: world.nextQuoteId,
    integrator: integrator?.name ?? null,
    side: pair.side,
    coin: pair.coin,
    leftSideLabel,
    leftSide,
    rightSideLabel,
    rightSide: priced.rightSide,
    rate,
    fee: priced.fee,
    gas: priced.gas,
    spread: priced.spread,
    createdAt: world.now,
    expiresAt: world.now + world.settings['quotes.ttl'],
    uses: 0,
  }
}

/**
 * Converts an amount to its currency's decimals. A setting decides if more are rounded or rejected.
 */
export function toAmount({ settings }: World, { side }: Pair, leftSideValue: number): Micros {
  const [range, decimals, count] = side === 'buy' ? CAD_DECIMALS : COIN_DECIMALS
  const rounded = roundDecimals(leftSideValue, decimals)
  const micros = toMicros(rounded)
  const isRounded = !isRefused(settings, 'too-many-decimals')
  if (micros !== undefined && (isRounded || rounded === leftSideValue)) return micros
  const fine = isRounded ? '' : `, with at most ${count} decimals`
  const message = `leftSideValue must be a number ${range} ${AMOUNT_MAX}${fine}.`
  throw new DomainError(micros === undefined ? 'invalid' : 'too-many-decimals', message, {
    field: 'leftSideValue',
  })
}

const CAD_DECIMALS = ['from 0.01 to', 2, 'two'] as const
const COIN_DECIMALS = ['from 0.000001 to', 6, 'six'] as const

/** Rejects an amount of which nothing is left, or which is too large to be exact at its rate. */
export function assertPrice({ rightSide, fee, gas, spread }: Price): void {
  const isExact = [rightSide, fee + gas + spread].every(Number.isSafeInteger)
  if (isExact && rightSide > 0) return
  const problem = isExact
    ? 'too small: after fee, gas and spread, nothing would be left for the user'
    : 'too large to be exact at this rate'
  throw new DomainError('invalid', `leftSideValue is ${problem}.`, { field: 'leftSideValue' })
}

export function termsOf({ settings }: World, { side, chain }: Pair, rate: Micros): Terms {
  const gas = GAS[chain] ?? 'quotes.gas.other'
  return {
    side,
    rate,
    feeShare: Math.round(settings['quotes.fee'] * MICRO),
    spreadShare: Math.round(settings['quotes.spread'] * MICRO),
    gas: Math.round(settings[gas] * MICRO),
  }
}

const GAS: Record<string, 'quotes.gas.ethereum' | 'quotes.gas.solana'> = {
  ETH: 'quotes.gas.ethereum',
  SOL: 'quotes.gas.solana',
}

/** Finds the quote that a transaction names; throws if it cannot be used for it. */
export function getQuoteFor(
  world: World,
  integrator: Integrator,
  {
    quoteId,
    leftSideLabel,
    rightSideLabel,
  }: { quoteId: number } & Omit<QuoteRequest, 'leftSideValue'>,
): Quote {
  const quote = world.quotes.get(quoteId)
  if (!quote) throw new DomainError('unknown-quote', NO_QUOTE, ASK_QUOTE)
  if (quote.integrator !== null && quote.integrator !== integrator.name) {
    const hint = `It was requested by the integrator ${quote.integrator}.`
    throw new DomainError('unknown-quote', NO_QUOTE, { hint })
  }
  if (quote.expiresAt <= world.now) {
    const hint = `It expired at ${formatInstant(quote.expiresAt)}, world time.`
    throw new DomainError('quote-expired', 'The quote has expired; ask for a new one.', {
      hint,
      remedy: 'make-quote',
    })
  }
  if (quote.uses > 0 && isRefused(world.settings, 'quote-spent')) {
    const message = 'The quote has already been used; ask for a new one.'
    throw new DomainError('quote-spent', message, ASK_QUOTE)
  }
  if (quote.leftSideLabel !== leftSideLabel || quote.rightSideLabel !== rightSideLabel) {
    const quoted = `${quote.leftSideLabel} to ${quote.rightSideLabel}`
    const message = `The quote is for ${quoted}, not for ${leftSideLabel} to ${rightSideLabel}.`
    throw new DomainError('quote-labels', message, ASK_QUOTE)
  }
  return quote
}

const ASK_QUOTE = { remedy: 'make-quote' } as const
const NO_QUOTE = 'There is no quote with this quoteId; ask for a new one.'

export type RatesRequest = Partial<Record<Coin, { cad: number } | undefined>>

/** Existing quotes keep their rates. Rates that are not sent do not change. */
export function setRates(world: World, request: RatesRequest): Rates {
  const rates = { ...world.rates }
  for (const [coin, rate] of Object.entries(request) as [Coin, { cad: number } | undefined][]) {
    if (rate === undefined) continue
    assertRate(coin, rate)
    rates[coin] = { cad: rate.cad }
  }
  world.rates = rates
  world.touchScalars()
  return rates
}

const RATE_MAX = 1_000_000

export function assertRate(coin: Coin, { cad }: { cad: number }): void {
  if (toMicros(cad) !== undefined && cad <= RATE_MAX) return
  const message = `A rate must be above 0 and at most ${RATE_MAX} CAD per coin, with at most six decimals.`
  throw new DomainError('invalid', message, { field: `${coin}.cad` })
}
