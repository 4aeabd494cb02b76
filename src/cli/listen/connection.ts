import type { ReadableWritablePair } from 'node:stream/web'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { connectSandbox } from '../../client/connect.ts'
import { createHttpClient } from '../../client/http.ts'

export { toCommandError } from '../remote.ts'

export interface StreamEvent {
  event: string
  data: unknown
}

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

async function* readOn({ body }: Response, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  if (body === null) return
  const text = body.pipeThrough(new TextDecoderStream() as Decoder)
  try {
    for await (const { event, data } of text.pipeThrough(new EventSourceParserStream())) {
      if (event !== undefined) yield { event, data: JSON.parse(data) }
    }
  } catch (error) {
    // A connection that broke is a TypeError of `fetch`.
    if (!signal.aborted && !(error instanceof TypeError)) throw error
  }
}

/** The types of Node and of the platform name its bytes differently. */
type Decoder = ReadableWritablePair<string, Uint8Array>
