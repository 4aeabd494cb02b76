import { amount, choice, duration, list } from './setting.ts'

/** Chains by the suffix of a label. */
export const CHAINS = {
  USDC: ['ETH', 'POLY', 'ARB', 'OP', 'BASE', 'AVAX', 'BSC', 'CELO', 'SOL', 'SX'],
  CADC: ['ETH', 'POLY', 'ARB', 'BASE'],
} as const

const LABELS = Object.entries(CHAINS).flatMap(([coin, chains]) => [
  coin,
  ...chains.map((chain) => `${coin}-${chain}`),
])

export const QUOTES = {
  'quotes.labels': list(LABELS, LABELS, {
    on: ['createQuote'],
    ref: 'What the service does: 3',
    question: 'Which stablecoin labels are quoted?',
    why: 'The contract uses USDC, CADC and USDC-ETH, and calls the last chain-qualified: those of every chain.',
    strict: 'USDC,USDC-ETH,CADC',
  }),
  'quotes.bareLabels': choice(['ETH', 'POLY', 'ARB', 'BASE'], {
    on: ['createQuote', 'createTransaction'],
    ref: 'What the service does: 3',
    question: 'Which chain do the labels `USDC` and `CADC` mean?',
    why: 'Ethereum, the chain of the one label that the contract qualifies; it decides gas, wallet and payment type.',
  }),
  'quotes.ttl': duration('30m', {
    on: ['createQuote'],
    ref: 'Endpoints: Quotes and limits',
    question: 'How long does a quote lock its rate?',
    why: 'Not shown; a user needs minutes.',
  }),
  'quotes.fee': amount(0.005, {
    least: 0,
    most: 0.5,
    on: ['createQuote'],
    ref: 'Resources: Quote, breakdown',
    question: 'Which share of the CAD is the fee?',
    why: 'The published quote: 5.00 of 1000.',
  }),
  'quotes.spread': amount(0.001, {
    least: 0,
    most: 0.5,
    on: ['createQuote'],
    ref: 'Resources: Quote, breakdown',
    question: 'Which share of the rate is the spread?',
    why: 'The published quote: 708.98 is 0.1 % under the rate.',
  }),
  'quotes.gas.ethereum': amount(0.375, {
    least: 0,
    most: 1000,
    on: ['createQuote'],
    ref: 'Resources: Quote, breakdown',
    question: 'What does gas cost on Ethereum, in CAD?',
    why: 'The published quote.',
  }),
  'quotes.gas.solana': amount(0.01, {
    least: 0,
    most: 1000,
    on: ['createQuote'],
    ref: 'Resources: Quote, breakdown',
    question: 'What does gas cost on Solana, in CAD?',
    why: 'Not shown; about a cent.',
  }),
  'quotes.gas.other': amount(0.05, {
    least: 0,
    most: 1000,
    on: ['createQuote'],
    ref: 'Resources: Quote, breakdown',
    question: 'What does gas cost on the other chains, in CAD?',
    why: 'Not shown; a few cents.',
  }),
}
