import type { Context } from 'hono'
import type { Snapshot } from '../../engine/snapshots.ts'
import {
  CreatedWorld,
  ResetWorld,
  RestoredWorld,
  SnapshotRecord,
  STATE_MAX,
  WorldRow,
  WorldState,
} from '../../levers/worlds.ts'
import { readState } from '../../store/read-state.ts'
import { DomainError } from '../../world/domain-error.ts'
import { exportState, formatState } from '../../world/state-export.ts'
import { parseBody, readText } from '../input.ts'
import type { Env } from '../services.ts'
import { HttpError } from '../status.ts'
import { assertMain } from './auth.ts'
import { baseUrlOf } from './context.ts'
import { control, implement } from './dialect.ts'
import { RESPONSE_MAX, toList } from './page.ts'
import { presentAs } from './present-as.ts'

const TTL_DEFAULT_MS = 3_600_000

/** Bytes of memory that rows take per byte of their text. */
const ROWS_FACTOR = 4

const BODY = { dialect: control, bodyMax: STATE_MAX }

export const worlds = [
  implement('reset', ({ services, input }) => {
    const { forgotten, idsRepeat } = services.reset(input.body)
    const { requests, actions, deliveries } = forgotten
    return presentAs(ResetWorld, services.world, {
      world: services.name,
      idsRepeat,
      forgotten: {
        requests: requests.count,
        actions: actions.count,
        deliveries: deliveries.count,
      },
    })
  }),
  implement('snapshots.list', ({ services }) =>
    toList(services.snapshots.list().map(presentSnapshot)),
  ),
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
    if (text === undefined) throw tooLong()
    if (text.length > RESPONSE_MAX) holdLong(c)
    const { version } = c.env.control
    const headers = { 'content-type': 'application/json', 'x-sandbox-version': version }
    return new Response(text, { headers })
  }),
  implement('state.import', async ({ c, services, header, record }) => {
    // A stream of unknown length counts as the longest.
    if (Number(header('content-length') ?? STATE_MAX) > RESPONSE_MAX) holdLong(c)
    const text = await readText(BODY, c)
    // A short state frees as much as it takes, so it needs no check, like a reset.
    if (text.length > RESPONSE_MAX) c.env.control.assertMemory(ROWS_FACTOR * text.length)
    const sent = parseBody(BODY, { text, type: header('content-type'), record })
    services.importState(await readState(sent))
    return presentAs(WorldState, services.world, { world: services.name })
  }),
  implement('worlds.list', ({ c, services, who: { isMain } }) => {
    const all = c.env.control.worlds.list()
    const visible = isMain ? all : all.filter(({ name }) => name === services.name)
    const items = visible.map((world) =>
      presentAs(WorldRow, world, { baseUrl: baseUrlOf(c, prefixOf(world.name)) }),
    )
    return toList(items)
  }),
  implement('worlds.create', ({ c, services, who, input: { body } }) => {
    const { ttl: ttlMs = TTL_DEFAULT_MS, from, ...start } = body
    const world = from?.world ?? services.name
    if (from === undefined || world !== services.name) assertMain(who)
    const created = c.env.control.worlds.create({
      ttlMs,
      start,
      from: from && { world, snapshot: from.snapshot },
      owner: who.isMain ? undefined : services.name,
    })
    return presentAs(CreatedWorld, created, { baseUrl: baseUrlOf(c, prefixOf(created.name)) })
  }),
  implement('worlds.delete', async ({ c, services, who: { isMain }, param }) => {
    const name = param('name')
    if (!isMain && services.name !== name) {
      throw new DomainError('not-found', `There is no world ${name}.`, { field: 'name' })
    }
    await c.env.control.worlds.delete(name)
    return { deleted: name }
  }),
]

const prefixOf = (name: string) => (name === 'default' ? '' : `/w/${name}`)

const presentSnapshot = (row: Snapshot): SnapshotRecord =>
  presentAs(SnapshotRecord, row, { queued: row.queued.length })

/** True while a long state is being sent. It stays in memory until the client has read it. */
let isLongUnderWay = false

/** Allows one long state at a time, so that slow callers cannot fill the memory. */
function holdLong(c: Context<Env>): void {
  if (isLongUnderWay) {
    throw new HttpError(409, 'state', 'Another long state is being read or written; try again.', {
      code: 'state-busy',
      headers: { 'retry-after': '1' },
    })
  }
  const outgoing = c.env.socket?.outgoing
  isLongUnderWay = outgoing !== undefined
  outgoing?.once('close', () => {
    isLongUnderWay = false
  })
}

const tooLong = () =>
  new HttpError(409, 'state', `A state of more than ${STATE_MAX} bytes is not exported.`, {
    code: 'state-too-long',
    hint: 'Start with --data, and move the data file itself.',
  })
