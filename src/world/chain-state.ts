import type { Micros } from './money.ts'

/** What a world knows of the chains behind it. */
export interface ChainState {
  /** Part of every deposit address and payment: no two worlds, and no two lives of one, share it. */
  scope: string
  /** The chains of this process, by the suffix of a label, such as `ETH`. */
  networks: string[]
  /** How far each chain was read, by its name. */
  cursors: Record<string, ChainCursor>
}

export interface ChainCursor {
  /** Hash of block 0: another one is another chain. */
  genesis: string
  /** The block that was the newest when the world began to read. */
  start: number
  /** The last block that was read. */
  block: number
  hash: string
}

export const TRANSFER_OUTCOMES = [
  'exact',
  'too-little',
  'too-much',
  'wrong-token',
  'after-expiry',
  'not-pending',
] as const
export type TransferOutcome = (typeof TRANSFER_OUTCOMES)[number]

/** Tokens that arrived at a deposit address. */
export interface Transfer {
  hash: string
  /** Its place among the transfers of one blockchain transaction to one address. */
  ordinal: number
  /** Name of the chain. */
  network: string
  block: number
  blockHash: string
  from: string
  /** Address of the token. */
  token: string
  /** Null for a token that is no coin of the service. */
  coin: 'USDC' | 'CADC' | null
  /** Rounded down; 0 for an unknown token. */
  amount: Micros
  /** World time when it was seen. */
  at: number
  outcome: TransferOutcome
  /** Whether its block is on the chain no more. */
  isGone: boolean
  /** What the transaction was worth before this transfer changed that. */
  before: Worth | null
}

export interface Worth {
  leftSide: Micros
  rightSide: Micros
  fee: Micros
  gas: Micros
  spread: Micros
}
