import * as z from 'zod'
import { formatDuration, formatInstant } from '../../world/duration.ts'
import { countActive, countUnsuccessful, maximumCad } from '../../world/limits.ts'
import { PROFILE_FIELD_NAMES, type Profile, toProfileShape } from '../../world/profile.ts'
import { getRequirements } from '../../world/requirements.ts'
import { USER_STATUSES, type User } from '../../world/state.ts'
import type { World } from '../../world/world.ts'

const History = () => z.array(z.strictObject({ status: z.string(), at: z.iso.datetime() }))
const Counter = () => z.strictObject({ count: z.int(), maximum: z.int() })

const ProfileRecord = () =>
  z
    .strictObject({
      ...toProfileShape(PROFILE_FIELD_NAMES, {
        text: () => z.string().nullable(),
        flag: () => z.boolean().nullable(),
      }),
      olderUserInfo: z.record(z.string(), z.string()).nullable(),
    })
    .meta({ title: 'ProfileRecord' })

export const UserRecord = () =>
  z
    .strictObject({
      id: z.uuid(),
      email: z.string(),
      status: z.enum(USER_STATUSES),
      createdAt: z.iso.datetime(),
      integrators: z.array(z.string()),
      keyAccess: z.boolean(),
      profile: ProfileRecord(),
      reasons: z.array(z.string()),
      requirements: z.strictObject({
        complete: z.boolean(),
        outstanding: z.array(z.strictObject({ field: z.string(), message: z.string() })),
      }),
      limits: z.strictObject({
        minimumCad: z.number(),
        maximumCad: z.number(),
        window: z.string(),
        active: Counter(),
        cancelledOrExpired: Counter(),
      }),
      account: z.strictObject({
        autodeposit: z.boolean(),
        maximumCad: z.number().nullable(),
        loginCode: z.string().nullable(),
      }),
      transactionCount: z.int(),
      history: History(),
    })
    .meta({ title: 'UserRecord' })

/** All there is to know of a user. */
export function showUser(world: World, user: User): z.input<ReturnType<typeof UserRecord>> {
  const { autodeposit, maximumCad: ownMaximum, loginCode } = user
  return {
    id: user.id,
    email: user.email,
    status: user.status,
    createdAt: formatInstant(user.createdAt),
    integrators: user.integrators,
    keyAccess: user.keyAccess,
    profile: showProfile(user.profile),
    reasons: user.reasons,
    requirements: getRequirements(world, user),
    limits: showLimits(world, user),
    account: { autodeposit, maximumCad: ownMaximum, loginCode },
    transactionCount: user.transactionCount,
    history: user.history.map(({ status, at }) => ({ status, at: formatInstant(at) })),
  }
}

function showProfile(profile: Profile) {
  const fields = PROFILE_FIELD_NAMES.map((name) => [name, profile[name] ?? null])
  return { ...Object.fromEntries(fields), olderUserInfo: profile.olderUserInfo ?? null }
}

/** The bounds of one transaction, and how near the user is to the two that count. */
function showLimits(world: World, user: User) {
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
