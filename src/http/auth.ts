import { DomainError } from '../world/domain-error.ts'
import { getIntegratorByKey } from '../world/integrators.ts'
import { isRevoked } from '../world/login.ts'
import type { Integrator, Transaction, User } from '../world/state.ts'
import { assertOwner, type Caller, getTransaction } from '../world/transactions.ts'
import { canActWithoutToken, getUser, isVisible } from '../world/users.ts'
import { authentication, type Call } from './operation.ts'
import { assertRequestRate } from './request-rate-limit.ts'

export interface KeyHolder {
  integrator: Integrator
}

const KEY_AND_TOKEN = ['apiKey', 'accessToken'] as const
const EITHER = [KEY_AND_TOKEN, ['apiKey']] as const

/** The API key alone (contract, Authentication: 6). */
export const requireApiKey = authentication(
  { takes: [['apiKey']] },
  ({ world, header, record }): KeyHolder => {
    const integrator = getIntegratorByKey(world, header('x-api-key'))
    record.integrator = integrator.name
    assertRequestRate(world, integrator)
    return { integrator }
  },
)

/** Key and token, or the key alone for a user who granted it, named with `userId`. */
export const requireUser = authentication({ takes: EITHER, namesUser: true }, (call): Caller => {
  const caller = findCaller(call)
  return { ...caller, user: getSubject(call, caller, call.query('userId')) }
})

/** As `requireUser`, but the body may still name the user: `getSubject` then finds it. */
export const requireUserOrBody = authentication({ takes: EITHER, namesUser: true }, findCaller)

function findCaller(call: Call): { integrator: Integrator; user: User | null } {
  const { integrator } = requireApiKey(call)
  const user = findTokenUser(call, integrator)
  if (user === null && !integrator.actsWithoutToken) throw missingToken(integrator)
  return { integrator, user }
}

/** Key and token for the user of a transaction in the path. */
export const requireTransaction = authentication({ takes: EITHER }, findTransaction)

function findTransaction(call: Call): Caller & { transaction: Transaction } {
  const { integrator, user: holder } = findCaller(call)
  const transaction = getTransaction(call.world, integrator, call.param('txId'))
  const user = holder ?? getKeyOnlyUser(call, integrator, transaction.userId)
  assertOwner(transaction, user)
  return { integrator, user, transaction }
}

/** The user in the path, with a token once that user can have one. */
export const requireOnboardingUser = authentication({ takes: EITHER }, findOnboardingUser)

function findOnboardingUser(call: Call): Caller {
  const caller = findPathUser(call)
  const { integrator, user } = caller
  if (caller.token || canActWithoutToken(user, integrator)) return { integrator, user }
  const { settings } = call.world
  if (user.status === 'verified') throw missingToken(integrator)
  if (settings['onboarding.auth'] === 'token') {
    throw missingToken(
      integrator,
      settings['login.eligible'] === 'verified' ? NO_LOGIN_YET : undefined,
    )
  }
  call.assume('onboarding.auth')
  return { integrator, user }
}

/** The user in the path, by the key; a token that is sent must be valid. */
function findPathUser(call: Call): Caller & { token: boolean } {
  const { integrator } = requireApiKey(call)
  const tokenUser = findTokenUser(call, integrator)
  if (tokenUser !== null) {
    if (tokenUser.id === call.param('userId')) return { integrator, user: tokenUser, token: true }
    throw foreignToken(tokenUser)
  }
  const user = getUser(call.world, integrator, call.param('userId'))
  call.record.userId = user.id
  return { integrator, user, token: false }
}

/** As `findPathUser`, with a token where a setting asks for one. */
const requirePathUser = (setting: 'requirements.auth' | 'kyc.import.auth') =>
  authentication({ takes: EITHER }, (call): Caller => {
    const { integrator, user, token } = findPathUser(call)
    if (!token && call.world.settings[setting] === 'token') {
      if (!canActWithoutToken(user, integrator)) throw missingToken(integrator)
    }
    return { integrator, user }
  })
export const requireRequirementsUser = requirePathUser('requirements.auth')
export const requireImportUser = requirePathUser('kyc.import.auth')

/** A user, or none: with the key alone a setting allows the general limits. */
export const requireLimitsUser = authentication(
  { takes: EITHER, namesUser: true },
  (call): { integrator: Integrator; user: User | null } => {
    const isNamed = call.header('authorization') !== undefined || call.query('userId')
    const isGeneral = !isNamed && call.world.settings['limits.auth'] === 'key'
    return isGeneral ? { ...requireApiKey(call), user: null } : requireUser(call)
  },
)

/** The user of the token, or the one that is named; both may be given if they are the same. */
export function getSubject(
  call: Call,
  { integrator, user }: { integrator: Integrator; user: User | null },
  named: string | undefined,
): User {
  if (user === null) return toSubject(call, integrator, named)
  const isNamed = named && call.world.settings['access.subject'] !== 'refuse'
  if (isNamed && named !== user.id) throw foreignToken(user)
  return user
}

/** The user whom a caller without a token names, where a setting allows that. */
function toSubject(call: Call, integrator: Integrator, userId: string | undefined): User {
  if (!userId || call.world.settings['access.subject'] === 'refuse') {
    throw missingToken(integrator)
  }
  const user = getKeyOnlyUser(call, integrator, userId)
  call.assume('access.subject')
  return user
}

/** A user who must have granted key-only access (contract, Authentication: 5). */
function getKeyOnlyUser(call: Call, integrator: Integrator, userId: string): User {
  const user = getUser(call.world, integrator, userId)
  if (!canActWithoutToken(user, integrator)) throw missingToken(integrator)
  call.record.userId = user.id
  return user
}

function findTokenUser({ services, world, header, record }: Call, integrator: Integrator) {
  const authorization = header('authorization')
  if (authorization === undefined) return null
  const [, token] = /^Bearer +([^\s]+)$/i.exec(authorization) ?? []
  if (token === undefined) {
    const message = 'Send the access token as: Authorization: Bearer <ACCESS_TOKEN>.'
    throw new DomainError('invalid-token', message)
  }
  const session = services.tokens.read(token)
  if (session.integrator !== integrator.name) {
    const hint = `It was made with the API key of ${session.integrator}.`
    throw new DomainError('invalid-token', NOT_OF_KEY, { hint })
  }
  const user = world.usersById.get(session.userId)
  if (!user || !isVisible(world, user, integrator)) {
    const hint = 'Was the world reset?'
    throw new DomainError('invalid-token', 'The user of the access token does not exist.', { hint })
  }
  if (isRevoked(world, user, session)) {
    const hint = 'tokens.afterStatusChange is revoke; the user can log in again once verified.'
    throw new DomainError('revoked-token', NOT_VERIFIED, { hint })
  }
  record.userId = user.id
  return user
}

const NOT_OF_KEY = 'The access token does not belong to this API key.'
const NOT_VERIFIED = 'The user of the access token is not verified any more.'

function foreignToken({ email }: User): DomainError {
  const message = 'The access token belongs to another user.'
  return new DomainError('other-user', message, { hint: `It was made for ${email}.` })
}

const NO_LOGIN_YET =
  'Only verified users can log in (login.eligible); PUT /v2/users/{userId}/kyc verifies this one.'

function missingToken({ actsWithoutToken }: Integrator, instead?: string): DomainError {
  const hint = actsWithoutToken
    ? 'Without a token, name a user who granted key-only access with userId.'
    : 'POST /v2/auth/login-codes starts a login.'
  const message = 'Send the access token of the user in the header Authorization.'
  return new DomainError('missing-token', message, { hint: instead ?? hint })
}
