import * as z from 'zod'
import { formatDuration, formatInstant } from '../../world/duration.ts'
import { countActive, countUnsuccessful, maximumCad } from '../../world/limits.ts'
import { PROFILE_FIELD_NAMES, type Profile, toProfileShape } from '../../world/profile.ts'
import { getRequirements } from '../../world/requirements.ts'
import { USER_STATUSES, type User } from '../../world/state.ts'
import { getAnyUser } from '../../world/users.ts'
import type { World } from '../../world/world.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
import { Count, Cursor, Filter, PageOf, readPageByStatus } from './page.ts'
import { WorldTime } from './shapes.ts'

const Counter = () => z.strictObject({ count: z.int(), maximum: z.int() })

const ProfileRecord = () =>
  titled('ProfileRecord', {
    ...toProfileShape(PROFILE_FIELD_NAMES, {
      text: () => z.string().nullable(),
      date: () => z.iso.date().nullable(),
      flag: () => z.boolean().nullable(),
    }),
    olderUserInfo: z.record(z.string(), z.string()).nullable(),
  })

export const UserRecord = () =>
  titled('UserRecord', {
    id: z.uuid(),
    email: z.string(),
    status: z.enum(USER_STATUSES),
    createdAt: WorldTime(),
    integrators: z.array(z.string()).describe('Names of the integrators the user is linked to.'),
    keyAccess: z.boolean().describe('Whether the user granted key-only access.'),
    profile: ProfileRecord(),
    reasons: z.array(z.string()).describe('Why a reviewer rejected, or asked for more.'),
    requirements: z.strictObject({
      complete: z.boolean(),
      outstanding: z.array(z.strictObject({ field: z.string(), message: z.string() })),
    }),
    limits: z.strictObject({
      minimumCad: z.number(),
      maximumCad: z.number(),
      window: z.string().describe('A length of time, such as `24h`.'),
      active: Counter(),
      cancelledOrExpired: Counter(),
    }),
    account: z.strictObject({
      autodeposit: z.boolean(),
      maximumCad: z.number().nullable(),
      loginCode: z.string().nullable(),
    }),
    transactionCount: z.int(),
    history: z.array(z.strictObject({ status: z.enum(USER_STATUSES), at: WorldTime() })),
  }).describe(
    'A user in full, as only the control API shows it. Times are ISO 8601, in world time.',
  )
export type UserRecord = z.output<ReturnType<typeof UserRecord>>

const ListUsers = () =>
  z.strictObject({
    status: z.enum(USER_STATUSES).optional(),
    email: Filter(),
    after: Cursor(),
    limit: Count(),
  })
export const users = [
  operation('GET', '/_sandbox/users', {
    id: 'listUserRecords',
    summary: 'List users in full, oldest first',
    query: ListUsers,
    answer: () => PageOf(UserRecord()),
    handle({ world, input: { query } }) {
      const { email, status } = query
      const source =
        email === undefined
          ? { rows: world.users, counts: world.userCounts }
          : { rows: usersWith(world, email) }
      return readPageByStatus({ ...source, status }, query, (user) => presentUser(world, user))
    },
  }),
  operation('GET', '/_sandbox/users/:user', {
    id: 'getUserRecord',
    summary: 'Read a user in full, by id or e-mail address',
    answer: UserRecord,
    errors: { 'not-found': 'There is no such user.' },
    handle: ({ world, param }) => presentUser(world, getAnyUser(world, param('user'))),
  }),
]

/** One user or none, as e-mail addresses are unique. */
export function usersWith(world: World, email: string): User[] {
  const user = world.usersByEmail.get(email.toLowerCase())
  return user ? [user] : []
}

function presentUser(world: World, user: User): UserRecord {
  const { autodeposit, maximumCad: ownMaximum, loginCode } = user
  return {
    id: user.id,
    email: user.email,
    status: user.status,
    createdAt: formatInstant(user.createdAt),
    integrators: user.integrators,
    keyAccess: user.keyAccess,
    profile: presentProfile(user.profile),
    reasons: user.reasons,
    requirements: getRequirements(world, user),
    limits: presentLimits(world, user),
    account: { autodeposit, maximumCad: ownMaximum, loginCode },
    transactionCount: user.transactionCount,
    history: user.history.map(({ status, at }) => ({ status, at: formatInstant(at) })),
  }
}

function presentProfile(profile: Profile) {
  const fields = PROFILE_FIELD_NAMES.map((name) => [name, profile[name] ?? null])
  return { ...Object.fromEntries(fields), olderUserInfo: profile.olderUserInfo ?? null }
}

/** The bounds of one transaction, and how near the user is to the two that count. */
function presentLimits(world: World, user: User) {
  const { settings } = world
  return {
    minimumCad: settings['limits.minimum'],
    maximumCad: maximumCad(world, user),
    window: formatDuration(settings['limits.window']),
    active: { count: countActive(world, user), maximum: settings['limits.active'] },
    cancelledOrExpired: {
      count: countUnsuccessful(world, user),
      maximum: settings['limits.cancelled'],
    },
  }
}
