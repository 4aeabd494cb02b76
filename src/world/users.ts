import { assertNoProblems, DomainError, type Problem, toProblems } from './domain-error.ts'
import { emitUserUpdate } from './events.ts'
import { CREATE_FIELDS, isEmail, type Profile } from './profile.ts'
import { findProfileProblems } from './profile-check.ts'
import { unusedUuid } from './random.ts'
import { type ErrorCode, isRefused } from './settings/errors.ts'
import { namesIn } from './settings/setting.ts'
import type { Integrator, User } from './state.ts'
import { toVisible, wordList } from './word-list.ts'
import type { UserStatus } from './words.ts'
import type { World } from './world.ts'

export interface UserRequest {
  email: string
  profile: Profile
  /** Accepts users without the fields that the provider requires in an API call. */
  mayLackFields?: boolean
}

export function createUser(world: World, integrator: Integrator, request: UserRequest): User {
  const { email, profile } = request
  assertNoProblems(findUserProblems(world, request))
  if (world.usersByEmail.has(email.toLowerCase())) {
    const message = 'A user with this e-mail address is already registered.'
    throw new DomainError('duplicate-user', message, { remedy: 'find-user' })
  }
  const status = world.settings['users.initialStatus']
  const user = newUser(world, { email, status, integrators: [integrator.name], profile })
  world.insert('users', user)
  return user
}

interface NewUser {
  email: string
  status: UserStatus
  integrators: string[]
  profile: Profile
}

export function newUser(world: World, { email, status, integrators, profile }: NewUser): User {
  const draw = (ordinal: number) => world.random('user', email.toLowerCase(), ordinal)
  return {
    id: unusedUuid(draw, 1, (id) => world.usersById.has(id)),
    email,
    createdAt: world.now,
    status,
    integrators,
    keyAccess: false,
    profile,
    reasons: [],
    autodeposit: false,
    maximumCad: null,
    loginCode: null,
    history: [{ status, at: world.now }],
    transactionCount: 0,
    loginCodeCount: 0,
    kycLinkCount: 0,
  }
}

export function findUserProblems(world: World, request: UserRequest): Problem[] {
  const { email, profile, mayLackFields = false } = request
  const required = mayLackFields ? [] : namesIn(world.settings['users.create.required'])
  const missing = CREATE_FIELDS.filter((field) => {
    return profile[field] === undefined && required.includes(field)
  })
  return [
    ...findEmailProblems(email),
    ...findProfileProblems(world, profile),
    ...toProblems(missing.map((field) => [field, 'is required'])),
  ]
}

const findEmailProblems = (email: string): Problem[] =>
  toProblems([['email', isEmail(email) ? undefined : 'must be an e-mail address']])

/**
 * Returns true if an integrator finds a user by search and path. If not, a login or an import can
 * still link the user.
 */
export function isVisible(world: World, user: User, { name }: Integrator): boolean {
  return world.settings['users.visibility'] === 'platform' || user.integrators.includes(name)
}

/**
 * Links an integrator to a user that it created, imported or logged in; it gets events from then
 * on.
 */
export function linkIntegrator(world: World, user: User, { name }: Integrator): void {
  if (user.integrators.includes(name)) return
  user.integrators = [...user.integrators, name]
  world.touch('users', user)
}

/** Users whom this integrator can find by this e-mail address: one or none. */
export function findUsersByEmail(world: World, integrator: Integrator, email: string): User[] {
  assertNoProblems(findEmailProblems(email))
  const user = world.usersByEmail.get(email.toLowerCase())
  return user && isVisible(world, user, integrator) ? [user] : []
}

export function getUserByEmail(
  world: World,
  integrator: Integrator,
  email: string,
  code: ErrorCode,
): User {
  const [user] = findUsersByEmail(world, integrator, email)
  return user ?? throwUnknown(code)
}

/** Finds a user of any integrator, because limits count per user (contract, Limits). */
export function findRegistered(world: World, email: string): User | undefined {
  assertNoProblems(findEmailProblems(email))
  return world.usersByEmail.get(email.toLowerCase())
}

