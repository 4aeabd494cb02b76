import type { Quote, Transaction } from '../../src/world/state.ts'
import { created } from './checks-transactions.ts'
import { chainOfQuote } from './oracle-trading.ts'
import { priceOf, worthOf } from './prices.ts'
import { type Check, REPLACING, type Scene } from './scene.ts'

/** Fee, gas, spread and what is paid out add up to the left side, to the last millionth. */
export const money: Check = ({ after }) =>
  [...after.quotes, ...after.transactions].flatMap((row) => {
    const { fee, gas, spread, leftSide, rightSide, rate } = row
    const all = [fee, gas, spread, leftSide, rightSide, rate]
    if (!all.every(Number.isSafeInteger)) return [`${nameOf(row)} has a part that is not whole`]
    const { gross, paidOut } = worthOf(row)
    const sum = BigInt(fee) + BigInt(gas) + BigInt(spread) + paidOut
    return sum === gross ? [] : [`the parts of ${nameOf(row)} add up to ${sum}, not to ${gross}`]
  })

/** A new quote has the published price, and a new transaction the one of its quote. */
export const prices: Check = (scene) => {
  if (REPLACING.has(scene.step.action)) return []
  const known = new Set(scene.before.quotes.map(({ quoteId }) => quoteId))
  const quotes = scene.after.quotes.filter(({ quoteId }) => !known.has(quoteId))
  return [
    ...quotes.flatMap((quote) => findOverpriced(quote, scene)),
    ...created(scene).flatMap((transaction) => {
      const quote = scene.before.quotes.find(({ quoteId }) => quoteId === transaction.quoteId)
      const isQuoted = quote?.leftSide === transaction.leftSide
      return isQuoted ? findDifferent(transaction, quote) : findOverpriced(transaction, scene)
    }),
  ]
}

function findOverpriced(row: Quote | Transaction, { settings }: Scene): string[] {
  const price = priceOf({ ...row, chain: chainOfQuote(row, settings) }, settings)
  return (['rightSide', 'fee', 'gas'] as const)
    .filter((part) => BigInt(row[part]) !== price[part])
    .map((part) => `the ${part} of ${nameOf(row)} is ${row[part]}, not ${price[part]}`)
}

function findDifferent(transaction: Transaction, quote: Quote): string[] {
  return (['rate', 'rightSide', 'fee', 'gas', 'spread'] as const)
    .filter((part) => transaction[part] !== quote[part])
    .map((part) => `${nameOf(transaction)} has another ${part} than its quote`)
}

const nameOf = (row: Quote | Transaction) => ('id' in row ? row.id : `quote ${row.quoteId}`)
