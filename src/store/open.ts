import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { realTime } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'
import type { World } from '../world/world.ts'
import { type CompactOptions, createCompacting } from './compact.ts'
import { type Copy, createCopy } from './copy.ts'
import { dataFileError, openDataFile } from './data-file.ts'
import { draftOf, findRealPath, type Opened, openFile, syncFolderOf } from './files.ts'
import { type Lock, type LockOptions, lockFile } from './lock.ts'
import { type Entry, followWorld, leasesPart, type Part, toPart } from './parts.ts'
import type { KeptLease, SavedWorld } from './replay.ts'

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
  const leased = leasesPart(leases)
  const parts = new Map<string, Part>([[leased.name, leased]])
  const failures: { write?: string | undefined; compaction?: string | undefined } = {}
  let main = createCopy(file, lock.assertHeld)
  /** The file, and the one that is to replace it. */
  const copies = new Set([main])
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
    compact,
    onEnd: (error) =>
      fail('compaction', error, 'The data file cannot be compacted and keeps growing'),
  })
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
      const part = toPart(world, { name, sync, wallClock })
      parts.set(name, part)
      if (!kept.delete(name)) change((copy) => copy.addPart(part))
      followWorld(world, (entry) => addChange(part, entry))
    },
    forget(name) {
      parts.delete(name)
      kept.delete(name)
      change((copy) => copy.addEnd(name))
    },
    keepLease(lease) {
      leases.set(lease.id, lease)
      addChange(leased, ['leases', lease])
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

  function addChange(part: Part, entry?: Entry) {
    // A world that was replaced may still be answering its last calls.
    if (parts.get(part.name) === part) change((copy) => copy.addChange(part, entry))
  }

  /** What no call asked for, such as an expiry, is written down as well. */
  function change(add: (copy: Copy) => void) {
    for (const copy of copies) add(copy)
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
      if (main.isBehind()) await main.catchUp()
      failures.write = undefined
    } catch (error) {
      failWriting(error)
      throw error
    }
    compacting.considerSize(main.file.size)
  }

  /** Writes everything to a new file while calls go on, and puts it in the place of the old one. */
  async function compact(): Promise<number> {
    const draft = draftOf(path)
    const created = await openDataFile(draft)
    const copy = createCopy(created, assertMayWrite)
    for (const part of parts.values()) copy.addPart(part)
    copies.add(copy)
    try {
      await copy.catchUp()
      // What is missing by now is little.
      await inTurn(() => replaceBy(copy, draft))
    } catch (error) {
      copies.delete(copy)
      await created.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
      throw error
    }
    // The folder, which each write tries again until it is on disk.
    await written().catch(() => undefined)
    return main.file.size
  }

  async function replaceBy(copy: Copy, draft: string) {
    if (copy.isBehind()) await copy.catchUp()
    assertMayWrite()
    await rename(draft, path)
    isFolderBehind = true
    copies.delete(main)
    // Nobody waits until all of it is gone.
    main.file.close().catch(() => undefined)
    main = copy
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
