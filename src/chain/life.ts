import type { Coin } from '../world/state.ts'
import type { Block, ChainNode } from './node.ts'
import type { Rpc } from './rpc.ts'
import { mint, readMintedIn, toRef } from './token.ts'

/** A sell, with the coins that arrived for it. */
export interface Sell {
  id: string
  coin: Coin
  amount: number
  sum: bigint
  /** Hash of the transfer that made the sum enough. */
  hash: string | undefined
}

/** What is known of one life of a world. A reset, a restore and an import begin another one. */
export interface Life {
  /** The number in `info`. */
  number: number
  /** Part of every payout's name, so that no other life of the world takes it for its own. */
  name: string
  /** The block at which the client first saw this life; transfers count from there on. */
  since: number
  /** The newest block that was read. */
  read: Block | undefined
  /** By deposit address. */
  sells: Map<string, Sell>
  /** Sells whose coins arrived and whose lever was not called yet. */
  arrived: Set<Sell>
  /** Where the lists of transactions and events were read to. */
  cursors: { transactions: string | undefined; events: string }
  transactionCount: number
}

/** The facts about a world that tell its lives apart, as `info` has them. */
interface LifeInfo {
  seed: string
  life: number
  counts: { transactions: number }
  cursors: { events: string }
}

/**
 * Finds the note of a life on the chain, or writes it. The chain keeps it, so that a client which
 * crashed counts from the same block. A world without a transaction gets a note of its own, because
 * an earlier sandbox with the same seed had the same number.
 */
export async function beginLife(rpc: Rpc, node: ChainNode, info: LifeInfo): Promise<Life> {
  const { seed, life: number, counts, cursors } = info
  const nameOf = (index: number) => `${seed}\n${number}\n${index}`
  let since = 0
  let index = 0
  for (let found: number; ; index++) {
    found = await readMintedIn(rpc, node.notebook, toRef(nameOf(index)))
    if (found === 0) break
    since = found
  }
  if (since === 0 || counts.transactions === 0) since = await note(rpc, node, nameOf(index))
  else index -= 1
  return {
    number,
    name: nameOf(index),
    since,
    read: undefined,
    sells: new Map(),
    arrived: new Set(),
    cursors: { transactions: undefined, events: cursors.events },
    transactionCount: 0,
  }
}

/** Mints zero coins under a name, because the token stores the block of each name. */
async function note(rpc: Rpc, { account, notebook }: ChainNode, name: string): Promise<number> {
  const ref = toRef(name)
  await mint(rpc, notebook, { from: account, to: account, units: 0n, ref }).catch(async (error) => {
    // Another client may have written it meanwhile.
    if ((await readMintedIn(rpc, notebook, ref)) === 0) throw error
  })
  return await readMintedIn(rpc, notebook, ref)
}
