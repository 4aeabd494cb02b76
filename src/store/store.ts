import { readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { realTime } from '../real-time.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'
import type { Change, World } from '../world/world.ts'
import { type Copy, createCopy, type Part } from './copy.ts'
import { dataFileError, draftOf, openDataFile, readDataFile, syncFolderOf } from './data-file.ts'
import { type Lock, type LockOptions, lockFile } from './lock.ts'
import { readState } from './read-state.ts'
import { createReplay, type SavedWorld } from './replay.ts'

/** Whether finished calls outlive the process, and what keeps the file from being written. */
export interface StorageStatus {
  status: 'ok' | 'failing'
  reason: string | null
}

/** Keeps worlds on disk, in a file of rows that grows with what changes and is now and then compacted. */
export interface Store {
  /** The worlds that were kept; each is read once, when it is opened. */
  readonly kept: ReadonlyMap<string, SavedWorld>
  readonly status: StorageStatus
  /** Bytes at the end of the file of a write that was cut, and whose calls got no response. */
  readonly leftOutBytes: number
  /**
   * Writes down whatever changes in a world from here on: first the world itself, unless it is the
   * one that was kept under this name.
   */
  follow(name: string, world: World, options: FollowOptions): void
  forget(name: string): void
  /** Resolves once everything that changed so far is on disk; rejects when it cannot be written. */
  written(): Promise<void>
  close(): Promise<void>
}

export type FollowOptions = Pick<Part, 'sync' | 'ttlMs' | 'owner' | 'life'>

/** A file smaller than this is not worth compacting. */
const COMPACT_MIN_BYTES = 32 * 1024 * 1024
const RETRY_MS = 60_000

const FAILURES = {
  write: 'Changes are not being saved',
  compaction: 'The data file cannot be compacted and keeps growing',
}

export interface StoreOptions extends LockOptions {
  /** The present in ms. Default `Date.now`. */
  wallClock?: () => number
  /** Bytes that the file may always have before it is compacted; twice what the last compaction left, too. */
  compactMinBytes?: number
  /** How long to wait after a compaction that failed. */
  retryMs?: number
}

/** Rejects a file that is damaged, of another format, or in use. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  try {
    const file = await findRealPath(resolve(path))
    const lock = await lockFile(file, options)
    try {
      return await start(file, lock, options)
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    // Anything else is the file system's word.
    throw dataFileError(`${path} cannot be used: ${messageOf(error)}.`)
  }
}

async function start(path: string, lock: Lock, options: StoreOptions): Promise<Store> {
  const { compactMinBytes = COMPACT_MIN_BYTES, retryMs = RETRY_MS } = options
  const { wallClock = realTime.now } = options
  const { file, firstSize, saved: kept, leftOutBytes } = await openFile(path, lock.assertHeld)
  const parts = new Map<string, Part>()
  const failures: Partial<Record<keyof typeof FAILURES, string | undefined>> = {}
  let main = createCopy(file, wallClock)
  /** The file, and the one that is to replace it. */
  const copies = new Set([main])
  /** Work that has its turn with the file; never rejects. */
  let turn: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined
  /** Whether the folder may still lead to the file before, after a loss of power. */
  let isFolderBehind = false
  let compacting: Promise<void> | undefined
  let compactedSize = firstSize
  let retryAt = 0
  let lost: Error | undefined
  let isClosed = false
  void lock.lost.then((error) => {
    lost = error
    fail('write', error)
  })

  return {
    kept,
    leftOutBytes,
    get status(): StorageStatus {
      const reason = failures.write ?? failures.compaction ?? null
      return { status: reason === null ? 'ok' : 'failing', reason }
    },
    follow(name, world, followed) {
      const part = { ...followed, name, world }
      parts.set(name, part)
      if (!kept.delete(name)) for (const copy of copies) copy.addPart(part)
      world.listen((change) => addChange(part, change))
    },
    forget(name) {
      parts.delete(name)
      kept.delete(name)
      for (const copy of copies) copy.addEnd(name)
    },
    written,
    async close() {
      await written().catch(() => undefined)
      isClosed = true
      await compacting
      await turn
      await main.file.close()
      lock.release()
    },
  }

  function addChange(part: Part, change: Change) {
    // A world that was replaced may still be running its last calls.
    if (parts.get(part.name) !== part) return
    for (const copy of copies) copy.addChange(part, change)
    // What no call asked for, such as an expiry, is written down as well.
    if (!isClosed) waiting ??= inTurn(write)
  }

  /** One write waits while another is under way; everyone who comes meanwhile shares it. */
  async function written(): Promise<void> {
    if (lost) throw lost
    if (failures.compaction) considerCompacting()
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
      fail('write', error)
      throw error
    }
    considerCompacting()
  }

  function considerCompacting() {
    const isSmall = main.file.size <= Math.max(compactMinBytes, 2 * compactedSize)
    if (isSmall || isClosed || realTime.elapsed() < retryAt) return
    compacting ??= compact().then(endCompacting, endCompacting)
  }

  function endCompacting(error: unknown) {
    compacting = undefined
    retryAt = error ? realTime.elapsed() + retryMs : 0
    fail('compaction', error)
  }

  /** Writes everything to a new file while calls go on, and puts it in the place of the old one. */
  async function compact() {
    const draft = draftOf(path)
    const copy = createCopy(await openDataFile(draft, { assertMayWrite }), wallClock)
    for (const part of parts.values()) copy.addPart(part)
    copies.add(copy)
    try {
      await copy.catchUp()
      // What is missing by now is little.
      await inTurn(() => replaceBy(copy, draft))
    } catch (error) {
      copies.delete(copy)
      await copy.file.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
      throw error
    }
    // The folder, which each write tries again until it is on disk.
    await written().catch(() => undefined)
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
    compactedSize = main.file.size
  }

  function assertMayWrite() {
    if (isClosed) throw new Error('The store is closed.')
    lock.assertHeld()
  }

  /** Says it once, not with every call. */
  function fail(what: keyof typeof FAILURES, error: unknown) {
    if (isClosed) return
    const reason = error === undefined ? undefined : `${FAILURES[what]}: ${messageOf(error)}.`
    if (reason && !failures[what]) console.error(`ramp-sandbox: ${reason}`)
    failures[what] = reason
  }
}

