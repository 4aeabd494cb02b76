import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Sandbox } from '../client/client.ts'
import { realTime } from '../real-time.ts'
import { PARSE_FAILURE, respondToMessage } from './server.ts'

/** Time that running calls have after the input ends. Clients wait two seconds. */
const END_MAX_MS = 1_000

interface StdioOptions {
  sandbox: Sandbox
  input: Readable
  output: Writable
  /** Stops the server while the input is still open. */
  signal: AbortSignal
}

/**
 * Speaks the protocol over lines of JSON until the input ends. Calls run side by side, because one
 * that waits for an event may wait for what another does.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { sandbox, input, output, signal: ended } = options
  const running = new Map<unknown, AbortController>()
  const ending = new Set<Promise<void>>()
  for await (const line of createInterface({ input, signal: ended })) {
    if (line.trim() === '') continue
    const handled = handle(line)
    ending.add(handled)
    void handled.finally(() => ending.delete(handled))
  }
  const end = realTime.setTimeout(abortAll, END_MAX_MS)
  await Promise.allSettled(ending)
  realTime.clearTimeout(end)

  function abortAll() {
    for (const controller of running.values()) controller.abort()
  }

  async function handle(line: string) {
    let message: { id?: unknown; method?: string; params?: { requestId?: unknown } } | null
    try {
      message = JSON.parse(line)
    } catch {
      return write(PARSE_FAILURE)
    }
    if (message?.method === 'notifications/cancelled') {
      return running.get(message.params?.requestId)?.abort()
    }
    const controller = new AbortController()
    running.set(message?.id, controller)
    const { signal } = controller
    const response = await respondToMessage(message, { sandbox, signal })
    running.delete(message?.id)
    if (response && !signal.aborted) write(response)
  }

  function write(message: object) {
    output.write(`${JSON.stringify(message)}\n`)
  }
}
