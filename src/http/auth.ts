import { Refusal } from '../world/domain-error.ts'
import { getIntegratorByKey } from '../world/integrators.ts'
import type { Policy } from '../world/settings/index.ts'
import type { Integrator, Transaction, User } from '../world/state.ts'
import { type Caller, getTransaction, refuseForeign } from '../world/transactions.ts'
import { canActWithoutToken, getUser } from '../world/users.ts'
import { guard, type Knock } from './operation.ts'
import { refuseHaste } from './rate.ts'

export interface ByKey {
  integrator: Integrator
}

const NO_KEY = 'The API key is missing or unknown.'
const NO_TOKEN = `${NO_KEY} The access token is missing, malformed, expired or another integrator’s.`
const NO_USER = 'This integrator has no user with this id.'
const OTHER_USER = 'The access token belongs to another user.'

/** What any call can be refused with that an API key is sent with. */
const forKey = (policy: Policy) => ({
  unauthenticated: NO_KEY,
  ...(policy['requests.perMinute'] > 0 && { 429: 'Too many calls in this minute.' }),
})

/** What a call for a user can be refused with, before anyone looks at what it asks for. */
const forUser = (policy: Policy) => ({
  ...forKey(policy),
  unauthenticated: NO_TOKEN,
  'not-found': NO_USER,
  [policy['errors.otherUser']]: OTHER_USER,
})
const KEY_AND_TOKEN = ['apiKey', 'accessToken'] as const
const EITHER = [KEY_AND_TOKEN, ['apiKey']] as const

/** The API key alone (contract, Authentication: 6). */
export const byKey = guard(
  { takes: [['apiKey']], refuses: forKey },
  ({ world, header, record }): ByKey => {
    const integrator = getIntegratorByKey(world, header('x-api-key'))
    record.integrator = integrator.name
    refuseHaste(world, integrator)
    return { integrator }
  },
)

/** Key and token, or the key alone for a user who granted it, named with `userId`. */
export const byUser = guard(
  { takes: EITHER, namesUser: true, refuses: forUser },
  (knock): Caller => {
    const caller = findCaller(knock)
    return { ...caller, user: subjectOf(knock, caller, knock.query('userId')) }
  },
)

/** As `byUser`, but the body may still name the user: `subjectOf` then finds it. */
export const byUserOrBody = guard({ takes: EITHER, namesUser: true, refuses: forUser }, findCaller)

function findCaller(knock: Knock): { integrator: Integrator; user: User | null } {
  const { integrator } = byKey(knock)
  const user = findTokenUser(knock, integrator)
  if (user === null && !integrator.actsWithoutToken) throw missingToken(integrator)
  return { integrator, user }
}

/** Key and token for the user of a transaction in the path. */
export const byTransaction = guard(
  {
    takes: EITHER,
    refuses: (policy) => ({
      ...forKey(policy),
      unauthenticated: NO_TOKEN,
      'not-found': 'The user has no transaction with this id.',
    }),
  },
  findTransaction,
)

function findTransaction(knock: Knock): Caller & { transaction: Transaction } {
  const { integrator, user: holder } = findCaller(knock)
  const transaction = getTransaction(knock.world, integrator, knock.param('txId'))
  const user = holder ?? toSubject(knock, integrator, transaction.userId)
  refuseForeign(transaction, user)
  return { integrator, user, transaction }
}

/** The user in the path, with a token once that user can have one. */
export const byOnboardingUser = guard({ takes: EITHER, refuses: forUser }, findOnboardingUser)

function findOnboardingUser(knock: Knock): Caller {
  const caller = findPathUser(knock)
  const { integrator, user } = caller
  if (caller.token || canActWithoutToken(user, integrator)) return { integrator, user }
  const policy = knock.world.policy['onboarding.auth']
  if (policy === 'token' || user.status === 'verified') throw missingToken(integrator)
  knock.assume('onboarding.auth')
  return { integrator, user }
}

