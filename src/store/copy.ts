import { LIST_NAMES, type ListName } from '../world/state.ts'
import { exportScalars, rowsOf } from '../world/state-export.ts'
import type { Change, World } from '../world/world.ts'
import type { DataFile } from './data-file.ts'
import type { Line } from './replay.ts'

/** A part of what the file holds: a world. */
export interface Part {
  readonly name: string
  readonly world: World
  /** Moves a running world to the present. */
  sync(): void
  /** How long a private world may be idle. */
  readonly ttlMs?: number | undefined
  /** The private world to which a fork belongs. */
  readonly owner?: string | undefined
  /** Life of the world, which is no part of its state. */
  readonly life: number
}

export type Copy = ReturnType<typeof createCopy>

/** Rows that a line of the file names and the copy lacks: the whole part where it names none. */
interface Missing {
  part?: Part | undefined
  /** By row, or by the number of a task; a row that changes twice is written once. */
  rows?: Map<object | number, ListName | 'cancelled'> | undefined
}

/** A file, and what of the worlds it does not hold yet. */
export function createCopy(file: DataFile, wallClock: () => number) {
  const missing = new Map<string, Missing>()
  return {
    file,
    isBehind: () => missing.size > 0,
    /** All of a part is missing, whatever the file holds under its name. */
    addPart: (part: Part) => void missing.set(part.name, { part }),
    addChange,
    /** Nothing of this name is to be left. */
    addEnd: (name: string) => void missing.set(name, {}),
    catchUp,
  }

  /** A row of it is missing, or only what is no row. */
  function addChange(part: Part, [list, row]: Change) {
    if (!missing.has(part.name)) missing.set(part.name, { part, rows: new Map() })
    // Where all of the part is missing, the row is written with it.
    if (list !== 'scalars') missing.get(part.name)?.rows?.set(row, list)
  }

  /**
   * Writes what is missing, and resolves once it is on disk. The worlds may go on meanwhile: a group
   * of lines ends only in a moment when nothing is missing, so each group is consistent.
   */
  async function catchUp(): Promise<void> {
    const taken: [string, Missing][] = []
    try {
      await file.append(takeLines(taken))
    } catch (error) {
      for (const [name, before] of taken.reverse()) putBack(name, before)
      throw error
    }
  }

  /** Also those of what is added on the way. */
  function* takeLines(taken: [string, Missing][]): Generator<Line> {
    for (const [name, { part, rows }] of missing) {
      missing.delete(name)
      taken.push([name, { part, rows }])
      if (part) {
        yield ['world', { name, isWhole: rows === undefined, ...headOf(part) }]
        yield* rows ? [...rows].map(([row, kind]): Line => [kind, row]) : rowsIn(part)
      } else yield ['deleted', name]
    }
  }

  /** Fields that are no rows, for the line that begins the part. */
  function headOf({ world, sync, ttlMs, owner, life }: Part) {
    // Or a world that nobody used for an hour would lose that hour.
    sync()
    // JSON leaves out what is undefined.
    return { wallAt: wallClock(), life, ttlMs, owner, ...exportScalars(world) }
  }

  /** What came since adds to it, unless it says how all of the part stands. */
  function putBack(name: string, before: Missing) {
    const since = missing.get(name)
    if (since && !since.rows) return
    for (const [row, kind] of since?.rows ?? []) before.rows?.set(row, kind)
    missing.set(name, before)
  }
}

/** Every row as it stands when it is asked for: the world may change meanwhile. */
function* rowsIn({ world }: Part): Generator<Line> {
  for (const list of LIST_NAMES) for (const row of rowsOf(world, list)) yield [list, row]
}
