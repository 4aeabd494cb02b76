import * as z from 'zod'
import type { Snapshot } from '../../engine/snapshots.ts'
import { formatInstant } from '../../world/duration.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
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

const path = '/_sandbox/snapshots'

export const snapshots = [
  operation('GET', path, {
    id: 'listSnapshots',
    summary: 'List the snapshots of this world',
    answer: () => ListOf(SnapshotRecord()),
    handle: ({ services }) => toList(services.snapshots.list().map(presentSnapshot)),
  }),
  operation('POST', path, {
    id: 'takeSnapshot',
    summary: 'Copy the world under a name: state, clock, tasks and queued deliveries',
    adds: true,
    body: () => z.strictObject({ name: Name() }),
    answer: SnapshotRecord,
    errors: { conflict: 'As many snapshots are kept as may be.' },
    handle: ({ services, input }) => presentSnapshot(services.snapshots.take(input.body.name)),
  }),
  operation('POST', `${path}/:name/restore`, {
    id: 'restoreSnapshot',
    summary: 'Go back to a snapshot',
    answer: () => z.strictObject({ name: z.string(), now: WorldTime(), mode: Mode() }),
    errors: { 'not-found': 'There is no such snapshot.' },
    handle({ services, param }) {
      services.snapshots.restore(param('name'))
      const { now, mode } = services.world
      return { name: param('name'), now: formatInstant(now), mode }
    },
  }),
  operation('DELETE', `${path}/:name`, {
    id: 'deleteSnapshot',
    summary: 'Forget a snapshot',
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