/** The user in the path, by the key; a token that is sent must be valid. */
function findPathUser(knock: Knock): Caller & { token: boolean } {
  const { integrator } = byKey(knock)
  const tokenUser = findTokenUser(knock, integrator)
  if (tokenUser !== null) {
    if (tokenUser.id === knock.param('userId')) return { integrator, user: tokenUser, token: true }
    throw foreignToken(knock, tokenUser)
  }
  const user = getUser(knock.world, integrator, knock.param('userId'))
  knock.record.userId = user.id
  return { integrator, user, token: false }
}

/** As `findPathUser`, with a token where a setting asks for one. */
const byPathUser = (setting: 'requirements.auth' | 'kyc.import.auth') =>
  guard({ takes: EITHER, refuses: forUser }, (knock): Caller => {
    const { integrator, user, token } = findPathUser(knock)
    if (!token && knock.world.policy[setting] === 'token') {
      if (!canActWithoutToken(user, integrator)) throw missingToken(integrator)
    }
    return { integrator, user }
  })
export const byRequirementsUser = byPathUser('requirements.auth')
export const byImportUser = byPathUser('kyc.import.auth')

/** Limits of the user, or the general ones where the policy takes the key alone. */
export const byLimitsUser = guard(
  { takes: EITHER, namesUser: true, refuses: forUser },
  (knock): { integrator: Integrator; user: User | null } => {
    const named = knock.header('authorization') ?? knock.query('userId')
    const isGeneral = named === undefined && knock.world.policy['limits.auth'] === 'key'
    return isGeneral ? { ...byKey(knock), user: null } : byUser(knock)
  },
)

/** The user of the token, or the one that is named; both may be given if they are the same. */
export function subjectOf(
  knock: Knock,
  { integrator, user }: { integrator: Integrator; user: User | null },
  named: string | undefined,
): User {
  if (user === null) return toSubject(knock, integrator, named)
  const isNamed = named !== undefined && knock.world.policy['access.subject'] !== 'refuse'
  if (isNamed && named !== user.id) throw foreignToken(knock, user)
  return user
}

/** The user that a caller without a token names; refuses one who did not grant that. */
function toSubject(knock: Knock, integrator: Integrator, userId: string | undefined): User {
  if (userId === undefined || knock.world.policy['access.subject'] === 'refuse') {
    throw missingToken(integrator)
  }
  const user = getUser(knock.world, integrator, userId)
  if (!canActWithoutToken(user, integrator)) throw missingToken(integrator)
  knock.record.userId = user.id
  return user
}

function findTokenUser({ doors, world, header, record }: Knock, integrator: Integrator) {
  const authorization = header('authorization')
  if (authorization === undefined) return null
  const [, token] = /^Bearer +([^\s]+)$/i.exec(authorization) ?? []
  if (token === undefined) {
    throw unauthenticated('Send the access token as: Authorization: Bearer <ACCESS_TOKEN>.')
  }
  const session = doors.tokens.read(token)
  if (session.integrator !== integrator.name) {
    const hint = `It was made with the API key of ${session.integrator}.`
    throw unauthenticated('The access token does not belong to this API key.', hint)
  }
  const user = world.usersById.get(session.userId)
  if (!user?.integrators.includes(integrator.name)) {
    throw unauthenticated('The user of the access token does not exist.', 'Was the world reset?')
  }
  record.userId = user.id
  return user
}

function foreignToken({ world }: Knock, { email }: User): Refusal {
  const detail = { rule: 'Authentication: 2', hint: `It was made for ${email}.` }
  return new Refusal(world.policy['errors.otherUser'], 'userId', OTHER_USER, detail)
}

function missingToken({ actsWithoutToken }: Integrator): Refusal {
  const hint = actsWithoutToken
    ? 'Without a token, name a user who granted key-only access with userId.'
    : 'POST /v2/auth/login-codes starts a login.'
  return unauthenticated('Send the access token of the user in the header Authorization.', hint)
}

function unauthenticated(message: string, hint?: string): Refusal {
  const detail = { rule: 'Authentication: 2', ...(hint !== undefined && { hint }) }
  return new Refusal('unauthenticated', 'authorization', message, detail)
}
