import type { Micros } from '../world/money.ts'
import type { Coin } from '../world/state.ts'
import { toMicrosOf, toQuantity, toUnits } from './abi.ts'
import {
  type NetworkOptions,
  type NodeState,
  prepareNode,
  type RawBlock,
  type Token,
} from './node.ts'
import { findPayout, type Payout, payOut } from './payout.ts'
import { createRpc, type RpcTools } from './rpc.ts'
import { readBalance, type Sending, sendCoins } from './send.ts'
import {
  type ArrivedTransfer,
  findBlockOf,
  readTransfers,
  type TransferFilter,
} from './transfers.ts'

export interface Block {
  number: number
  hash: string
}

/** Coins that leave for a wallet, once. */
export interface Payment extends Pick<Payout, 'ref' | 'wallet' | 'from'> {
  coin: Coin
  amount: Micros
}

/** A development chain: all that a world asks of it. */
export interface Network {
  readonly name: string
  readonly labels: readonly string[]
  /** As they were when the node was last asked. */
  readonly head: Block
  readonly genesis: string
  /** Looks at the node again: one that was started anew has neither tokens nor old blocks. */
  check(): Promise<NodeState>
  readHead(): Promise<Block>
  findBlock(number: number): Promise<Block | undefined>
  /** The block that a blockchain transaction is in now. */
  findBlockOf(hash: string): Promise<{ block: number; blockHash: string } | undefined>
  /** All tokens that arrived at some addresses, in their order. */
  readTransfers(filter: TransferFilter): Promise<ArrivedTransfer[]>
  /** Makes a payment unless it was made; the hash, once it is in a block. */
  pay(payment: Payment): Promise<string>
  /** The hash of a payment that was made before. */
  findPayment(payment: Payment): Promise<string | undefined>
  send(sending: Sending): Promise<{ hash: string; from: string }>
  balanceOf(token: Token, address: string): Promise<Micros>
  /** The time of the next block, in seconds, where the node can set it. */
  setNextTime(seconds: number): Promise<void>
}

export async function openNetwork(options: NetworkOptions, tools: RpcTools): Promise<Network> {
  const rpc = createRpc(options.url, tools)
  const [name = ''] = options.labels
  let node = await prepareNode(rpc, options)
  let head: Block = { number: 0, hash: '' }
  await readHead()
  return {
    name,
    labels: options.labels,
    get head() {
      return head
    },
    get genesis() {
      return node.genesis
    },
    check,
    readHead,
    findBlock,
    findBlockOf: (hash) => findBlockOf(rpc, hash),
    async readTransfers(filter) {
      return readTransfers(rpc, { name, tokens: (await check()).tokens, ...filter })
    },
    pay: async (payment) => payOut(await toPayout(payment)),
    findPayment: async (payment) => findPayout(await toPayout(payment)),
    send: async (sending) => sendCoins(rpc, await check(), sending),
    async balanceOf(token, address) {
      return toMicrosOf(await readBalance(rpc, token, address), token.decimals)
    },
    async setNextTime(seconds) {
      // Only forward, and only where the node can.
      await rpc.call('evm_setNextBlockTimestamp', toQuantity(seconds)).catch(() => undefined)
    },
  }

  async function check() {
    const genesis = await findBlock(0)
    if (genesis?.hash !== node.genesis) node = await prepareNode(rpc, options)
    return node
  }

  async function readHead(): Promise<Block> {
    const latest = await rpc.call<RawBlock>('eth_getBlockByNumber', 'latest', false)
    head = toBlock(latest)
    return head
  }

  async function findBlock(number: number) {
    const found = await rpc.call<RawBlock | null>('eth_getBlockByNumber', toQuantity(number), false)
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
