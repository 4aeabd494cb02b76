import type { Feed, FeedEntry } from '../../engine/feed.ts'
import { realTime } from '../../real-time.ts'
import type { FeedChunks } from './feed-chunks.ts'

/** Events from before the stream in one chunk, so that many of them let other calls through. */
const BEFORE_MAX = 100
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
  chunks: FeedChunks
  /** Called once the stream is over. */
  onEnd?: (() => void) | undefined
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
      const unfollow = feed.followEnd(close)
      const leave = feed.pace.join(() => wake())
      const heartbeat = realTime.setInterval(beat, HEARTBEAT_MS)
      heartbeat.unref()
      signal.addEventListener('abort', close)
      controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`))
      stop = () => {
        isOver = true
        unfollow()
        leave()
        options.onEnd?.()
        realTime.clearInterval(heartbeat)
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
        const bytes = read()
        if (bytes) return controller.enqueue(bytes)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    cancel: () => stop(),
  })
}

/** Reads the feed, a chunk each time; undefined when there is nothing more now. */
function createFeedReader({ feed, chunks, ...start }: EventStreamOptions) {
  let { before, position } = start
  const encoder = new TextEncoder()
  return function read(): Uint8Array | undefined {
    if (position < feed.since) before = []
    while (before.length > 0) {
      const first = before.slice(0, BEFORE_MAX)
      before = before.slice(BEFORE_MAX)
      const text = first.map(chunks.render).join('')
      if (text !== '') return encoder.encode(text)
    }
    while (position < feed.last) {
      if (!feed.pace.isOpen()) {
        feed.pace.request()
        return undefined
      }
      const { bytes, end } = chunks.after(position)
      position = end
      if (bytes.length > 0) return bytes
    }
    return undefined
  }
}
