import type { FieldNotes } from '../notes.ts'

const TX_ID = '4187851a-04a8-41ad-a5e3-c653acc88768'
const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b'
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const STATUS = 'Status of the transaction; the contract does not list them all.'
const PENDING = 'pending request money transfer'

export const tradingFields: FieldNotes = {
  breakdown: ['Where the difference between both sides goes, in CAD; the parts add up to `total`.'],
  'Breakdown.total, breakdown.total': ['Sum of fee, gas and spread, in CAD.', 0.97001],
  fee: ['Fee of the service, in CAD.', 0.5],
  gas: ['Cost of the blockchain transfer, in CAD.', 0.375],
  spread: ['Difference between the rate and the price that the user gets, in CAD.', 0.09501],
  coin: ['The stablecoin without its chain.', 'USDC'],
  date: ['When it was created: world time, ISO 8601.', '2026-07-01T12:00:00.000Z'],
  depositAddress: [
    'Address to which the coins of a sell are sent; empty for a buy, which has none.',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
  ],
  'Quote.expiresAt': [
    'Until when the rate is locked: world time, ISO 8601.',
    '2026-07-01T12:30:00.000Z',
  ],
  externalSessionId: [
    'Your own reference, repeated in webhooks; `transactions.externalSessionId.max` limits its length.',
    'session-1',
  ],
  leftSideCurrency: ['Bounds by the currency that the user pays with: `CAD`, `USDC`, `CADC`.'],
  'Bounds.minimum': ['Least amount, in the currency of its key.', 100],
  'Bounds.maximum': ['Greatest amount, in the currency of its key.', 9999],
  leftSideLabel: [
    'Currency sent: `CAD` for a buy, a stablecoin such as `USDC-ETH` for a sell.',
    'CAD',
  ],
  leftSideValue: [
    'Amount sent, in the currency of `leftSideLabel`: CAD in cents, coins with up to six decimals.',
    100,
  ],
  rightSideLabel: ['Currency received: a stablecoin for a buy, `CAD` for a sell.', 'USDC-ETH'],
  rightSideValue: ['Amount received, in the currency of `rightSideLabel`.', 70.66],
  'listTransactions.limit': [
    'Transactions on a page, from 1; without it, `transactions.list.limit`.',
    20,
  ],
  'TransactionPage.limit': ['Most transactions that this page could have.', 20],
  offset: ['How many of the newest transactions to skip.', 0],
  'TransactionPage.offset': ['How many newer transactions were skipped.', 0],
  'TransactionPage.items': ['The transactions, newest first.'],
  'TransactionPage.total': ['How many transactions there are on all pages together.', 1],
  'Transaction.id': ['Id of the transaction: `txId` in paths, `transactionId` in webhooks.', TX_ID],
  'Transaction.status, V1Transaction.status': [STATUS, PENDING],
  'TransactionUpdate.status, V1TransactionUpdate.status': [STATUS, 'complete'],
  'transactionId, txId': ['Id of the transaction.', TX_ID],
  paymentId: [
    'Blockchain transaction hash; null until the coins of a sell arrive, or those of a buy are sent.',
    HASH,
  ],
  paymentType: [
    'Label of the payment method (the setting `transactions.paymentType`).',
    'eth network',
  ],
  quoteId: ['Number of the quote whose rate applies.', 100001],
  'Quote.quoteId': ['Number of the quote, for the transaction that uses it.', 100001],
  rate: ['Price of a coin, in CAD.', 1.4015],
  rmtId: ['Reference of the money transfer.', 'CA1UdmnUwaUQ'],
  wallet: ["The user's own address on the chain of the coin.", WALLET],
}
