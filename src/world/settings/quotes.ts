import { amount, choice, duration } from './setting.ts'

export const QUOTES = {
  'quotes.shape': choice(['full', 'minimal'], {
    ref: 'Resources: Quote',
    question: 'Which fields does a quote have besides `quoteId` and `breakdown`?',
    why: 'What a client shows: labels, amounts, rate, expiry; `minimal` has only the two.',
    strict: 'minimal',
  }),
  'quotes.labels': choice(['all', 'contract'], {
    ref: 'What the service does: 3',
    question: 'Which stablecoin labels are traded?',
    why: 'Those of every chain; `contract` accepts the three that it uses: USDC, CADC and USDC-ETH.',
    strict: 'contract',
  }),
  'quotes.bareLabels': choice(['ETH', 'POLY', 'ARB', 'BASE'], {
    ref: 'What the service does: 3',
    question: 'Which chain do the labels `USDC` and `CADC` mean?',
    why: 'Ethereum, the chain of the one label that the contract qualifies; it decides gas, wallet and payment type.',
  }),
  'quotes.ttl': duration('30m', {
    ref: 'Endpoints: Quotes and limits',
    question: 'How long does a quote lock its rate?',
    why: 'Not shown; a user needs minutes.',
  }),
  'quotes.expired': choice(['400', '410'], {
    ref: 'Errors: 6',
    question: 'Which status code does a transaction with an expired quote get?',
    why: '`400` is a validation error, so `errors.validation` applies to it; `410` is Gone.',
  }),
  'quotes.reuse': choice(['reusable', 'single'], {
    ref: 'Endpoints: Quotes and limits',
    question: 'May one quote be used for several transactions?',
    why: 'Nothing forbids it until it expires.',
    strict: 'single',
  }),
  'quotes.fee': amount(0.005, {
    least: 0,
    most: 0.5,
    ref: 'Resources: Quote, breakdown',
    question: 'Which share of the CAD is the fee?',
    why: 'The published quote: 5.00 of 1000.',
  }),
  'quotes.spread': amount(0.001, {
    least: 0,
    most: 0.5,
    ref: 'Resources: Quote, breakdown',
    question: 'Which share of the rate is the spread?',
    why: 'The published quote: 708.98 is 0.1 % under the rate.',
  }),
  'quotes.gas.ethereum': amount(0.375, {
    least: 0,
    most: 1000,
    ref: 'Resources: Quote, breakdown',
    question: 'What does gas cost on Ethereum, in CAD?',
    why: 'The published quote.',
  }),
  'quotes.gas.solana': amount(0.01, {
    least: 0,
    most: 1000,
    ref: 'Resources: Quote, breakdown',
    question: 'What does gas cost on Solana, in CAD?',
    why: 'Not shown; about a cent.',
  }),
  'quotes.gas.other': amount(0.05, {
    least: 0,
    most: 1000,
    ref: 'Resources: Quote, breakdown',
    question: 'What does gas cost on the other chains, in CAD?',
    why: 'Not shown; a few cents.',
  }),
}