/** Target of a symbolic link, even to a file that is not there yet. */
async function findRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const target = await readlink(path).catch(() => undefined)
    if (target === undefined) return join(await realpath(dirname(path)), basename(path))
    return findRealPath(resolve(dirname(path), target))
  }
}

const DRAFT = /^\.[0-9a-f-]{36}\.tmp$/

/** Opens the file, or makes it where there is none or an empty one; removes drafts of an owner before. */
async function openFile(path: string, assertMayWrite: () => void) {
  const [name, folder] = [basename(path), dirname(path)]
  const names = await readdir(folder)
  for (const each of names) {
    const isDraft = each.startsWith(name) && DRAFT.test(each.slice(name.length))
    if (isDraft) await rm(join(folder, each), { force: true })
  }
  if (names.includes(name) && (await stat(path)).size > 0) {
    const { end, ...read } = await readDataFile(path)
    for (const [world, { state }] of read.saved) await assertSound(path, world, state)
    return { file: await openDataFile(path, { assertMayWrite, end }), ...read }
  }
  const draft = draftOf(path)
  const file = await openDataFile(draft, { assertMayWrite })
  await file.append([])
  await rename(draft, path)
  await syncFolderOf(path)
  return { file, saved: createReplay().saved(), firstSize: 0, leftOutBytes: 0 }
}

/** A file can have the right checksums and a state that no world can be built of. */
async function assertSound(path: string, world: string, state: State) {
  try {
    await readState(state)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const what = `${path} holds a world, ${world}, that cannot be used`
    throw dataFileError(`${what}: ${error.message} Nothing was changed in it.`)
  }
}
