import { type Changes, entriesOf, type Recorder, scalarsOf, Changes as Taken } from './changes.ts'
import type { DataFile, Line } from './data-file.ts'
import type { WorldLine } from './replay.ts'

/** How long lines are made before other calls get their turn. */
const SLICE_MS = 5

export interface CopyOptions {
  /** The worlds to be written down, by name. */
  followed: ReadonlyMap<string, Recorder>
  wallClock: () => number
  /** Throws where the file must not be written any more. */
  assertMayWrite(): void
}

/** A file, and how far behind the worlds it is. */
export interface Copy {
  readonly file: DataFile
  /** Says that the file holds this world as it stands. */
  adopt(name: string, recorder: Recorder): void
  isBehind(): boolean
  /**
   * Writes until the file is what the worlds are, and on disk. They may go on meanwhile: a group of
   * lines ends only in a moment when nothing is left to write, so each group is consistent.
   * Between slices it waits for `others`, if they are given.
   */
  catchUp(others?: () => Promise<unknown>): Promise<void>
  /** Collects no more changes. */
  detach(): void
}

interface CopiedWorld {
  recorder: Recorder
  changes: Changes
  revision: number
}

export function createCopy(
  file: DataFile,
  { followed, wallClock, assertMayWrite }: CopyOptions,
): Copy {
  const copied = new Map<string, CopiedWorld>()
  /** Takes back what was taken for a group that did not end. */
  let undo: (() => void)[] = []
  return {
    file,
    adopt: (name, recorder) => void enter(name, recorder),
    isBehind,
    async catchUp(others) {
      if (!isBehind()) return
      try {
        await write(others)
        undo = []
      } catch (error) {
        for (const step of undo.reverse()) step()
        undo = []
        await file.rollBack().catch(() => undefined)
        throw error
      }
    },
    detach() {
      for (const { recorder, changes } of copied.values()) recorder.detach(changes)
    },
  }

  function enter(name: string, recorder: Recorder): CopiedWorld {
    const { revision } = recorder.world
    const entered = { recorder, changes: recorder.attach(), revision }
    copied.set(name, entered)
    return entered
  }

  function isBehind(): boolean {
    if (copied.size !== followed.size) return true
    for (const [name, recorder] of followed) {
      const world = copied.get(name)
      if (world?.recorder !== recorder || world.revision !== recorder.world.revision) return true
    }
    return false
  }

  async function write(others?: () => Promise<unknown>) {
    let sliceEnd = performance.now() + SLICE_MS
    while (isBehind()) {
      for (const line of missingLines()) {
        file.add(line)
        if (performance.now() < sliceEnd) continue
        assertMayWrite()
        await file.flush()
        await others?.()
        sliceEnd = performance.now() + SLICE_MS
      }
    }
    assertMayWrite()
    await file.commit()
    // A process that was stopped meanwhile may have lost the file.
    assertMayWrite()
  }

  function* missingLines(): Generator<Line> {
    for (const [name, world] of copied) {
      if (followed.has(name)) continue
      copied.delete(name)
      world.recorder.detach(world.changes)
      undo.push(() => copied.set(name, world))
      yield ['deleted', name]
    }
    for (const [name, recorder] of followed) {
      const before = copied.get(name)
      const isWhole = before?.recorder !== recorder
      if (isWhole || before.revision !== recorder.world.revision) {
        const lines = isWhole ? wholeLines(name, recorder) : changedLines(before)
        yield ['world', toWorldLine(name, recorder, isWhole)]
        yield* lines
      }
    }
  }

  function wholeLines(name: string, recorder: Recorder): Iterable<Line> {
    const before = copied.get(name)
    before?.recorder.detach(before.changes)
    const entered = enter(name, recorder)
    undo.push(() => {
      recorder.detach(entered.changes)
      if (before) copied.set(name, before)
      else copied.delete(name)
    })
    return entriesOf(recorder.world)
  }

  function changedLines(world: CopiedWorld): Iterable<Line> {
    const taken = new Taken()
    undo.push(() => {
      world.changes.putBack(taken)
      world.revision = Number.NaN
    })
    world.revision = world.recorder.world.revision
    return world.changes.take(taken)
  }

  function toWorldLine(name: string, { world, sync }: Recorder, isWhole: boolean): WorldLine {
    // Or a world that nobody used for an hour would lose that hour.
    sync()
    return { name, isWhole, wallAt: wallClock(), ...scalarsOf(world) }
  }
}
