import {
  CreatedWorld,
  ResetWorld,
  RestoredWorld,
  SnapshotRecord,
  STATE_MAX,
  USE_DATA,
  WorldRow,
  WorldState,
} from '../../control-api/worlds.ts'
import type { Snapshot } from '../../engine/snapshots.ts'
import { DomainError } from '../../world/domain-error.ts'
import { readState } from '../../world/read-state.ts'
import { exportState, formatState } from '../../world/state-export.ts'
import { toVisible } from '../../world/word-list.ts'
import type { ResetRequest, WorldSummary } from '../services.ts'
import { HttpError } from '../status.ts'
import { assertMain } from './auth.ts'
import { baseUrlOf } from './context.ts'
import { implement } from './dialect.ts'
import { contains } from './filters.ts'
import { readList } from './page.ts'
import { presentAs } from './present-as.ts'

export const worlds = [
  implement('reset', ({ services, input }) => {
    assertOneClock(input.body)
    const { forgotten, idsRepeat } = services.reset(input.body)
    const { calls, actions, deliveries } = forgotten
    return presentAs(ResetWorld, services.world, {
      world: services.name,
      idsRepeat,
      forgotten: {
        requests: calls.count,
        actions: actions.count,
        deliveries: deliveries.count,
      },
    })
  }),
  implement('snapshots.list', ({ services, input: { query } }) => {
    const filters = { q: contains(({ name }: Snapshot) => [name]) }
    return readList(services.snapshots.list(), { query, filters, present: presentSnapshot })
  }),
  implement('snapshots.take', ({ services, input }) =>
    presentSnapshot(services.takeSnapshot(input.body.name)),
  ),
  implement('snapshots.restore', ({ services, param }) => {
    services.restoreSnapshot(param('name'))
    return presentAs(RestoredWorld, services.world, { name: param('name') })
  }),
  implement('snapshots.delete', ({ services, param }) => {
    services.snapshots.drop(param('name'))
    return { deleted: param('name') }
  }),
  implement('state.export', ({ c, services }) => {
    const text = formatState(exportState(services.world), STATE_MAX)
    if (text === undefined || Buffer.byteLength(text) > STATE_MAX) throw tooLarge()
    const { version } = c.env.control
    const headers = { 'content-type': 'application/json', 'x-sandbox-version': version }
    return new Response(text, { headers })
  }),
  implement('state.import', async ({ services, input }) => {
    services.importState(readState(input.body))
    return presentAs(WorldState, services.world, { world: services.name })
  }),
  implement('worlds.list', ({ c, services, who: { isMain }, input: { query } }) => {
    const all = c.env.control.worlds.list()
    const visible = isMain ? all : all.filter(({ name }) => name === services.name)
    return readList(visible, {
      query,
      filters: { q: contains((row: WorldSummary) => [row.name, row.fixture, row.mode]) },
      present: (world) =>
        presentAs(WorldRow, world, { baseUrl: baseUrlOf(c, prefixOf(world.name)) }),
    })
  }),
  implement('worlds.create', ({ c, services, who, input: { body } }) => {
    const { from, ...start } = body
    const world = from?.world ?? services.name
    if (from === undefined || world !== services.name) assertMain(who)
    const created = c.env.control.worlds.create({
      start,
      from: from && { world, snapshot: from.snapshot },
    })
    return presentAs(CreatedWorld, created, { baseUrl: baseUrlOf(c, prefixOf(created.name)) })
  }),
  implement('worlds.delete', async ({ c, services, who: { isMain }, param }) => {
    const name = param('name')
    if (!isMain && services.name !== name) {
      throw new DomainError('not-found', `There is no world ${toVisible(name)}.`, { field: 'name' })
    }
    await c.env.control.worlds.delete(name)
    return { deleted: name }
  }),
]

function assertOneClock({ keep = [], clock }: ResetRequest) {
  if (clock === undefined || !keep.includes('clock')) return
  throw new DomainError('invalid', 'clock cannot be combined with keep: clock.', { field: 'clock' })
}

const prefixOf = (name: string) => (name === 'default' ? '' : `/w/${name}`)

const presentSnapshot = (row: Snapshot): SnapshotRecord =>
  presentAs(SnapshotRecord, row, { queued: row.queued.length })

function tooLarge(): HttpError {
  const message = 'This world is larger than the 16 MiB that can be sent over HTTP.'
  return new HttpError(507, 'state', message, { code: 'state-too-large', hint: USE_DATA })
}
