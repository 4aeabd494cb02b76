import { randomUUID } from 'node:crypto'
import type { Micros } from '../world/money.ts'
import type { Coin } from '../world/state.ts'
import { encodeCall, toUnits } from './abi.ts'
import { callToken, sendAndWait } from './calls.ts'
import { SELECTORS } from './coin.ts'
import { type NodeState, type Token, unlock } from './node.ts'
import type { Rpc } from './rpc.ts'

export interface Sending {
  coin: Coin
  to: string
  amount: Micros
  /** The funded account where it is undefined. */
  from?: string | undefined
}

/** The funded account gets what it lacks first, where the platform mints; another one does not. */
export async function sendCoins(
  rpc: Rpc,
  { account, funded, tokens }: NodeState,
  { coin, to, amount, from = funded }: Sending,
): Promise<{ hash: string; from: string }> {
  const token = tokens.find((each) => each.coin === coin)
  if (token === undefined) throw rpc.fail(`${coin} is not on this chain.`)
  const units = toUnits(amount, token.decimals)
  const balance = await readBalance(rpc, token, from)
  if (balance < units) {
    if (!token.isOwn || from.toLowerCase() !== funded.toLowerCase()) {
      throw rpc.fail(`${from} has too few ${coin}; send it some first.`)
    }
    const ref = randomUUID().replaceAll('-', '')
    const data = encodeCall(SELECTORS.mint, from, units, ref)
    await sendAndWait(rpc, { from: account, to: token.address, data })
  }
  await unlock(rpc, from)
  const data = encodeCall(SELECTORS.transfer, to, units)
  return { hash: await sendAndWait(rpc, { from, to: token.address, data }), from }
}

/** In the token's own units. */
export async function readBalance(rpc: Rpc, { address }: Token, of: string): Promise<bigint> {
  return BigInt(await callToken(rpc, address, encodeCall(SELECTORS.balanceOf, of)))
}
