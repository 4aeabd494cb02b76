import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { formatDuration, formatInstant } from '../../world/duration.ts'
import { titled } from '../titled.ts'
import { assertMain } from './auth.ts'
import { lever } from './dialect.ts'
import { ListOf, toList } from './page.ts'
import { startFields } from './reset.ts'
import { baseUrlOf, Duration, NAME, WallTime, WorldTime } from './shapes.ts'

const TTL_MIN_MS = 1_000
const TTL_MAX_MS = 30 * 24 * 3_600_000
const TTL_DEFAULT_MS = 3_600_000

const WorldRow = () =>
  titled('World', {
    name: z.string(),
    baseUrl: z.url(),
    now: WorldTime(),
    transactions: z.int(),
    endsAt: WallTime().nullable(),
  })

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
          world: z.string().regex(NAME, { error: 'must be the name of a world' }).optional(),
          snapshot: z.string().regex(NAME, { error: 'must be the name of a snapshot' }).optional(),
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
  titled('CreatedWorld', { name: z.string(), baseUrl: z.url(), endsAt: WallTime() })
export type CreatedWorld = z.output<ReturnType<typeof CreatedWorld>>

export const worlds = [
  lever('worlds.list', {
    id: 'listWorlds',
    summary: 'List the worlds of this process; at a private world, that one',
    about:
      'Lists the worlds of this process. A world is made by the first call below `/w/{name}` that has credentials: a control call, or one with an API key. Private worlds are made by `createWorld`.',
    success: 'The worlds.',
    answer: () => ListOf(WorldRow()),
    handle({ c, services, who: { isMain } }) {
      const all = c.env.control.worlds.list()
      const visible = isMain ? all : all.filter(({ name }) => name === services.name)
      const items = visible.map(({ name, now, transactions, endsAt }) => ({
        name,
        baseUrl: baseUrlOf(c, prefixOf(name)),
        now: formatInstant(now),
        transactions,
        endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
      }))
      return toList(items)
    },
  }),
  lever('worlds.create', {
    id: 'createWorld',
    summary: 'Make a private world, from a fixture or as a fork of another world',
    about:
      'Makes a private world and answers with its base URL, which nobody can guess: its name has 128 random bits. Whoever has the URL may use the world with its control API, and nothing that concerns the process or another world. KYC links and access tokens show the name, too. A world that gets no call for `ttl` ends, and does not come back. With `from` it is a fork: it goes on where this world, or a snapshot of it, stands, with the same ids, secrets and clock, and what was still to be delivered. Nothing is shared. Faults, journals and snapshots are not copied, and access tokens name their world, so users log in again. With the control token `from.world` names another world. Without it, as the holder of the URL of a private world, a call can make up to 20 forks of that world, which end with it.',
    success: 'The world is made.',
    body: CreateWorld,
    answer: CreatedWorld,
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
      const { name, endsAt } = c.env.control.worlds.create({
        ttlMs,
        start,
        from: from && { world, snapshot: from.snapshot },
        owner: who.isMain ? undefined : services.name,
      })
      const baseUrl = baseUrlOf(c, prefixOf(name))
      return { name, baseUrl, endsAt: new Date(endsAt).toISOString() }
    },
  }),
  lever('worlds.delete', {
    id: 'deleteWorld',
    summary: 'End a world; the base URL of one that is not private makes a new one on next use',
    about:
      'Ends a world with all that it holds, its snapshots included. The next control call to its base URL makes a new one, unless it was private. The world `default` cannot be deleted.',
    success: 'The world has ended.',
    answer: () => z.strictObject({ deleted: z.string() }),
    errors: {
      'not-found': 'There is no such world.',
      conflict: 'The world default stays.',
    },
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
