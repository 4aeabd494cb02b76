import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Coin } from '../world/state.ts'
import { SELECTORS, TOPICS } from './coin.ts'
import { bytes, chainError, type Rpc, word } from './rpc.ts'

/** A coin of the service on one chain. */
export interface Token {
  coin: Coin
  address: string
  decimals: number
  /** Deployed here, with the platform's account as its minter. */
  isOwn: boolean
}

export interface TokenMove {
  /** Account that the node signs for. */
  from: string
  to: string
  units: bigint
  /** Names the move on the chain, so that it is made once however often it is asked for. */
  ref?: string
}

/** Mints coins. The reference is random when they only fund an account. */
export const mint = (rpc: Rpc, { address }: Token, move: TokenMove): Promise<string> => {
  const { from, to, units, ref = toRef(randomUUID()) } = move
  return rpc.sendAndWait({ from, to: address, data: encodeCall(SELECTORS.mint, to, units, ref) })
}

/** Appends the reference to the arguments: the token ignores it, and `findTransfer` finds it. */
export const transfer = (rpc: Rpc, { address }: Token, move: TokenMove): Promise<string> => {
  const { from, to, units, ref = '' } = move
  const data = encodeCall(SELECTORS.transfer, to, units) + ref.slice(2)
  return rpc.sendAndWait({ from, to: address, data })
}

export interface Payout extends TokenMove {
  ref: string
  /** The first block that it may be in. */
  since: number
}

/** Sends the coins unless they were sent before; returns the hash once they are in a block. */
export async function payOut(rpc: Rpc, token: Token, payout: Payout): Promise<string> {
  const before = await findPayout(rpc, token, payout)
  if (before !== undefined) return before
  try {
    return await (token.isOwn ? mint : transfer)(rpc, token, payout)
  } catch (error) {
    // Another process may have made the same payment meanwhile, so that this one fails.
    const made = await findPayout(rpc, token, payout).catch(() => undefined)
    if (made !== undefined) return made
    throw error
  }
}

/** Hash of a payout that was made already. */
export const findPayout = (rpc: Rpc, token: Token, payout: Payout): Promise<string | undefined> =>
  (token.isOwn ? findMint : findTransfer)(rpc, token, payout)

const logs = z.array(z.object({ transactionHash: word }))
const call = z.object({ hash: word, input: bytes })
const pendingBlock = z.object({ transactions: z.array(call) }).nullable()

/** The block in which a reference was minted; 0 while it was not. */
export const readMintedIn = async (rpc: Rpc, { address }: Token, ref: string): Promise<number> =>
  Number(await readWord(rpc, address, encodeCall(SELECTORS.mintedIn, ref)))

/** The contract mints a reference once, and remembers the block. */
async function findMint(rpc: Rpc, token: Token, { ref }: Payout): Promise<string | undefined> {
  const block = await readMintedIn(rpc, token, ref)
  if (block === 0) return undefined
  const [log] = await rpc.call('eth_getLogs', logs, {
    address: token.address,
    fromBlock: toQuantity(block),
    toBlock: toQuantity(block),
    topics: [TOPICS.Minted, ref],
  })
  return log?.transactionHash
}

/** Finds the call data that ends with the reference, because foreign tokens store none. */
async function findTransfer(rpc: Rpc, { address }: Token, payout: Payout) {
  const { from, to, ref, since } = payout
  const isIt = ({ input }: z.infer<typeof call>) => input.endsWith(ref.slice(2))
  const found = await rpc.call('eth_getLogs', logs, {
    address,
    fromBlock: toQuantity(since),
    toBlock: 'latest',
    topics: [TOPICS.Transfer, toTopic(from), toTopic(to)],
  })
  for (const { transactionHash: hash } of found) {
    const made = await rpc.call('eth_getTransactionByHash', call.nullable(), hash)
    if (made && isIt(made)) return hash
  }
  const pending = await rpc.call('eth_getBlockByNumber', pendingBlock, 'pending', true)
  const waiting = pending?.transactions.find(isIt)
  if (waiting) throw chainError(`${waiting.hash} is in no block yet; try again later.`)
  return undefined
}

/** Balance in the token's own units. */
export const readBalance = async (rpc: Rpc, { address }: Token, of: string): Promise<bigint> =>
  BigInt(await readWord(rpc, address, encodeCall(SELECTORS.balanceOf, of)))

/** Reads one word from a token; an address without code responds with `0x`. */
export async function readWord(rpc: Rpc, to: string, data: string): Promise<string> {
  const read = await rpc.call('eth_call', word.or(z.literal('0x')), { to, data }, 'latest')
  if (read !== '0x') return read
  throw chainError(`There is no token at ${to} on the chain at ${rpc.url}.`)
}

export const toRef = (text: string): string =>
  `0x${createHash('sha256').update(text).digest('hex')}`

/** A value as the 32 bytes of a call or a topic, without `0x`. */
function toWord(value: string | bigint): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/, '')
  return digits.toLowerCase().padStart(64, '0')
}

/** Data of a call, from the selector of its function. */
export const encodeCall = (selector: string, ...values: (string | bigint)[]): string =>
  selector + values.map(toWord).join('')

export const toTopic = (value: string): string => `0x${toWord(value)}`

/** The address in the last 20 bytes of a word. */
export const toAddress = (word: string): string => `0x${word.slice(-40).toLowerCase()}`

export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`

/** Coins have up to six decimals, whatever their token has. */
const MICRO = 1_000_000

export const toUnits = (coins: number, { decimals }: Token): bigint =>
  (BigInt(Math.round(coins * MICRO)) * 10n ** BigInt(decimals)) / BigInt(MICRO)

/** Rounds down; amounts too large for a number become approximate. */
export const toCoins = (units: bigint, { decimals }: Token): number =>
  Number((units * BigInt(MICRO)) / 10n ** BigInt(decimals)) / MICRO
