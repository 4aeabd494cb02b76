import * as z from 'zod'
import { NETWORKS } from '../world/coins.ts'
import { COINS } from '../world/state.ts'
import { named } from './schema.ts'

const Coin = () => z.enum(COINS)
export const Address = () =>
  z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be 0x and 40 digits' })

export const ChainNetwork = () =>
  named('ChainNetwork', {
    name: z.string().describe('Name of the chain: the first of its labels.'),
    labels: z
      .array(z.string())
      .readonly()
      .describe('Endings of the coin labels whose coins are here.'),
    chainId: z.int().nullable().describe('Its id; null where the node does not respond.'),
    block: z
      .int()
      .nullable()
      .describe('Number of its newest block; null where the node does not respond.'),
    readBlock: z.int().describe('Number of the last block that this world has read.'),
    account: z
      .string()
      .nullable()
      .describe('The account that mints and sends, for which the node signs.'),
    funded: z
      .string()
      .nullable()
      .describe('The account that `sendOnChain` sends from, unless it names one.'),
    tokens: z
      .array(
        z.strictObject({
          coin: Coin().describe('The coin.'),
          address: z.string().describe('Address of the contract.'),
          decimals: z.int().describe('How many decimals its amounts have.'),
        }),
      )
      .describe('The tokens that the coins are.'),
    problem: z.string().nullable().describe('Why its node does not respond; null when it does.'),
  }).describe('A development chain behind the sandbox.')
export type ChainNetwork = z.output<ReturnType<typeof ChainNetwork>>

export const ChainBalances = () =>
  z.strictObject({
    address: z.string().describe('The address whose coins are counted.'),
    balances: z
      .array(
        z.strictObject({
          network: z.string().describe('Name of the chain.'),
          coin: Coin().describe('The coin.'),
          amount: z.number().describe('How many it has.'),
        }),
      )
      .describe('One row for each coin on each chain.'),
  })
export type ChainBalances = z.output<ReturnType<typeof ChainBalances>>

export const SendOnChain = () =>
  z.strictObject({
    to: Address().describe('Who gets the coins.'),
    amount: z.number().positive().max(1e9).describe('How many coins.'),
    from: Address()
      .optional()
      .describe(
        'Who sends them: the funded account by default; any other one needs enough coins, and a node that signs for it or impersonates it.',
      ),
    coin: Coin().optional().describe('Which coin; USDC by default.'),
    network: z
      .enum(NETWORKS)
      .optional()
      .describe('Which chain, by one of its labels; the first one by default.'),
  })

export const ChainSent = () =>
  z.strictObject({
    hash: z.string().describe('Hash of the blockchain transaction.'),
    network: z.string().describe('Name of the chain.'),
    from: z.string().describe('Who sends them.'),
    to: z.string().describe('Who gets the coins.'),
    coin: Coin().describe('The coin.'),
    amount: z.number().describe('How many coins.'),
  })
export type ChainSent = z.output<ReturnType<typeof ChainSent>>

export const ChainStatus = () =>
  z.strictObject({
    networks: z.array(ChainNetwork()).describe('The chains; none where coins are simulated.'),
    log: z
      .array(z.string())
      .readonly()
      .describe(
        'The last hundred lines of this world: coins that arrived and changed nothing, and payments that failed.',
      ),
  })
export type ChainStatus = z.output<ReturnType<typeof ChainStatus>>

const FAILS = { conflict: 'No chain is behind the sandbox, or its node failed.' }

export const chain = {
  'chain.networks': {
    id: 'getChain',
    summary: 'Read which chains are behind the sandbox, their tokens and the platform’s account',
    about:
      'They are those of `--chain`; the account mints and sends. Without a chain the list is empty. A node that does not respond has a `problem`. A transfer that is short, late or of another token leaves the transaction as it is, with a line in `log`.',
    words: [['chain', 'status'], ['chain']],
    response: ChainStatus,
  },
  'chain.balances': {
    id: 'getChainBalances',
    params: { address: 'The address whose coins are counted.' },
    summary: 'Read how many coins an address has, on each chain',
    about: 'The tokens themselves say it, of a wallet, a deposit address, or any other one.',
    success: 'One row for each coin on each chain.',
    words: [['chain', 'balances', { field: 'address' }]],
    response: ChainBalances,
    errors: { ...FAILS, invalid: 'Invalid address.' },
  },
  'chain.scan': {
    id: 'scanChain',
    summary: 'Read every block up to now, and do what follows',
    about:
      'Where the coins that arrived at the deposit address of a sell reach its amount, the sell is processing, with the hash as its `paymentId`; under automatic settlement buys are paid. It responds once webhooks are delivered, so a test need not sleep: send coins, call this, and look. By itself a sandbox looks every second.',
    success: 'The chains as they are now, and what did not fit.',
    words: [['chain', 'scan']],
    response: ChainStatus,
    errors: FAILS,
  },
  'chain.send': {
    id: 'sendOnChain',
    summary: 'Send coins from an account of the node, such as to a deposit address',
    about:
      'The account gets them first where the sandbox mints them. It responds when the transfer is in a block; `scanChain` then lets the sandbox see it.',
    words: [['chain', 'send', { field: 'to' }, { field: 'amount' }]],
    example: 'chain send 0x5290… 100 --coin USDC',
    body: SendOnChain,
    response: ChainSent,
    errors: FAILS,
  },
} as const
