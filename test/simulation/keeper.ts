import { readState } from '../../src/world/read-state.ts'
import type { State } from '../../src/world/state.ts'
import { exportState } from '../../src/world/state-export.ts'
import type { World } from '../../src/world/world.ts'

/** Keeps a world as its file would, in memory: the state is written as JSON when a change is announced. */
export function createKeeper() {
  let followed: World | undefined
  let isChanged = false
  let text = ''
  return {
    follow(world: World) {
      followed = world
      isChanged = true
      world.listen(() => {
        if (followed === world) isChanged = true
      })
    },
    /** The state that a restart would find now. */
    read(): State | undefined {
      if (followed === undefined) return undefined
      if (isChanged) text = JSON.stringify(exportState(followed))
      isChanged = false
      const state = readState(JSON.parse(text))
      // A clock that runs changes nothing else, and its file says when it was written.
      return { ...state, now: followed.now }
    },
  }
}
