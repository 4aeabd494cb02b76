import type { Micros } from '../world/money.ts'
import type { Coin } from '../world/state.ts'
import { toMicrosOf, toQuantity, toUnits } from './abi.ts'
import {
  isBlock,
  type NetworkOptions,
  type NodeState,
  prepareNode,
  type RawBlock,
  type Token,
} from './node.ts'
import { findPayout, type Payout, payOut } from './payout.ts'
import { isAnything, orNull } from './results.ts'
import { createRpc, type RpcTools } from './rpc.ts'
import { readBalance, type Sending, sendCoins } from './send.ts'
import { findBlockOf, readTransfers, type TransferFilter } from './transfers.ts'

export interface Block {
  number: number
  hash: string
}

/** Coins that leave for a wallet, once. */
export interface Payment extends Pick<Payout, 'ref' | 'wallet' | 'from'> {
  coin: Coin
  amount: Micros
}

export type Network = Awaited<ReturnType<typeof openNetwork>>

/** A development chain: all that a world asks of it. */
export async function openNetwork(options: NetworkOptions, tools: RpcTools) {
  const rpc = createRpc(options.url, tools)
  const [name = ''] = options.labels
  let node = await prepareNode(rpc, options)
  let head: Block = { number: 0, hash: '' }
  await readHead()
  return {
    name,
    labels: options.labels,
    /** As it was when the node was last asked. */
    get head() {
      return head
    },
    get genesis() {
      return node.genesis
    },
    check,
    readHead,
    findBlock,
    findBlockOf: (hash: string) => findBlockOf(rpc, hash),
    async readTransfers(filter: TransferFilter) {
      return readTransfers(rpc, { name, tokens: (await check()).tokens, ...filter })
    },
    pay: async (payment: Payment) => payOut(await toPayout(payment)),
    findPayment: async (payment: Payment) => findPayout(await toPayout(payment)),
    send: async (sending: Sending) => sendCoins(rpc, await check(), sending),
    async balanceOf(token: Token, address: string): Promise<Micros> {
      return toMicrosOf(await readBalance(rpc, token, address), token.decimals)
    },
    /** The time of the next block: only forward, and only where the node can set it. */
    async setNextTime(seconds: number) {
      await rpc
        .call('evm_setNextBlockTimestamp', isAnything, toQuantity(seconds))
        .catch(() => undefined)
    },
  }

  /** Looks at the node again: one that was started anew has neither tokens nor old blocks. */
  async function check(): Promise<NodeState> {
    const genesis = await findBlock(0)
    if (genesis?.hash !== node.genesis) node = await prepareNode(rpc, options)
    return node
  }

  async function readHead(): Promise<Block> {
    const latest = await rpc.call('eth_getBlockByNumber', isBlock, 'latest', false)
    head = toBlock(latest)
    return head
  }

  async function findBlock(number: number) {
    const found = await rpc.call('eth_getBlockByNumber', orNull(isBlock), toQuantity(number), false)
    return found === null ? undefined : toBlock(found)
  }

  async function toPayout({ coin, amount, ref, wallet, from }: Payment): Promise<Payout> {
    const { tokens, account } = await check()
    const token = tokens.find((each) => each.coin === coin)
    if (!token) throw rpc.fail(`${coin} is not on this chain.`)
    if (!/^0x[0-9a-f]{40}$/i.test(wallet)) {
      throw rpc.fail(`The wallet ${wallet} is no address on this chain.`)
    }
    return { rpc, token, account, ref, wallet, units: toUnits(amount, token.decimals), from }
  }
}

const toBlock = ({ number, hash }: RawBlock): Block => ({ number: Number(number), hash })
