import { V1_HOOKS } from './operations.ts'
import {
  amount,
  type Concerned,
  choice,
  count,
  duration,
  except,
  list,
  on,
  type SettingValue,
} from './setting.ts'

/** Chains by the suffix of a label. */
export const CHAINS = {
  USDC: ['ETH', 'POLY', 'ARB', 'OP', 'BASE', 'AVAX', 'BSC', 'CELO', 'SOL', 'SX'],
  CADC: ['ETH', 'POLY', 'ARB', 'BASE'],
} as const

const LABELS = Object.entries(CHAINS).flatMap(([coin, chains]) => [
  coin,
  ...chains.map((chain) => `${coin}-${chain}`),
])

const lacksContractLabel = (labels: SettingValue) =>
  !['USDC', 'CADC', 'USDC-ETH'].every((label) => String(labels).split(',').includes(label))

const QUOTES = ['createQuote', 'v1PriceQuote'] satisfies Concerned
const ORDERS = ['createTransaction', 'v1CreateTransaction'] satisfies Concerned
const [, ...V1_ORDER_HOOKS] = V1_HOOKS
/** Places where the status of a transaction shows. */
const STATUS_SHOWN = [
  'listTransactions',
  'getTransaction',
  'v1GetTransaction',
  'onTransactionUpdate',
  ...V1_ORDER_HOOKS,
] satisfies Concerned

export const TRADING = {
  ...on(QUOTES, {
    'quotes.labels': list(LABELS, LABELS, 'What the service does: 3', {
      question: 'Which stablecoin labels are quoted?',
      why: 'The contract uses USDC, CADC and USDC-ETH, and calls the last one chain-qualified; so every chain has its labels.',
      excluded: [
        {
          excludes: lacksContractLabel,
          sentence:
            'Stablecoin labels used in the contract: `USDC`, `CADC`, and the chain-qualified label',
        },
      ],
    }),
    'quotes.ttl': duration('30m', 'Endpoints: Quotes and limits', {
      question: 'How long does a quote lock its rate?',
      why: 'Not shown in the contract; people need a few minutes to decide.',
    }),
    'quotes.fee': amount(0.005, 'Resources: Quote, breakdown', {
      max: 0.5,
      question: 'What share of the CAD amount is the fee?',
      why: 'As in the published quote: 5.00 of 1000.',
    }),
    'quotes.spread': amount(0.001, 'Resources: Quote, breakdown', {
      max: 0.5,
      question: 'What share of the rate is the spread?',
      why: 'As in the published quote: 708.98 is 0.1 % below the rate.',
    }),
    'quotes.gas.ethereum': gas(0.375, 'Ethereum', 'The published quote.'),
    'quotes.gas.solana': gas(0.01, 'Solana', 'Not shown in the contract; about a cent.'),
    'quotes.gas.other': gas(0.05, 'the other chains', 'Not shown in the contract; a few cents.'),
  }),
  ...on(['createTransaction'], {
    'transactions.required': choice(['priced', 'all'], 'Endpoints: Transactions, POST', {
      question: 'Which create-transaction fields are required?',
      why: 'Labels, amount, wallet and quoteId; `all` adds externalSessionId.',
    }),
    'transactions.depositAddress': choice(
      ['string', 'null', 'absent'],
      'Resources: Transaction, depositAddress',
      {
        question: 'What is the deposit address of a buy in the create response?',
        why: 'Always a string, empty for a buy, so that typed clients can parse it.',
        excluded: [except('200 `data` = Transaction including `depositAddress`.', 'absent')],
      },
    ),
  }),
  'transactions.cancelledStatus': choice(
    ['cancelled', 'canceled'],
    'States: Transaction statuses',
    {
      on: [...STATUS_SHOWN, 'cancelTransaction'],
      question: 'How is the cancelled status spelled?',
      why: 'The service’s public documentation spells it with a double l.',
    },
  ),
  ...on(STATUS_SHOWN, {
    'transactions.bankRefused': choice(['stays', 'cancelled'], 'Limits: last paragraph', {
      question: 'What happens to a buy that the bank refuses?',
      why: 'The user can pay again, or it expires.',
    }),
    'transactions.settlement': choice(['manual', 'auto'], 'States: Transaction statuses', {
      question: 'Does money move by itself?',
      why: 'Only when a test says so; `auto` moves it as world time passes.',
    }),
    'transactions.fundsAfter': duration('2m', 'States: Transaction statuses', {
      question: 'When do funds arrive under automatic settlement?',
      why: 'Measured from creation.',
    }),
    'transactions.settleAfter': duration('1m', 'States: Transaction statuses', {
      question: 'How long does a transaction stay in processing under automatic settlement?',
      why: 'Measured from the arrival of the funds.',
    }),
    'transactions.expiryLag': duration('0ms', 'States: Transaction statuses, background expiry', {
      question: 'How long does a transaction stay visible past its window?',
      why: 'The contract says briefly; with 0 it expires exactly on time.',
    }),
    'transactions.paymentType': choice(
      ['chain', 'etransfer'],
      'Resources: Transaction, paymentType',
      {
        question: 'What is the payment type?',
        why: 'v1 prints `eth network`; `etransfer` names the CAD leg instead.',
      },
    ),
  }),
  ...on(['listTransactions'], {
    'transactions.list.limit': count(20, 'Endpoints: Transactions, GET list', {
      min: 1,
      max: 1000,
      question: 'How many transactions does a page have by default?',
      why: 'Not shown in the contract.',
    }),
    'transactions.list.maximum': count(100, 'Endpoints: Transactions, GET list', {
      min: 1,
      max: 1000,
      question: 'How many transactions may a page have?',
      why: 'Not shown in the contract.',
    }),
    'transactions.list.order': choice(['newest', 'oldest'], 'Endpoints: Transactions, GET list', {
      question: 'Which transaction comes first in the list?',
      why: 'Not shown in the contract; the newest, as in most lists.',
    }),
  }),
  'limits.maximum': amount(9999, 'Limits: Per transaction maximum', {
    on: ['getLimits', ...ORDERS],
    question: 'What is the most that one transaction may be worth, in CAD?',
    why: 'Stated: 9999, buy or sell; it may differ per account.',
    stated: true,
  }),
  ...on(ORDERS, {
    'limits.minimum': amount(10, 'Limits: Per transaction minimum', {
      question: 'What is the least that one transaction may be worth, in CAD?',
      why: 'Stated: 10 through the platform API.',
      stated: true,
    }),
    'limits.active': count(3, 'Limits: Active transactions', {
      question: 'How many transactions may be active at once?',
      why: 'Stated: 3.',
      stated: true,
    }),
    'limits.cancelled': count(10, 'Limits: Cancelled or expired transactions', {
      question: 'After how many cancelled or expired transactions is creation rejected?',
      why: 'Stated: 10 per 24 hours.',
      stated: true,
    }),
  }),
  'limits.selfServeMinimum': amount(100, 'Limits: Per transaction minimum', {
    on: ['getLimits'],
    question: 'Which minimum does GET /limits show, in CAD?',
    why: 'The minimum for self-serve, converted at the current rate.',
  }),
}

function gas(cad: number, chain: string, why: string) {
  const question = `What does gas cost on ${chain}, in CAD?`
  return amount(cad, 'Resources: Quote, breakdown', { max: 1000, question, why })
}
