import * as z from 'zod'
import type {
  ChainBalances,
  ChainNetwork,
  ChainSent,
  Payment,
  SendCoins,
} from '../http/coin-holder.ts'
import type { Coin } from '../world/state.ts'
import { TOPICS } from './coin.ts'
import { type NetworkOptions, type NodeState, prepareNode, rawBlock, unlock } from './node.ts'
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

export interface Block {
  number: number
  hash: string
}

/** Tokens that arrived at an address. */
export interface TokenTransfer {
  hash: string
  to: string
  /** Undefined for a token that is no coin of the service. */
  token: Token | undefined
  units: bigint
}

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** One development chain: everything that is asked of it. */
export async function openNetwork(options: NetworkOptions, tools: RpcTools) {
  const rpc = createRpc(options.url, tools)
  const [name = ''] = options.labels
  let node = await prepareNode(rpc, options)
  return {
    name,
    labels: options.labels,
    check,
    readHead,
    findBlock,
    read,
    pay,
    send,
    balances,
    describe,
  }

  /** Looks at the node again: one that was started anew has neither tokens nor old blocks. */
  async function check(): Promise<NodeState> {
    if ((await findBlock(0))?.hash !== node.genesis) node = await prepareNode(rpc, options)
    return node
  }

  async function readHead(): Promise<Block> {
    return toBlock(await rpc.call('eth_getBlockByNumber', rawBlock, 'latest', false))
  }

  async function findBlock(number: number): Promise<Block | undefined> {
    const found = await rpc.call(
      'eth_getBlockByNumber',
      rawBlock.nullable(),
      toQuantity(number),
      false,
    )
    return found === null ? undefined : toBlock(found)
  }

  /** All tokens that arrived at some addresses in a range of blocks, both ends included. */
  async function read({ from, to, addresses }: ReadRequest): Promise<TokenTransfer[]> {
    if (addresses.size === 0) return []
    const logs = await rpc.call('eth_getLogs', transfers, {
      fromBlock: toQuantity(from),
      toBlock: toQuantity(to),
      topics: [TOPICS.Transfer],
    })
    return logs.flatMap(({ address, topics, data, transactionHash: hash }) => {
      const receiver = toAddress(topics[2] ?? '')
      // Tokens that are no ERC-20, such as an NFT, have an event of the same name.
      if (topics.length !== 3 || data.length !== 66 || !addresses.has(receiver)) return []
      const token = node.tokens.find((known) => known.address === address.toLowerCase())
      return [{ hash, to: receiver, token, units: BigInt(data) }]
    })
  }

  async function pay({ coin, amount, ref, wallet }: NamedPayment): Promise<string> {
    const { account, tokens, start: from } = await check()
    if (!/^0x[0-9a-f]{40}$/i.test(wallet) || Number(wallet) === 0) {
      throw rpc.fail(`No coins can be sent to the wallet ${wallet} on this chain.`)
    }
    const token = tokenOf(tokens, coin)
    const units = toUnits(amount, token)
    return await payOut(rpc, { token, account, ref, wallet, units, from })
  }

  /** The funded account gets what it lacks first, where the platform mints; another one does not. */
  async function send({ coin, to, amount, from: given }: SendCoins): Promise<ChainSent> {
    const { account, funded, tokens } = await check()
    const from = given ?? funded
    const token = tokenOf(tokens, coin)
    const units = toUnits(amount, token)
    if ((await readBalance(rpc, token, from)) < units) {
      if (!token.isOwn || from.toLowerCase() !== funded.toLowerCase()) {
        throw rpc.fail(`${from} has too few ${coin}; send it some first.`)
      }
      await mint(rpc, token, { account, to: from, units })
    }
    await unlock(rpc, from)
    const hash = await transfer(rpc, token, { account: from, to, units })
    return { hash, network: name, from, to, coin, amount }
  }

  function tokenOf(tokens: readonly Token[], coin: Coin): Token {
    const token = tokens.find((each) => each.coin === coin)
    if (token) return token
    throw rpc.fail(`${coin} is not on this chain.`)
  }

  async function balances(address: string): Promise<ChainBalances['balances']> {
    const { tokens } = await check()
    return await Promise.all(
      tokens.map(async (token) => {
        const amount = toCoins(await readBalance(rpc, token, address), token)
        return { network: name, coin: token.coin, amount }
      }),
    )
  }

  /** A node that fails is described, too. */
  async function describe(readBlock: number): Promise<ChainNetwork> {
    const known = { name, labels: options.labels, readBlock }
    try {
      const { id: chainId, account, funded, tokens } = await check()
      const { number: block } = await readHead()
      const shown = tokens.map(({ coin, address, decimals }) => ({ coin, address, decimals }))
      return { ...known, chainId, block, account, funded, tokens: shown, problem: null }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      const nothing = { chainId: null, block: null, account: null, funded: null, tokens: [] }
      return { ...known, ...nothing, problem }
    }
  }
}

/** Its name makes it once, however often it is asked for. */
interface NamedPayment extends Pick<Payment, 'coin' | 'amount' | 'wallet'> {
  ref: string
}

interface ReadRequest {
  from: number
  to: number
  addresses: ReadonlySet<string>
}

const transfers = z.array(
  z.object({
    address: anAddress,
    topics: z.array(word),
    data: bytes,
    transactionHash: word,
  }),
)

const toBlock = ({ number, hash }: z.infer<typeof rawBlock>): Block => ({
  number: Number(number),
  hash,
})
