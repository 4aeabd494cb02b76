import { type Is, isQuantity, isWord, objectOf, orNull } from './results.ts'
import type { Rpc } from './rpc.ts'

export interface Receipt {
  blockHash: string
  blockNumber: string
  status: string
}

const RECEIPT_MAX_MS = 30_000
const RECEIPT_STEP_MS = 40

export const isReceipt = objectOf<Receipt>({
  blockHash: isWord,
  blockNumber: isQuantity,
  status: isQuantity,
})

/** All that is asked of a token is one word; an address without code answers `0x`. */
const isTokenAnswer: Is<string> = (value) => value === '0x' || isWord(value)

export async function callToken(rpc: Rpc, to: string, data: string): Promise<string> {
  const answer = await rpc.call('eth_call', isTokenAnswer, { to, data }, 'latest')
  if (answer !== '0x') return answer
  throw rpc.fail(`There is no token at ${to} on the chain at ${rpc.url}.`)
}

/** Waits for the receipt; throws for a transaction that the chain rejects. */
export async function sendAndWait(rpc: Rpc, transaction: object): Promise<string> {
  const hash = await rpc.call('eth_sendTransaction', isWord, transaction)
  await waitForReceipt(rpc, hash)
  return hash
}

export async function waitForReceipt(rpc: Rpc, hash: string): Promise<void> {
  const deadline = rpc.time.elapsed() + RECEIPT_MAX_MS
  for (;;) {
    const receipt = await rpc.call('eth_getTransactionReceipt', orNull(isReceipt), hash)
    if (receipt?.status === '0x0') throw rpc.fail(`The chain reverted ${hash}.`)
    if (receipt) return
    if (rpc.time.elapsed() > deadline) {
      throw rpc.fail(`${hash} is in no block after ${RECEIPT_MAX_MS / 1000} s.`)
    }
    await rpc.time.pause(RECEIPT_STEP_MS)
  }
}
