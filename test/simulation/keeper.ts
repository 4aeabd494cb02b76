import { type ChangeRecorder, createChangeRecorder } from '../../src/store/change.ts'
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
  let recorder: ChangeRecorder | undefined
  return {
    follow(world) {
      recorder = createChangeRecorder(NAME, world)
    },
    read() {
      if (recorder?.isDirty) replay.apply(JSON.parse(JSON.stringify(recorder.take(0))))
      return replay.worlds().get(NAME)?.state
    },
  }
}
