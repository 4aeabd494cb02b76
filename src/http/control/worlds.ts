import type { Context } from 'hono'
import * as z from 'zod'
import type { Snapshot } from '../../engine/snapshots.ts'
import { readState } from '../../store/read-state.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatDuration } from '../../world/duration.ts'
import { exportState, formatState } from '../../world/state-export.ts'
import type { World } from '../../world/world.ts'
import { parseBody, readText } from '../input.ts'
import { named } from '../named.ts'
import type { Env } from '../services.ts'
import { HttpError } from '../status.ts'
import { assertMain } from './auth.ts'
import { control, lever } from './dialect.ts'
import { ListOf, RESPONSE_MAX, toList } from './page.ts'
import {
  baseUrlOf,
  Duration,
  Mode,
  Proposed,
  presentAs,
  Text,
  WallTime,
  WorldTime,
} from './shapes.ts'

const TTL_MIN_MS = 1_000
const TTL_MAX_MS = 30 * 24 * 3_600_000
const TTL_DEFAULT_MS = 3_600_000

/** The name of a world or a snapshot. */
const Name = (error: string) =>
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: `must be ${error}` })

/** Fields that say how a world starts. */
const startFields = () => ({
  // A path would let anyone who reaches the port read files.
  fixture: z
    .union([
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be the name of a fixture' }),
      z.record(z.string(), z.unknown()),
    ])
    .optional(),
  seed: Text(200).optional(),
  clock: Proposed(z.string(), ['running', 'frozen']).optional(),
})

const Reset = () => ({
  ...startFields(),
  keep: z
    .array(z.enum(['webhooks', 'clock']))
    .max(2)
    .optional(),
})

const WorldState = () =>
  z.strictObject({
    world: z.string(),
    seed: z.string(),
    fixture: z.string(),
    now: WorldTime(),
    mode: Mode(),
  })
type WorldState = z.output<ReturnType<typeof WorldState>>

export const SnapshotRecord = () =>
  named('Snapshot', {
    name: z.string(),
    at: WorldTime('When it was taken.'),
    bytes: z.int().describe('Size in bytes.'),
    queued: z.int().describe('Deliveries that were still to be made.'),
  })
export type SnapshotRecord = z.output<ReturnType<typeof SnapshotRecord>>

const WorldRow = () =>
  named('World', {
    name: z.string(),
    baseUrl: z.url(),
    now: WorldTime(),
    transactions: z.int().describe('How many transactions it has.'),
    endsAt: WallTime().nullable(),
  })

const RestoredWorld = () => z.strictObject({ name: z.string(), now: WorldTime(), mode: Mode() })

const Ttl = () =>
  Duration().refine((ms) => ms >= TTL_MIN_MS && ms <= TTL_MAX_MS, {
    error: `must be from ${formatDuration(TTL_MIN_MS)} to ${formatDuration(TTL_MAX_MS)}`,
  })

const CreateWorld = () =>
  z
    .strictObject({
      ttl: Ttl().optional(),
      ...startFields(),
      from: z
        .strictObject({
          world: Name('the name of a world').optional(),
          snapshot: Name('the name of a snapshot').optional(),
        })
        .optional(),
    })
    .superRefine(({ from, fixture, seed, clock }, context) => {
      if (from === undefined) return
      for (const [name, given] of Object.entries({ fixture, seed, clock })) {
        if (given === undefined) continue
        const message = 'cannot be given with from: a fork goes on where its origin stands'
        context.addIssue({ code: 'custom', path: [name], message })
      }
    })

const CreatedWorld = () =>
  named('CreatedWorld', {
    name: z.string().describe('Its name; a secret.'),
    baseUrl: z.url(),
    endsAt: WallTime(),
  })

/** Longest state that is exported or imported, in bytes. */
const STATE_MAX = 256 * 1024 * 1024
/** How much memory the rows of a state take, for each byte of its text. */
const ROWS_FACTOR = 4

const BODY = { dialect: control, bodyMax: STATE_MAX }
const Document = () => z.looseObject({ formatVersion: z.int() })

const Deleted = () => z.strictObject({ deleted: z.string() })
const NO_SNAPSHOT = { 'not-found': 'There is no such snapshot.' }

