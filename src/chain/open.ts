import type { Sandbox } from '../client/client.ts'
import type { Coin } from '../world/state.ts'
import { prepareNode, unlock } from './node.ts'
import { assertPrivate } from './private-url.ts'
import { address as Address, chainError, type NodeFetch, Rpc } from './rpc.ts'
import { mint, readBalance, toUnits, transfer } from './token.ts'
import { WorldChain } from './world-chain.ts'

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
  /** Lets go of the sandbox and of the chain; both go on. */
  close(): Promise<void>
}

/** Puts a world on a chain, and follows both. */
export async function openChain(sandbox: Sandbox, options: ChainOptions): Promise<AttachedChain> {
  const { tokens: ownTokens = {}, log = () => undefined } = options
  const { fetch = (url, init) => globalThis.fetch(url, init) } = options
  await assertPrivate(options.rpc)
  const rpc = new Rpc(options.rpc, fetch)
  const node = await prepareNode(rpc, ownTokens)
  const chain = new WorldChain(sandbox, { rpc, node, ownTokens, log })
  await chain.scan()
  chain.follow()
  return {
    tokens: node.tokens,
    scan: () => chain.scan(),
    send: (request) => send(rpc, chain, request),
    close: () => chain.close(),
    [Symbol.asyncDispose]: () => chain.close(),
  }
}

async function send(rpc: Rpc, { node }: WorldChain, request: SendRequest): Promise<string> {
  const { to, amount, coin = 'USDC', from = node.funded } = request
  for (const given of [to, from]) {
    if (!Address.safeParse(given).success) {
      throw chainError(`${given} is not an address: 0x and 40 digits.`)
    }
  }
  if (!(amount > 0 && Number.isFinite(amount))) throw chainError(`${amount} coins cannot be sent.`)
  const token = node.tokens[coin]
  const units = toUnits(amount, token)
  if ((await readBalance(rpc, token, from)) < units) {
    if (!token.isOwn || from.toLowerCase() !== node.funded.toLowerCase()) {
      throw chainError(`${from} has too few ${coin}; send it some first.`)
    }
    await mint(rpc, token, { from: node.account, to: from, units })
  }
  await unlock(rpc, from)
  return await transfer(rpc, token, { from, to, units })
}
