import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { realTime } from '../real-time.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { Change, World } from '../world/world.ts'
import { Copy, type Part } from './copy.ts'
import { DataFile, type Interference } from './data-file.ts'
import { dataFileError, draftOf, syncFolderOf } from './files.ts'
import { Lock, type LockOptions } from './lock.ts'
import { findRealPath, type OpenedFile, openFile } from './open-file.ts'
import { createOwner, type Owner, TOUCH_MS } from './owner.ts'
import type { Cut } from './read-file.ts'
import type { SavedWorld } from './replay.ts'

/** The state of the data file: `failing` while it cannot be written, `replaced` after somebody interfered with it. */
export interface StorageStatus {
  status: 'ok' | 'failing' | 'replaced'
  reason: string | null
}

export type FollowOptions = Pick<Part, 'sync'>

/** A file smaller than this is not worth compacting. */
const COMPACT_MIN_BYTES = 32 * 1024 * 1024
const RETRY_MS = 60_000

const FAILURES = {
  write: 'Changes are not being saved',
  compaction: 'The data file cannot be compacted and keeps growing',
}
type Failure = keyof typeof FAILURES

const INTERFERENCES: Record<Interference, string> = {
  moved: 'was moved or deleted',
  replaced: 'was replaced by another file',
  overwritten: 'was cut short or overwritten',
}

export interface StoreOptions extends LockOptions {
  /** The present in ms. Default `Date.now`. */
  wallClock?: () => number
  /** Size up to which a file is never compacted; nor is one below twice its last compacted size. */
  compactMinBytes?: number
  /** How long to wait after a compaction that failed. */
  retryMs?: number
}

/** Rejects a file that is damaged, of another format, or in use. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  try {
    const file = await findRealPath(resolve(path))
    const owner = createOwner(options.place)
    const lock = await Lock.take(file, owner, options)
    try {
      const { ended } = lock
      const assertMayWrite = () => lock.assertHeld()
      const opened = await openFile(file, { ...options, owner, ended, assertMayWrite })
      return new Store(file, { owner, lock, opened, options })
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    // The file system reported anything else.
    throw dataFileError(`${path} cannot be used: ${messageOf(error)}.`)
  }
}

/** Finds a name that no file has yet. */
function findFreePath(path: string): string {
  let free = path
  for (let i = 2; existsSync(free); i++) free = `${path}-${i}`
  return free
}

interface StoreParts {
  owner: Owner
  lock: Lock
  opened: OpenedFile
  options: StoreOptions
}

/** Keeps worlds on disk, in a file of rows that grows with what changes and is now and then compacted. */
export class Store {
  readonly #origin: string
  /** Current place of the file; it differs from the first one after somebody put another file there. */
  #path: string
  readonly #owner: Owner
  readonly #lock: Lock
  readonly #options: StoreOptions
  readonly #kept: Map<string, SavedWorld>
  readonly #timer: NodeJS.Timeout
  readonly #parts = new Map<string, Part>()
  readonly #failures = new Map<Failure, string>()
  #main: Copy
  /** The file, and during a compaction the one that will replace it. */
  readonly #copies: Set<Copy>
  /** Ends when the file is free for the next job; never rejects. */
  #turn: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined
  /** Set until the folder is on disk: a loss of power could bring the former file back. */
  #isFolderBehind = false
  #compacting: Promise<void> | undefined
  #compactedSize: number
  #retryAt = 0
  /** Message about what happened to the file, and where the worlds are now. */
  #interference: string | undefined
  #isClosed = false

  /** Damage at the end of the file, found when it was read. */
  readonly cut: Cut

  constructor(path: string, { owner, lock, opened, options }: StoreParts) {
    this.#origin = path
    this.#path = path
    this.#owner = owner
    this.#lock = lock
    this.#options = options
    this.#kept = opened.saved
    this.#main = this.#copyTo(opened.file)
    this.#copies = new Set([this.#main])
    this.#compactedSize = opened.firstSize
    this.cut = opened.cut
    this.#timer = realTime.setInterval(() => this.#touch(), options.touchMs ?? TOUCH_MS).unref()
  }

  /** The worlds that were kept; each is read once, when it is opened. */
  get kept(): ReadonlyMap<string, SavedWorld> {
    return this.#kept
  }

  get status(): StorageStatus {
    const failure = this.#failures.get('write') ?? this.#failures.get('compaction')
    if (failure !== undefined) return { status: 'failing', reason: failure }
    const reason = this.#interference ?? null
    return { status: reason === null ? 'ok' : 'replaced', reason }
  }

