import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Coin } from '../world/state.ts'
import { SELECTORS, TOPICS } from './coin.ts'
import { bytes, type Rpc, word } from './rpc.ts'

export interface Token {
  coin: Coin
  address: string
  decimals: number
  /** Deployed here, with the platform's account as its minter. */
  isOwn: boolean
}

export interface Payout {
  token: Token
  /** The platform's account. */
  account: string
  /** Names the payment on the chain, so that it is made once however often it is asked for. */
  ref: string
  wallet: string
  units: bigint
  /** The first block that it may be in. */
  from: number
}

/** Sends the coins, unless that happened before; the hash, once they are in a block. */
export async function payOut(rpc: Rpc, payout: Payout): Promise<string> {
  const { token, account, ref, wallet, units } = payout
  const before = await findPayout(rpc, payout)
  if (before !== undefined) return before
  const data = token.isOwn
    ? encodeCall(SELECTORS.mint, wallet, units, ref)
    : // The token ignores what follows the arguments, and `findTransfer` finds it again.
      encodeCall(SELECTORS.transfer, wallet, units, ref)
  try {
    return await rpc.sendAndWait({ from: account, to: token.address, data })
  } catch (error) {
    // Another process may have made the same payment meanwhile, so that this one fails.
    const made = await findPayout(rpc, payout).catch(() => undefined)
    if (made !== undefined) return made
    throw error
  }
}

const findPayout = (rpc: Rpc, payout: Payout): Promise<string | undefined> =>
  payout.token.isOwn ? findMint(rpc, payout) : findTransfer(rpc, payout)

const logs = z.array(z.object({ transactionHash: word }))
const call = z.object({ hash: word, input: bytes })
const pendingBlock = z.object({ transactions: z.array(call) }).nullable()

/** The contract mints a reference once, and remembers the block. */
async function findMint(rpc: Rpc, { token, ref }: Payout): Promise<string | undefined> {
  const data = encodeCall(SELECTORS.mintedIn, ref)
  const block = BigInt(await callToken(rpc, token.address, data))
  if (block === 0n) return undefined
  const [log] = await rpc.call('eth_getLogs', logs, {
    address: token.address,
    fromBlock: toQuantity(block),
    toBlock: toQuantity(block),
    topics: [TOPICS.Minted, ref],
  })
  return log?.transactionHash
}

/** A token of somebody else remembers no reference, but the call that moved it ends with it. */
async function findTransfer(rpc: Rpc, payout: Payout): Promise<string | undefined> {
  const { token, account, wallet, ref, from } = payout
  const found = await rpc.call('eth_getLogs', logs, {
    address: token.address,
    fromBlock: toQuantity(from),
    toBlock: 'latest',
    topics: [TOPICS.Transfer, toTopic(account), toTopic(wallet)],
  })
  for (const { transactionHash: hash } of found) {
    const made = await rpc.call('eth_getTransactionByHash', call.nullable(), hash)
    if (made?.input.endsWith(ref.slice(2))) return hash
  }
  const pending = await rpc.call('eth_getBlockByNumber', pendingBlock, 'pending', true)
  const waiting = pending?.transactions.find(({ input }) => input.endsWith(ref.slice(2)))
  if (waiting) throw rpc.fail(`${waiting.hash} is in no block yet; try again later.`)
  return undefined
}

/** Mints coins that nothing names, so that an account has some to send. */
export async function mint(rpc: Rpc, { address }: Token, minting: Minting): Promise<void> {
  const { account, to, units } = minting
  const data = encodeCall(SELECTORS.mint, to, units, toRef(randomUUID()))
  await rpc.sendAndWait({ from: account, to: address, data })
}

interface Minting {
  account: string
  to: string
  units: bigint
}

export const transfer = (rpc: Rpc, { address }: Token, { account: from, to, units }: Minting) =>
  rpc.sendAndWait({ from, to: address, data: encodeCall(SELECTORS.transfer, to, units) })

/** In the token's own units. */
export async function readBalance(rpc: Rpc, { address }: Token, of: string): Promise<bigint> {
  return BigInt(await callToken(rpc, address, encodeCall(SELECTORS.balanceOf, of)))
}

/** Reads one word from a token; an address without code responds with `0x`. */
export async function callToken(rpc: Rpc, to: string, data: string): Promise<string> {
  const read = await rpc.call('eth_call', word.or(z.literal('0x')), { to, data }, 'latest')
  if (read !== '0x') return read
  throw rpc.fail(`There is no token at ${to} on the chain at ${rpc.url}.`)
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

/** Rounded down; beyond what a number holds exactly, about as many. */
export const toCoins = (units: bigint, { decimals }: Token): number =>
  Number((units * BigInt(MICRO)) / 10n ** BigInt(decimals)) / MICRO
