import type { realTime } from '../real-time.ts'

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

interface Answer<Result> {
  result?: Result
  error?: { message?: string }
}

/** JSON-RPC to the node of a development chain. */
export function createRpc(url: string, { fetch, time, fail }: RpcTools) {
  let id = 0
  return { url, time, fail, call }

  /** Throws for a node that does not answer, and for an error that it answers. */
  async function call<Result>(method: string, ...params: unknown[]): Promise<Result> {
    const { result, error } = await post<Result>(method, params)
    if (error) throw fail(`${method}: ${error.message ?? 'an error'}.`)
    if (result === undefined) throw fail(`${method}: the node answered nothing.`)
    return result
  }

  async function post<Result>(method: string, params: unknown[]): Promise<Answer<Result>> {
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
      return await readAnswer<Result>(response)
    } catch (error) {
      throw fail(`The chain at ${url} ${whyOf(error, aborting.signal)}.`)
    } finally {
      time.clearTimeout(timer)
    }
  }
}

async function readAnswer<Result>({ body }: Response): Promise<Answer<Result>> {
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

function whyOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return `does not answer within ${CALL_MAX_MS / 1000} s`
  if (error instanceof SyntaxError) return 'answers no JSON-RPC'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { code, message } = cause as { code?: string; message?: string }
  return `cannot be reached: ${code ?? message ?? String(error)}`
}
