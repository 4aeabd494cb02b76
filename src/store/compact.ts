import { rm } from 'node:fs/promises'
import { realTime } from '../real-time.ts'
import type { Copy } from './copy.ts'
import { type DataFile, openDataFile } from './data-file.ts'
import { draftOf } from './files.ts'

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
  path: string
  /** Size of the file as it was opened. */
  firstSize: number
  /** Writes all that there is to a new file, as often as it falls behind. */
  createCopy(file: DataFile): Copy
  /** What has its turn with the file. */
  turn(): Promise<unknown>
  /** Puts the copy in the place of the file, and ends once that is on disk. */
  replaceBy(copy: Copy, draft: string): Promise<void>
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
  const { path, firstSize, createCopy, turn, replaceBy, onEnd } = options
  const { compactMinBytes = MIN_BYTES, retryMs = RETRY_MIN_MS } = options
  let compactAt = Math.max(compactMinBytes, 2 * firstSize)
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let retryAfterMs = retryMs
  let isClosed = false
  return {
    considerSize(bytes) {
      if (bytes > compactAt && retry === undefined) start()
    },
    async close() {
      isClosed = true
      realTime.clearTimeout(retry)
      await running
    },
  }

  function start() {
    retry = undefined
    running ??= compact()
      .catch(retryLater)
      .finally(() => {
        running = undefined
      })
  }

  /** Writes everything to a new file while calls go on, and puts it in the place of the old one. */
  async function compact() {
    const draft = draftOf(path)
    const created = await openDataFile(draft)
    const copy = createCopy(created)
    try {
      // Calls go first.
      await copy.catchUp(turn)
      await replaceBy(copy, draft)
    } catch (error) {
      copy.detach()
      await created.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
      throw error
    }
    compactAt = Math.max(compactMinBytes, 2 * copy.file.size)
    retryAfterMs = retryMs
    onEnd(undefined)
  }

  function retryLater(error: unknown) {
    if (isClosed) return
    onEnd(error)
    retry = realTime.setTimeout(start, retryAfterMs).unref()
    retryAfterMs = Math.min(2 * retryAfterMs, RETRY_MAX_MS)
  }
}
