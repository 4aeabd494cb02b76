import { realTime } from '../real-time.ts'

/** A file smaller than this is not worth compacting. */
const MIN_BYTES = 32 * 1024 * 1024
const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 300_000

export interface CompactOptions {
  /** Bytes that the file may have before it is compacted. */
  compactMinBytes?: number
  /** How long to wait after a compaction that failed; twice as long after each further one. */
  retryMs?: number
}

export interface CompactingOptions extends CompactOptions {
  /** Size of the file when it was made or compacted last. */
  firstSize: number
  /** Returns the size of the new file. */
  compact(): Promise<number>
  /** Hears why it failed, and once it did not. */
  onEnd(error: unknown): void
}

/** Compacts the data file when it has grown to twice its size, and again after a failure. */
export interface Compacting {
  /** Called after each write. */
  considerSize(bytes: number): void
  close(): Promise<void>
}

export function createCompacting(options: CompactingOptions): Compacting {
  const { firstSize, compact, onEnd, compactMinBytes = MIN_BYTES, retryMs = RETRY_MIN_MS } = options
  let sizeMax = toSizeMax(firstSize)
  let retryAfterMs = retryMs
  let retry: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isClosed = false
  return {
    considerSize(bytes) {
      if (bytes > sizeMax && !isClosed && retry === undefined) running ??= run()
    },
    async close() {
      isClosed = true
      realTime.clearTimeout(retry)
      await running
    },
  }

  async function run() {
    try {
      sizeMax = toSizeMax(await compact())
      retryAfterMs = retryMs
      onEnd(undefined)
    } catch (error) {
      if (!isClosed) retryLater(error)
    }
    running = undefined
  }

  function retryLater(error: unknown) {
    onEnd(error)
    retry = realTime
      .setTimeout(() => {
        retry = undefined
        running ??= run()
      }, retryAfterMs)
      .unref()
    retryAfterMs = Math.min(2 * retryAfterMs, RETRY_MAX_MS)
  }

  function toSizeMax(bytes: number) {
    return Math.max(compactMinBytes, 2 * bytes)
  }
}
