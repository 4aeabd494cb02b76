import { Refusal } from '../world/errors.ts'
import { getIntegratorByKey } from '../world/integrators.ts'
import type { Integrator, Transaction, User } from '../world/state.ts'
import { type Caller, getTransaction, getTransactionOf } from '../world/transactions.ts'
import { canActWithoutToken, getUser } from '../world/users.ts'
import type { Knock } from './operation.ts'

export interface ByKey {
  integrator: Integrator
}

/** The API key alone (contract, Authentication: 6). */
export function byKey({ world, header, record }: Knock): ByKey {
  const integrator = getIntegratorByKey(world, header('x-api-key'))
  record.integrator = integrator.name
  return { integrator }
}

/** Key and token, or the key alone for a user who granted it, named with `userId`. */
export function byUser(knock: Knock): Caller {
  const caller = byUserOrBody(knock)
  return { ...caller, user: subjectOf(knock, caller, knock.query('userId')) }
}

/** As `byUser`, but the body may still name the user: `subjectOf` then finds it. */
export function byUserOrBody(knock: Knock): { integrator: Integrator; user: User | null } {
  const { integrator } = byKey(knock)
  const user = findTokenUser(knock, integrator)
  if (user === null && !integrator.actsWithoutToken) throw missingToken(integrator)
  return { integrator, user }
}

/** Key and token for the user of a transaction in the path. */
export function byTransaction(knock: Knock): Caller & { transaction: Transaction } {
  const { integrator, user } = byUserOrBody(knock)
  const { userId } = getTransaction(knock.world, integrator, knock.param('txId'))
  const caller = { integrator, user: user ?? toSubject(knock, integrator, userId) }
  return { ...caller, transaction: getTransactionOf(knock.world, caller, knock.param('txId')) }
}

/** The user in the path, with a token once that user can have one. */
export function byOnboardingUser(knock: Knock): Caller {
  const caller = byPathUser(knock)
  const { integrator, user } = caller
  if (caller.token || canActWithoutToken(user, integrator)) return { integrator, user }
  const policy = knock.world.policy['onboarding.auth']
  if (policy === 'token' || user.status === 'verified') throw missingToken(integrator)
  knock.assume('onboarding.auth')
  return { integrator, user }
}

/** The user in the path, by the key; a token that is sent must be valid. */
export function byPathUser(knock: Knock): Caller & { token: boolean } {
  const { integrator } = byKey(knock)
  const tokenUser = findTokenUser(knock, integrator)
  if (tokenUser !== null) {
    if (tokenUser.id === knock.param('userId')) return { integrator, user: tokenUser, token: true }
    throw foreignToken(tokenUser)
  }
  const user = getUser(knock.world, integrator, knock.param('userId'))
  knock.record.userId = user.id
  return { integrator, user, token: false }
}

/** As `byPathUser`, with a token where the policy asks for one. */
export function byRequirementsUser(knock: Knock): Caller {
  const { integrator, user, token } = byPathUser(knock)
  if (!token && knock.world.policy['requirements.auth'] === 'token') {
    if (!canActWithoutToken(user, integrator)) throw missingToken(integrator)
  }
  return { integrator, user }
}

/** Limits of the user, or the general ones where the policy takes the key alone. */
export function byLimitsUser(knock: Knock): { integrator: Integrator; user: User | null } {
  if (knock.world.policy['limits.auth'] === 'user') return byUser(knock)
  const { integrator } = byKey(knock)
  return { integrator, user: findTokenUser(knock, integrator) }
}

/** The user of the token, or the one that is named; both may be, if they are the same. */
export function subjectOf(
  knock: Knock,
  { integrator, user }: { integrator: Integrator; user: User | null },
  named: string | undefined,
): User {
  if (user === null) return toSubject(knock, integrator, named)
  if (named !== undefined && named !== user.id) throw foreignToken(user)
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

function foreignToken({ email }: User): Refusal {
  const hint = `It was made for ${email}.`
  return new Refusal('forbidden', 'userId', 'The access token belongs to another user.', { hint })
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
