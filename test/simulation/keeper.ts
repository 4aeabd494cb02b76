import { createRecorder, type Recorder } from '../../src/store/change.ts'
import { createLedger } from '../../src/store/ledger.ts'
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
  const ledger = createLedger()
  let recorder: Recorder | undefined
  return {
    follow(world) {
      recorder = createRecorder(NAME, world)
    },
    read() {
      if (recorder?.isDirty) ledger.apply(JSON.parse(JSON.stringify(recorder.take(0))))
      return ledger.worlds().get(NAME)?.state
    },
  }
}
