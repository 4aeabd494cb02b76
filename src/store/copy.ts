import { realTime } from '../real-time.ts'
import type { DataFile } from './data-file.ts'
import type { Entry, Part } from './parts.ts'
import type { Line } from './replay.ts'

/** How long lines are made before calls get their turn. */
const SLICE_MS = 5
/** Characters that are written at once: a sync of much more would keep other files waiting. */
const PIECE_LENGTH = 4_000_000

/** A file, and what of the worlds it does not hold yet. */
export interface Copy {
  readonly file: DataFile
  isBehind(): boolean
  /** All of a part is missing, whatever the file holds under its name. */
  addPart(part: Part): void
  /** A row of it is missing, or only what is no row. */
  addChange(part: Part, entry?: Entry): void
  /** Nothing of this name is to be left. */
  addEnd(name: string): void
  /**
   * Writes what is missing, and resolves once it is on disk. The worlds may go on meanwhile: a group
   * of lines ends only in a moment when nothing is missing, so each group is consistent.
   */
  catchUp(): Promise<void>
}

/** What is missing of one name: all of it, some rows, or that it is gone. */
type Missing =
  | { kind: 'part'; part: Part }
  | { kind: 'rows'; part: Part; rows: Rows }
  | { kind: 'end' }
/** By row, or by the number of a task; a row that changes twice is written once. */
type Rows = Map<object | number, Entry[0]>

/** `assertMayWrite` throws where the file must not be written any more. */
export function createCopy(file: DataFile, assertMayWrite: () => void): Copy {
  const missing = new Map<string, Missing>()
  return {
    file,
    isBehind: () => missing.size > 0,
    addPart: (part) => void missing.set(part.name, { kind: 'part', part }),
    addChange,
    addEnd: (name) => void missing.set(name, { kind: 'end' }),
    catchUp,
  }

  function addChange(part: Part, entry?: Entry) {
    const before = missing.get(part.name)
    // Rows of a part of which all is missing are written as they stand then.
    if (before && before.kind !== 'rows') return
    const rows = before?.rows ?? new Map()
    if (!before) missing.set(part.name, { kind: 'rows', part, rows })
    if (entry) rows.set(entry[1], entry[0])
  }

  async function catchUp() {
    const taken: [string, Missing][] = []
    try {
      await write(taken)
    } catch (error) {
      file.rollBack()
      for (const [name, before] of taken.reverse()) putBack(name, before)
      throw error
    }
  }

  async function write(taken: [string, Missing][]) {
    let sliceEnd = realTime.elapsed() + SLICE_MS
    // Also over what is added on the way.
    for (const [name, change] of missing) {
      missing.delete(name)
      taken.push([name, change])
      for (const line of linesOf(name, change)) {
        file.add(line)
        if (realTime.elapsed() < sliceEnd) continue
        assertMayWrite()
        if (file.waiting > PIECE_LENGTH) await file.flush()
        else await realTime.nextTurn()
        sliceEnd = realTime.elapsed() + SLICE_MS
      }
    }
    assertMayWrite()
    await file.commit()
    // A process that was stopped meanwhile may have lost the file.
    assertMayWrite()
  }

  /** What came since goes on from there, unless it says how all of it stands. */
  function putBack(name: string, before: Missing) {
    const since = missing.get(name)
    if (since === undefined) missing.set(name, before)
    if (since?.kind !== 'rows') return
    if (before.kind === 'rows') for (const [row, kind] of since.rows) before.rows.set(row, kind)
    missing.set(name, before)
  }
}

function* linesOf(name: string, change: Missing): Generator<Line> {
  if (change.kind === 'end') return yield ['deleted', name]
  const isWhole = change.kind === 'part'
  yield ['world', { name, isWhole, ...change.part.head() }]
  if (change.kind === 'part') yield* change.part.rows()
  else for (const [row, kind] of change.rows) yield [kind, row]
}
