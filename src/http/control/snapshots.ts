import * as z from 'zod'
import type { Snapshot } from '../../engine/snapshots.ts'
import { formatInstant } from '../../world/duration.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { ListOf, toList } from './page.ts'
import { Mode, NAME, WorldTime } from './shapes.ts'

const Name = () =>
  z.string().regex(NAME, {
    error: 'must be 1 to 64 letters, digits, dots, dashes and underscores',
  })
export const SnapshotRecord = () =>
  titled('Snapshot', {
    name: z.string(),
    at: WorldTime(),
    bytes: z.int(),
    queued: z.int().describe('Deliveries that were still to be made.'),
  })
export type SnapshotRecord = z.output<ReturnType<typeof SnapshotRecord>>

export const snapshots = [
  lever('snapshots.list', {
    id: 'listSnapshots',
    summary: 'List the snapshots of this world',
    about:
      'Lists the snapshots of this world. They are kept in memory, across resets, until the process ends.',
    success: 'The snapshots.',
    words: 'snapshot list',
    also: { snapshot: {} },
    answer: () => ListOf(SnapshotRecord()),
    handle: ({ services }) => toList(services.snapshots.list().map(presentSnapshot)),
  }),
  lever('snapshots.take', {
    id: 'takeSnapshot',
    summary: 'Copy the world under a name: state, clock, tasks and queued deliveries',
    adds: true,
    about:
      'Copies the world under a name: state, clock, scheduled tasks and deliveries still to be made. A snapshot with the same name is replaced. `restoreSnapshot` goes back to it as often as you like.',
    success: 'The snapshot was taken.',
    words: 'snapshot take NAME',
    example: 'snapshot take before-sell',
    tool: true,
    body: () => z.strictObject({ name: Name() }),
    answer: SnapshotRecord,
    errors: { conflict: 'As many snapshots are kept as may be.' },
    handle: ({ services, input }) => presentSnapshot(services.snapshots.take(input.body.name)),
  }),
  lever('snapshots.restore', {
    id: 'restoreSnapshot',
    summary: 'Go back to a snapshot',
    about:
      'Replaces the world by a snapshot that `takeSnapshot` made. Deliveries that were still to be made then are made now; faults stay. Streams get a `reset`.',
    success: 'The world is as it was.',
    words: 'snapshot restore NAME',
    example: 'snapshot restore before-sell',
    tool: true,
    answer: () => z.strictObject({ name: z.string(), now: WorldTime(), mode: Mode() }),
    errors: { 'not-found': 'There is no such snapshot.' },
    handle({ services, param }) {
      services.snapshots.restore(param('name'))
      const { now, mode } = services.world
      return { name: param('name'), now: formatInstant(now), mode }
    },
  }),
  lever('snapshots.delete', {
    id: 'deleteSnapshot',
    summary: 'Delete a snapshot',
    about: 'Removes a snapshot and frees its memory. The world itself does not change.',
    success: 'The snapshot is gone.',
    words: 'snapshot delete NAME',
    answer: () => z.strictObject({ deleted: z.string() }),
    errors: { 'not-found': 'There is no such snapshot.' },
    handle({ services, param }) {
      services.snapshots.drop(param('name'))
      return { deleted: param('name') }
    },
  }),
]

function presentSnapshot({ name, at, bytes, queued }: Snapshot): SnapshotRecord {
  return { name, at: formatInstant(at), bytes, queued: queued.length }
}
