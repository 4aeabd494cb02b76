import type { SeenTransfer } from '../world/transfers.ts'
import { toAddress, toMicrosOf, toQuantity, toTopic } from './abi.ts'
import { isReceipt } from './calls.ts'
import { TOPICS } from './coin.ts'
import type { Token } from './node.ts'
import { isAddress, isBytes, isQuantity, isWord, listOf, objectOf, orNull } from './results.ts'
import type { Rpc } from './rpc.ts'

/** More addresses than this are looked for here, and not by the node. */
const TOPICS_MAX = 500

interface Log {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
}

const isLog = objectOf<Log>({
  address: isAddress,
  topics: listOf(isWord),
  data: isBytes,
  blockNumber: isQuantity,
  blockHash: isWord,
  transactionHash: isWord,
})

export interface ArrivedTransfer extends SeenTransfer {
  to: string
}

/** The range includes both of its ends. */
export interface TransferFilter {
  from: number
  to: number
  addresses: ReadonlySet<string>
}

interface ReadOptions extends TransferFilter {
  /** Of the network. */
  name: string
  tokens: readonly Token[]
}

/** All tokens that arrived at some addresses in a range of blocks, in their order. */
export async function readTransfers(
  rpc: Rpc,
  { name, from, to, addresses, tokens }: ReadOptions,
): Promise<ArrivedTransfer[]> {
  if (addresses.size === 0 || from > to) return []
  const receivers = addresses.size > TOPICS_MAX ? null : [...addresses].map(toTopic)
  const logs = await rpc.call('eth_getLogs', listOf(isLog), {
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
    topics: [TOPICS.Transfer, null, receivers],
  })
  const counts = new Map<string, number>()
  return logs.filter(isTransfer).flatMap((log) => {
    const [, sender = '', receiver = ''] = log.topics
    const address = toAddress(receiver)
    if (!addresses.has(address)) return []
    const key = `${log.transactionHash} ${address}`
    const ordinal = counts.get(key) ?? 0
    counts.set(key, ordinal + 1)
    const token = tokens.find((known) => known.address === log.address.toLowerCase())
    return {
      hash: log.transactionHash,
      ordinal,
      network: name,
      block: Number(log.blockNumber),
      blockHash: log.blockHash,
      from: toAddress(sender),
      to: address,
      token: log.address.toLowerCase(),
      coin: token?.coin ?? null,
      amount: token ? toMicrosOf(BigInt(log.data), token.decimals) : 0,
    }
  })
}

/** Tokens that are no ERC-20, such as an NFT, have an event of the same name. */
const isTransfer = ({ topics, data }: Log) => topics.length === 3 && data.length === 66

export async function findBlockOf(rpc: Rpc, hash: string) {
  const receipt = await rpc.call('eth_getTransactionReceipt', orNull(isReceipt), hash)
  return receipt === null
    ? undefined
    : { block: Number(receipt.blockNumber), blockHash: receipt.blockHash }
}
