import { DomainError } from './domain-error.ts'
import { formatDuration, formatInstant } from './duration.ts'
import { DIGITS, randomText } from './random.ts'
import type { Integrator, LoginCode, User } from './state.ts'
import { getUserByEmail } from './users.ts'
import { codeKey, type World } from './world.ts'

const CODE_LENGTH = 4

/** What an access token says. */
export interface Session {
  userId: string
  integrator: string
  issuedAt: number
  expiresAt: number
}

/** Sends a code to the user's inbox; the newest code is the only one that works. */
export function sendLoginCode(world: World, integrator: Integrator, email: string): void {
  const user = getLoginUser(world, integrator, email)
  const ttlMs = world.settings['login.code.ttl']
  const ordinal = user.loginCodeCount + 1
  const drawn = randomText(world.random('login-code', user.id, ordinal), DIGITS, CODE_LENGTH)
  const code = user.loginCode ?? drawn
  const { name } = integrator
  user.loginCodeCount = ordinal
  world.touch('users', user)
  world.insert('loginCodes', {
    userId: user.id,
    integrator: name,
    code,
    expiresAt: world.now + ttlMs,
    attempts: 0,
    spent: false,
  })
  world.send({
    to: user.email,
    kind: 'login-code',
    subject: 'Your login code',
    text: `Your login code is ${code}. It is valid for ${formatDuration(ttlMs)}.`,
    code,
    ref: null,
  })
}

/** Also checked when a code is used: the user may have been rejected since it was sent. */
function getLoginUser(world: World, integrator: Integrator, email: string): User {
  const user = getUserByEmail(world, integrator, email, { rule: 'Endpoints: Login' })
  if (user.status !== 'verified' && world.settings['login.eligible'] === 'verified') {
    throw new DomainError(
      world.settings['errors.notVerified'],
      'email',
      `This user is not verified yet (status ${user.status}), so it cannot log in.`,
      { rule: 'Endpoints: Login', hint: 'Complete KYC first.' },
    )
  }
  return user
}

export interface LoginAttempt {
  email: string
  code: string
}

/** A wrong code counts against the newest one; the right code works once. */
export function verifyLoginCode(
  world: World,
  integrator: Integrator,
  { email, code }: LoginAttempt,
): Session {
  const user = getLoginUser(world, integrator, email)
  const sent = world.loginCodes.get(codeKey(user.id, integrator.name))
  assertUsable(world, sent)
  const isRight = sent.code === code
  if (isRight) sent.spent = true
  else sent.attempts++
  world.touch('loginCodes', sent)
  if (!isRight) throw newWrongCodeError(world, sent)
  return {
    userId: user.id,
    integrator: integrator.name,
    issuedAt: world.now,
    expiresAt: world.now + world.settings['login.token.ttl'],
  }
}

function assertUsable(world: World, sent: LoginCode | undefined): asserts sent is LoginCode {
  if (sent === undefined) throw newCodeError(world, 'No login code was sent to this user.')
  if (sent.spent) throw newCodeError(world, 'The login code was used already.')
  if (sent.attempts >= world.settings['login.code.attempts']) {
    throw newCodeError(world, 'Too many wrong codes; the code is spent.')
  }
  if (sent.expiresAt <= world.now) {
    const hint = `It expired at ${formatInstant(sent.expiresAt)} of world time; ask for another.`
    throw newCodeError(world, 'The login code has expired.', hint)
  }
}

function newWrongCodeError(world: World, { attempts }: LoginCode): DomainError {
  const left = world.settings['login.code.attempts'] - attempts
  const hint =
    'GET /_sandbox/inbox?kind=login-code shows the one that was sent; ' +
    `${left} more wrong ones spend it.`
  return newCodeError(world, 'The login code is wrong.', hint)
}

function newCodeError(
  { settings }: World,
  message: string,
  hint = 'POST /v2/auth/login-codes sends a new one.',
): DomainError {
  const rule = 'Authentication: 8'
  return new DomainError(settings['errors.loginCode'], 'code', message, { rule, hint })
}
