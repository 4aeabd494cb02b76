import * as z from 'zod'
import { NAME, NAME_RULE } from '../world/names.ts'
import { plural } from '../world/plural.ts'
import { SEED_LENGTH_MAX } from '../world/state.ts'
import { Listed, ListOf } from './pages.ts'
import type { Cell, Use } from './row.ts'
import { named, record } from './schema.ts'
import { Mode, Proposed, Text, WallTime, WorldTime } from './shapes.ts'
import type { WorldOptions } from './world-options.ts'

/** The name of a world or a snapshot. */
const Name = (error: string) => z.string().regex(NAME, { error: `must be ${error}` })

/** Fields that say how a world starts. */
const startFields = () =>
  ({
    // A path would let anyone who reaches the port read files.
    fixture: z
      .union([
        z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
          error: 'must be the name of a fixture, or its document',
        }),
        z.record(z.string(), z.unknown()),
      ])
      .optional()
      .describe(
        'Fixture to start from: its name, or the whole document (on the command line, its file); the start-up fixture by default.',
      ),
    seed: Text(SEED_LENGTH_MAX)
      .optional()
      .describe('Seed for generated ids; `random` picks one. Default: the start-up seed.'),
    clock: Proposed(z.string(), ['running', 'frozen'])
      .optional()
      .describe(
        '`frozen`, `running`, an instant, or `running@` followed by an instant. Default: the clock of the fixture given here, or the start-up clock.',
      ),
  }) satisfies Record<keyof Omit<WorldOptions, 'settings'>, z.ZodType>

const Reset = () => ({
  ...startFields(),
  keep: z
    .array(z.enum(['webhooks', 'clock']))
    .max(2)
    .optional()
    .describe('What to keep: `webhooks` (URLs and secrets) or `clock` (world time).'),
})

export const WorldState = () =>
  record({
    world: z.string(),
    seed: z.string(),
    fixture: z.string(),
    now: WorldTime(),
    mode: Mode(),
  })
export type WorldState = z.output<ReturnType<typeof WorldState>>

export const ResetWorld = () =>
  WorldState().extend({
    idsRepeat: z
      .boolean()
      .describe(
        'True if the world has had this seed before, so that the same calls get the same ids.',
      ),
    forgotten: record({
      requests: z.int().describe('API calls.'),
      actions: z.int().describe('Simulations, moves of the clock, changes and tasks.'),
      deliveries: z.int().describe('Webhooks.'),
    }).describe('How many journal entries were deleted.'),
  })

type ResetWorld = z.output<ReturnType<typeof ResetWorld>>

/** A fixture in words; `inline` stands for a document that was sent. */
export const nameFixture = (name: string): string =>
  name === 'inline' ? 'a fixture of your own' : `fixture ${name}`

function resetCells({ world, fixture, seed, now, mode, idsRepeat, forgotten }: ResetWorld): Cell[] {
  const { deliveries, requests } = forgotten
  return [
    ...[world, nameFixture(fixture), `seed ${seed}`, now, mode],
    idsRepeat && 'same seed, so the same ids again (--seed random gives new ones)',
    deliveries + requests > 0 &&
      `deleted ${plural(deliveries, 'webhook')} and ${plural(requests, 'call')}`,
  ]
}

export const SnapshotRecord = () =>
  named('Snapshot', {
    name: z.string().describe('Name of the snapshot.'),
    at: WorldTime('When it was taken.'),
    bytes: z.int().describe('Size in bytes.'),
    queued: z.int().describe('Deliveries that were queued.'),
  })
export type SnapshotRecord = z.output<ReturnType<typeof SnapshotRecord>>

export const WorldRow = () =>
  named('World', {
    name: z.string().describe('Name of the world.'),
    baseUrl: z.url(),
    now: WorldTime(),
    mode: Mode(),
    fixture: z.string().describe('Fixture that it started with.'),
    transactions: z.int().describe('How many transactions it has.'),
    calledAt: WallTime()
      .nullable()
      .describe('Wall time of the last API call; null before the first.'),
  })

