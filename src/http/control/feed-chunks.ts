import type { Feed, FeedEntry } from '../../engine/feed.ts'

/** Entries in one chunk, so that a long catch-up lets other calls through. */
const CHUNK_MAX = 100
/** Bytes of chunks that are kept for readers that come later. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024

export type FeedChunks = ReturnType<typeof createFeedChunks>

const encoder = new TextEncoder()

interface Chunk {
  readonly bytes: Uint8Array
  /** Position of its last entry. */
  readonly end: number
}

/** Makes the text of an entry; empty for what the readers do not want. */
type Render = (entry: FeedEntry) => string

/** The feed as one kind of reader sees it, rendered once for all of them. */
export function createFeedChunks(feed: Feed, render: Render) {
  const kept = new Map<number, Chunk>()
  let keptBytes = 0
  let { since } = feed
  return { render, after }

  /** What follows a position, which lies before the end of the feed. */
  function after(position: number): Chunk {
    if (since !== feed.since) forgetAll()
    const known = kept.get(position)
    if (known) return known
    const chunk = renderChunk(position)
    kept.set(position, chunk)
    keptBytes += chunk.bytes.length
    for (const [oldest, { bytes }] of kept) {
      if (keptBytes <= KEPT_BYTES_MAX) break
      kept.delete(oldest)
      keptBytes -= bytes.length
    }
    return chunk
  }

  function forgetAll() {
    kept.clear()
    keptBytes = 0
    since = feed.since
  }

  /** Chunks end at round positions, so that readers who fall behind meet in the same ones. */
  function renderChunk(position: number): Chunk {
    const entries = feed.after(position, CHUNK_MAX - (position % CHUNK_MAX))
    const lost = (entries[0]?.position ?? 0) - Math.max(position, feed.since) - 1
    const text = (lost > 0 ? formatLost(lost) : '') + entries.map(render).join('')
    return { bytes: encoder.encode(text), end: entries.at(-1)?.position ?? feed.last }
  }
}

const formatLost = (count: number) => `event: lost\ndata: ${JSON.stringify({ count })}\n\n`

interface Group {
  chunks: FeedChunks
  readers: number
}

const groups = new WeakMap<Feed, Map<string, Group>>()

/** The chunks that all readers of a kind share, for as long as there is one. */
export function shareFeedChunks(
  feed: Feed,
  kind: string,
  render: Render,
): { chunks: FeedChunks; leave(): void } {
  const ofFeed = groups.get(feed) ?? new Map<string, Group>()
  groups.set(feed, ofFeed)
  const group = ofFeed.get(kind) ?? { chunks: createFeedChunks(feed, render), readers: 0 }
  ofFeed.set(kind, group)
  group.readers++
  return {
    chunks: group.chunks,
    leave() {
      group.readers--
      if (group.readers === 0) ofFeed.delete(kind)
    },
  }
}
