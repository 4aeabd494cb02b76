import * as z from 'zod'
import type { Snapshot } from '../../engine/snapshots.ts'
import { formatInstant } from '../../world/duration.ts'
import { fields } from '../problems.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'

/** Longest state that is imported, in bytes. */
const STATE_MAX = 64 * 1024 * 1024

const Name = () =>
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    error: 'must be 1 to 64 letters, digits, dots, dashes and underscores',
  })
const Mode = () => z.enum(['frozen', 'running'])
const SnapshotAnswer = () =>
  z
    .strictObject({
      name: z.string(),
      at: z.iso.datetime(),
      bytes: z.int(),
      queued: z.int(),
    })
    .meta({ title: 'Snapshot' })
const snapshotPath = '/_sandbox/snapshots/:name'

export const state = [
  operation({
    id: 'listSnapshots',
    method: 'GET',
    path: '/_sandbox/snapshots',
    summary: 'List the snapshots of this world',
    auth: requireControl,
    answer: () => z.strictObject({ items: z.array(SnapshotAnswer()), total: z.int() }),
    handle({ services }) {
      const items = services.snapshots.list().map(showSnapshot)
      return { items, total: items.length }
    },
  }),
  operation({
    id: 'takeSnapshot',
    method: 'POST',
    path: '/_sandbox/snapshots',
    summary: 'Copy the world under a name: state, clock, tasks and queued deliveries',
    auth: requireControl,
    body: () => fields({ name: Name() }),
    answer: SnapshotAnswer,
    errors: { conflict: 'As many snapshots are kept as may be.' },
    handle: ({ services, input }) => showSnapshot(services.snapshots.take(input.body.name)),
  }),
  operation({
    id: 'restoreSnapshot',
    method: 'POST',
    path: `${snapshotPath}/restore`,
    summary: 'Go back to a snapshot',
    auth: requireControl,
    answer: () => z.strictObject({ name: z.string(), now: z.iso.datetime(), mode: Mode() }),
    errors: { 'not-found': 'There is no such snapshot.' },
    handle({ services, param }) {
      services.snapshots.restore(param('name'))
      const { now, mode } = services.world
      return { name: param('name'), now: formatInstant(now), mode }
    },
  }),
  operation({
    id: 'deleteSnapshot',
    method: 'DELETE',
    path: snapshotPath,
    summary: 'Forget a snapshot',
    auth: requireControl,
    answer: () => z.strictObject({ deleted: z.string() }),
    errors: { 'not-found': 'There is no such snapshot.' },
    handle({ services, param }) {
      services.snapshots.drop(param('name'))
      return { deleted: param('name') }
    },
  }),
  operation({
    id: 'exportState',
    method: 'GET',
    path: '/_sandbox/state',
    summary: 'Read the whole world as one JSON document',
    auth: requireControl,
    answer: () => z.looseObject({ formatVersion: z.int() }),
    handle: ({ services }) => ({ ...services.exportState() }),
  }),
  operation({
    id: 'importState',
    method: 'PUT',
    path: '/_sandbox/state',
    summary: 'Replace the world by a document that was exported',
    auth: requireControl,
    body: () => z.looseObject({ formatVersion: z.int() }),
    bodyMax: STATE_MAX,
    answer: () =>
      z.strictObject({
        world: z.string(),
        seed: z.string(),
        fixture: z.string(),
        now: z.iso.datetime(),
        mode: Mode(),
      }),
    handle({ services, input }) {
      services.importState(input.body)
      const { seed, fixture, now, mode } = services.world
      return { world: services.name, seed, fixture, now: formatInstant(now), mode }
    },
  }),
]

function showSnapshot({ name, at, bytes, queued }: Snapshot) {
  return { name, at: formatInstant(at), bytes, queued: queued.length }
}
