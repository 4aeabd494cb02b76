import type { MessagePort, Worker } from 'node:worker_threads'
import { SandboxError, toUnreachable } from '../client/error.ts'
import type { HttpClient, HttpRequest, HttpResponse, Query } from '../client/http.ts'

/** A call that the thread of a scenario asks for. */
export interface ThreadCall {
  kind: 'call'
  id: number
  request: HttpRequest
}

type Reply =
  | { id: number; response: HttpResponse }
  | { id: number; error: Pick<SandboxError, 'message' | 'code'> }

/**
 * Lets the thread that started a scenario make its calls, because loading `fetch` in each thread
 * takes longer than most scenarios.
 */
export class ThreadClient implements Pick<HttpClient, 'send'> {
  readonly url: string
  readonly #port: MessagePort
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #calls = 0

  constructor(port: MessagePort, url: string) {
    this.url = url
    this.#port = port.on('message', (reply: Reply) => this.#waiting.get(reply.id)?.(reply))
    // A thread without a call under way may end.
    port.unref()
  }

  async send({ method, path, query, headers, body, text = JSON.stringify(body) }: HttpRequest) {
    const request = { method, path, query: toTexts(query), headers, text }
    const reply = await this.#ask({ kind: 'call', id: this.#calls++, request })
    if ('error' in reply) throw new SandboxError(reply.error.message, reply.error)
    return reply.response
  }

  async #ask(call: ThreadCall): Promise<Reply> {
    this.#port.postMessage(call)
    this.#port.ref()
    try {
      return await new Promise((resolve) => this.#waiting.set(call.id, resolve))
    } finally {
      this.#waiting.delete(call.id)
      if (this.#waiting.size === 0) this.#port.unref()
    }
  }
}

/** Converts values to text, because a value such as a URL cannot be sent to another thread. */
function toTexts(query: Query = {}): Query {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** Makes a call for a thread, and sends it the response or the error. */
export async function callFor(worker: Worker, { id, request }: ThreadCall, http: HttpClient) {
  const reply = await http.send(request).then(
    (response): Reply => ({ id, response }),
    (error): Reply => {
      const { message, code } = toUnreachable(error, http.url + request.path)
      return { id, error: { message, code } }
    },
  )
  worker.postMessage(reply)
}
