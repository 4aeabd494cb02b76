import type { ReadableWritablePair } from 'node:stream/web'
import { EventSourceParserStream } from 'eventsource-parser/stream'

/** One server-sent event. */
interface ServerEvent {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: each kind has fields of its own
  data: any
}

export type SseReader = ReturnType<typeof readSse>

/** Reads server-sent events one by one, as a browser takes them apart. */
export function readSse({ status, headers, body }: Response) {
  const type = headers.get('content-type')
  if (status !== 200 || type !== 'text/event-stream' || !body) {
    throw new Error(`No event stream but ${status} ${type}`)
  }
  // The types of Node and of the platform name its bytes differently.
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>
  const reader = body.pipeThrough(decoder).pipeThrough(new EventSourceParserStream()).getReader()
  async function next(): Promise<ServerEvent> {
    const { value } = await reader.read()
    if (value === undefined) throw new Error('The stream has ended.')
    return { id: value.id, event: value.event ?? 'message', data: JSON.parse(value.data) }
  }
  return {
    next,
    /** So many of them. */
    async take(count: number): Promise<ServerEvent[]> {
      const all: ServerEvent[] = []
      while (all.length < count) all.push(await next())
      return all
    },
    /** Whether the stream ends without another event. */
    ended: async () => (await reader.read()).done,
    close: () => reader.cancel(),
  }
}
