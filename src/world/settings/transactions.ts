import { choice, count, duration } from './setting.ts'

export const TRANSACTIONS = {
  'transactions.required': choice(['priced', 'all'], {
    ref: 'Endpoints: Transactions, POST',
    question: 'Which create-transaction fields are required?',
    why: 'Labels, amount, wallet and quoteId; `all` adds externalSessionId.',
    strict: 'all',
  }),
  'transactions.externalSessionId.max': count(255, {
    least: 1,
    most: 10_000,
    ref: 'Endpoints: Transactions, POST',
    question: 'How many characters may `externalSessionId` have?',
    why: 'Not shown; a column for short texts holds 255.',
  }),
  'transactions.requirements': choice(['ignored', 'enforced'], {
    ref: 'Endpoints: Users, GET requirements',
    question: 'May a verified user with outstanding requirements create a transaction?',
    why: 'A verified user is ready to transact, says the contract; `enforced` names what is outstanding, with the status of `errors.notVerified`.',
  }),
  'transactions.decimals': choice(['rounded', 'refused'], {
    ref: 'Resources: Transaction, leftSideValue',
    question: 'What happens to an amount of CAD with more than two decimals?',
    why: 'It is rounded half up to cents, in quotes too: 33.3 * 3 is 99.89999999999999 in JavaScript; `refused` is a validation error.',
    strict: 'refused',
  }),
  'transactions.quoteMismatch': choice(['reprice', 'strict'], {
    ref: 'Endpoints: Transactions, POST',
    question: 'What if the amount differs from the quoted one?',
    why: 'The quote locks a rate, not an amount; labels must match in any case.',
    strict: 'strict',
  }),
  'transactions.depositAddress': choice(['string', 'null', 'absent'], {
    ref: 'Resources: Transaction, depositAddress',
    question: 'What is the deposit address of a buy in the create response?',
    why: 'Always a string, `""` for a buy, so that typed clients parse it.',
  }),
  'transactions.cancelledStatus': choice(['cancelled', 'canceled'], {
    ref: 'States: Transaction statuses',
    question: 'How is the cancelled status spelled?',
    why: 'The public prose of the service uses the double l.',
  }),
  'transactions.cancellable': choice(['pending', 'active'], {
    ref: 'Endpoints: Transactions, PUT cancel',
    question: 'Until when can a transaction be cancelled?',
    why: 'While money has not moved; `active` allows it until it is final.',
  }),
  'transactions.cancelRefused': choice(['invalid', 'conflict'], {
    ref: 'Endpoints: Transactions, PUT cancel',
    question: 'Which error does a cancellation get that is not possible?',
    why: '`invalid` is a validation error: 400, or 422 with `errors.validation` 422; `conflict` is 409.',
  }),
  'transactions.sending': choice(['skipped', 'shown'], {
    ref: 'Resources: Transaction, status',
    question: 'Is there a status between processing and complete?',
    why: 'The list is not complete; `shown` names what is sent: `sending USDC` (or CADC) for a buy, as v1 may, and `sending CAD` for a sell.',
  }),
  'transactions.final': choice(['closed', 'late-funds'], {
    ref: 'States: Transaction statuses',
    question: 'Which statuses are final?',
    why: '`complete`, `expired` and the cancelled one; with `late-funds`, funds that arrive after the expiry still move it to processing.',
  }),
  'transactions.wallet': choice(['checked', 'any'], {
    ref: 'Resources: Transaction, wallet',
    question: 'Which wallets are accepted?',
    why: 'Addresses of the chain of the coin, in any case; `any` accepts every text.',
  }),
  'transactions.bankRefused': choice(['stays', 'cancelled'], {
    ref: 'Limits: last paragraph',
    question: 'What happens to a buy that the bank refuses?',
    why: 'The user can pay again, or it expires.',
  }),
  'transactions.settlement': choice(['manual', 'auto'], {
    ref: 'States: Transaction statuses',
    question: 'Does money move by itself?',
    why: 'Only when a test says so; `auto` moves it in world time.',
  }),
  'transactions.fundsAfter': duration('2m', {
    ref: 'States: Transaction statuses',
    question: 'When do funds arrive under automatic settlement?',
    why: 'Measured from creation.',
  }),
  'transactions.settleAfter': duration('1m', {
    ref: 'States: Transaction statuses',
    question: 'How long does a transaction stay in processing under automatic settlement?',
    why: 'Measured from the arrival of the funds.',
  }),
  'transactions.buyWindow': duration('1h', {
    ref: 'Limits: Expiry',
    question: 'When does an unpaid buy expire?',
    why: 'Stated: 1 hour after creation.',
    stated: true,
  }),
  'transactions.sellWindow': duration('24h', {
    ref: 'Limits: Expiry',
    question: 'When does an unpaid sell expire?',
    why: 'Stated: 24 hours after creation.',
    stated: true,
  }),
  'transactions.expiryLag': duration('0ms', {
    ref: 'States: Transaction statuses, background expiry',
    question: 'How long does a transaction stay visible past its window?',
    why: 'The contract says briefly; 0 is exact.',
  }),
  'transactions.securityAnswer': choice(['sells', 'never'], {
    ref: 'Events: transaction.update payload',
    question: 'When is there an e-transfer security answer?',
    why: 'A sell pays out by e-transfer unless the user has autodeposit; null for buys.',
  }),
  'transactions.list.limit': count(20, {
    least: 1,
    most: 1000,
    ref: 'Endpoints: Transactions, GET list',
    question: 'How many transactions does a page have by default?',
    why: 'Not shown; newest first.',
  }),
  'transactions.list.maximum': count(100, {
    least: 1,
    most: 1000,
    ref: 'Endpoints: Transactions, GET list',
    question: 'How many transactions may a page have at most?',
    why: 'Not shown.',
  }),
  'transactions.list.above': choice(['refused', 'clamped'], {
    ref: 'Endpoints: Transactions, GET list',
    question: 'What happens to a limit above the maximum?',
    why: '`refused` is a validation error; `clamped` answers a page of the maximum, and says so in `limit`.',
  }),
  'transactions.list.scope': choice(['integrator', 'user'], {
    ref: 'Endpoints: Transactions, GET list',
    question: 'Whose transactions of the user are listed?',
    why: 'Those that the integrator created; `user` lists those of every integrator. One alone is read and cancelled only by the integrator that created it.',
  }),
  'transactions.list.offset': choice(['integer', 'numeric'], {
    ref: 'Endpoints: Transactions, GET list',
    question: 'Which offsets does the list accept?',
    why: 'Whole numbers from 0; `numeric` rounds a fraction down.',
  }),
  'transactions.read': choice(['transaction', 'with-deposit-address'], {
    ref: 'Endpoints: Transactions, GET one',
    question: 'Which shape does a single transaction have?',
    why: 'The same as in the list; the contract has the deposit address in the create response.',
  }),
  'transactions.paymentType': choice(['chain', 'etransfer'], {
    ref: 'Resources: Transaction, paymentType',
    question: 'What is the payment type?',
    why: 'The first generation prints `eth network`; `etransfer` names the CAD leg instead.',
  }),
}
