import type { Feed, FeedEntry } from '../../engine/feed.ts'

/** Entries in one chunk, so that a long catch-up lets other calls through. */
const CHUNK_MAX = 100
/** Shorter than what proxies take for a dead connection. */
const HEARTBEAT_MS = 15_000
/** How soon a browser comes back. */
const RETRY_MS = 1_000

export const EVENT_STREAM = 'text/event-stream'
export const EVENT_STREAM_HEADERS = { 'content-type': EVENT_STREAM, 'cache-control': 'no-cache' }

export interface EventStreamOptions {
  feed: Feed
  signal: AbortSignal
  /** What to send first. */
  before: readonly FeedEntry[]
  /** Where in the feed to go on. */
  position: number
  /** As server-sent events; empty for what the reader does not want. */
  render(entry: FeedEntry): string
}

/**
 * Server-sent events, read from the feed only as fast as the reader takes them: nothing is buffered
 * for a slow one. Entries that the feed has forgotten before they were read are counted in a `lost`
 * event. A reader that takes nothing from one heartbeat to the next is dropped.
 */
export function createEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { feed, signal } = options
  const encoder = new TextEncoder()
  const read = createFeedReader(options)
  let wake = () => {}
  let pulls = 0
  let isOver = false
  let stop = () => {}

  return new ReadableStream<Uint8Array>({
    start(controller) {
      let pullsBefore = -1
      const unfollow = feed.follow(({ kind }) => (kind === 'closed' ? close() : wake()))
      const heartbeat = setInterval(beat, HEARTBEAT_MS)
      heartbeat.unref()
      signal.addEventListener('abort', close)
      controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`))
      stop = () => {
        isOver = true
        unfollow()
        clearInterval(heartbeat)
        signal.removeEventListener('abort', close)
        wake()
      }
      function close() {
        if (isOver) return
        stop()
        controller.close()
      }
      function beat() {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(':\n\n'))
        else if (pulls === pullsBefore) close()
        pullsBefore = pulls
      }
    },
    async pull(controller) {
      pulls++
      while (!isOver) {
        const text = read()
        if (text) return controller.enqueue(encoder.encode(text))
        if (text === undefined) await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    cancel: () => stop(),
  })
}

/** Reads the feed, a chunk each time; undefined when there is nothing more yet. */
function createFeedReader({ feed, render, ...start }: EventStreamOptions) {
  let { before, position } = start
  return function read(): string | undefined {
    if (position < feed.since) before = []
    if (before.length > 0) {
      const first = before.slice(0, CHUNK_MAX)
      before = before.slice(CHUNK_MAX)
      return first.map(render).join('')
    }
    const entries = feed.after(position, CHUNK_MAX)
    const last = entries.at(-1)
    if (last === undefined) return undefined
    const lost = (entries[0]?.position ?? 0) - Math.max(position, feed.since) - 1
    position = last.position
    return (lost > 0 ? formatLost(lost) : '') + entries.map(render).join('')
  }
}

const formatLost = (count: number) => `event: lost\ndata: ${JSON.stringify({ count })}\n\n`
