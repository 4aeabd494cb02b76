import { setImmediate as nextTurn } from 'node:timers/promises'
import { DomainError } from '../world/domain-error.ts'
import { exportState } from '../world/state-export.ts'
import type { World } from '../world/world.ts'
import { type ChangeRecorder, createChangeRecorder } from './change.ts'
import { type Files, openFiles } from './data-file.ts'
import { dataFileError } from './data-file-error.ts'
import { lockFile } from './lock.ts'
import type { SavedWorld } from './replay.ts'

/** A log smaller than this is not worth compacting. */
const LOG_MIN_BYTES = 32 * 1024 * 1024

/** Turns of the event loop that a batch may wait for more calls to join it; idle ones take 5 µs. */
const TURNS_MAX = 64

/** Keeps worlds on disk: a lowdb snapshot, and an append log of what changed since. */
export interface Store {
  /** The worlds that were kept; each is read once, when it is opened. */
  readonly kept: ReadonlyMap<string, SavedWorld>
  /**
   * Writes every change of a world from here on: first the world itself, unless it is the one that
   * was read under this name.
   */
  follow(name: string, world: World): void
  /** Records that a world was deleted. */
  forget(name: string): void
  /** As `written`, for a call that is answered then: calls that come together share a sync. */
  commit(): Promise<void>
  /** Resolves once everything that changed so far is on disk; rejects when it cannot be written. */
  written(): Promise<void>
  close(): Promise<void>
}

export interface StoreOptions {
  /** The present in ms. Default `Date.now`. */
  wallClock?: () => number
  /** Bytes that the log may have before it is compacted. */
  logMinBytes?: number
}

/** Throws for a file that is damaged, of a newer format, or in use. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  try {
    const unlock = await lockFile(path)
    try {
      return startStore(await openFiles(path), { ...options, unlock })
    } catch (error) {
      await unlock()
      throw error
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    // Any other error comes from the file system.
    throw dataFileError(`${path} cannot be used: ${formatError(error)}.`)
  }
}

interface TrackedWorld {
  world: World
  recorder: ChangeRecorder
}

function startStore(
  { low, snapshot, log, kept }: Files,
  {
    wallClock = Date.now,
    logMinBytes = LOG_MIN_BYTES,
    unlock,
  }: StoreOptions & { unlock(): Promise<void> },
): Store {
  const followed = new Map<string, TrackedWorld>()
  let deleted: string[] = []
  let compactAt = Math.max(logMinBytes, snapshot.size)
  /** The batch that waits for its turn, and the last one that had it. */
  let batch: Promise<void> | undefined
  let tail: Promise<void> = Promise.resolve()
  /** Calls that wait for `batch`. */
  let calls = 0
  /** Calls that waited for the batch before. */
  let answered = 0
  let isSoon = false
  let isFailing = false
  let isClosed = false

  return {
    kept,
    follow(name, world) {
      const isKept = kept.delete(name)
      followed.set(name, {
        world,
        recorder: createChangeRecorder(name, world, { isKept, onChange }),
      })
    },
    forget(name) {
      followed.delete(name)
      kept.delete(name)
      deleted.push(name)
    },
    commit,
    written,
    async close() {
      await written().catch(() => undefined)
      isClosed = true
      if (log.size > 0) await compact().catch(report)
      await log.close()
      await unlock()
    },
  }

  /** Changes that no call made, such as an expiry, are written too. */
  function onChange() {
    if (isSoon || isClosed) return
    isSoon = true
    setImmediate(() => {
      isSoon = false
      if (!isClosed && batch === undefined) written().catch(() => undefined)
    })
  }

  function commit(): Promise<void> {
    if (isDirty()) calls++
    return written()
  }

  /** One batch waits while another is being written; calls that arrive meanwhile join it. */
  function written(): Promise<void> {
    if (!isDirty()) return batch ?? tail
    batch ??= tail
      .catch(() => undefined)
      .then(gather)
      .then(writeBatch)
    return batch
  }

  function isDirty(): boolean {
    if (deleted.length > 0) return true
    for (const { recorder } of followed.values()) if (recorder.isDirty) return true
    return false
  }

  /** Clients answered together call again at about the same time: one sync is enough for them. */
  async function gather() {
    let before = 0
    for (let turn = 0; turn < TURNS_MAX && (calls > before || calls < answered / 2); turn++) {
      before = calls
      await nextTurn()
    }
  }

  async function writeBatch() {
    tail = batch ?? tail
    batch = undefined
    answered = calls
    calls = 0
    const wallAt = wallClock()
    const gone = deleted
    deleted = []
    const dirty = [...followed.values()].filter((row) => row.recorder.isDirty)
    try {
      const ends = gone.map((world) => ({ world, deleted: true as const }))
      await log.append([...ends, ...dirty.map((row) => row.recorder.take(wallAt))])
    } catch (error) {
      for (const { recorder } of dirty) recorder.untake()
      deleted = [...gone, ...deleted]
      report(error)
      throw error
    }
    isFailing = false
    if (log.size > compactAt) await compact().catch(report)
  }

  /** Worlds may have changed since the log was written; those changes follow in it. */
  async function compact() {
    // Where this fails, it is not tried again with every batch.
    compactAt = log.size + logMinBytes
    const wallAt = wallClock()
    const { data } = low
    data.last = log.last
    data.worlds = Object.fromEntries([
      ...kept,
      ...[...followed].map(([name, { world }]) => [name, { state: exportState(world), wallAt }]),
    ])
    const writing = low.write()
    data.worlds = {}
    await writing
    await log.empty()
    compactAt = Math.max(logMinBytes, snapshot.size)
  }

  /** Reports it once, not with every call. */
  function report(error: unknown) {
    if (!isFailing)
      console.error(`ramp-sandbox: the data file cannot be written: ${formatError(error)}`)
    isFailing = true
  }
}

const formatError = (error: unknown) => (error instanceof Error ? error.message : String(error))
