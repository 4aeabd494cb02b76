import type { Queued } from '../webhooks/delivery.ts'
import { DomainError } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'
import { formatState } from '../world/state-export.ts'
import { toVisible } from '../world/word-list.ts'

/** Most snapshots of one world, and most characters of all of them together. */
export const SNAPSHOTS_MAX = 50
const SNAPSHOTS_LENGTH_MAX = 256 * 1024 * 1024

export interface Snapshot {
  name: string
  at: number
  /** The state as JSON, which nothing can change. */
  state: string
  queued: Queued[]
  bytes: number
}

type SnapshotRequest = Pick<Snapshot, 'name' | 'queued'> & { state: State }

export class Snapshots {
  readonly #taken = new Map<string, Snapshot>()

  list(): Snapshot[] {
    return [...this.#taken.values()]
  }

  take({ name, state, queued }: SnapshotRequest): Snapshot {
    const others = this.list().filter((snapshot) => snapshot.name !== name)
    if (others.length >= SNAPSHOTS_MAX) {
      throw tooMany(`A world can have at most ${SNAPSHOTS_MAX} snapshots; delete one first.`)
    }
    const left = others.reduce((rest, { bytes }) => rest - bytes, SNAPSHOTS_LENGTH_MAX)
    const json = formatState(state, left)
    if (json === undefined) {
      throw tooMany(
        `A world’s snapshots may total ${SNAPSHOTS_LENGTH_MAX} characters, ` +
          `and ${left} are left; delete others first.`,
      )
    }
    const bytes = queued.reduce((sum, { body }) => sum + body.length, json.length)
    const snapshot = { name, at: state.now, state: json, queued, bytes }
    this.#taken.set(name, snapshot)
    return snapshot
  }

  get(name: string): Snapshot {
    const snapshot = this.#taken.get(name)
    if (snapshot) return snapshot
    const names = [...this.#taken.keys()].join(', ')
    throw new DomainError('not-found', `There is no snapshot ${toVisible(name)}.`, {
      field: 'name',
      hint: names === '' ? 'This world has no snapshots.' : `Existing snapshots: ${names}.`,
    })
  }

  drop(name: string): void {
    this.#taken.delete(this.get(name).name)
  }
}

const tooMany = (message: string) =>
  new DomainError('too-many-snapshots', message, { field: 'name' })
