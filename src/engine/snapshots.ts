import type { Queued } from '../webhooks/delivery.ts'
import { DomainError } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'

/** Snapshots that one world keeps. */
export const SNAPSHOTS_MAX = 50
/** Bytes of all snapshots together, in all worlds of a process. */
export const SNAPSHOTS_BYTES_MAX = 256 * 1024 * 1024

export interface Snapshot {
  name: string
  /** World time. */
  at: number
  /** As JSON, so that it cannot change, and outside of the heap. */
  state: Buffer
  queued: Queued[]
  bytes: number
}

/** Named copies of a world, in memory. */
export interface SnapshotList {
  list(): Snapshot[]
  take(name: string, state: State, queued: Queued[]): Snapshot
  get(name: string): Snapshot
  drop(name: string): void
  /** Drops all, because the world ends. */
  clear(): void
}

/** What several worlds have left together. */
export interface Room {
  bytes: number
}

export function createSnapshots(room: Room = { bytes: SNAPSHOTS_BYTES_MAX }): SnapshotList {
  const taken = new Map<string, Snapshot>()
  return {
    list: () => [...taken.values()],
    take(name, state, queued) {
      const before = taken.get(name)
      if (!before && taken.size >= SNAPSHOTS_MAX) {
        throw tooMany(`At most ${SNAPSHOTS_MAX} snapshots are kept; delete one first.`)
      }
      const snapshot = toSnapshot(name, state, queued)
      if (snapshot.bytes > room.bytes + (before?.bytes ?? 0)) {
        throw tooMany(
          `All snapshots may have ${SNAPSHOTS_BYTES_MAX} bytes together, and this one has ` +
            `${snapshot.bytes}; delete others first.`,
        )
      }
      room.bytes += (before?.bytes ?? 0) - snapshot.bytes
      taken.set(name, snapshot)
      return snapshot
    },
    get,
    drop(name) {
      room.bytes += get(name).bytes
      taken.delete(name)
    },
    clear() {
      for (const { bytes } of taken.values()) room.bytes += bytes
      taken.clear()
    },
  }

  function get(name: string): Snapshot {
    const snapshot = taken.get(name)
    if (snapshot) return snapshot
    const names = [...taken.keys()].join(', ')
    throw new DomainError('not-found', 'name', `There is no snapshot ${name}.`, {
      hint: names === '' ? 'None was taken yet.' : `There are ${names}.`,
    })
  }
}

function toSnapshot(name: string, state: State, queued: Queued[]): Snapshot {
  const json = Buffer.from(JSON.stringify(state))
  const bytes = queued.reduce((sum, { body }) => sum + body.length, json.length)
  return { name, at: state.now, state: json, queued, bytes }
}

const tooMany = (message: string) =>
  new DomainError('conflict', 'name', message, { code: 'too-many-snapshots' })
