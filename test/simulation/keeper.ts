import {
  Changes,
  createRecorder,
  entriesOf,
  type Recorder,
  scalarsOf,
} from '../../src/store/changes.ts'
import type { Line } from '../../src/store/data-file.ts'
import { createReplay } from '../../src/store/replay.ts'
import type { State } from '../../src/world/state.ts'
import type { World } from '../../src/world/world.ts'

/** Keeps a world as the data file would, in memory: what changed is written as JSON and read back. */
export interface Keeper {
  follow(world: World): void
  /** The state that a restart would find now. */
  read(): State | undefined
}

const NAME = 'default'

export function createKeeper(): Keeper {
  const replay = createReplay()
  let recorder: Recorder | undefined
  let changes: Changes | undefined
  return {
    follow(world) {
      recorder = createRecorder({ world, sync: () => {}, onChange: () => {} })
      changes = undefined
    },
    read() {
      if (recorder === undefined) return undefined
      const { world } = recorder
      const isWhole = changes === undefined
      apply(['world', { name: NAME, isWhole, wallAt: 0, ...scalarsOf(world) }])
      for (const entry of changes?.take(new Changes()) ?? entriesOf(world)) apply(entry)
      changes ??= recorder.attach()
      return replay.worlds().get(NAME)?.state
    },
  }

  function apply(line: Line) {
    replay.apply(JSON.parse(JSON.stringify(line)))
  }
}
