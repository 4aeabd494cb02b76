import type { ControlClient } from './control.ts'

export interface Snapshot {
  name: string
  /** World time, ISO 8601. */
  at: string
}

/** Copies of the whole world: state, clock, due work and what was still to be delivered. */
export interface Snapshots {
  list(): Promise<Snapshot[]>
  take(name: string): Promise<Snapshot>
  /** Goes back to a copy; `events.next` then looks at what comes after. */
  restore(name: string): Promise<void>
  delete(name: string): Promise<void>
}

export function createSnapshots({ call }: ControlClient, restored: () => Promise<void>): Snapshots {
  return {
    list: async () => (await call<{ items: Snapshot[] }>('GET', '/snapshots')).items,
    take: (name) => call('POST', '/snapshots', { body: { name } }),
    async restore(name) {
      await call('POST', `/snapshots/${encodeURIComponent(name)}/restore`)
      await restored()
    },
    delete: (name) => call('DELETE', `/snapshots/${encodeURIComponent(name)}`),
  }
}
