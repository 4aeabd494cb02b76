import * as z from 'zod'
import { reasonOf, SandboxError } from '../client/error.ts'
import { createHttpClient, type HttpClient } from '../client/http.ts'
import { realTime } from '../real-time.ts'
import type { NodeFetch } from './attached-chain.ts'

const CALL_MAX_MS = 5_000
const RECEIPT_MAX_MS = 30_000
const RECEIPT_STEP_MS = 40
const SEND_TRIES_MAX = 8
const TAKEN_NONCE = /nonce|replacement transaction|already (imported|known)/i
/** Limit of a node's message, which may be long. */
const REASON_LENGTH_MAX = 400

/** JSON-RPC to the node of a development chain. */
export class Rpc {
  readonly url: string
  readonly #http: HttpClient
  #id = 0

  constructor(url: string, fetch: NodeFetch) {
    this.url = url
    // A redirect could lead to a node that is not private.
    this.#http = createHttpClient({
      url,
      fetch: (to, init) => fetch(to, { ...init, redirect: 'error' }),
    })
  }

  /** Throws for a node that does not respond, for an error, and for a result of another kind. */
  async call<Result>(
    method: string,
    expected: z.ZodType<Result>,
    ...params: unknown[]
  ): Promise<Result> {
    const { result, error } = await this.#post({ jsonrpc: '2.0', id: ++this.#id, method, params })
    if (error) throw chainError(`${method}: ${error.message}.`)
    const { success, data } = expected.safeParse(result)
    if (success) return data
    throw chainError(`${method}: the node at ${this.url} sent a wrong kind of result.`)
  }

  async #post(body: object) {
    const signal = AbortSignal.timeout(CALL_MAX_MS)
    try {
      const response = await this.#http.send({ method: 'POST', path: '', body, signal })
      return rpcResponse.parse(response.body)
    } catch (error) {
      const why = signal.aborted ? `does not respond within ${CALL_MAX_MS / 1000} s` : whyNot(error)
      throw chainError(`The chain at ${this.url} ${why}.`)
    }
  }

  /** Resolves with the hash once the transaction is in a block; throws where the chain reverts it. */
  async sendAndWait(transaction: object): Promise<string> {
    const hash = await this.#send(transaction)
    await this.waitForReceipt(hash)
    return hash
  }

  /** Tries again where the node gave the same nonce to another sender of the account. */
  async #send(transaction: object): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.call('eth_sendTransaction', word, transaction)
      } catch (error) {
        if (tries === SEND_TRIES_MAX || !TAKEN_NONCE.test(String(error))) throw error
        await realTime.pause(RECEIPT_STEP_MS * tries)
      }
    }
  }

  async waitForReceipt(hash: string): Promise<void> {
    const deadline = realTime.elapsed() + RECEIPT_MAX_MS
    for (;;) {
      const found = await this.call('eth_getTransactionReceipt', receipt, hash)
      if (found?.status === 0) throw chainError(`The chain reverted ${hash}.`)
      if (found) return
      if (realTime.elapsed() > deadline) {
        throw chainError(`${hash} is in no block after ${RECEIPT_MAX_MS / 1000} s.`)
      }
      await realTime.pause(RECEIPT_STEP_MS)
    }
  }
}

/** An error of the chain or its node. */
export const chainError = (message: string): SandboxError =>
  new SandboxError(message.slice(0, REASON_LENGTH_MAX), { code: 'chain' })

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
