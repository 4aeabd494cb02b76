import * as z from 'zod'
import type { ChainBalances, ChainNetwork, ChainSent } from '../levers/chain.ts'
import type { SendCoins } from '../levers/coin-holder.ts'
import type { Coin } from '../world/state.ts'
import { TOPICS } from './coin.ts'
import { block, type NetworkOptions, type NodeState, prepareNode, unlock } from './node.ts'
import { address as anAddress, bytes, createRpc, type RpcTools, word } from './rpc.ts'
import {
  mint,
  payOut,
  readBalance,
  type Token,
  toAddress,
  toCoins,
  toQuantity,
  toUnits,
  transfer,
} from './token.ts'

/** Tokens that arrived at an address. */
export interface TokenTransfer {
  hash: string
  to: string
  /** Undefined for a token that is no coin of the service. */
  token: Token | undefined
  units: bigint
}

interface NamedPayment {
  coin: Coin
  amount: number
  wallet: string
  /** Makes it once, however often it is asked for. */
  ref: string
}

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** One development chain: everything that is asked of it. */
export async function openNetwork(options: NetworkOptions, tools: RpcTools) {
  const { labels } = options
  const [name = ''] = labels
  const rpc = createRpc(options.url, tools)
  const readHead = () => rpc.call('eth_getBlockByNumber', block, 'latest', false)
  const findBlock = (number: number) =>
    rpc.call('eth_getBlockByNumber', block.nullable(), toQuantity(number), false)
  let node = await prepareNode(rpc, options)
  return { name, labels, check, readHead, findBlock, read, pay, send, balances, describe }

  /** Looks at the node again: one that was started anew has neither tokens nor old blocks. */
  async function check(): Promise<NodeState> {
    if ((await findBlock(0))?.hash !== node.genesis) node = await prepareNode(rpc, options)
    return node
  }

  /** All tokens that arrived at some addresses in a range of blocks, both ends included. */
  async function read(
    range: { from: number; to: number },
    addresses: ReadonlyMap<string, unknown>,
  ) {
    if (addresses.size === 0) return []
    const logs = await rpc.call('eth_getLogs', transfers, {
      fromBlock: toQuantity(range.from),
      toBlock: toQuantity(range.to),
      topics: [TOPICS.Transfer],
    })
    const tokens = Object.values(node.tokens)
    return logs.flatMap(({ address, topics, data, transactionHash: hash }): TokenTransfer[] => {
      const to = toAddress(topics[2] ?? '')
      // Tokens that are no ERC-20, such as an NFT, have an event of the same name.
      if (topics.length !== 3 || data.length !== 66 || !addresses.has(to)) return []
      const token = tokens.find((known) => known.address === address.toLowerCase())
      return [{ hash, to, token, units: BigInt(data) }]
    })
  }

  async function pay({ coin, amount, ref, wallet: to }: NamedPayment): Promise<string> {
    const { account: from, tokens, start: since } = await check()
    if (!anAddress.safeParse(to).success || Number(to) === 0) {
      throw rpc.fail(`No coins can be sent to the wallet ${to} on this chain.`)
    }
    const token = tokens[coin]
    return await payOut(rpc, token, { from, to, units: toUnits(amount, token), ref, since })
  }

  /** The funded account gets what it lacks first, where the platform mints; another one does not. */
  async function send({ coin, to, amount, from: given }: SendCoins): Promise<ChainSent> {
    const { account, funded, tokens } = await check()
    const from = given ?? funded
    const token = tokens[coin]
    const units = toUnits(amount, token)
    if ((await readBalance(rpc, token, from)) < units) {
      if (!token.isOwn || from.toLowerCase() !== funded.toLowerCase()) {
        throw rpc.fail(`${from} has too few ${coin}; send it some first.`)
      }
      await mint(rpc, token, { from: account, to: from, units })
    }
    await unlock(rpc, from)
    const hash = await transfer(rpc, token, { from, to, units })
    return { hash, network: name, from, to, coin, amount }
  }

  async function balances(address: string): Promise<ChainBalances['balances']> {
    const { tokens } = await check()
    return await Promise.all(
      Object.values(tokens).map(async (token) => {
        const amount = toCoins(await readBalance(rpc, token, address), token)
        return { network: name, coin: token.coin, amount }
      }),
    )
  }

  /** A node that fails is described, too. */
  async function describe(readBlock: number): Promise<ChainNetwork> {
    const known = { name, labels, readBlock }
    try {
      const { id: chainId, account, funded, tokens } = await check()
      const { number: block } = await readHead()
      const shown = Object.values(tokens).map(({ coin, address, decimals }) => {
        return { coin, address, decimals }
      })
      return { ...known, chainId, block, account, funded, tokens: shown, problem: null }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      const nothing = { chainId: null, block: null, account: null, funded: null, tokens: [] }
      return { ...known, ...nothing, problem }
    }
  }
}

const transfers = z.array(
  z.object({ address: anAddress, topics: z.array(word), data: bytes, transactionHash: word }),
)
