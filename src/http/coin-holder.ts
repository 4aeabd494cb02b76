import type { Coin } from '../world/state.ts'

/** Sends and counts coins that are held outside of the sandbox, such as on a development chain. */
export interface CoinHolder {
  /** Sends the coins of a buy, once however often it is asked; the hash once they are there. */
  pay(payment: Payment): Promise<string>
  networks(): Promise<HeldNetwork[]>
  /** The name of a network by each suffix of a label that is on it. */
  readonly names: Readonly<Record<string, string>>
  /** Newest last: what arrived and changed nothing, and why a payment failed. */
  readonly log: readonly string[]
  /** Looks for coins that arrived, and for buys to pay, and does what follows. */
  scan(): Promise<void>
  balances(address: string): Promise<HeldBalance[]>
  /** Sends coins from an account of the node, on the first network unless one is named. */
  send(request: SendCoins): Promise<CoinTransfer>
}

export interface Payment {
  /** Of the transaction. */
  id: string
  wallet: string
  coin: Coin
  amount: number
  /** Suffix of a label, such as `ETH`. */
  network: string
}

export interface HeldNetwork {
  name: string
  labels: readonly string[]
  readBlock: number
  chainId: number | null
  block: number | null
  account: string | null
  funded: string | null
  tokens: { coin: Coin; address: string; decimals: number }[]
  problem: string | null
}

export interface HeldBalance {
  network: string
  coin: Coin
  amount: number
}

export interface SendCoins {
  to: string
  coin: Coin
  amount: number
  from?: string | undefined
  network?: string | undefined
}

export interface CoinTransfer {
  hash: string
  network: string
  from: string
  to: string
  coin: Coin
  amount: number
}
