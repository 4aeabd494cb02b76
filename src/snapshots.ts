import type { Queued } from './webhooks/outbox.ts'
import { Refusal } from './world/errors.ts'
import type { State } from './world/state.ts'

/** Snapshots that one world keeps, each as long as its state. */
export const SNAPSHOTS_MAX = 50

export interface Snapshot {
  name: string
  /** World time. */
  at: number
  /** As text, so that nothing in it can change any more. */
  state: string
  queued: Queued[]
}

/** Named copies of a world, in memory. */
export interface Snapshots {
  list(): Snapshot[]
  take(name: string, state: State, queued: Queued[]): Snapshot
  get(name: string): Snapshot
  drop(name: string): void
}

export function createSnapshots(): Snapshots {
  const taken = new Map<string, Snapshot>()
  return {
    list: () => [...taken.values()],
    take(name, state, queued) {
      if (!taken.has(name) && taken.size >= SNAPSHOTS_MAX) {
        const message = `At most ${SNAPSHOTS_MAX} snapshots are kept; delete one first.`
        throw new Refusal('conflict', 'name', message, { code: 'too-many-snapshots' })
      }
      const snapshot = { name, at: state.now, state: JSON.stringify(state), queued }
      taken.set(name, snapshot)
      return snapshot
    },
    get,
    drop(name) {
      taken.delete(get(name).name)
    },
  }

  function get(name: string): Snapshot {
    const snapshot = taken.get(name)
    if (snapshot) return snapshot
    const names = [...taken.keys()].join(', ')
    throw new Refusal('not-found', 'name', `There is no snapshot ${name}.`, {
      hint: names === '' ? 'None was taken yet.' : `There are ${names}.`,
    })
  }
}
