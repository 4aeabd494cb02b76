import type { SnapshotRecord } from '../http/control/wire.ts'
import type { ControlClient } from './control.ts'

/** Copies of the whole world: state, clock, scheduled tasks and what was still to be delivered. */
export interface Snapshots {
  list(): Promise<SnapshotRecord[]>
  take(name: string): Promise<SnapshotRecord>
  /** Goes back to a copy; `events.next` then looks at what comes after. */
  restore(name: string): Promise<void>
  delete(name: string): Promise<void>
}

export function createSnapshots({ call }: ControlClient, restored: () => Promise<void>): Snapshots {
  return {
    list: async () => (await call<{ items: SnapshotRecord[] }>('GET', '/snapshots')).items,
    take: (name) => call('POST', '/snapshots', { body: { name } }),
    async restore(name) {
      await call('POST', `/snapshots/${encodeURIComponent(name)}/restore`)
      await restored()
    },
    delete: (name) => call('DELETE', `/snapshots/${encodeURIComponent(name)}`),
  }
}
