import { Changes, type Recorder, recordWorld } from '../../src/store/changes.ts'
import { createReplay, type Line } from '../../src/store/replay.ts'
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
      recorder = recordWorld(world, { sync: () => {}, wallClock: () => 0, onChange: () => {} })
      changes = undefined
    },
    read() {
      if (recorder === undefined) return undefined
      apply(['world', { name: NAME, isWhole: changes === undefined, ...recorder.head() }])
      for (const entry of changes?.take(new Changes()) ?? recorder.rows()) apply(entry)
      changes ??= new Changes()
      recorder.attached.add(changes)
      return replay.saved().worlds.get(NAME)?.state
    },
  }

  function apply(line: Line) {
    replay.apply(JSON.parse(JSON.stringify(line)))
  }
}
