import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { realTime } from '../real-time.ts'
import { PRIVATE_MODE } from './files.ts'
import { inUse, isRunning, type Owner, type OwnerOptions, TOUCH_MS, takenOver } from './owner.ts'

export interface LockOptions extends OwnerOptions {
  touchMs?: number
}

/** Keeps the path of a data file to one process, also across containers and machines that share its folder. */
export class Lock {
  readonly #path: string
  readonly #file: string
  readonly #mine: Owner
  #timer: NodeJS.Timeout | undefined
  #ended: string | undefined
  #lost: Error | undefined

  private constructor(path: string, mine: Owner) {
    this.#path = path
    this.#file = `${path}.lock`
    this.#mine = mine
  }

  /** Rejects while another process has the lock. */
  static async take(path: string, mine: Owner, options: LockOptions = {}): Promise<Lock> {
    const lock = new Lock(path, mine)
    if (!lock.#make()) await lock.#takeOver({ ...options, place: mine.place })
    lock.#timer = realTime.setInterval(() => lock.#touch(), options.touchMs ?? TOUCH_MS).unref()
    return lock
  }

  /** Id of the former owner, if it left the lock behind. */
  get ended(): string | undefined {
    return this.#ended
  }

  /** The error of every call once another process has the lock; noticed even when nothing is written. */
  get lost(): Error | undefined {
    return this.#lost
  }

  /** Throws once another process has the lock. Call it before each write, and after it. */
  assertHeld(): void {
    if (this.#lost) throw this.#lost
    const owner = this.#read()
    if (owner?.id === this.#mine.id) return
    if (owner === undefined && this.#makeAgain()) return
    realTime.clearInterval(this.#timer)
    this.#lost = takenOver(this.#path, owner)
    throw this.#lost
  }

  release(): void {
    realTime.clearInterval(this.#timer)
    if (this.#read()?.id === this.#mine.id) rmSync(this.#file, { force: true })
  }

  /** Creates the lock; returns false if there is one already. */
  #make(): boolean {
    try {
      writeFileSync(this.#file, JSON.stringify(this.#mine), { flag: 'wx', mode: PRIVATE_MODE })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      // On a full disk the file may exist without its content.
      if (this.#read() === undefined) rmSync(this.#file, { force: true })
      throw error
    }
  }

  async #takeOver(options: OwnerOptions): Promise<void> {
    const owner = this.#read()
    const readSign = () => statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs
    if (await isRunning(owner, readSign, options)) throw inUse(this.#path, this.#read())
    const current = this.#read()
    if (current?.id !== owner?.id) throw inUse(this.#path, current)
    const draft = `${this.#file}.${this.#mine.id}`
    writeFileSync(draft, JSON.stringify(this.#mine), { mode: PRIVATE_MODE })
    renameSync(draft, this.#file)
    this.#ended = owner?.id
  }

  #touch(): void {
    try {
      this.assertHeld()
      const now = realTime.now() / 1000
      utimesSync(this.#file, now, now)
    } catch {
      // The cause may pass, such as too many open files.
    }
  }

  /** Recreates a lock that somebody deleted; returns false if another process was faster. */
  #makeAgain(): boolean {
    if (!this.#make()) return false
    console.error(
      `ramp-sandbox: ${this.#file} was deleted and has been created again; ${this.#path} needs it.`,
    )
    return true
  }

  /** Reads the owner; undefined if the lock is missing, not written yet or damaged. */
  #read(): Owner | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) ?? undefined
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
  }
}
