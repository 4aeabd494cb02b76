/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: each kind has fields of its own
  data: any
}

/** Reads server-sent events one by one, as a browser takes them apart. */
export interface SseReader {
  next(): Promise<ServerEvent>
  /** So many of them. */
  take(count: number): Promise<ServerEvent[]>
  /** Whether the stream ends without another event. */
  ended(): Promise<boolean>
  close(): Promise<void>
}

export function readSse(response: Response): SseReader {
  const type = response.headers.get('content-type')
  if (response.status !== 200 || type !== 'text/event-stream' || !response.body) {
    throw new Error(`No event stream but ${response.status} ${type}`)
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  return {
    async next() {
      for (;;) {
        const block = await nextBlock()
        if (block === undefined) throw new Error('The stream has ended.')
        const event = parse(block)
        if (event) return event
      }
    },
    async take(count) {
      const all: ServerEvent[] = []
      while (all.length < count) all.push(await this.next())
      return all
    },
    async ended() {
      for (;;) {
        const block = await nextBlock()
        if (block === undefined) return true
        if (parse(block)) return false
      }
    },
    close: () => reader.cancel(),
  }

  async function nextBlock(): Promise<string | undefined> {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const block = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        return block
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      buffer += value
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  if (fields.data === undefined) return undefined
  return { id: fields.id, event: fields.event ?? 'message', data: JSON.parse(fields.data) }
}
