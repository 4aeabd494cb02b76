import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { realTime } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'
import type { World } from '../world/world.ts'
import { type Recorder, recordLeases, recordWorld } from './changes.ts'
import { type CompactOptions, createCompacting } from './compact.ts'
import { type Copy, createCopy } from './copy.ts'
import { dataFileError } from './data-file.ts'
import { findRealPath, type Opened, openFile, syncFolderOf } from './files.ts'
import { type Lock, type LockOptions, lockFile } from './lock.ts'
import { type KeptLease, LEASES, type SavedWorld } from './replay.ts'

/** Whether answered calls outlive the process, and what keeps the file from being written. */
export interface StorageStatus {
  status: 'ok' | 'failing'
  reason: string | null
}

/** Keeps worlds on disk, in a file of rows that grows with what changes and is now and then compacted. */
export interface Store {
  /** The worlds that were kept; each is read once, when it is opened. */
  readonly kept: ReadonlyMap<string, SavedWorld>
  readonly status: StorageStatus
  /**
   * Writes down whatever changes in a world from here on: first the world itself, unless it is the
   * one that was kept under this name. `sync` moves a running world to the present.
   */
  follow(name: string, world: World, sync: () => void): void
  /** Writes down that a world is gone. */
  forget(name: string): void
  /** The leases that were kept, and those that are. */
  readonly leases: ReadonlyMap<string, KeptLease>
  /** Writes down a lease that is new or was changed. */
  keepLease(lease: KeptLease): void
  /** Leaves it out when the file is compacted. */
  dropLease(id: string): void
  /** Resolves once everything that changed so far is on disk; rejects when it cannot be written. */
  written(): Promise<void>
  close(): Promise<void>
}

export interface StoreOptions extends LockOptions, CompactOptions {
  /** The present in ms. Default `Date.now`. */
  wallClock?: () => number
  /** Hears how much of the file was read so far, in bytes. */
  onRead?: (bytes: number) => void
}

/** Rejects a file that is damaged, of another format, or in use. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  try {
    const file = await findRealPath(resolve(path))
    const lock = await lockFile(file, options)
    try {
      const opened = await openFile(file, { isTakenOver: lock.isTakenOver, onRead: options.onRead })
      return startStore(opened, { ...options, path: file, lock })
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    // Anything else is the file system's word.
    throw dataFileError(`${path} cannot be used: ${toReason(error)}.`)
  }
}

interface StartOptions extends StoreOptions {
  path: string
  lock: Lock
}

function startStore({ file, firstSize, saved }: Opened, options: StartOptions): Store {
  const { path, lock, wallClock = realTime.now } = options
  const { worlds: kept, leases } = saved
  const followed = new Map<string, Recorder>()
  const failures: { write?: string | undefined; compaction?: string | undefined } = {}
  let main = createCopy(file, { followed, assertMayWrite: lock.assertHeld })
  /** What has its turn with the file; never rejects. */
  let turn: Promise<unknown> = Promise.resolve()
  /** The write that waits for its turn. */
  let waiting: Promise<void> | undefined
  /** Whether the folder may still lead to the file before, after a loss of power. */
  let isFolderBehind = false
  let lost: Error | undefined
  let isClosed = false
  const compacting = createCompacting({
    ...options,
    firstSize,
    createCopy: (file) => createCopy(file, { followed, assertMayWrite }),
    turn: () => turn,
    async replaceBy(copy, draft) {
      await inTurn(() => replaceBy(copy, draft))
      // The folder, which each write tries again until it is on disk.
      await written().catch(() => undefined)
    },
    onEnd: (error) =>
      fail('compaction', error, 'The data file cannot be compacted and keeps growing'),
  })
  const leaseRecorder = recordLeases(leases, onChange)
  if (leases.size > 0) {
    followed.set(LEASES, leaseRecorder)
    main.adopt(LEASES, leaseRecorder)
  }
  void lock.lost.then((error) => {
    lost = error
    failWriting(error)
  })

  return {
    kept,
    leases,
    get status(): StorageStatus {
      const reason = failures.write ?? failures.compaction ?? null
      return { status: reason === null ? 'ok' : 'failing', reason }
    },
    follow(name, world, sync) {
      const recorder = recordWorld(world, { sync, wallClock, onChange })
      followed.set(name, recorder)
      if (kept.delete(name)) main.adopt(name, recorder)
    },
    forget(name) {
      followed.delete(name)
      kept.delete(name)
    },
    keepLease(lease) {
      leases.set(lease.id, lease)
      followed.set(LEASES, leaseRecorder)
      leaseRecorder.touch(lease)
    },
    dropLease: (id) => void leases.delete(id),
    written,
    async close() {
      await written().catch(() => undefined)
      isClosed = true
      await compacting.close()
      await turn
      await main.file.close()
      await lock.release()
    },
  }

  /** What no call asked for, such as an expiry, is written down as well. */
  function onChange() {
    if (!isClosed) waiting ??= inTurn(write)
  }

  /** One write waits while another is under way; everyone who comes meanwhile shares it. */
  async function written(): Promise<void> {
    if (lost) throw lost
    const isBehind = () => waiting !== undefined || isFolderBehind || main.isBehind()
    if (!isBehind()) await turn
    if (!isBehind()) return
    waiting ??= inTurn(write)
    await waiting
  }

  function inTurn(job: () => Promise<void>): Promise<void> {
    const done = turn.then(job)
    turn = done.catch(() => undefined)
    return done
  }

  async function write() {
    // All calls of one turn of the event loop share a write.
    await realTime.nextTurn()
    waiting = undefined
    try {
      if (isFolderBehind) await syncFolderOf(path)
      isFolderBehind = false
      await main.catchUp()
      failures.write = undefined
    } catch (error) {
      failWriting(error)
      throw error
    }
    compacting.considerSize(main.file.size)
  }

  async function replaceBy(copy: Copy, draft: string) {
    await copy.catchUp()
    assertMayWrite()
    await rename(draft, path)
    isFolderBehind = true
    const old = main
    main = copy
    old.detach()
    await old.file.close().catch(() => undefined)
  }

  function assertMayWrite() {
    if (isClosed) throw new Error('The store is closed.')
    lock.assertHeld()
  }

  function failWriting(error: unknown) {
    fail('write', error, 'Changes are not being saved')
  }

  /** Says it once, not with every call. */
  function fail(what: keyof typeof failures, error: unknown, sentence: string) {
    const reason = error === undefined ? undefined : `${sentence}: ${toReason(error)}.`
    const isNews = reason !== undefined && failures[what] === undefined
    if (isNews) console.error(`ramp-sandbox: ${reason}`)
    failures[what] = reason
  }
}

const toReason = (error: unknown) => (error instanceof Error ? error.message : String(error))
