import { readText, UnreadableResponse } from '../client/read-body.ts'
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

interface RpcResponse {
  result?: unknown
  error?: { message?: unknown }
}

/** JSON-RPC to the node of a development chain. */
export function createRpc(url: string, { fetch, fail }: RpcTools) {
  let id = 0
  return { url, fail, call, sendAndWait, waitForReceipt }

  /** Throws for a node that does not respond, for an error, and for a result of another kind. */
  async function call<Result>(
    method: string,
    isResult: Is<Result>,
    ...params: unknown[]
  ): Promise<Result> {
    const { result, error } = await post(method, params)
    if (error) {
      const { message } = error
      throw fail(`${method}: ${typeof message === 'string' ? message : 'an error'}.`)
    }
    if (result !== undefined && isResult(result)) return result
    throw fail(`${method}: the node at ${url} sent a wrong kind of result: ${describe(result)}.`)
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
        return await call('eth_sendTransaction', isWord, transaction)
      } catch (error) {
        if (tries === SEND_TRIES_MAX || !TAKEN_NONCE.test(String(error))) throw error
        await realTime.pause(RECEIPT_STEP_MS * tries)
      }
    }
  }

  async function waitForReceipt(hash: string): Promise<void> {
    const deadline = realTime.elapsed() + RECEIPT_MAX_MS
    for (;;) {
      const receipt = await call('eth_getTransactionReceipt', orNull(isReceipt), hash)
      if (receipt?.status === '0x0') throw fail(`The chain reverted ${hash}.`)
      if (receipt) return
      if (realTime.elapsed() > deadline) {
        throw fail(`${hash} is in no block after ${RECEIPT_MAX_MS / 1000} s.`)
      }
      await realTime.pause(RECEIPT_STEP_MS)
    }
  }

  async function post(method: string, params: unknown[]): Promise<RpcResponse> {
    const aborting = new AbortController()
    const timer = realTime.setTimeout(() => aborting.abort(), CALL_MAX_MS)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
        signal: aborting.signal,
        redirect: 'error',
      })
      return await readResponse(response)
    } catch (error) {
      throw fail(`The chain at ${url} ${reasonOf(error, aborting.signal)}.`)
    } finally {
      realTime.clearTimeout(timer)
    }
  }
}

async function readResponse(response: Response): Promise<RpcResponse> {
  const read: unknown = JSON.parse(await readText(response))
  if (read === null || typeof read !== 'object') throw new SyntaxError('Not an object.')
  return read
}

/** A list or an object may be too deep to be written. */
function describe(result: unknown): string {
  if (result === undefined) return 'nothing'
  if (Array.isArray(result)) return 'a list'
  return result !== null && typeof result === 'object' ? 'an object' : String(result)
}

function reasonOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return `does not respond within ${CALL_MAX_MS / 1000} s`
  if (error instanceof SyntaxError || error instanceof UnreadableResponse) {
    return 'does not respond with JSON-RPC'
  }
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { code, message } = cause as { code?: string; message?: string }
  return `cannot be reached: ${code ?? message ?? String(error)}`
}

/** Checks the result of a method before anything trusts it. */
export type Is<Result> = (value: unknown) => value is Result

/** A length, number or id that a number holds exactly. */
export const isQuantity: Is<string> = (value) => isText(value, /^0x[0-9a-f]{1,13}$/i)
/** A number of up to 256 bits. */
export const isBigQuantity: Is<string> = (value) => isText(value, /^0x[0-9a-f]{1,64}$/i)
export const isAddress: Is<string> = (value) => isText(value, /^0x[0-9a-f]{40}$/i)
/** A hash, or any other 32 bytes. */
export const isWord: Is<string> = (value) => isText(value, /^0x[0-9a-f]{64}$/i)
export const isBytes: Is<string> = (value): value is string =>
  isText(value, /^0x/) && value.length % 2 === 0 && !/[^0-9a-f]/i.test(value.slice(2))
export const isAnything: Is<unknown> = (_): _ is unknown => true

export const listOf =
  <Item>(isItem: Is<Item>): Is<Item[]> =>
  (value): value is Item[] =>
    Array.isArray(value) && value.every(isItem)

export const orNull =
  <Result>(is: Is<Result>): Is<Result | null> =>
  (value): value is Result | null =>
    value === null || is(value)

/** An object with these fields, and perhaps others. */
export const objectOf =
  <Fields extends object>(fields: { [Name in keyof Fields]: Is<Fields[Name]> }): Is<Fields> =>
  (value): value is Fields =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Is<unknown>>(fields).every(([name, is]) => is(Reflect.get(value, name)))

const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value)

const isReceipt = objectOf<{ status: string }>({ status: isQuantity })
