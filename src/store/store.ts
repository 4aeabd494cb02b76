import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { realTime } from '../real-time.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { Change, World } from '../world/world.ts'
import { Copy, type Part } from './copy.ts'
import { DataFile, dataFileError, draftOf, syncFolderOf } from './data-file.ts'
import { Lock, type LockOptions } from './lock.ts'
import { findRealPath, type OpenedFile, openFile } from './open-file.ts'
import { createOwner } from './owner.ts'
import type { SavedWorld } from './replay.ts'

/** Whether finished calls outlive the process, and what keeps the file from being written. */
export interface StorageStatus {
  status: 'ok' | 'failing'
  reason: string | null
}

export type FollowOptions = Pick<Part, 'sync' | 'ttlMs' | 'owner' | 'life'>

/** A file smaller than this is not worth compacting. */
const COMPACT_MIN_BYTES = 32 * 1024 * 1024
const RETRY_MS = 60_000
const LOOK_MS = 1_000

const FAILURES = {
  write: 'Changes are not being saved',
  compaction: 'The data file cannot be compacted and keeps growing',
}
type Failure = keyof typeof FAILURES

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
    const lock = await Lock.take(file, createOwner(options.place), options)
    try {
      const opened = await openFile(file, () => lock.assertHeld())
      return new Store(file, { lock, opened, options })
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

interface StoreParts {
  lock: Lock
  opened: OpenedFile
  options: StoreOptions
}

/** Keeps worlds on disk, in a file of rows that grows with what changes and is now and then compacted. */
export class Store {
  readonly #path: string
  readonly #lock: Lock
  readonly #options: StoreOptions
  readonly #kept: Map<string, SavedWorld>
  readonly #timer: NodeJS.Timeout
  readonly #parts = new Map<string, Part>()
  readonly #failures = new Map<Failure, string>()
  #main: Copy
  /** The file, and the one that is to replace it. */
  readonly #copies: Set<Copy>
  /** Work that has its turn with the file; never rejects. */
  #turn: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined
  /** Whether the folder may still lead to the file before, after a loss of power. */
  #isFolderBehind = false
  #compacting: Promise<void> | undefined
  #compactedSize: number
  #retryAt = 0
  #isClosed = false

  /** Bytes at the end of the file of a write that was cut, and whose calls got no response. */
  readonly leftOutBytes: number

  constructor(path: string, { lock, opened, options }: StoreParts) {
    this.#path = path
    this.#lock = lock
    this.#options = options
    this.#kept = opened.saved
    this.#main = this.#copyTo(opened.file)
    this.#copies = new Set([this.#main])
    this.#compactedSize = opened.firstSize
    this.leftOutBytes = opened.leftOutBytes
    this.#timer = realTime.setInterval(() => this.#look(), options.touchMs ?? LOOK_MS).unref()
  }

  /** The worlds that were kept; each is read once, when it is opened. */
  get kept(): ReadonlyMap<string, SavedWorld> {
    return this.#kept
  }

  get status(): StorageStatus {
    const reason = this.#failures.get('write') ?? this.#failures.get('compaction') ?? null
    return { status: reason === null ? 'ok' : 'failing', reason }
  }

  /**
   * Writes down whatever changes in a world from here on: first the world itself, unless it is the
   * one that was kept under this name.
   */
  follow(name: string, world: World, followed: FollowOptions): void {
    const { sync, ttlMs, owner, life } = followed
    const part = { name, world, sync, ttlMs, owner, life }
    this.#parts.set(name, part)
    if (!this.#kept.delete(name)) for (const copy of this.#copies) copy.addPart(part)
    world.listen((change) => this.#addChange(part, change))
  }

  forget(name: string): void {
    this.#parts.delete(name)
    this.#kept.delete(name)
    for (const copy of this.#copies) copy.addEnd(name)
  }

  /** Resolves once everything that changed so far is on disk; rejects when it cannot be written. */
  async written(): Promise<void> {
    if (this.#lock.lost) throw this.#lock.lost
    if (this.#failures.has('compaction')) this.#considerCompacting()
    if (!this.#isBehind()) await this.#turn
    if (!this.#isBehind()) return
    // One write waits while another is under way; everyone who comes meanwhile shares it.
    this.#waiting ??= this.#inTurn(() => this.#write())
    await this.#waiting
  }

  async close(): Promise<void> {
    await this.written().catch(() => undefined)
    this.#isClosed = true
    realTime.clearInterval(this.#timer)
    await this.#compacting
    await this.#turn
    await this.#main.file.close()
    this.#lock.release()
  }

  #addChange(part: Part, change: Change): void {
    // A world that was replaced may still be running its last calls.
    if (this.#parts.get(part.name) !== part) return
    for (const copy of this.#copies) copy.addChange(part, change)
    // What no call asked for, such as an expiry, is written down as well.
    if (!this.#isClosed) this.#waiting ??= this.#inTurn(() => this.#write())
  }

  #isBehind(): boolean {
    return this.#waiting !== undefined || this.#isFolderBehind || this.#main.isBehind()
  }

  #inTurn(job: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(job)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async #write(): Promise<void> {
    // All calls of one turn of the event loop share a write.
    await realTime.nextTurn()
    this.#waiting = undefined
    try {
      if (this.#isFolderBehind) await syncFolderOf(this.#path)
      this.#isFolderBehind = false
      if (this.#main.isBehind()) await this.#main.catchUp()
      this.#failures.delete('write')
    } catch (error) {
      this.#fail('write', error)
      throw error
    }
    this.#considerCompacting()
  }

  /** Notices that another process has the file, also where nothing is written. */
  #look(): void {
    if (this.#lock.lost) this.#fail('write', this.#lock.lost)
  }

  #considerCompacting(): void {
    const { compactMinBytes = COMPACT_MIN_BYTES } = this.#options
    const isSmall = this.#main.file.size <= Math.max(compactMinBytes, 2 * this.#compactedSize)
    if (isSmall || this.#isClosed || realTime.elapsed() < this.#retryAt) return
    this.#compacting ??= this.#compact()
      .then(
        () => this.#failures.delete('compaction'),
        (error) => this.#delayCompacting(error),
      )
      .then(() => {
        this.#compacting = undefined
      })
  }

  #delayCompacting(error: unknown): void {
    const { retryMs = RETRY_MS } = this.#options
    this.#retryAt = realTime.elapsed() + retryMs
    this.#fail('compaction', error)
  }

  /** Writes everything to a new file while calls go on, and puts it in the place of the old one. */
  async #compact(): Promise<void> {
    const draft = draftOf(this.#path)
    const assertMayWrite = () => this.#assertMayWrite()
    const copy = this.#copyTo(await DataFile.open(draft, { assertMayWrite }))
    for (const part of this.#parts.values()) copy.addPart(part)
    this.#copies.add(copy)
    try {
      await copy.catchUp()
      // What is missing by now is little.
      await this.#inTurn(() => this.#replaceBy(copy, draft))
    } catch (error) {
      this.#copies.delete(copy)
      await copy.file.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
      throw error
    }
    // The folder, which each write tries again until it is on disk.
    await this.written().catch(() => undefined)
  }

  async #replaceBy(copy: Copy, draft: string): Promise<void> {
    if (copy.isBehind()) await copy.catchUp()
    this.#assertMayWrite()
    await rename(draft, this.#path)
    this.#isFolderBehind = true
    this.#copies.delete(this.#main)
    // Nobody waits until all of it is gone.
    this.#main.file.close().catch(() => undefined)
    this.#main = copy
    this.#compactedSize = this.#main.file.size
  }

  #copyTo(file: DataFile): Copy {
    return new Copy(file, this.#options.wallClock ?? realTime.now)
  }

  #assertMayWrite(): void {
    if (this.#isClosed) throw new Error('The store is closed.')
    this.#lock.assertHeld()
  }

  /** Keeps the reason until it passes, and logs it once. */
  #fail(what: Failure, error: unknown): void {
    if (this.#isClosed) return
    const reason = `${FAILURES[what]}: ${messageOf(error)}.`
    if (!this.#failures.has(what)) console.error(`ramp-sandbox: ${reason}`)
    this.#failures.set(what, reason)
  }
}
