import * as z from 'zod'
import { NETWORKS } from '../world/coins.ts'
import { COINS, type Coin as CoinName } from '../world/state.ts'
import { named } from './named.ts'

const Coin = () => z.enum(COINS)
export const Address = () =>
  z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be 0x and 40 digits' })

export const ChainNetwork = () =>
  named('ChainNetwork', {
    name: z.string().describe('Name of the chain: the first of its labels.'),
    labels: z.array(z.string()).readonly(),
    chainId: z.int().nullable().describe('Its id; null where the node does not respond.'),
    block: z.int().nullable(),
    readBlock: z.int().describe('Number of the last block that this world has read.'),
    account: z.string().nullable(),
    funded: z.string().nullable(),
    tokens: z.array(z.strictObject({ coin: Coin(), address: z.string(), decimals: z.int() })),
    problem: z.string().nullable().describe('Why its node does not respond; null when it does.'),
  }).describe('A development chain behind the sandbox.')
export type ChainNetwork = z.output<ReturnType<typeof ChainNetwork>>

export const ChainBalances = () =>
  z.strictObject({
    address: z.string(),
    balances: z.array(z.strictObject({ network: z.string(), coin: Coin(), amount: z.number() })),
  })
export type ChainBalances = z.output<ReturnType<typeof ChainBalances>>

export const SendOnChain = () =>
  z.strictObject({
    to: Address().describe('Who gets the coins.'),
    amount: z.number().positive().max(1e9).describe('How many coins.'),
    from: Address().optional(),
    coin: Coin().optional().describe('Which coin; USDC by default.'),
    network: z.enum(NETWORKS).optional(),
  })

export const ChainSent = () =>
  z.strictObject({
    hash: z.string().describe('Hash of the blockchain transaction.'),
    network: z.string(),
    from: z.string(),
    to: z.string().describe('Who gets the coins.'),
    coin: Coin().describe('The coin.'),
    amount: z.number().describe('How many coins.'),
  })
export type ChainSent = z.output<ReturnType<typeof ChainSent>>

/** Sends and counts coins that are held outside of the sandbox, such as on a development chain. */
export interface CoinHolder {
  /** Sends the coins of a buy, once however often it is asked; the hash once they are there. */
  pay(payment: Payment): Promise<string>
  networks(): Promise<ChainNetwork[]>
  /** The name of a network by each suffix of a label that is on it. */
  readonly names: Readonly<Record<string, string>>
  /** Newest last: what arrived and changed nothing, and why a payment failed. */
  readonly log: readonly string[]
  /** Looks for coins that arrived, and for buys to pay, and does what follows. */
  scan(): Promise<void>
  balances(address: string): Promise<ChainBalances['balances']>
  /** Sends coins from an account of the node, on the first network unless one is named. */
  send(request: SendCoins): Promise<ChainSent>
}

export interface Payment {
  /** Id of the transaction. */
  id: string
  wallet: string
  coin: CoinName
  amount: number
  /** Suffix of a label, such as `ETH`. */
  network: string
}

export type SendCoins = z.output<ReturnType<typeof SendOnChain>> & { coin: CoinName }
