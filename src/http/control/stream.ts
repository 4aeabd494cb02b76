import * as z from 'zod'
import { TOO_MANY_WAIT } from '../../control-api/pages.ts'
import { EVENT_STREAM } from '../../control-api/shapes.ts'
import { type Feed, type FeedEntry, type FeedKind, STREAM_KINDS } from '../../engine/feed.ts'
import { realTime } from '../../real-time.ts'
import { formatInstant } from '../../world/duration.ts'
import { type RequestContext, requestContext } from './context.ts'
import { operation } from './dialect.ts'
import { presentEvent, presentMessage } from './events.ts'
import { presentAction, presentRequest } from './requests.ts'
import { presentDelivery } from './webhooks.ts'

/**
 * Closes the connection with the stream: many streams end at once with their world, and idle
 * connections would keep their file descriptors.
 */
const HEADERS = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-cache',
  connection: 'close',
}
/** Entries in one chunk, so that a long catch-up lets other calls through. */
const CHUNK_LENGTH = 100
/** Chunks of a feed that are kept for its other readers. */
const CHUNKS_MAX = 20
/** Time that all readers share for reading, and the pause for other calls after it. */
const SLICE_MS = 20
const REST_MS = 60
/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MS = 15_000
const RETRY_MS = 1_000

type StreamKind = (typeof STREAM_KINDS)[number]

const isStreamKind = (kind: string): kind is StreamKind =>
  (STREAM_KINDS as readonly string[]).includes(kind)

const Only = () =>
  z
    .string()
    .transform((text, context): StreamKind[] => {
      const kinds = text.split(',')
      if (kinds.every(isStreamKind)) return kinds
      const message = `must be kinds separated by commas (${STREAM_KINDS.join(', ')}), not ${text}`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ wire: { type: 'array', items: { type: 'string', enum: STREAM_KINDS } } })
    .optional()

export const stream = [
  operation('GET', '/_sandbox/events/stream', 'streamEvents', {
    summary: 'Follow everything as it happens, as server-sent events',
    about:
      'These are events, messages, deliveries, contract calls, actions, the clock and resets, until you disconnect. A reader that comes back with `Last-Event-ID` goes on where it was; `lost` counts what it missed for good.',
    success: 'The stream; the name of each event is its kind.',
    query: () =>
      z.strictObject({
        only: Only().describe('Only these kinds, separated by commas. Default: all.'),
      }),
    errors: TOO_MANY_WAIT,
    media: EVENT_STREAM,
    handle({ c, services, header, input: { query } }) {
      const kinds = new Set<FeedKind>(query.only ?? STREAM_KINDS)
      const context = requestContext(c)
      const { feed } = services
      const [, last] = /^f(\d{1,15})$/.exec(header('last-event-id') ?? '') ?? []
      const position = last === undefined ? feed.last : Number(last)
      // A response to HEAD has no body, so a stream for it would only take up a reader's place.
      if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS })
      const body = createEventStream({
        feed,
        signal: c.req.raw.signal,
        // A position ahead comes from before a restart of the process.
        position: position > feed.last ? feed.since : position,
        readers: `${context.baseUrl} ${[...kinds].sort()}`,
        render: (entry) => (kinds.has(entry.kind) ? render(context, entry) : ''),
      })
      return new Response(body, { headers: HEADERS })
    },
  }),
]

