import type { ChainCursor } from '../world/chain-state.ts'
import type { Transaction } from '../world/state.ts'
import { loseTransfer, receiveTransfer } from '../world/transfers.ts'
import type { World } from '../world/world.ts'
import type { Network } from './network.ts'
import type { ArrivedTransfer } from './transfers.ts'

/** How many blocks back the world looks when the chain is shorter than where it began to read. */
const REWIND_MAX = 1_000

/** What was read, as pieces of work that change the world without being interrupted. */
export interface BlockReading {
  cursor: ChainCursor
  changes: Change[]
}

export interface Change {
  transaction: Transaction
  transfer: Omit<ArrivedTransfer, 'to'>
  isGone: boolean
  apply(): void
}

/** Reads the blocks that a world has not seen, and looks whether those that it has are still there. */
export async function readNetwork(world: World, network: Network): Promise<BlockReading> {
  const { genesis } = await network.check()
  const head = await network.readHead()
  const cursor = cursorOf(world, network, { genesis, head })
  const last = await network.findBlock(cursor.block)
  const isReorganised = last?.hash !== cursor.hash
  const lost = isReorganised ? await findLost(world, network) : []
  const rewound = Math.max(0, Math.min(cursor.start, head.number - REWIND_MAX))
  const from = isReorganised ? rewound : cursor.block + 1
  const to = head.number - world.settings['chain.confirmations'] + 1
  // The hash first: a block that is replaced meanwhile then shows at the next reading.
  const end = to < from ? undefined : await network.findBlock(to)
  if (end === undefined) {
    const back = isReorganised
      ? await network.findBlock(Math.max(0, Math.min(from, head.number)))
      : last
    const read = back ? { ...cursor, block: back.number, hash: back.hash } : cursor
    return { cursor: read, changes: lost }
  }
  const owners = ownersOf(world)
  const addresses = new Set(owners.keys())
  const arrived = await network.readTransfers({ from, to, addresses })
  const seen = arrived.flatMap(({ to: address, ...transfer }): Change[] => {
    const transaction = owners.get(address)
    if (transaction === undefined) return []
    const apply = () => void receiveTransfer(world, transaction, transfer)
    return isKnown(transaction, transfer) ? [] : [{ transaction, transfer, isGone: false, apply }]
  })
  return {
    cursor: { ...cursor, block: end.number, hash: end.hash },
    changes: [...lost, ...seen],
  }
}

/** Where a world stands on a chain; a chain that was started anew is read from its present on. */
function cursorOf(
  { chain }: World,
  { name }: Network,
  { genesis, head }: { genesis: string; head: { number: number; hash: string } },
): ChainCursor {
  const cursor = chain?.cursors[name]
  if (cursor?.genesis === genesis) return cursor
  return { genesis, start: head.number, block: head.number, hash: head.hash }
}

/** The sells by their deposit addresses. */
function ownersOf(world: World): Map<string, Transaction> {
  const sells = world.transactions.filter(({ depositAddress }) => depositAddress !== '')
  return new Map(sells.map((sell) => [sell.depositAddress.toLowerCase(), sell]))
}

const isKnown = ({ transfers = [] }: Transaction, { hash, ordinal, network }: Change['transfer']) =>
  transfers.some(
    (known) =>
      !known.isGone &&
      known.hash === hash &&
      known.ordinal === ordinal &&
      known.network === network,
  )

/** Transfers that are on the chain no more; one in another block is noted as there. */
async function findLost(world: World, network: Network): Promise<Change[]> {
  const lost: Change[] = []
  for (const transaction of world.transactions) {
    for (const transfer of transaction.transfers ?? []) {
      if (transfer.isGone || transfer.network !== network.name) continue
      const found = await network.findBlockOf(transfer.hash)
      if (found) Object.assign(transfer, found)
      else {
        const apply = () => loseTransfer(world, transaction, transfer)
        lost.push({ transaction, transfer, isGone: true, apply })
      }
    }
  }
  return lost.reverse()
}
