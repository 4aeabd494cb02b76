import { type Entry, followWorld, type Part, toPart } from '../../src/store/parts.ts'
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
  let part: Part | undefined
  let isWhole = true
  let changed = new Map<Entry[1], Entry[0]>()
  return {
    follow(world) {
      const followed = toPart(world, { name: NAME, sync: () => {}, wallClock: () => 0 })
      part = followed
      isWhole = true
      followWorld(world, (entry) => {
        if (part === followed && entry) changed.set(entry[1], entry[0])
      })
    },
    read() {
      if (part === undefined) return undefined
      apply(['world', { name: NAME, isWhole, ...part.head() }])
      const entries = [...changed].map(([row, kind]): Line => [kind, row])
      for (const entry of isWhole ? part.rows() : entries) apply(entry)
      isWhole = false
      changed = new Map()
      return replay.saved().worlds.get(NAME)?.state
    },
  }

  function apply(line: Line) {
    replay.apply(JSON.parse(JSON.stringify(line)))
  }
}
