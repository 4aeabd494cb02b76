import * as z from 'zod'
import { TOPICS } from './coin.ts'
import type { ChainNode } from './node.ts'
import { address, bytes, type Rpc, word } from './rpc.ts'
import { type Token, toAddress, toQuantity } from './token.ts'

/** Tokens that arrived at an address. */
export interface Transfer {
  hash: string
  to: string
  /** Undefined for a token that is no coin of the service. */
  token: Token | undefined
  units: bigint
}

const logs = z.array(
  z.object({ address, topics: z.array(word), data: bytes, transactionHash: word }),
)

/** Reads all transfers to some addresses in a range of blocks, both ends included. */
export async function readTransfers(
  rpc: Rpc,
  { tokens }: ChainNode,
  range: { from: number; to: number; addresses: ReadonlyMap<string, unknown> },
): Promise<Transfer[]> {
  if (range.addresses.size === 0) return []
  const found = await rpc.call('eth_getLogs', logs, {
    fromBlock: toQuantity(range.from),
    toBlock: toQuantity(range.to),
    topics: [TOPICS.Transfer],
  })
  return found.flatMap(({ address, topics, data, transactionHash: hash }): Transfer[] => {
    const to = toAddress(topics[2] ?? '')
    // Tokens that are no ERC-20, such as an NFT, have an event of the same name.
    if (topics.length !== 3 || data.length !== 66 || !range.addresses.has(to)) return []
    const token = Object.values(tokens).find((known) => known.address === address.toLowerCase())
    return [{ hash, to, token, units: BigInt(data) }]
  })
}