export const worlds = [
  lever('reset', 'reset', {
    summary: 'Go back to the state after the start, or to another fixture, seed or clock',
    about:
      'What happened before is gone, faults and journals included; snapshots stay. Streams get a `reset`, and cursors begin again.',
    words: ['reset'],
    example: 'reset --fixture cast',
    tool: true,
    body: Reset,
    response: WorldState,
    handle({ services, input }) {
      services.reset(input.body)
      return presentWorldState(services.name, services.world)
    },
  }),
  lever('snapshots.list', 'listSnapshots', {
    summary: 'List the snapshots of this world',
    about: 'They are kept in memory, across resets, until the process ends.',
    words: ['snapshot list', 'snapshot'],
    response: () => ListOf(SnapshotRecord()),
    handle: ({ services }) => toList(services.snapshots.list().map(presentSnapshot)),
  }),
  lever('snapshots.take', 'takeSnapshot', {
    summary: 'Copy the world under a name: state, clock, tasks and queued deliveries',
    adds: true,
    about:
      'A snapshot with the same name is replaced. `restoreSnapshot` goes back to it as often as you like.',
    words: ['snapshot take NAME'],
    example: 'snapshot take before-sell',
    tool: true,
    body: () => ({ name: Name('1 to 64 letters, digits, dots, dashes and underscores') }),
    response: SnapshotRecord,
    errors: { conflict: 'The limit of snapshots is reached.' },
    handle: ({ services, input }) => presentSnapshot(services.snapshots.take(input.body.name)),
  }),
  lever('snapshots.restore', 'restoreSnapshot', {
    summary: 'Go back to a snapshot',
    about:
      '`takeSnapshot` made it. Deliveries that were still to be made then are made now. The lists of calls, actions and deliveries are emptied and their ids begin again; faults stay, and a used-up one stays used up. Streams get a `reset`.',
    words: ['snapshot restore NAME'],
    example: 'snapshot restore before-sell',
    tool: true,
    response: RestoredWorld,
    errors: NO_SNAPSHOT,
    handle({ services, param }) {
      services.snapshots.restore(param('name'))
      return presentAs(RestoredWorld, services.world, { name: param('name') })
    },
  }),
  lever('snapshots.delete', 'deleteSnapshot', {
    summary: 'Delete a snapshot, which frees its memory',
    words: ['snapshot delete NAME'],
    response: Deleted,
    errors: NO_SNAPSHOT,
    handle({ services, param }) {
      services.snapshots.drop(param('name'))
      return { deleted: param('name') }
    },
  }),
  lever('state.export', 'exportState', {
    summary: 'Read the whole world as one JSON document',
    about:
      'Secrets are included. Send it to `importState`, of this or another world, to go on from there.',
    response: Document,
    handle({ c, services }) {
      const text = formatState(exportState(services.world), STATE_MAX)
      if (text === undefined) throw tooLong()
      if (text.length > RESPONSE_MAX) holdLong(c)
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    },
  }),
  lever('state.import', 'importState', {
    summary: 'Replace the world by a document that was exported',
    about:
      'It is checked whole before anything changes; `exportState` made it. Streams get a `reset`.',
    body: Document,
    bodyMax: STATE_MAX,
    response: WorldState,
    readsBody: true,
    async handle({ c, services, header, record }) {
      // A stream may be as long as any.
      if (Number(header('content-length') ?? STATE_MAX) > RESPONSE_MAX) holdLong(c)
      const text = await readText(BODY, c)
      // A short one makes room as often as it takes some, so it is let in as a reset is.
      if (text.length > RESPONSE_MAX) c.env.control.assertMemory(ROWS_FACTOR * text.length)
      const sent = parseBody(BODY, { text, type: header('content-type'), record })
      services.importState(await readState(sent))
      return presentWorldState(services.name, services.world)
    },
  }),
  lever('worlds.list', 'listWorlds', {
    summary: 'List the worlds of this process; at a private world, that one',
    about:
      'A world is made by the first call below `/w/{name}` that has credentials: a control call, or one with an API key. Private worlds are made by `createWorld`.',
    response: () => ListOf(WorldRow()),
    handle({ c, services, who: { isMain } }) {
      const all = c.env.control.worlds.list()
      const visible = isMain ? all : all.filter(({ name }) => name === services.name)
      const items = visible.map((world) =>
        presentAs(WorldRow, world, { baseUrl: baseUrlOf(c, prefixOf(world.name)) }),
      )
      return toList(items)
    },
  }),
  lever('worlds.create', 'createWorld', {
    summary: 'Make a private world, from a fixture or as a fork of another world',
    about:
      'Nobody can guess its base URL: its name has 128 random bits. Anyone who has the URL may use the world with its control API, and nothing that concerns the process or another world. KYC links and access tokens show the name, too. A world that gets no call for `ttl` ends, and does not come back. With `from` it is a fork: it goes on where this world, or a snapshot of it, stands, with the same ids, secrets and clock, and what was still to be delivered. Nothing is shared. Faults, journals and snapshots are not copied, and access tokens name their world, so users log in again. With the control token `from.world` names another world. Without it, as the holder of the URL of a private world, a call can make up to 20 forks of that world, which end with it.',
    body: CreateWorld,
    response: CreatedWorld,
    errors: {
      'host-not-allowed':
        'The call is made at a private world, and asks for more than a fork of it.',
      'not-found': 'There is no such world or snapshot to fork.',
      conflict: 'The limit of worlds, or of forks of a private world, is reached.',
    },
    handle({ c, services, who, input: { body } }) {
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
    },
  }),
  lever('worlds.delete', 'deleteWorld', {
    summary: 'End a world; the base URL of one that is not private makes a new one on next use',
    about: 'All that it holds goes, its snapshots included. The world `default` cannot be deleted.',
    response: Deleted,
    errors: { 'not-found': 'There is no such world.', conflict: 'The world default stays.' },
    async handle({ c, services, who: { isMain }, param }) {
      const name = param('name')
      if (!isMain && services.name !== name) {
        throw new DomainError('not-found', `There is no world ${name}.`, { field: 'name' })
      }
      await c.env.control.worlds.delete(name)
      return { deleted: name }
    },
  }),
]

const prefixOf = (name: string) => (name === 'default' ? '' : `/w/${name}`)

const presentWorldState = (name: string, world: World): WorldState =>
  presentAs(WorldState, world, { world: name })

const presentSnapshot = (row: Snapshot): SnapshotRecord =>
  presentAs(SnapshotRecord, row, { queued: row.queued.length })

/** Whether a long state is on its way: each takes its length in memory until its reader has it. */
let isLongUnderWay = false

/** Lets one long state in or out at a time, so that callers who take or send nothing do not fill the memory. */
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
