import type { State } from '../../src/world/state.ts'
import { exportState } from '../../src/world/state-export.ts'
import type { World } from '../../src/world/world.ts'

/** A state as it was, and the JSON text of each of its parts. */
export interface Recording {
  state: State
  texts: Readonly<Record<string, string>>
}

/** Parts that are the same as before are shared; where all are, the recording itself is. */
export function record(world: World, before?: Recording): Recording {
  const state: Record<string, unknown> = {}
  const texts: Record<string, string> = {}
  let isSame = before !== undefined
  for (const [part, value] of Object.entries(exportState(world))) {
    const text = JSON.stringify(value)
    const isKnown = before?.texts[part] === text
    texts[part] = text
    state[part] = isKnown ? Reflect.get(before.state, part) : JSON.parse(text)
    isSame &&= isKnown
  }
  return before && isSame ? before : { state: state as unknown as State, texts }
}
