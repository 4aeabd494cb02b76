import { NOT_OURS } from '../engine/access-tokens.ts'
import { DomainError } from '../world/domain-error.ts'
import { getIntegratorByKey } from '../world/integrators.ts'
import { isRevoked } from '../world/login.ts'
import { plural } from '../world/plural.ts'
import type { CredentialRule, CredentialSetting } from '../world/settings/operations.ts'
import type { Integrator, Session, Transaction, User } from '../world/state.ts'
import { assertOwner, type Caller, getTransaction } from '../world/transactions.ts'
import { canActWithoutToken, getRegistered, getUser, isVisible } from '../world/users.ts'
import type { World } from '../world/world.ts'
import { isNoValue } from './hints.ts'
import { authentication, type Call } from './operation.ts'
import type { Credentials } from './operation-description.ts'
import { HttpError } from './status.ts'

export interface KeyHolder {
  integrator: Integrator
}

const KEY: Credentials = [['apiKey']]
const EITHER: Credentials = [['apiKey', 'accessToken'], ['apiKey']]

/** The API key alone (contract, Authentication: 6). */
export const requireApiKey = authentication({ takes: KEY }, getKeyHolder)

/** The API key, or nothing if the operation's setting asks for none. */
export const requireKeyIfAsked = authentication(
  { takes: [[], ['apiKey']] },
  (call): { integrator: Integrator | null } => {
    if (askedBy(call) !== 'none' || call.header('x-api-key') !== undefined) {
      return getKeyHolder(call)
    }
    assumeCredentials(call)
    return { integrator: null }
  },
)

/** The user of the token, or the one named with `userId` by a caller who needs no token. */
export const requireUser = authentication({ takes: EITHER }, (call): Caller => {
  const caller = getCaller(call)
  return { ...caller, user: getSubject(call, caller, call.query('userId')) }
})

/** Like `requireUser`, but the body may still name the user: `getSubject` then finds it. */
export const requireUserOrBody = authentication({ takes: EITHER }, getCaller)

/** Like `requireUser`, but without a user if the key alone is enough. */
export const requireUserIfAsked = authentication(
  { takes: EITHER },
  (call): { integrator: Integrator; user: User | null } => {
    const isNamed = call.header('authorization') !== undefined || call.query('userId')
    return isNamed || askedBy(call) === 'token'
      ? requireUser(call)
      : { ...getKeyHolder(call), user: null }
  },
)

/** The user of a transaction in the path. */
export const requireTransaction = authentication(
  { takes: EITHER },
  (call): Caller & { transaction: Transaction } => {
    const { world } = call
    const { integrator, user: holder } = getCaller(call)
    const transaction = getTransaction(world, integrator, call.param('txId'))
    const user =
      holder ?? getWithoutToken(call, integrator, getUser(world, integrator, transaction.userId))
    assertOwner(transaction, user)
    return { integrator, user, transaction }
  },
)

/** The user in the path; a token that is sent must be that user's. */
export const requirePathUser = authentication({ takes: EITHER }, (call): Caller => {
  return getPathCaller(call, getUser)
})

/** Like `requirePathUser`, but for a user of any integrator: an import links it. */
export const requireRegisteredUser = authentication({ takes: EITHER }, (call): Caller => {
  return getPathCaller(call, getRegistered)
})

function getPathCaller(call: Call, get: typeof getUser): Caller {
  const { integrator, user: holder } = getHolder(call)
  const userId = call.param('userId')
  if (holder !== null && holder.id !== userId.toLowerCase()) throw foreignToken(holder)
  // Before the user is looked up: without a token, a client must not learn which ids exist.
  if (holder === null && needsToken(call, integrator)) {
    throw missingToken(integrator, { user: call.world.usersById.get(userId) })
  }
  const user = holder ?? getWithoutToken(call, integrator, get(call.world, integrator, userId))
  return { integrator, user }
}

function askedBy({ world, operation }: Call): CredentialRule {
  const credentials = credentialsOf(operation)
  return isSetting(credentials) ? world.settings[credentials] : credentials
}

function assumeCredentials({ operation, assume }: Call): void {
  const credentials = credentialsOf(operation)
  if (isSetting(credentials)) assume(credentials)
}

/** An operation that is not in the contract has none, and must not be open to whoever has a key. */
function credentialsOf({ contract }: Call['operation']): CredentialRule | CredentialSetting {
  if (contract === undefined) throw new Error('Only operations of the contract have credentials.')
  return contract.credentials
}

const isSetting = (asked: CredentialRule | CredentialSetting): asked is CredentialSetting =>
  asked.startsWith('auth.')

function getKeyHolder({ world, header, record }: Call): KeyHolder {
  const key = header('x-api-key')
  if (!key) throw new DomainError('missing-key', 'Send your API key in the x-api-key header.')
  return admit({ world, record }, getIntegratorByKey(world, key))
}

function admit({ world, record }: Pick<Call, 'world' | 'record'>, integrator: Integrator) {
  record.integrator = integrator.name
  assertRequestRate(world, integrator)
  return { integrator }
}

const MINUTE_MS = 60_000

/** Calls of each integrator in the current minute of world time. */
const counts = new WeakMap<Integrator, { minute: number; calls: number }>()

