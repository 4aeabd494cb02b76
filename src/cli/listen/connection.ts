import { connectSandbox } from '../../client/connect.ts'
import { SandboxError } from '../../client/error.ts'
import { createHttpClient } from '../../client/http.ts'
import { DomainError } from '../../world/domain-error.ts'
import { unreachable } from '../remote.ts'
import { readEventStream, type StreamEvent } from './event-stream.ts'

interface Place {
  url: string
  controlToken: string | undefined
}

export type Connection = ReturnType<typeof connect>

/** A sandbox that runs. It is loaded when it is asked for, because no start needs it. */
export function connect(place: Place, signal: AbortSignal) {
  const { control, url } = connectSandbox(place.url, place)
  return { url, control, follow }

  /** What the feed has from here on, until the signal, or until the sandbox goes away. */
  async function follow(only: string): Promise<AsyncGenerator<StreamEvent>> {
    const path = '/_sandbox/events/stream'
    const http = createHttpClient({ ...place, url })
    const response = await http.open({ method: 'GET', path, query: { only }, signal })
    return readOn(response, signal)
  }
}

async function* readOn(response: Response, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const events = readEventStream(response)
  for (;;) {
    const { value, done } = await events.next().catch((error: unknown) => {
      // A connection that broke is a TypeError of `fetch`.
      if (!signal.aborted && !(error instanceof TypeError)) throw error
      return { value: undefined, done: true }
    })
    if (done || value === undefined) return
    yield value
  }
}

/** What the control API answered, as errors of a command. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error
  if (error.status === undefined) return unreachable(error)
  return new DomainError('conflict', 'webhooks', error.message)
}
