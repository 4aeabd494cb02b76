import { realTime } from '../real-time.ts'
import { Changes, type Entry, type Recorder } from './changes.ts'
import type { DataFile } from './data-file.ts'
import type { Line } from './replay.ts'

/** How long lines are made before other calls get their turn. */
const SLICE_MS = 5

/** A file, and how far behind the worlds it is. */
export interface Copy {
  readonly file: DataFile
  /** Says that the file holds this part as it stands. */
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

interface CopiedPart {
  recorder: Recorder
  changes: Changes
  revision: number
}

export interface CopyOptions {
  /** What is to be written down, by name: worlds and the leases. */
  followed: ReadonlyMap<string, Recorder>
  /** Throws where the file must not be written any more. */
  assertMayWrite(): void
}

export function createCopy(file: DataFile, { followed, assertMayWrite }: CopyOptions): Copy {
  const copied = new Map<string, CopiedPart>()
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
      } catch (error) {
        for (const step of undo.reverse()) step()
        file.rollBack()
        throw error
      } finally {
        undo = []
      }
    },
    detach() {
      for (const part of copied.values()) leave(part)
    },
  }

  function enter(name: string, recorder: Recorder): CopiedPart {
    const changes = new Changes()
    recorder.attached.add(changes)
    const entered = { recorder, changes, revision: recorder.revision() }
    copied.set(name, entered)
    return entered
  }

  function leave({ recorder, changes }: CopiedPart) {
    recorder.attached.delete(changes)
  }

  function isBehind(): boolean {
    if (copied.size !== followed.size) return true
    for (const [name, recorder] of followed) {
      const part = copied.get(name)
      if (part?.recorder !== recorder || part.revision !== recorder.revision()) return true
    }
    return false
  }

  async function write(others?: () => Promise<unknown>) {
    let sliceEnd = realTime.elapsed() + SLICE_MS
    while (isBehind()) {
      for (const line of missingLines()) {
        file.add(line)
        if (realTime.elapsed() < sliceEnd) continue
        assertMayWrite()
        await file.flush()
        await others?.()
        sliceEnd = realTime.elapsed() + SLICE_MS
      }
    }
    assertMayWrite()
    await file.commit()
    // A process that was stopped meanwhile may have lost the file.
    assertMayWrite()
  }

  function* missingLines(): Generator<Line> {
    for (const [name, part] of copied) {
      if (followed.has(name)) continue
      copied.delete(name)
      leave(part)
      undo.push(() => copied.set(name, part))
      yield ['deleted', name]
    }
    for (const [name, recorder] of followed) {
      const before = copied.get(name)
      const isWhole = before?.recorder !== recorder
      if (!isWhole && before.revision === recorder.revision()) continue
      const entries = isWhole ? takeWhole(name, recorder) : takeChanges(before)
      yield ['world', { name, isWhole, ...recorder.head() }]
      yield* entries
    }
  }

  function takeWhole(name: string, recorder: Recorder): Iterable<Entry> {
    const before = copied.get(name)
    if (before) leave(before)
    const entered = enter(name, recorder)
    undo.push(() => {
      leave(entered)
      if (before) copied.set(name, before)
      else copied.delete(name)
    })
    return recorder.rows()
  }

  function takeChanges(part: CopiedPart): Iterable<Entry> {
    const taken = new Changes()
    undo.push(() => {
      part.changes.putBack(taken)
      part.revision = Number.NaN
    })
    part.revision = part.recorder.revision()
    return part.changes.take(taken)
  }
}
