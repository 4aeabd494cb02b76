import type { FieldNote, FieldNotes } from '../notes.ts'

const HOOKS = 'https://example.com/v1-hooks'
const TX_ID = '4187851a-04a8-41ad-a5e3-c653acc88768'
const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b'

const switches = (what: string): FieldNote => [`Whether a webhook is sent when ${what}.`, true]
const goes = (what: string): FieldNote => [
  `Where that webhook goes when ${what}; an empty text removes it.`,
  HOOKS,
]
const VERIFIED = 'a user is verified'
const INITIATED = 'a transaction is created'
const COMPLETE = 'a transaction is complete'
const UPDATED = 'the status of a transaction changes'

export const legacyFields: FieldNotes = {
  'V1UserVerified.status': ['The status that the user has now.', 'verified'],
  first_name: ['Given name.', 'Alice'],
  last_name: ['Family name.', 'Tremblay'],
  address2: ['Unit or suite; may be empty.', 'Unit 4'],
  verificationLink: [
    'The page where the user identifies; open it in a browser.',
    'http://127.0.0.1:4100/_sandbox/kyc/7ec7908d462ed01d2eb9c2b49843ff0e',
  ],
  userStatus: ['Status of the user; only a `verified` one can trade.', 'verified'],
  cadusd: ['Price of a coin, in CAD.', 1.4015],
  gasId: ['Number of the gas price; `POST /transaction` takes it.', 500001],
  'v1CreateTransaction.gasId': [
    'Number of the gas price from the quote; accepted and not used.',
    500001,
  ],
  'v1CreateTransaction.ethCost': [
    'Gas cost that the client computed, in CAD; accepted and not used.',
    0.375,
  ],
  ethGasFee: ['Cost of the blockchain transfer, in CAD.', 0.375],
  'V1Quote.leftSideValue': ['Amount sent, as the query wrote it.', '100.00'],
  'V1Quote.rightSideValue': ['Amount received, with two decimals.', '70.66'],
  'V1Transaction.fee': ['Fee of the service in CAD, with two decimals.', '0.50'],
  'V1Transaction.date': [
    'When it was created: world time, ISO 8601 to the second.',
    '2026-07-01T12:00:00Z',
  ],
  eth_fee: ['Whether a gas cost was charged.', true],
  payment_id: [
    'Blockchain transaction hash; null until the coins of a sell arrive, or those of a buy are sent.',
    HASH,
  ],
  payment_type: ['Label of the payment method.', 'eth network'],
  rmt: ['Reference of the money transfer.', 'CA1UdmnUwaUQ'],
  tx: ['Id of the new transaction.', TX_ID],
  tx_id: ['Id of the transaction.', TX_ID],
  verifiedEmailEnabled: switches(VERIFIED),
  transactionInitiatedEnabled: switches(INITIATED),
  transactionCompleteEnabled: switches(COMPLETE),
  transactionStatusUpdateEnabled: switches(UPDATED),
  verifiedEmailUrl: goes(VERIFIED),
  transactionInitiatedUrl: goes(INITIATED),
  transactionCompleteUrl: goes(COMPLETE),
  transactionStatusUpdateUrl: goes(UPDATED),
}
