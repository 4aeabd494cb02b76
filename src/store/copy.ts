import { LIST_NAMES, type ListName } from '../world/state.ts'
import { exportScalars, rowsOf } from '../world/state-export.ts'
import type { Change, World } from '../world/world.ts'
import type { DataFile } from './data-file.ts'
import type { Line } from './line.ts'

/** A world, as a part of the file. */
export interface Part {
  readonly name: string
  readonly world: World
  /** Moves a running world to the present. */
  sync(): void
}

/** Changes of a world that are not in the file yet: some rows, the whole part, or its end. */
interface Missing {
  part?: Part | undefined
  /** By row, or by the number of a task; a row that changes twice is written once. */
  rows?: Map<object | number, ListName | 'cancelled'> | undefined
}

/** A file, and the changes that are not in it yet. */
export class Copy<File extends Pick<DataFile, 'append'> = DataFile> {
  readonly file: File
  readonly #wallClock: () => number
  readonly #missing = new Map<string, Missing>()

  constructor(file: File, wallClock: () => number) {
    this.file = file
    this.#wallClock = wallClock
  }

  isBehind(): boolean {
    return this.#missing.size > 0
  }

  /** Queues a write of the whole part, which replaces an earlier one of that name. */
  addPart(part: Part): void {
    this.#missing.set(part.name, { part })
  }

  /** Queues a line that ends the part of that name. */
  addEnd(name: string): void {
    this.#missing.set(name, {})
  }

  addChange(part: Part, [list, row]: Change): void {
    if (!this.#missing.has(part.name)) this.#missing.set(part.name, { part, rows: new Map() })
    // A part that is written whole has this row in it, and each part begins with its scalars.
    if (list !== 'scalars') this.#missing.get(part.name)?.rows?.set(row, list)
  }

  /**
   * Writes what is missing, and resolves once it is on disk. The worlds may go on meanwhile: a group
   * of lines ends only in a moment when nothing is missing, so each group is consistent.
   */
  async catchUp(): Promise<void> {
    const taken: [string, Missing][] = []
    try {
      await this.file.append(this.#takeLines(taken))
    } catch (error) {
      for (const [name, before] of taken.reverse()) this.#putBack(name, before)
      throw error
    }
  }

  /** Lines of everything that is missing, including what is added while they are written. */
  *#takeLines(taken: [string, Missing][]): Generator<Line> {
    for (const [name, { part, rows }] of this.#missing) {
      this.#missing.delete(name)
      taken.push([name, { part, rows }])
      if (part === undefined) {
        yield ['deleted', name]
        continue
      }
      yield ['world', { name, isWhole: rows === undefined, ...this.#headOf(part) }]
      yield* rows ? [...rows].map(([row, kind]): Line => [kind, row]) : rowsIn(part)
    }
  }

  /** Fields of the line that begins a part. */
  #headOf({ world, sync }: Part) {
    // Otherwise a world that nobody used for an hour would lose that hour.
    sync()
    return { wallAt: this.#wallClock(), ...exportScalars(world) }
  }

  /** Merges what could not be written with what has changed since, unless that is a whole part or an end. */
  #putBack(name: string, before: Missing): void {
    const since = this.#missing.get(name)
    if (since && !since.rows) return
    for (const [row, kind] of since?.rows ?? []) before.rows?.set(row, kind)
    this.#missing.set(name, before)
  }
}

/** Yields every row as it is at that moment, because the world may change meanwhile. */
function* rowsIn({ world }: Part): Generator<Line> {
  for (const list of LIST_NAMES) for (const row of rowsOf(world, list)) yield [list, row]
}
