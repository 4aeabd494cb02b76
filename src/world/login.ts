import { DomainError, type DomainErrorDetail } from './domain-error.ts'
import { formatInstant } from './duration.ts'
import { sendCode } from './messages.ts'
import { plural } from './plural.ts'
import { DIGITS, randomText, uuid } from './random.ts'
import { CONSTANTS } from './settings/constants.ts'
import { isRefused } from './settings/errors.ts'
import type { Integrator, LoginCode, Session, User } from './state.ts'
import type { Caller } from './transactions.ts'
import { findRegistered, linkIntegrator, throwUnknown } from './users.ts'
import { wordList } from './word-list.ts'
import { codeKey, loginKey, type World } from './world.ts'

const CODE_LENGTH = 4
const ATTEMPTS_MAX = CONSTANTS['login.code.attempts'].value
const WRONG_CODE = 'The login code is wrong.'

/**
 * Sends a code to the inbox of the user, if the user exists. A setting says what happens to the one
 * before.
 */
export function sendLoginCode(world: World, integrator: Integrator, email: string): boolean {
  const user = findLoginUser(world, email)
  if (user === undefined) return false
  const before = findNewestCode(world, user, integrator)
  if (world.settings['login.code.resend'] === 'same' && isUsable(world, before)) {
    before.expiresAt = world.now + world.settings['login.code.ttl']
    world.touch('loginCodes', before)
    sendCode(world, user, before)
    return true
  }
  const ordinal = user.loginCodeCount + 1
  const drawn = randomText(world.secretRandom('login-code', user.id, ordinal), DIGITS, CODE_LENGTH)
  const sent: LoginCode = {
    userId: user.id,
    integrator: integrator.name,
    code: user.loginCode ?? drawn,
    expiresAt: world.now + world.settings['login.code.ttl'],
    attempts: 0,
    spent: false,
  }
  user.loginCodeCount = ordinal
  world.touch('users', user)
  world.insert('loginCodes', sent)
  sendCode(world, user, sent)
  return true
}

const findNewestCode = (world: World, { id: userId }: User, { name: integrator }: Integrator) =>
  world.newestCodes.get(loginKey({ userId, integrator }))

const findCode = (world: World, { id }: User, { name }: Integrator, code: string) =>
  world.loginCodes.get(codeKey({ userId: id, integrator: name, code }))

/** Returns undefined where a setting hides that the user cannot log in. */
function findLoginUser(world: World, email: string): User | undefined {
  const user = findRegistered(world, email)
  if (!user && !isRefused(world.settings, 'unknown-user')) return undefined
  const found = user ?? throwUnknown('unknown-user')
  if (canLogIn(world, found)) return found
  if (!isRefused(world.settings, 'unverified-login')) return undefined
  const message = `This user is not verified (status ${found.status}) and cannot log in.`
  throw new DomainError('unverified-login', message, { remedy: 'verify-user', user: found.email })
}

/** Says why nobody can log in with an address for which a setting hides that. */
export const whyNoLogin = (world: World, email: string): string =>
  findRegistered(world, email)
    ? `${email} is not verified, and status.unverified-login is 200`
    : 'No user has this e-mail address, and status.unknown-user is 200'

/** Checked again when a code is used, because the user may have been rejected since. */
const canLogIn = ({ settings }: World, { status }: User): boolean =>
  status === 'verified' || settings['login.eligible'] === 'registered'

export interface LoginAttempt {
  email: string
  code: string
  wallNow: number
}

/**
 * Logs a user in. A wrong code counts against the newest one; the right one works once and links
 * the integrator. A setting lets earlier ones work, too.
 */
export function verifyLoginCode(
  world: World,
  integrator: Integrator,
  { email, code, wallNow }: LoginAttempt,
): Session {
  const user = findLoginUser(world, email)
  if (user === undefined) throw newCodeError(WRONG_CODE, { hint: `${whyNoLogin(world, email)}.` })
  const keeps = world.settings['login.code.resend'] === 'keep'
  const earlier = keeps ? findCode(world, user, integrator, code) : undefined
  const sent = earlier ?? findNewestCode(world, user, integrator)
  assertUsable(world, { user, integrator }, sent)
  const isRight = sent.code === code
  if (isRight) sent.spent = true
  else sent.attempts++
  world.touch('loginCodes', sent)
  if (!isRight) throw newWrongCodeError(world, { user, integrator }, { sent, code })
  return openSession(world, { user, integrator }, wallNow)
}

