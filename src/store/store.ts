import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import { realTime } from '../real-time.ts'
import { withoutMark } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { readState } from '../world/read-state.ts'
import type { State } from '../world/state.ts'
import { lockFolder } from './lock.ts'
import { type Saved, type Source, WorldFile, type WorldFileOptions } from './world-file.ts'

/** `failing` while something cannot be written. */
export interface StorageStatus {
  status: 'ok' | 'failing'
  reason: string | null
}

/** A world that was found in the folder. */
export interface KeptWorld {
  state: State
  /** Wall time at which it was saved. */
  savedAt: number
}

export interface StoreOptions {
  /** The present in ms. Default: that of this machine. */
  wallClock?: (() => number) | undefined
  /** Place where process ids mean the same. Default: here. */
  place?: string
  /** Time for which the lock of another place counts after it was last touched. */
  silentMs?: number
}

/** Opens a folder with a JSON file for each world. Rejects one that is in use, or has a file that cannot be read. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  const folder = resolve(path)
  try {
    await assertNoFile(folder)
    await makeFolder(folder)
    const lock = await lockFolder(folder, options)
    try {
      const { wallClock = realTime.now } = options
      return new Store(folder, { lock, wallClock, kept: await readWorlds(folder) })
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw dataError(`--data ${path} cannot be used: ${messageOf(error)}.`)
  }
}

const dataError = (message: string) => new DomainError('data-file', message, { field: '--data' })

async function assertNoFile(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isFile()) return
  const { dir, name, ext } = parse(folder)
  const other = join(dir, ext === '' ? `${name}-worlds` : name)
  throw dataError(
    `${folder} is a file, and --data takes a folder, with a file for each world. ` +
      `If it is a data file of an earlier version, this one cannot read it. Use a new folder: --data ${other}.`,
  )
}

/** Makes a folder and its parents, as `recursive` would, which never ends below `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(Boolean, () => false)
  if (isThere) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process may have made it meanwhile.
    if (error.code !== 'EEXIST') throw error
  })
}

async function readWorlds(folder: string): Promise<Map<string, KeptWorld>> {
  const kept = new Map<string, KeptWorld>()
  const files = (await readdir(folder)).filter((file) => /^[^.].*\.json$/.test(file))
  for (const file of files) {
    const path = join(folder, file)
    try {
      const name = decodeURIComponent(file.slice(0, -'.json'.length))
      const own = fileOf(name)
      if (file !== own) throw new Error(`the file of world ${name} must be named ${own}`)
      kept.set(name, readSaved(JSON.parse(withoutMark(await readFile(path, 'utf8')))))
    } catch (error) {
      const why = messageOf(error).replace(/\.$/, '')
      const what = 'Fix it, or move it out of the folder to start that world again.'
      throw dataError(`${path} cannot be read: ${why}. ${what}`)
    }
  }
  return kept
}

function readSaved(document: Partial<Saved> | null): KeptWorld {
  const { savedAt = '', state = {} } = document ?? {}
  const at = Date.parse(savedAt)
  if (Number.isNaN(at)) throw new Error('savedAt is not an instant')
  return { savedAt: at, state: readState(state) }
}

/** Capital letters are encoded, because some file systems ignore case. */
const fileOf = (name: string) =>
  `${name.replace(/[A-Z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}.json`

interface StoreParts {
  lock: Awaited<ReturnType<typeof lockFolder>>
  wallClock: () => number
  kept: Map<string, KeptWorld>
}

/** Keeps each world in a JSON file, which is written before a response about it leaves. */
export class Store {
  readonly #folder: string
  readonly #lock: StoreParts['lock']
  readonly #kept: Map<string, KeptWorld>
  readonly #options: WorldFileOptions
  readonly #files = new Map<string, WorldFile>()
  /** Names of worlds whose files are to go. */
  readonly #ended = new Set<string>()

  constructor(folder: string, { lock, wallClock, kept }: StoreParts) {
    this.#folder = folder
    this.#lock = lock
    this.#kept = kept
    this.#options = { wallClock, assertMayWrite: () => lock.assertHeld() }
  }

  /** The worlds that were found; each is taken once, when it is opened. */
  get kept(): ReadonlyMap<string, KeptWorld> {
    return this.#kept
  }

  get status(): StorageStatus {
    const failures = [...this.#files.values()].flatMap(({ failure }) => failure ?? [])
    const [reason = null] = failures
    return { status: reason === null ? 'ok' : 'failing', reason }
  }

  follow(name: string, source: Source): void {
    const file =
      this.#files.get(name) ?? new WorldFile(join(this.#folder, fileOf(name)), this.#options)
    this.#files.set(name, file)
    this.#ended.delete(name)
    file.follow(source, { isSaved: this.#kept.delete(name) })
  }

  forget(name: string): void {
    this.#files.get(name)?.forget()
    this.#ended.add(name)
  }

  /** Resolves once the changes of a world so far, and the ends of others, are on disk; rejects when they cannot be written. */
  async written(name: string): Promise<void> {
    const ended = [...this.#ended]
    await Promise.all([name, ...ended].map((each) => this.#files.get(each)?.written()))
    for (const each of ended) if (this.#ended.delete(each)) this.#files.delete(each)
  }

  /** Resolves once the next write of a world has succeeded. */
  async saved(name: string): Promise<void> {
    await this.#files.get(name)?.saved()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.close()))
    this.#lock.release()
  }
}
