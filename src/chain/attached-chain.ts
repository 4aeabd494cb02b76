import type { Coin } from '../world/state.ts'

export type NodeFetch = (url: string, init: RequestInit) => Promise<Response>

export interface ChainOptions {
  /** The node of a development chain, such as `http://127.0.0.1:8545`. */
  rpc: string
  /** Tokens of yours, by coin: `{ USDC: '0x…' }`; the others are deployed. */
  tokens?: Partial<Record<Coin, string>> | undefined
  /** Called with a line for whatever happens on the chain. */
  log?: ((line: string) => void) | undefined
  /** Used for calls of the node instead of the global `fetch`. */
  fetch?: NodeFetch | undefined
}

export interface SendRequest {
  /** Address that gets the coins. */
  to: string
  amount: number
  /** Default: `USDC`. */
  coin?: Coin | undefined
  /** Default: an account that gets what it lacks; the node has to sign for any other one. */
  from?: string | undefined
}

export interface AttachedChain extends AsyncDisposable {
  /** The coins on the chain: the address of each token, and its decimals. */
  readonly tokens: Readonly<Record<Coin, { address: string; decimals: number }>>
  /** Resolves once every block was read, buys are paid and webhooks are delivered. */
  scan(): Promise<void>
  /** Sends coins from an account of the node; resolves with the hash, once they are in a block. */
  send(request: SendRequest): Promise<string>
  /** Detaches the sandbox from the chain; both keep running. */
  close(): Promise<void>
}
