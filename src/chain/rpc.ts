import * as z from 'zod'
import { reasonOf, SandboxError } from '../client/error.ts'
import { createHttpClient } from '../client/http.ts'
import { realTime } from '../real-time.ts'

const CALL_MAX_MS = 5_000
const RECEIPT_MAX_MS = 30_000
const RECEIPT_STEP_MS = 40
const SEND_TRIES_MAX = 8
const TAKEN_NONCE = /nonce|replacement transaction|already (imported|known)/i

export type Rpc = ReturnType<typeof createRpc>

export type NodeFetch = (url: string, init: RequestInit) => Promise<Response>

export interface RpcTools {
  fetch: NodeFetch
  /** Makes the error that callers understand. */
  fail(message: string): Error
}

/** JSON-RPC to the node of a development chain. */
export function createRpc(url: string, { fetch, fail }: RpcTools) {
  // A redirect could lead to a node that is not private.
  const http = createHttpClient({
    url,
    fetch: (to, init) => fetch(to, { ...init, redirect: 'error' }),
  })
  let id = 0
  return { url, fail, call, sendAndWait, waitForReceipt }

  /** Throws for a node that does not respond, for an error, and for a result of another kind. */
  async function call<Result>(
    method: string,
    expected: z.ZodType<Result>,
    ...params: unknown[]
  ): Promise<Result> {
    const { result, error } = await post({ jsonrpc: '2.0', id: ++id, method, params })
    if (error) throw fail(`${method}: ${error.message}.`)
    const { success, data } = expected.safeParse(result)
    if (success) return data
    throw fail(`${method}: the node at ${url} sent a wrong kind of result.`)
  }

  async function post(body: object) {
    const signal = AbortSignal.timeout(CALL_MAX_MS)
    try {
      const response = await http.send({ method: 'POST', path: '', body, signal })
      return rpcResponse.parse(response.body)
    } catch (error) {
      const why = signal.aborted ? `does not respond within ${CALL_MAX_MS / 1000} s` : whyNot(error)
      throw fail(`The chain at ${url} ${why}.`)
    }
  }

  /** Resolves with the hash once the transaction is in a block; throws where the chain reverts it. */
  async function sendAndWait(transaction: object): Promise<string> {
    const hash = await send(transaction)
    await waitForReceipt(hash)
    return hash
  }

  /** Tries again where the node gave the same nonce to another sender of the account. */
  async function send(transaction: object): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await call('eth_sendTransaction', word, transaction)
      } catch (error) {
        if (tries === SEND_TRIES_MAX || !TAKEN_NONCE.test(String(error))) throw error
        await realTime.pause(RECEIPT_STEP_MS * tries)
      }
    }
  }

  async function waitForReceipt(hash: string): Promise<void> {
    const deadline = realTime.elapsed() + RECEIPT_MAX_MS
    for (;;) {
      const found = await call('eth_getTransactionReceipt', receipt, hash)
      if (found?.status === 0) throw fail(`The chain reverted ${hash}.`)
      if (found) return
      if (realTime.elapsed() > deadline) {
        throw fail(`${hash} is in no block after ${RECEIPT_MAX_MS / 1000} s.`)
      }
      await realTime.pause(RECEIPT_STEP_MS)
    }
  }
}

function whyNot(error: unknown): string {
  const isUnreachable = error instanceof SandboxError && error.code === 'unreachable'
  if (isUnreachable) return `cannot be reached: ${reasonOf(error.cause)}`
  return 'does not respond with JSON-RPC'
}

const rpcResponse = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string().catch('an error') }).nullish(),
})

const hex = (pattern: RegExp) => z.string().regex(pattern)
/** A length, number or id that a number holds exactly. */
export const quantity = hex(/^0x[0-9a-f]{1,13}$/i).transform(Number)
/** A number of up to 256 bits. */
export const bigQuantity = hex(/^0x[0-9a-f]{1,64}$/i).transform(BigInt)
export const address = hex(/^0x[0-9a-f]{40}$/i)
/** A hash, or any other 32 bytes. */
export const word = hex(/^0x[0-9a-f]{64}$/i)
export const bytes = z
  .string()
  .refine((text) => /^0x/.test(text) && text.length % 2 === 0 && !/[^0-9a-f]/i.test(text.slice(2)))

const receipt = z.object({ status: quantity }).nullable()
