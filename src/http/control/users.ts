import * as z from 'zod'
import { formatDuration, formatInstant } from '../../world/duration.ts'
import { simulateKyc } from '../../world/kyc.ts'
import { countActive, countUnsuccessful, maximumCad } from '../../world/limits.ts'
import {
  CREATE_FIELDS,
  PROFILE_FIELD_NAMES,
  type Profile,
  toProfileShape,
} from '../../world/profile.ts'
import { getRequirements } from '../../world/requirements.ts'
import { USER_STATUSES, type User } from '../../world/state.ts'
import { createUser, getAnyUser } from '../../world/users.ts'
import type { World } from '../../world/world.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { Deliver, Happened, presentEffects, waits } from './effects.ts'
import { Count, Cursor, Filter, PageOf, readPageByStatus } from './page.ts'
import { findIntegrator, WorldTime } from './shapes.ts'

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

const AddUser = () =>
  z.strictObject({
    email: z.string(),
    verified: z.boolean().optional().describe('Whether identity verification succeeds at once.'),
    integrator: z
      .string()
      .optional()
      .describe('Name of the integrator that creates it; the first one by default.'),
    ...toProfileShape(CREATE_FIELDS, {
      text: () => z.string().optional(),
      date: () => z.string().optional(),
      flag: () => z.boolean().optional(),
    }),
    deliver: Deliver(),
  })

export const UserAdded = () => z.strictObject({ user: UserRecord(), ...Happened().shape })
export type UserAdded = z.output<ReturnType<typeof UserAdded>>

export const users = [
  lever('users.add', {
    id: 'addUser',
    summary: 'Create a user, verified if you like',
    about:
      'Creates a user as an integrator would, with the checks of `POST /v2/users`. With `verified` the identity check succeeds at once, so that the user can trade.',
    success: 'The user, with the events and deliveries that followed.',
    words: 'user add EMAIL',
    example: 'user add ana@example.com --verified',
    tool: true,
    adds: true,
    body: AddUser,
    answer: UserAdded,
    errors: {
      'duplicate-user': 'A user with this e-mail address exists already.',
      'not-found': 'There is no such integrator.',
    },
    async handle({ services, input: { body } }) {
      const { world, timekeeper } = services
      const { email, verified, integrator, deliver, ...profile } = body
      const change = () => {
        const by = findIntegrator(world, integrator)
        const user = createUser(world, by, { email, profile: withoutUndefined(profile) })
        if (verified) simulateKyc(world, user, { status: 'verified', reasons: [] })
        return presentUser(world, user)
      }
      const { result: user, ...effects } = await timekeeper.observe(change, waits({ deliver }))
      return { user, ...presentEffects(effects, services) }
    },
  }),
  lever('users.list', {
    id: 'listUserRecords',
    summary: 'List users in full, oldest first',
    about:
      'Lists users in full, the oldest first, of every integrator. Go on with `after` while `more` is true.',
    success: 'A page of users.',
    words: 'user list',
    also: { user: {} },
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
  lever('users.get', {
    id: 'getUserRecord',
    summary: 'Read a user in full, by id or e-mail address',
    about:
      'Reads a user in full, by id or e-mail address: profile, what onboarding lacks, limits and history. No integrator sees all of this.',
    success: 'The user.',
    words: 'user show USER',
    example: 'user show ana@example.com',
    tool: true,
    answer: UserRecord,
    errors: { 'not-found': 'There is no such user.' },
    handle: ({ world, param }) => presentUser(world, getAnyUser(world, param('user'))),
  }),
]

function withoutUndefined(fields: object): Profile {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

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
