import { encodeCall, toQuantity, toTopic } from './abi.ts'
import { callToken, sendAndWait } from './calls.ts'
import { SELECTORS, TOPICS } from './coin.ts'
import type { Token } from './node.ts'
import { isBytes, isWord, listOf, objectOf, orNull } from './results.ts'
import type { Rpc } from './rpc.ts'

export interface Payout {
  rpc: Rpc
  token: Token
  account: string
  /** Names the payment on the chain, so that it is made once however often it is asked for. */
  ref: string
  wallet: string
  units: bigint
  /** The block from which on it may have been made. */
  from: number
}

/** The hash of a payment that was made before. */
export function findPayout(payout: Payout): Promise<string | undefined> {
  return payout.token.isOwn ? findMint(payout) : findTransfer(payout)
}

/** Sends it, unless that happened before; the hash, once it is in a block. */
export async function payOut(payout: Payout): Promise<string> {
  const { rpc, token, account, ref, wallet, units } = payout
  const before = await findPayout(payout)
  if (before !== undefined) return before
  const data = token.isOwn
    ? encodeCall(SELECTORS.mint, wallet, units, ref)
    : // What follows the arguments is ignored by the token, and found again below.
      encodeCall(SELECTORS.transfer, wallet, units, ref)
  try {
    return await sendAndWait(rpc, { from: account, to: token.address, data })
  } catch (error) {
    // Another try of the same payment, which ended meanwhile, makes this one fail.
    const made = await findPayout(payout).catch(() => undefined)
    if (made !== undefined) return made
    throw error
  }
}

const areLogs = listOf(objectOf({ transactionHash: isWord }))
const isMade = orNull(objectOf({ input: isBytes }))
const isPendingBlock = orNull(
  objectOf({ transactions: listOf(objectOf({ hash: isWord, input: isBytes })) }),
)

/** The contract mints one reference once, and remembers the block. */
async function findMint({ rpc, token, ref }: Payout): Promise<string | undefined> {
  const data = encodeCall(SELECTORS.mintedIn, ref)
  const block = BigInt(await callToken(rpc, token.address, data))
  if (block === 0n) return undefined
  const [log] = await rpc.call('eth_getLogs', areLogs, {
    address: token.address,
    fromBlock: toQuantity(block),
    toBlock: toQuantity(block),
    topics: [TOPICS.Minted, ref],
  })
  return log?.transactionHash
}

/** A token of somebody else remembers no reference, but the call that moved it ends with it. */
async function findTransfer(payout: Payout): Promise<string | undefined> {
  const { rpc, token, account, wallet, ref, from } = payout
  const logs = await rpc.call('eth_getLogs', areLogs, {
    address: token.address,
    fromBlock: toQuantity(from),
    toBlock: 'latest',
    topics: [TOPICS.Transfer, toTopic(account), toTopic(wallet)],
  })
  for (const { transactionHash: hash } of logs) {
    const made = await rpc.call('eth_getTransactionByHash', isMade, hash)
    if (made?.input.endsWith(ref.slice(2))) return hash
  }
  const pending = await rpc.call('eth_getBlockByNumber', isPendingBlock, 'pending', true)
  const waiting = pending?.transactions.find(({ input }) => input.endsWith(ref.slice(2)))
  if (waiting) throw rpc.fail(`${waiting.hash} is in no block yet; try again later.`)
  return undefined
}
