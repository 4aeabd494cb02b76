import { Refusal } from './refusal.mjs'

/** CAD for one USDC; fees and limits in CAD. */
export const TERMS = { rate: 1.37, feeShare: 0.01, networkFee: 1.5, minimum: 10, maximum: 9_999 }

const COINS = { USDC: 'USDC', 'USDC-ETH': 'USDC', CADC: 'CADC' }
const inCents = (value) => Math.round(value * 100) / 100

/** The price of `[leftSideLabel, leftSideValue, rightSideLabel]`. */
export function priceOf([leftSideLabel, given, rightSideLabel], terms) {
  const leftSideValue = Number(given)
  if (!(leftSideValue > 0)) throw new Refusal('malformed', '/leftSideValue')
  const isBuy = leftSideLabel === 'CAD'
  const coin = COINS[isBuy ? rightSideLabel : leftSideLabel]
  if (!coin || (!isBuy && rightSideLabel !== 'CAD')) throw new Refusal('no_pair')
  const exchangeRate = coin === 'USDC' ? terms.rate : 1
  const cad = isBuy ? leftSideValue : inCents(leftSideValue * exchangeRate)
  const serviceFee = inCents(cad * terms.feeShare)
  const rest = Math.max(0, cad - serviceFee - terms.networkFee)
  const rightSideValue = inCents(isBuy ? rest / exchangeRate : rest)
  const sides = { leftSideLabel, leftSideValue, rightSideLabel, rightSideValue }
  return { ...sides, exchangeRate, cad, serviceFee, networkFee: terms.networkFee }
}
