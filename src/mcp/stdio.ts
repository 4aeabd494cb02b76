import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Sandbox } from '../client/client.ts'
import { answerMessage, type RpcMessage, toParseError } from './server.ts'

interface StdioOptions {
  sandbox: Sandbox
  input: Readable
  output: Writable
}

/**
 * Speaks the protocol over lines of JSON until the input ends. Calls run side by side, because one
 * that waits for an event may wait for what another does.
 */
export async function serveStdio({ sandbox, input, output }: StdioOptions): Promise<void> {
  const running = new Map<unknown, AbortController>()
  const ending = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const answered = answer(line)
    ending.add(answered)
    void answered.finally(() => ending.delete(answered))
  }
  for (const controller of running.values()) controller.abort()
  await Promise.allSettled(ending)

  async function answer(line: string) {
    const message = parse(line)
    if (message === undefined) return write(toParseError())
    if (message?.method === 'notifications/cancelled') {
      return running.get(message.params?.requestId)?.abort()
    }
    const controller = new AbortController()
    running.set(message?.id, controller)
    const { signal } = controller
    const answered = await answerMessage(message, { sandbox, signal })
    running.delete(message?.id)
    if (answered && !signal.aborted) write(answered)
  }

  function write(message: object) {
    output.write(`${JSON.stringify(message)}\n`)
  }
}

/** Undefined where it is no JSON; what else may be wrong with it is found later. */
function parse(line: string): RpcMessage | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