function render(context: RequestContext, entry: FeedEntry): string | undefined {
  const data = findFeedRow(context, entry)
  if (data === undefined) return undefined
  return `id: f${entry.position}\nevent: ${entry.kind}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The row of a feed entry; undefined once it is forgotten. */
export const findFeedRow = (
  context: RequestContext,
  { kind, cursor }: Pick<FeedEntry, 'kind' | 'cursor'>,
) => (isStreamKind(kind) ? DATA[kind](context, cursor) : undefined)

const DATA: Record<StreamKind, (context: RequestContext, cursor: number) => object | undefined> = {
  event: ({ services }, cursor) =>
    mapRow(services.world.events.at(cursor), (event) => presentEvent(event, services)),
  message: (context, cursor) =>
    mapRow(context.services.world.messages.at(cursor), (message) =>
      presentMessage(message, context),
    ),
  delivery: ({ services }, cursor) =>
    mapRow(services.outbox.journal.at(cursor), (row) => presentDelivery(row, services)),
  request: ({ services }, cursor) => mapRow(services.requests.at(cursor), presentRequest),
  action: ({ services }, cursor) => mapRow(services.timeline.actions.at(cursor), presentAction),
  clock: ({ services: { world } }) => ({ now: formatInstant(world.now), mode: world.mode }),
  reset: ({ services: { name, world } }) => ({
    world: name,
    fixture: world.fixture,
    now: formatInstant(world.now),
    mode: world.mode,
  }),
}

const mapRow = <Row>(row: Row | undefined, present: (row: Row) => object) =>
  row === undefined ? undefined : present(row)

export interface EventStreamOptions {
  feed: Feed
  signal: AbortSignal
  position: number
  /** Key of the readers that get the same text, so that it is rendered once for all of them. */
  readers: string
  /** The text of an entry: empty if the readers did not ask for it, undefined if it is forgotten. */
  render(entry: FeedEntry): string | undefined
}

/**
 * Server-sent events, read from the feed only as fast as the reader takes them: nothing is buffered
 * for a slow one. Entries that were forgotten before they were read are counted in a `lost` event.
 * A reader that takes nothing from one heartbeat to the next is dropped.
 */
export function createEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { feed, signal } = options
  const read = createFeedReader(options)
  let wake = () => {}
  let pulls = 0
  let isOver = false
  let stop = () => {}

  return new ReadableStream<Uint8Array>({
    start(controller) {
      let pullsBefore = -1
      const unfollow = feed.follow(({ kind }) => (kind === 'closed' ? close() : wake()))
      const heartbeat = realTime.setInterval(beat, HEARTBEAT_MS)
      heartbeat.unref()
      signal.addEventListener('abort', close)
      controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`))
      stop = () => {
        isOver = true
        unfollow()
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
        await takeTurn()
        if (isOver) return
        const bytes = read()
        if (bytes) return controller.enqueue(bytes)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    cancel: () => stop(),
  })
}

let slice: Promise<void> | undefined
let sliceEnd = 0

/** Readers take turns in short slices of time, so that many of them do not hold up other calls. */
async function takeTurn(): Promise<void> {
  while (realTime.elapsed() >= sliceEnd) {
    slice ??= beginSlice()
    await slice
  }
}

async function beginSlice(): Promise<void> {
  const restMs = sliceEnd + REST_MS - realTime.elapsed()
  await (restMs > 0 ? realTime.pause(restMs) : realTime.nextTurn())
  sliceEnd = realTime.elapsed() + SLICE_MS
  slice = undefined
}

const encoder = new TextEncoder()

interface Chunk {
  readonly bytes: Uint8Array
  readonly end: number
}

/** The newest chunks of each feed, by their readers and where they begin. */
const chunksOf = new WeakMap<Feed, Map<string, Chunk>>()

/** Reads one chunk of the feed; undefined if there is nothing new. */
function createFeedReader({ feed, readers, render, position }: EventStreamOptions) {
  const kept = chunksOf.get(feed) ?? new Map<string, Chunk>()
  chunksOf.set(feed, kept)
  return function read(): Uint8Array | undefined {
    while (position < feed.last) {
      const key = `${readers} ${feed.since} ${position}`
      const { bytes, end } = kept.get(key) ?? keep(key, renderChunk())
      position = end
      if (bytes.length > 0) return bytes
    }
    return undefined
  }

  function keep(key: string, chunk: Chunk): Chunk {
    kept.set(key, chunk)
    const [oldest = key] = kept.keys()
    if (kept.size > CHUNKS_MAX) kept.delete(oldest)
    return chunk
  }

  /** Chunks end at round positions, so that slow readers share them. */
  function renderChunk(): Chunk {
    const entries = feed.after(position, CHUNK_LENGTH - (position % CHUNK_LENGTH))
    const texts = entries.map(render)
    const skipped = (entries[0]?.position ?? 0) - Math.max(position, feed.since) - 1
    const lost = Math.max(0, skipped) + texts.filter((text) => text === undefined).length
    const text = (lost > 0 ? formatLost(lost) : '') + texts.join('')
    return { bytes: encoder.encode(text), end: entries.at(-1)?.position ?? feed.last }
  }
}

const formatLost = (count: number) => `event: lost\ndata: ${JSON.stringify({ count })}\n\n`
