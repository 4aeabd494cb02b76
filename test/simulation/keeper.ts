import { Copy, type Part } from '../../src/store/copy.ts'
import type { Line } from '../../src/store/line.ts'
import { Replay } from '../../src/store/replay.ts'
import type { State } from '../../src/world/state.ts'
import type { World } from '../../src/world/world.ts'

const NAME = 'default'

/** Keeps a world as the data file would, in memory: what changed is written as JSON and read back. */
export function createKeeper() {
  const replay = new Replay()
  const file = { append }
  const copy = new Copy(file, () => 0)
  let part: Part | undefined
  return {
    follow(world: World) {
      const followed = { name: NAME, world, sync: () => {} }
      part = followed
      copy.addPart(followed)
      world.listen((change) => {
        if (part === followed) copy.addChange(followed, change)
      })
    },
    /** The state that a restart would find now. */
    read(): State | undefined {
      // A clock that runs changes nothing else.
      if (part) copy.addChange(part, ['scalars', null])
      void copy.catchUp()
      return replay.saved().get(NAME)?.state
    },
  }

  /** Done before it returns, as nothing in it waits. */
  async function append(lines: Iterable<Line>) {
    for (const line of lines) replay.apply(JSON.parse(JSON.stringify(line)))
  }
}
