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
      why: 'The contract mentions USDC, CADC and USDC-ETH, and calls the last one chain-qualified, so we assume one label for each chain.',
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
      why: 'The contract does not say. Half an hour is long enough for a user to decide.',
    }),
    'quotes.fee': amount(0.005, 'Resources: Quote, breakdown', {
      max: 0.5,
      question: 'What share of the CAD amount is the fee?',
      why: 'The published quote has a fee of 5.00 for 1000 CAD.',
    }),
    'quotes.spread': amount(0.001, 'Resources: Quote, breakdown', {
      max: 0.5,
      question: 'What share of the rate is the spread?',
      why: 'The published quote pays out 708.98 USDC, 0.1 % less than its rate gives after fee and gas.',
    }),
    'quotes.gas.ethereum': gas(0.375, 'Ethereum', 'As in the published quote.'),
    'quotes.gas.solana': gas(0.01, 'Solana', 'The contract does not say; about a cent.'),
    'quotes.gas.other': gas(0.05, 'the other chains', 'The contract does not say; a few cents.'),
  }),
  ...on(['createTransaction'], {
    'transactions.required': choice(['priced', 'all'], 'Endpoints: Transactions, POST', {
      question: 'Which create-transaction fields are required?',
      why: 'The contract does not say. Those that set the price and the destination: the labels, the amount, `wallet` and `quoteId`. `all` adds `externalSessionId`.',
    }),
    'transactions.depositAddress': choice(
      ['string', 'null', 'absent'],
      'Resources: Transaction, depositAddress',
      {
        question: 'What is `depositAddress` when a buy is created?',
        why: 'An empty string, so that typed clients can parse it.',
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
      why: 'The contract does not say. The service’s public documentation spells it with two l’s.',
    },
  ),
  ...on(STATUS_SHOWN, {
    'transactions.bankRefused': choice(['stays', 'cancelled'], 'Limits: last paragraph', {
      question: 'What happens to a buy that the bank refuses?',
      why: 'It stays open: the user can try again, or it expires.',
    }),
    'transactions.settlement': choice(['manual', 'auto'], 'States: Transaction statuses', {
      question: 'Do payments arrive on their own?',
      why: 'No, your test decides when. With `auto` they arrive as world time passes.',
    }),
    'transactions.fundsAfter': duration('2m', 'States: Transaction statuses', {
      question: 'When do funds arrive under automatic settlement?',
      why: 'Two minutes after creation, if settlement is automatic.',
    }),
    'transactions.settleAfter': duration('1m', 'States: Transaction statuses', {
      question: 'How long does a transaction stay in processing under automatic settlement?',
      why: 'One minute after the funds arrive, if settlement is automatic.',
    }),
    'transactions.expiryLag': duration('0ms', 'States: Transaction statuses, background expiry', {
      question: 'How long after its deadline does an unpaid transaction expire?',
      why: 'The contract allows a short delay. With 0, there is none.',
    }),
    'transactions.paymentType': choice(
      ['chain', 'etransfer'],
      'Resources: Transaction, paymentType',
      {
        question: 'What is `paymentType`?',
        why: 'The chain, because v1’s documentation shows `eth network`. `etransfer` names the CAD side instead.',
      },
    ),
  }),
  ...on(['listTransactions'], {
    'transactions.list.limit': count(20, 'Endpoints: Transactions, GET list', {
      min: 1,
      max: 1000,
      question: 'How many transactions does a page have by default?',
      why: 'The contract does not say; a common size.',
    }),
    'transactions.list.maximum': count(100, 'Endpoints: Transactions, GET list', {
      min: 1,
      max: 1000,
      question: 'How many transactions may a page have?',
      why: 'The contract does not say; a common limit.',
    }),
    'transactions.list.order': choice(['newest', 'oldest'], 'Endpoints: Transactions, GET list', {
      question: 'Which transaction comes first in the list?',
      why: 'The contract does not say. The newest, as in most lists.',
    }),
  }),
  'limits.maximum': amount(9999, 'Limits: Per transaction maximum', {
    on: ['getLimits', ...ORDERS],
    question: 'What is the most that one transaction may be worth, in CAD?',
    why: 'Stated: 9999 for a buy or a sell. It may differ between accounts.',
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
    question: 'What minimum does GET /limits show, in CAD?',
    why: 'The contract’s example has 100 CAD. Other currencies are converted at the current rate.',
  }),
}

function gas(cad: number, chain: string, why: string) {
  const question = `What does gas cost on ${chain}, in CAD?`
  return amount(cad, 'Resources: Quote, breakdown', { max: 1000, question, why })
}
