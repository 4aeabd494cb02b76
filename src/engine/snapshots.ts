import type { Queued } from '../webhooks/delivery.ts'
import { DomainError } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'
import { formatState } from '../world/state-export.ts'

/** Snapshots that one world keeps, and their characters. */
export const SNAPSHOTS_MAX = 50
const SNAPSHOTS_LENGTH_MAX = 256 * 1024 * 1024

export interface Snapshot {
  name: string
  /** World time. */
  at: number
  /** JSON, so that it cannot change. */
  state: string
  queued: Queued[]
  bytes: number
}

/** Named copies of one world, in memory. */
export function createSnapshots() {
  const taken = new Map<string, Snapshot>()
  return {
    list: () => [...taken.values()],
    /** In the place of one of its name. */
    take(name: string, state: State, queued: Queued[]): Snapshot {
      const others = [...taken.values()].filter((snapshot) => snapshot.name !== name)
      if (others.length >= SNAPSHOTS_MAX) {
        throw tooMany(`At most ${SNAPSHOTS_MAX} snapshots are kept; delete one first.`)
      }
      const left = others.reduce((rest, { bytes }) => rest - bytes, SNAPSHOTS_LENGTH_MAX)
      const json = formatState(state, left)
      if (json === undefined) {
        throw tooMany(
          `The snapshots of a world may have ${SNAPSHOTS_LENGTH_MAX} characters together, ` +
            `and ${left} are left; delete others first.`,
        )
      }
      const bytes = queued.reduce((sum, { body }) => sum + body.length, json.length)
      const snapshot = { name, at: state.now, state: json, queued, bytes }
      taken.set(name, snapshot)
      return snapshot
    },
    get,
    drop: (name: string) => void taken.delete(get(name).name),
  }

  function get(name: string): Snapshot {
    const snapshot = taken.get(name)
    if (snapshot) return snapshot
    const names = [...taken.keys()].join(', ')
    throw new DomainError('not-found', `There is no snapshot ${name}.`, {
      field: 'name',
      hint: names === '' ? 'None was taken yet.' : `Taken so far: ${names}.`,
    })
  }
}

const tooMany = (message: string) =>
  new DomainError('too-many-snapshots', message, { field: 'name' })
