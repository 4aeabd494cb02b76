import type { realTime } from '../real-time.ts'
import type { Is } from './results.ts'

const CALL_MAX_MS = 5_000
/** Much longer than the events of a development chain. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024

export type Rpc = ReturnType<typeof createRpc>

export type NodeFetch = (url: string, init: RequestInit) => Promise<Response>

/** What it would import from the rest of the program: a start would then load more files. */
export interface RpcTools {
  fetch: NodeFetch
  time: typeof realTime
  /** Makes an error of the world. */
  fail(message: string): Error
}

interface Answer {
  result?: unknown
  error?: { message?: unknown }
}

/** JSON-RPC to the node of a development chain. */
export function createRpc(url: string, { fetch, time, fail }: RpcTools) {
  let id = 0
  return { url, time, fail, call }

  /** Throws for a node that does not answer, and for what is an error or no result of the method. */
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
    throw fail(
      `${method}: the node at ${url} answered a wrong kind of result: ${describe(result)}.`,
    )
  }

  async function post(method: string, params: unknown[]): Promise<Answer> {
    const aborting = new AbortController()
    const timer = time.setTimeout(() => aborting.abort(), CALL_MAX_MS)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
        signal: aborting.signal,
        redirect: 'error',
      })
      return await readAnswer(response)
    } catch (error) {
      throw fail(`The chain at ${url} ${whyOf(error, aborting.signal)}.`)
    } finally {
      time.clearTimeout(timer)
    }
  }
}

async function readAnswer({ body }: Response): Promise<Answer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > ANSWER_BYTES_MAX) throw new SyntaxError('It does not end.')
    pieces.push(piece)
  }
  const answer: unknown = JSON.parse(Buffer.concat(pieces).toString())
  if (answer === null || typeof answer !== 'object') throw new SyntaxError('It is no object.')
  return answer
}

/** A list or an object may be too deep to be written. */
function describe(result: unknown): string {
  if (result === undefined) return 'nothing'
  if (Array.isArray(result)) return 'a list'
  return result !== null && typeof result === 'object' ? 'an object' : String(result)
}

function whyOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return `does not answer within ${CALL_MAX_MS / 1000} s`
  if (error instanceof SyntaxError) return 'answers no JSON-RPC'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { code, message } = cause as { code?: string; message?: string }
  return `cannot be reached: ${code ?? message ?? String(error)}`
}