export function throwUnknown(code: ErrorCode, which = 'this e-mail address'): never {
  throw new DomainError(code, `No user is registered with ${which}.`, {
    field: 'email',
    remedy: 'register-user',
  })
}

export function getUser(world: World, integrator: Integrator, userId: string): User {
  const user = world.usersById.get(userId)
  if (user && isVisible(world, user, integrator)) return user
  throw newNotFound(user)
}

export function getRegistered(world: World, _integrator: Integrator, userId: string): User {
  const user = world.usersById.get(userId)
  if (user) return user
  throw newNotFound()
}

function newNotFound(user?: User): DomainError {
  const hint =
    user &&
    `It is linked to ${wordList(user.integrators, 'and')}, not to your API key (users.visibility).`
  return new DomainError('user-not-found', 'There is no user with this id.', { hint })
}

/** For the control API: by id or e-mail, of any integrator. */
export function getAnyUser(world: World, idOrEmail: string): User {
  const user = world.usersById.get(idOrEmail) ?? world.usersByEmail.get(idOrEmail.toLowerCase())
  if (user) return user
  throw new DomainError('not-found', `There is no user ${toVisible(idOrEmail)}.`, {
    field: 'user',
    remedy: 'register-user',
    ...(world.users.length === 0 && { hint: 'The fixtures verified-user and cast contain users.' }),
  })
}

/** A partial update: what is sent replaces what was there. */
export function updateUser(world: World, user: User, profile: Profile): User {
  assertNoProblems(findProfileProblems(world, profile))
  assertNoProblems(findFixed(world, user, profile), { code: 'verified-field' })
  const { olderUserInfo, ...fields } = profile
  const merged = olderUserInfo && { ...user.profile.olderUserInfo, ...olderUserInfo }
  user.profile = { ...user.profile, ...fields, ...(merged && { olderUserInfo: merged }) }
  world.touch('users', user)
  return user
}

/** Fields that identify the person, which a verified user may not change. */
function findFixed({ settings }: World, user: User, profile: Profile): Problem[] {
  if (user.status !== 'verified' || !isRefused(settings, 'verified-field')) return []
  const changed = VERIFIED_FIELDS.filter(
    (field) => profile[field] !== undefined && profile[field] !== user.profile[field],
  )
  return toProblems(changed.map((field) => [field, 'cannot change once the user is verified']))
}

const VERIFIED_FIELDS = ['firstName', 'lastName', 'dob'] as const

/** Moves a user to another status; does nothing if the user has it already. */
export function changeUserStatus(
  world: World,
  user: User,
  { status, reasons }: { status: UserStatus; reasons: string[] },
): void {
  if (user.status === status) return
  user.status = status
  user.reasons = reasons
  user.history = [...user.history, { status, at: world.now }]
  world.touch('users', user)
  emitUserUpdate(world, user)
}

export type Access = 'jwt' | 'apiKey'

/** Credentials that this integrator must send to act for the user (contract, User: accessibleBy). */
export function accessOf(user: User, integrator: Integrator): Access[] {
  return canActWithoutToken(user, integrator) ? ['jwt', 'apiKey'] : ['jwt']
}

export function canActWithoutToken(user: User, integrator: Integrator): boolean {
  return user.keyAccess && integrator.actsWithoutToken
}

/** The user grants, or takes back, key-only access (contract, User: accessibleBy). */
export function setAccess(world: World, user: User, accessibleBy: readonly Access[]): void {
  if (!accessibleBy.includes('jwt')) {
    throw new DomainError('invalid', 'accessibleBy must include jwt.', {
      field: 'accessibleBy',
      rule: 'Resources: User, accessibleBy',
    })
  }
  user.keyAccess = accessibleBy.includes('apiKey')
  world.touch('users', user)
}

export interface AccountRequest {
  autodeposit?: boolean | undefined
  maximumCad?: number | null | undefined
  loginCode?: string | null | undefined
}

export function setAccount(world: World, user: User, request: AccountRequest): void {
  if (request.autodeposit !== undefined) user.autodeposit = request.autodeposit
  if (request.maximumCad !== undefined) user.maximumCad = request.maximumCad
  if (request.loginCode !== undefined) user.loginCode = request.loginCode
  world.touch('users', user)
}
