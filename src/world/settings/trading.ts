import { amount, choice, count, duration } from './setting.ts'

export const TRADING = {
  'quotes.shape': choice(['full', 'minimal'], {
    ref: 'Resources: Quote',
    question: 'Which fields has a quote besides `quoteId` and `breakdown`?',
    why: 'What a client shows: labels, amounts, rate, expiry; `minimal` leaves the two that are named.',
  }),
  'quotes.labels': choice(['all', 'contract'], {
    ref: 'What the service does: 3',
    question: 'Which stablecoin labels are traded?',
    why: 'Those of every chain; `contract` takes the three that it uses: USDC, CADC and USDC-ETH.',
  }),
  'quotes.ttl': duration('30m', {
    ref: 'Endpoints: Quotes and limits',
    question: 'How long does a quote lock its rate?',
    why: 'Not shown; a user needs minutes.',
  }),
  'quotes.reuse': choice(['reusable', 'single'], {
    ref: 'Endpoints: Quotes and limits',
    question: 'May one quote serve several transactions?',
    why: 'Nothing forbids it until it lapses.',
  }),
  'quotes.fee': amount(
    0.005,
    { least: 0, most: 0.5 },
    {
      ref: 'Resources: Quote, breakdown',
      question: 'Which share of the CAD is the fee?',
      why: 'The published quote: 5.00 of 1000.',
    },
  ),
  'quotes.spread': amount(
    0.001,
    { least: 0, most: 0.5 },
    {
      ref: 'Resources: Quote, breakdown',
      question: 'Which share of the rate is the spread?',
      why: 'The published quote: 708.98 is 0.1 % under the rate.',
    },
  ),
  'quotes.gas.ethereum': amount(
    0.375,
    { least: 0, most: 1000 },
    {
      ref: 'Resources: Quote, breakdown',
      question: 'What does gas cost on Ethereum, in CAD?',
      why: 'The published quote.',
    },
  ),
  'quotes.gas.solana': amount(
    0.01,
    { least: 0, most: 1000 },
    {
      ref: 'Resources: Quote, breakdown',
      question: 'What does gas cost on Solana, in CAD?',
      why: 'Not shown; about a cent.',
    },
  ),
  'quotes.gas.other': amount(
    0.05,
    { least: 0, most: 1000 },
    {
      ref: 'Resources: Quote, breakdown',
      question: 'What does gas cost on the other chains, in CAD?',
      why: 'Not shown; a few cents.',
    },
  ),
  'transactions.required': choice(['priced', 'all'], {
    ref: 'Endpoints: Transactions, POST',
    question: 'Which create-transaction fields are required?',
    why: 'Labels, amount, wallet and quoteId; `all` adds externalSessionId.',
  }),
  'transactions.quoteMismatch': choice(['reprice', 'strict'], {
    ref: 'Endpoints: Transactions, POST',
    question: 'What if the amount differs from the quoted one?',
    why: 'The quote locks a rate, not an amount; labels must match in any case.',
  }),
  'transactions.rejectedFields': choice(['refuse', 'ignore'], {
    ref: 'Endpoints: Transactions, POST',
    question: 'What answers `ethCost` and `gasId`?',
    why: 'Stated: they are not accepted. `ignore` eases a migration from v1.',
    stated: true,
  }),
  'transactions.depositAddress': choice(['string', 'null', 'absent'], {
    ref: 'Resources: Transaction, depositAddress',
    question: 'What is the deposit address of a buy in the create response?',
    why: 'Always a string, `""` for a buy, so that typed clients parse it.',
  }),
  'transactions.cancelledStatus': choice(['cancelled', 'canceled'], {
    ref: 'States: Transaction statuses',
    question: 'How is the cancelled state spelt?',
    why: 'The public prose of the service uses the double l.',
  }),
  'transactions.cancellable': choice(['pending', 'active'], {
    ref: 'Endpoints: Transactions, PUT cancel',
    question: 'Until when can a transaction be cancelled?',
    why: 'While money has not moved; `active` allows it until it is final.',
  }),
  'transactions.cancelRefused': choice(['invalid', 'conflict'], {
    ref: 'Endpoints: Transactions, PUT cancel',
    question: 'What answers a cancellation that is not possible?',
    why: '`invalid` is 400, the one status that the contract shows; `conflict` is 409.',
  }),
  'transactions.sending': choice(['skipped', 'shown'], {
    ref: 'Resources: Transaction, status',
    question: 'Is there a status between processing and complete?',
    why: 'The list is not complete; `shown` passes `sending USDC` (or CADC), as the first generation may.',
  }),
  'transactions.wallet': choice(['checked', 'any'], {
    ref: 'Resources: Transaction, wallet',
    question: 'Which wallets are accepted?',
    why: 'Addresses of the chain of the coin, in any case; `any` takes every text.',
  }),
  'transactions.bankRefused': choice(['stays', 'cancelled'], {
    ref: 'Limits: last paragraph',
    question: 'What becomes of a buy that the bank refuses?',
    why: 'The user can pay again, or it expires.',
  }),
  'transactions.settlement': choice(['manual', 'auto'], {
    ref: 'States: Transaction statuses',
    question: 'Does money move by itself?',
    why: 'A test pushes it; `auto` moves it in world time.',
  }),
  'transactions.fundsAfter': duration('2m', {
    ref: 'States: Transaction statuses',
    question: 'When do funds arrive under automatic settlement?',
    why: 'Measured from creation.',
  }),
  'transactions.settleAfter': duration('1m', {
    ref: 'States: Transaction statuses',
    question: 'How long is a transaction processed under automatic settlement?',
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
    question: 'When does the e-transfer security answer come?',
    why: 'A sell pays out by e-transfer unless the user has autodeposit; null for buys.',
  }),
  'transactions.list.limit': count(
    20,
    { least: 1, most: 1000 },
    {
      ref: 'Endpoints: Transactions, GET list',
      question: 'How many transactions come in a page by default?',
      why: 'Not shown; newest first.',
    },
  ),
  'transactions.list.maximum': count(
    100,
    { least: 1, most: 1000 },
    {
      ref: 'Endpoints: Transactions, GET list',
      question: 'How many transactions fit in a page at most?',
      why: 'Not shown; more is 400.',
    },
  ),
  'transactions.list.offset': choice(['integer', 'numeric'], {
    ref: 'Endpoints: Transactions, GET list',
    question: 'Which offsets does the list take?',
    why: 'Whole numbers from 0; `numeric` rounds a fraction down.',
  }),
  'transactions.read': choice(['transaction', 'with-deposit-address'], {
    ref: 'Endpoints: Transactions, GET one',
    question: 'Which shape has one transaction?',
    why: 'The same as in the list; the deposit address is said to be in the create response.',
  }),
  'transactions.paymentType': choice(['chain', 'etransfer'], {
    ref: 'Resources: Transaction, paymentType',
    question: 'What does the payment type hold?',
    why: 'The first generation prints `eth network`; `etransfer` names the CAD leg instead.',
  }),
}
