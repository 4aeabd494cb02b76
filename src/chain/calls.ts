import type { Rpc } from './rpc.ts'

export interface Receipt {
  blockHash: string
  blockNumber: string
  status: string
}

const RECEIPT_MAX_MS = 30_000
const RECEIPT_STEP_MS = 40

export const callToken = (rpc: Rpc, to: string, data: string) =>
  rpc.call<string>('eth_call', { to, data }, 'latest')

/** Waits for the receipt; throws for a transaction that the chain rejects. */
export async function sendAndWait(rpc: Rpc, transaction: object): Promise<string> {
  const hash = await rpc.call<string>('eth_sendTransaction', transaction)
  await waitForReceipt(rpc, hash)
  return hash
}

export async function waitForReceipt(rpc: Rpc, hash: string): Promise<void> {
  const deadline = rpc.time.elapsed() + RECEIPT_MAX_MS
  for (;;) {
    const receipt = await rpc.call<Receipt | null>('eth_getTransactionReceipt', hash)
    if (receipt?.status === '0x0') throw rpc.fail(`The chain reverted ${hash}.`)
    if (receipt) return
    if (rpc.time.elapsed() > deadline) {
      throw rpc.fail(`${hash} is in no block after ${RECEIPT_MAX_MS / 1000} s.`)
    }
    await rpc.time.pause(RECEIPT_STEP_MS)
  }
}