  /** Writes whatever changes in a world from here on, after the whole world unless the file has it. */
  follow(name: string, world: World, followed: FollowOptions): void {
    const part: Part = { ...followed, name, world }
    this.#parts.set(name, part)
    const wasKept = this.#kept.delete(name)
    if (!wasKept) for (const copy of this.#copies) copy.addPart(part)
    world.listen((change) => this.#addChange(part, change))
  }

  forget(name: string): void {
    this.#parts.delete(name)
    this.#kept.delete(name)
    for (const copy of this.#copies) copy.addEnd(name)
  }

  /** Resolves once everything that changed so far is on disk; rejects when it cannot be written. */
  async written(): Promise<void> {
    if (this.#lost) throw this.#lost
    if (this.#failures.has('compaction')) this.#considerCompacting()
    if (!this.#isBehind()) await this.#turn
    if (this.#isBehind()) await this.#writeSoon()
  }

  async close(): Promise<void> {
    if (!this.#lost) await this.#writeSoon().catch(() => undefined)
    this.#isClosed = true
    realTime.clearInterval(this.#timer)
    await this.#compacting
    await this.#turn
    await this.#main.file.close()
    this.#lock.release()
    if (this.#path !== this.#origin) console.error(`ramp-sandbox: ${this.#whereabouts()}`)
  }

  #addChange(part: Part, change: Change): void {
    // A world that was replaced may still be running its last calls.
    if (this.#parts.get(part.name) !== part) return
    for (const copy of this.#copies) copy.addChange(part, change)
    // Changes that no call asked for, such as an expiry, are written as well.
    if (!this.#isClosed) void this.#writeSoon()
  }

  get #lost(): Error | undefined {
    return this.#lock.lost ?? this.#main.file.lost
  }

  #isBehind(): boolean {
    return this.#waiting !== undefined || this.#isFolderBehind || this.#main.isBehind()
  }

  /** One write waits while another is under way; all who ask meanwhile share it, and need not handle its rejection. */
  #writeSoon(): Promise<void> {
    this.#waiting ??= this.#inTurn(() => this.#write())
    return this.#waiting
  }

  #inTurn(job: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(job)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async #write(): Promise<void> {
    // All calls of one turn of the event loop share this write.
    await realTime.nextTurn()
    this.#waiting = undefined
    try {
      await this.#stayInPlace()
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

  /** Shows that this process lives, and checks the file even when nothing is written. */
  #touch(): void {
    try {
      this.#main.file.assertHeld()
      this.#main.file.touch()
    } catch {
      // The cause may pass, and the write below reports it.
    }
    if (this.#lost) this.#fail('write', this.#lost)
    else void this.#writeSoon()
  }

  /** Writes everything to a new file if the path no longer leads to the file as it was left. */
  async #stayInPlace(): Promise<void> {
    const { file } = this.#main
    // A process that took the file over also changed it, and must not be mistaken for interference.
    file.assertHeld()
    const interference = file.findInterference(this.#path)
    // Worlds that were not opened yet have not changed, and could not be written.
    if (interference === undefined || this.#kept.size > 0) return
    const what = `${this.#path} ${INTERFERENCES[interference]} while it was in use`
    // Somebody else's file must not be overwritten.
    const path = interference === 'moved' ? this.#path : findFreePath(`${this.#origin}.kept`)
    try {
      await this.#rewrite((copy, draft) => this.#replaceBy(copy, draft, path))
    } catch (error) {
      throw new Error(`${what}, and cannot be written anew: ${messageOf(error)}`)
    }
    this.#path = path
    this.#interference = `${what}. ${this.#whereabouts()}`
    console.error(`ramp-sandbox: WARNING: ${this.#interference}`)
  }

  #whereabouts(): string {
    if (this.#path === this.#origin) return `All worlds were written to it anew.`
    return `All worlds are in ${this.#path} instead: start with --data ${this.#path} to keep them.`
  }

  #considerCompacting(): void {
    const { compactMinBytes = COMPACT_MIN_BYTES } = this.#options
    const { size } = this.#main.file
    const isSmall = size <= Math.max(compactMinBytes, 2 * this.#compactedSize)
    const isReady = this.#kept.size === 0 && !this.#isClosed
    if (isSmall || !isReady || realTime.elapsed() < this.#retryAt) return
    this.#compacting ??= this.#tryCompacting()
  }

  async #tryCompacting(): Promise<void> {
    const { retryMs = RETRY_MS } = this.#options
    try {
      await this.#compact()
      this.#failures.delete('compaction')
    } catch (error) {
      this.#retryAt = realTime.elapsed() + retryMs
      this.#fail('compaction', error)
    }
    this.#compacting = undefined
  }

  /** Writes everything to a new file while calls go on, and puts it in the place of the old one. */
  async #compact(): Promise<void> {
    await this.#rewrite(async (copy, draft) => {
      await copy.catchUp()
      // Little is missing by now.
      await this.#inTurn(async () => {
        await this.#stayInPlace()
        await this.#replaceBy(copy, draft, this.#path)
      })
    })
    // Each write tries to sync the folder until that succeeds.
    await this.written().catch(() => undefined)
  }

  /** Makes a new file for everything, and removes it again if it cannot be put in place. */
  async #rewrite(put: (copy: Copy, draft: string) => Promise<void>): Promise<void> {
    const draft = draftOf(this.#path)
    const { claim } = this.#main.file
    const assertMayWrite = () => this.#assertMayWrite()
    const owner = this.#owner
    const copy = this.#copyTo(await DataFile.open(draft, { owner, claim, assertMayWrite }))
    for (const part of this.#parts.values()) copy.addPart(part)
    this.#copies.add(copy)
    try {
      await put(copy, draft)
    } catch (error) {
      this.#copies.delete(copy)
      await copy.file.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
      throw error
    }
  }

  async #replaceBy(copy: Copy, draft: string, path: string): Promise<void> {
    if (copy.isBehind()) await copy.catchUp()
    this.#assertMayWrite()
    await rename(draft, path)
    this.#isFolderBehind = true
    this.#copies.delete(this.#main)
    // Nobody needs to wait for this.
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