/** Logs a user in as if the newest code had been sent and entered. */
export function logInWithoutCode(world: World, caller: Caller, wallNow: number): Session {
  findLoginUser(world, caller.user.email)
  return openSession(world, caller, wallNow)
}

function openSession(world: World, { user, integrator }: Caller, wallNow: number): Session {
  linkIntegrator(world, user, integrator)
  // Counted like a code, because a code does not identify one login.
  user.loginCodeCount++
  world.touch('users', user)
  const { now, settings } = world
  const ttlMs = settings['login.token.ttl']
  const shownNow = settings['tokens.time'] === 'wall' ? wallNow : now
  const random = world.random('session', `${user.id} ${integrator.name}`, user.loginCodeCount)
  const iat = Math.floor(shownNow / 1000)
  const session: Session = {
    id: uuid(random),
    userId: user.id,
    integrator: integrator.name,
    iat,
    exp: iat + Math.ceil(ttlMs / 1000),
    issuedAt: now,
    expiresAt: now + ttlMs,
    statusCount: user.history.length,
  }
  world.insert('sessions', session)
  return session
}

/** Returns true if the user was verified at or after the login, and no longer is. */
export function isRevoked(world: World, user: User, { statusCount }: Session): boolean {
  if (world.settings['tokens.afterStatusChange'] === 'keep') return false
  const since = user.history.slice(statusCount - 1).map(({ status }) => status)
  const verifiedAt = since.indexOf('verified')
  return verifiedAt >= 0 && since.length > verifiedAt + 1
}

function isUsable(world: World, sent: LoginCode | undefined): sent is LoginCode {
  return (
    sent !== undefined && !sent.spent && sent.attempts < ATTEMPTS_MAX && sent.expiresAt > world.now
  )
}

function assertUsable(
  world: World,
  { user, integrator }: Caller,
  sent: LoginCode | undefined,
): asserts sent is LoginCode {
  if (sent === undefined) {
    const others = world.integrators.filter((each) => findNewestCode(world, user, each))
    if (others.length === 0) throw newCodeError('No login code was sent to this user.')
    const names = wordList(
      others.map(({ name }) => name),
      'and',
    )
    throw newCodeError('No login code was sent to this user for this API key.', {
      hint: `One was sent for the integrator ${names}, not for ${integrator.name}.`,
      remedy: 'send-login-code',
    })
  }
  if (sent.spent) throw newCodeError('The login code has already been used.')
  if (sent.attempts >= ATTEMPTS_MAX) {
    throw newCodeError('Too many wrong codes; this code no longer works.')
  }
  if (sent.expiresAt <= world.now) {
    const hint = `It expired at ${formatInstant(sent.expiresAt)}, world time; request a new one.`
    throw newCodeError('The login code has expired.', { hint })
  }
}

function newWrongCodeError(
  world: World,
  caller: Caller,
  { sent, code }: { sent: LoginCode; code: string },
): DomainError {
  const left = ATTEMPTS_MAX - sent.attempts
  const origin = findOrigin(world, caller, code)
  if (left === 0) {
    const hint = `${origin}The code that was sent no longer works.`
    return newCodeError(WRONG_CODE, { hint, remedy: 'send-login-code' })
  }
  const hint = `${origin}After ${plural(left, 'more wrong code')}, the code that was sent stops working.`
  return newCodeError(WRONG_CODE, { hint, remedy: 'read-login-code' })
}

/** Says which mail had a code that is wrong now. */
function findOrigin(world: World, { user, integrator }: Caller, code: string): string {
  if (findCode(world, user, integrator, code)) {
    return 'This code is from an earlier e-mail; a newer code replaced it (login.code.resend). '
  }
  const other = world.integrators.find((each) => findCode(world, user, each, code))
  return other === undefined ? '' : `It was sent for the integrator ${other.name}. `
}

function newCodeError(
  message: string,
  detail: DomainErrorDetail = { remedy: 'send-login-code' },
): DomainError {
  return new DomainError('wrong-code', message, detail)
}
