import { rm } from 'node:fs/promises'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { realTime } from '../real-time.ts'
import { messageOf } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'
import { exportState } from '../world/state-export.ts'
import type { World } from '../world/world.ts'

/** The content of a file, which people can read and edit. */
export interface Saved {
  /** Wall time, from which a running world goes on at the present. */
  savedAt: string
  state: State
}

export interface Source {
  world: World
  /** Moves a running world to the present. */
  sync(): void
}

export interface WorldFileOptions {
  wallClock(): number
  /** Throws where the folder must not be written any more. */
  assertMayWrite(): void
}

/** The file of one world. One write is under way at a time, and what changes meanwhile shares the next. */
export class WorldFile {
  readonly #path: string
  readonly #options: WorldFileOptions
  readonly #db: Low<Saved | null>
  #source: Source | undefined
  #isChanged = false
  #isClosed = false
  #writing: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #failure: string | null = null
  #onSaved: (() => void)[] = []

  constructor(path: string, options: WorldFileOptions) {
    this.#path = path
    this.#options = options
    this.#db = new Low<Saved | null>(new JSONFile(path), null)
  }

  /** Why the last write failed; null if it did not. */
  get failure(): string | null {
    return this.#failure
  }

  /** Writes whatever changes in a world from here on, and all of it now unless the file has it. */
  follow(source: Source, { isSaved }: { isSaved: boolean }): void {
    this.#source = source
    if (!isSaved) this.#touch()
    source.world.listen(() => {
      // A world that was replaced may still be running its last calls.
      if (this.#source === source) this.#touch()
    })
  }

  /** Removes the file of a world that has ended. */
  forget(): void {
    this.#source = undefined
    this.#touch()
  }

  /** Resolves once everything that changed so far is on disk; rejects when it cannot be written. */
  written(): Promise<void> {
    return this.#isChanged ? this.#writeSoon() : this.#writing
  }

  /** Resolves once a write that begins from now on has succeeded. */
  saved(): Promise<void> {
    return new Promise((resolve) => this.#onSaved.push(resolve))
  }

  async close(): Promise<void> {
    await this.written().catch(() => undefined)
    this.#isClosed = true
  }

  /** Changes that no call asked for, such as an expiry, are written as well. */
  #touch(): void {
    this.#isChanged = true
    if (!this.#isClosed) this.#writeSoon().catch(() => undefined)
  }

  #writeSoon(): Promise<void> {
    this.#next ??= this.#writeNext()
    return this.#next
  }

  async #writeNext(): Promise<void> {
    // While a write is under way, lowdb would resolve only with the last of those that follow.
    await this.#writing.catch(() => undefined)
    // All calls of one turn of the event loop share this write.
    await realTime.nextTurn()
    this.#next = undefined
    this.#writing = this.#write()
    await this.#writing
  }

  async #write(): Promise<void> {
    const waiting = this.#onSaved.splice(0)
    try {
      this.#options.assertMayWrite()
      await this.#writeWorld()
      this.#failure = null
      for (const resolve of waiting) resolve()
    } catch (error) {
      this.#isChanged = true
      this.#onSaved.unshift(...waiting)
      if (this.#failure === null) console.error(`ramp-sandbox: ${describe(error)}`)
      this.#failure = describe(error)
      throw error
    }
  }

  async #writeWorld(): Promise<void> {
    const { world } = this.#sync() ?? {}
    this.#isChanged = false
    if (world === undefined) return rm(this.#path, { force: true })
    const savedAt = new Date(this.#options.wallClock()).toISOString()
    this.#db.data = { savedAt, state: exportState(world) }
    await this.#db.write()
  }

  /** Otherwise a world that nobody used for an hour would lose that hour. */
  #sync(): Source | undefined {
    this.#source?.sync()
    return this.#source
  }
}

const describe = (error: unknown) => `Changes are not being saved: ${messageOf(error)}.`