/** Throws when an integrator has made more calls in this minute than the setting allows. */
function assertRequestRate({ now, mode, settings }: World, integrator: Integrator): void {
  const callsMax = settings['requests.perMinute']
  if (callsMax === 0) return
  const minute = Math.floor(now / MINUTE_MS)
  const before = counts.get(integrator)
  const calls = before?.minute === minute ? before.calls + 1 : 1
  counts.set(integrator, { minute, calls })
  if (calls <= callsMax) return
  const seconds = Math.ceil(((minute + 1) * MINUTE_MS - now) / 1000)
  const isFrozen = mode === 'frozen'
  throw new HttpError(
    429,
    'requests',
    `At most ${plural(callsMax, 'call')} may be made per minute.`,
    {
      rule: 'Limits: Request rate limits',
      hint: isFrozen
        ? `The clock is frozen; advance it by ${seconds}s to begin the next minute.`
        : `The next minute of world time begins in ${seconds} s. You can also advance the clock.`,
      // While the clock is frozen these seconds never pass, so a client that waits for them hangs.
      headers: isFrozen ? {} : { 'retry-after': String(seconds) },
    },
  )
}

interface Holder {
  integrator: Integrator
  /** The user of the token, if one was sent. */
  user: User | null
}

/** The key and the token of a call; under a setting either is enough. */
function getHolder(call: Call): Holder {
  const { world, header } = call
  if (askedBy(call) === 'key-or-token' && header('x-api-key') === undefined) {
    const session = readToken(call)
    const integrator = world.integratorsByName.get(session?.integrator ?? '')
    if (session && integrator) {
      return { ...admit(call, integrator), user: toUser(call, session, integrator) }
    }
  }
  const { integrator } = getKeyHolder(call)
  const session = readToken(call)
  return { integrator, user: session && toUser(call, session, integrator) }
}

/** Like `getHolder`, for an operation whose path names no user. */
function getCaller(call: Call): Holder {
  const holder = getHolder(call)
  const { integrator, user } = holder
  if (user === null && needsToken(call, integrator)) throw missingToken(integrator)
  return holder
}

/** Returns true if a call without a token is refused for every user. */
const needsToken = (call: Call, { actsWithoutToken }: Integrator): boolean =>
  askedBy(call) === 'token' && !actsWithoutToken

/** The user of the token, or the one that is named; both may be given if they are the same. */
export function getSubject(
  call: Call,
  { integrator, user }: Holder,
  named: string | undefined,
): User {
  const isRefused = call.world.settings['access.subject'] === 'refuse'
  if (user === null) {
    if (!named || isRefused) throw missingToken(integrator, { isRefused })
    const subject = getWithoutToken(call, integrator, getUser(call.world, integrator, named))
    call.assume('access.subject')
    return subject
  }
  if (named && !isRefused && named.toLowerCase() !== user.id) throw foreignToken(user)
  return user
}

/** Returns the user if the key is enough: by the user's grant, or because no token is needed. */
function getWithoutToken(call: Call, integrator: Integrator, user: User): User {
  const asked = askedBy(call)
  if (!canActWithoutToken(user, integrator)) {
    if (asked === 'token' || (asked === 'key-until-verified' && user.status === 'verified')) {
      throw missingToken(integrator, { user })
    }
    if (asked === 'key-until-verified') assumeCredentials(call)
  }
  call.record.userId = user.id
  return user
}

function readToken({ services, header }: Call): Session | null {
  const authorization = header('authorization')
  if (authorization === undefined) return null
  const [, token] = /^Bearer +([^\s]+)$/i.exec(authorization) ?? []
  if (token === undefined) {
    const message = 'Send the access token in the Authorization header: Bearer <ACCESS_TOKEN>.'
    throw new DomainError('invalid-token', message, { hint: explainBearer(authorization) })
  }
  // Every JWT begins like this.
  if (!token.startsWith('eyJ') && isNoValue(token)) {
    throw new DomainError('invalid-token', NOT_OURS, { hint: explainBearer(authorization) })
  }
  return services.tokens.read(token)
}

/** Says why no token can be read from the header. */
function explainBearer(authorization: string): string | undefined {
  const text = authorization.replace(/^Bearer\b\s*/i, '')
  if (text === '' || isNoValue(text)) {
    return `The header is "${authorization}". Is the variable that holds the token set?`
  }
  if (/^Bearer\b/i.test(text)) return 'Bearer was sent twice.'
  if (text !== authorization) return undefined
  if (/^["']/.test(text)) return 'Remove the quotes around the value of the header.'
  const [, scheme] = /^(\S+) +\S/.exec(text) ?? []
  return scheme
    ? `The scheme is ${scheme}, not Bearer.`
    : 'The word Bearer is missing before the token.'
}

function toUser({ world, record }: Call, session: Session, integrator: Integrator): User {
  if (session.integrator !== integrator.name) {
    const hint = `It was issued to the integrator ${session.integrator}.`
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
const NOT_VERIFIED = 'The user of the access token is no longer verified.'

function foreignToken({ email }: User): DomainError {
  const message = 'The access token belongs to another user.'
  return new DomainError('other-user', message, { hint: `It was issued to ${email}.` })
}

const NO_LOGIN_YET =
  'Only verified users can log in (login.eligible); PUT /v2/users/{userId}/kyc verifies this one.'

interface Tokenless {
  user?: User | undefined
  /** True where `access.subject` refuses to read the user from the call. */
  isRefused?: boolean
}

function missingToken(integrator: Integrator, about: Tokenless = {}): DomainError {
  const message = 'Send the user’s access token in the Authorization header.'
  return new DomainError('missing-token', message, { hint: hintAt(integrator, about) })
}

function hintAt({ actsWithoutToken }: Integrator, { user, isRefused }: Tokenless): string {
  if (user && user.status !== 'verified') return NO_LOGIN_YET
  if (!actsWithoutToken) return 'POST /v2/auth/login-codes starts a login.'
  if (isRefused) return 'access.subject is refuse, so this call needs a token.'
  return user
    ? `${user.email} has not granted key-only access.`
    : 'Without a token, set userId to a user who granted key-only access.'
}