export const RestoredWorld = () =>
  record({
    name: z.string().describe('Name of the snapshot.'),
    now: WorldTime(),
    mode: Mode(),
  })

const CreateWorld = () =>
  record({
    ...startFields(),
    from: record({
      world: Name('the name of a world')
        .optional()
        .describe('Another world, for the holder of the control token. Default: this one.'),
      snapshot: Name('the name of a snapshot')
        .optional()
        .describe('A snapshot of that world. Default: its present state.'),
    })
      .optional()
      .describe('What to fork; `{}` is this world as it is now.'),
  }).superRefine(({ from, fixture, clock }, context) => {
    if (from === undefined) return
    for (const [name, given] of Object.entries({ fixture, clock })) {
      if (given === undefined) continue
      const message = 'cannot be given with from: a fork continues from its origin'
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })

export const CreatedWorld = () =>
  named('CreatedWorld', {
    name: z.string().describe('Name of the world; keep it secret.'),
    baseUrl: z
      .url()
      .describe(
        'Base URL of the provider’s API in it; its control API is at `/_sandbox` under that.',
      ),
    seed: z.string().describe('Seed for generated ids.'),
  })

/** Longest state that goes over HTTP, in bytes. */
export const STATE_MAX = 16 * 1024 * 1024

/** Most values of a state, or of a fixture in the body of a call. */
const STATE_VALUES_MAX = 1_000_000

export const USE_DATA = 'Start the sandbox with --data: its folder holds worlds of any size.'

const Document = () =>
  z.looseObject({ formatVersion: z.int().describe('Version of the document’s format.') })

/** Takes any version, so that another one is refused by name. */
const ImportedDocument = () =>
  z.looseObject({
    formatVersion: z.unknown().meta({
      wire: { type: 'integer' },
      description: 'Version of the document’s format.',
    }),
  })

const Deleted = (about: string) => record({ deleted: z.string().describe(about) })

const NO_SNAPSHOT = { 'not-found': 'There is no such snapshot.' }

const SNAPSHOT = { name: 'Name of the snapshot.' }

export const worlds = {
  reset: {
    id: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Go back to the initial state, or start again from another fixture, seed or clock',
    about:
      'Everything since then is deleted, including faults and the journal; snapshots stay. Streams get a `reset`. Ids of calls and deliveries start again from 1; cursors stay valid, so a reader misses nothing new.',
    done: null,
    words: ['reset'],
    columns: resetCells,
    example: 'reset --fixture cast',
    tool: true,
    discards: true,
    body: Reset,
    valuesMax: STATE_VALUES_MAX,
    response: ResetWorld,
  },
  'snapshots.list': {
    id: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    result: 'items',
    summary: 'List the snapshots of this world',
    about: 'They are kept in memory, across resets, until the process ends.',
    words: ['snapshot', 'list'],
    query: () => Listed(),
    response: () => ListOf(SnapshotRecord()),
  },
  'snapshots.take': {
    id: 'takeSnapshot',
    method: 'POST',
    path: '/snapshots',
    args: ['name'],
    summary: 'Save the world under a name: state, clock, tasks and queued deliveries',
    done: null,
    adds: true,
    about:
      'A snapshot with the same name is replaced. `restoreSnapshot` goes back to it as often as you like.',
    words: ['snapshot', 'take', { field: 'name' }],
    example: 'snapshot take before-sell',
    tool: true,
    body: () => ({
      name: Name(NAME_RULE).describe(
        'Name of the snapshot; a snapshot with the same name is replaced.',
      ),
    }),
    response: SnapshotRecord,
    errors: { conflict: 'The limit on snapshots has been reached.' },
  },
  'snapshots.restore': {
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/:name/restore',
    params: SNAPSHOT,
    summary: 'Go back to a snapshot',
    about:
      'Snapshots come from `takeSnapshot`. Webhooks that were queued when it was taken are sent now; those that are queued now are suppressed. Events, messages and catches are restored with the state. Calls, actions, deliveries and faults stay as they are. Streams get a `reset`.',
    done: ({ subject }: Use) => `Restored to “${subject}”`,
    words: ['snapshot', 'restore', { field: 'name' }],
    example: 'snapshot restore before-sell',
    tool: true,
    discards: true,
    response: RestoredWorld,
    errors: NO_SNAPSHOT,
  },
  'snapshots.delete': {
    id: 'deleteSnapshot',
    method: 'DELETE',
    path: '/snapshots/:name',
    params: SNAPSHOT,
    summary: 'Delete a snapshot, which frees its memory',
    done: null,
    words: ['snapshot', 'delete', { field: 'name' }],
    response: () => Deleted('Name of the snapshot.'),
    errors: NO_SNAPSHOT,
  },
  'state.export': {
    id: 'exportState',
    method: 'GET',
    path: '/state',
    summary: 'Read the whole world as one JSON document',
    about:
      'It includes secrets. Send it to `importState` of this or another world to continue from there. A world of more than 16 MiB gets 507 `state-too-large`; `--data` keeps it in a file.',
    response: Document,
  },
  'state.import': {
    id: 'importState',
    method: 'PUT',
    path: '/state',
    summary: 'Replace the world with an exported document',
    about:
      'Takes what `exportState` returned, and checks all of it before anything changes. Streams get a `reset`.',
    done: null,
    body: ImportedDocument,
    bodyMax: STATE_MAX,
    valuesMax: STATE_VALUES_MAX,
    bodyHint: USE_DATA,
    response: WorldState,
  },
  'worlds.list': {
    id: 'listWorlds',
    method: 'GET',
    path: '/worlds',
    result: 'items',
    words: ['worlds'],
    summary: 'List all worlds of this sandbox; in a private world, only that one',
    about:
      'The first control call under `/w/{name}`, or the first call with a valid API key, creates the world. `createWorld` creates private worlds.',
    query: () => Listed(),
    response: () => ListOf(WorldRow()),
  },
  'worlds.create': {
    id: 'createWorld',
    method: 'POST',
    path: '/worlds',
    summary: 'Create a private world, from a fixture or as a fork of another world',
    about:
      'Its name, which KYC links and access tokens show, ends with 21 random characters. Anyone with its base URL may use the world and its control API, but nothing that concerns the process or another world. Creating a private world deletes those that have been unused for an hour of wall time and, beyond 200, the one that has been idle longest; a world with an open call or stream stays. `--data` does not keep private worlds. With `from` it is a fork: it continues from this world, or a snapshot of it, with the same ids, secrets, clock and pending deliveries; with a `seed`, new ids are derived from that. Faults, journals and snapshots are not copied, and access tokens name their world, so users log in again. With the control token, `from.world` can name another world. Without it, the holder of the URL of a private world can fork only that world.',
    done: null,
    body: CreateWorld,
    valuesMax: STATE_VALUES_MAX,
    response: CreatedWorld,
    errors: {
      'host-not-allowed': 'At the URL of a private world, a call can only fork that world.',
      'not-found': 'There is no such world or snapshot to fork.',
    },
  },
  'worlds.delete': {
    id: 'deleteWorld',
    method: 'DELETE',
    path: '/worlds/:name',
    words: ['worlds', 'end', { field: 'name' }],
    params: { name: 'Name of the world.' },
    summary: 'End a world; a named world starts afresh when its base URL is used again',
    about: 'Its contents and snapshots are lost. The world `default` cannot be deleted.',
    done: null,
    response: () => Deleted('Name of the world.'),
    errors: {
      'not-found': 'There is no such world.',
      conflict: 'The world `default` cannot be deleted.',
    },
  },
} as const
