import type * as z from 'zod'
import type { Coin as CoinName } from '../world/state.ts'
import type { ChainBalances, ChainNetwork, ChainSent, SendOnChain } from './chain.ts'

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
