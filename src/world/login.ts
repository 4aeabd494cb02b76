import { DomainError } from './domain-error.ts'
import { formatDuration, formatInstant } from './duration.ts'
import { DIGITS, letters } from './random.ts'
import type { Integrator, LoginCode, User } from './state.ts'
import { getUserByEmail } from './users.ts'
import { codeKey, type World } from './world.ts'

const CODE_LENGTH = 4

/** Who may act for whom until when; a door makes the token of it. */
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
  const drawn = letters(world.random('login-code', user.id, ordinal), DIGITS, CODE_LENGTH)
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

/** Where onboarding takes a token, whoever is registered must be able to get one. */
function mustBeVerified({ settings }: World): boolean {
  return settings['login.eligible'] === 'verified' && settings['onboarding.auth'] !== 'token'
}

/** Whoever was rejected after a code was sent cannot use it any more. */
function getLoginUser(world: World, integrator: Integrator, email: string): User {
  const user = getUserByEmail(world, integrator, email, { rule: 'Endpoints: Login' })
  if (user.status !== 'verified' && mustBeVerified(world)) {
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
  refuseLoginCode(world, sent, code)
  sent.spent = true
  world.touch('loginCodes', sent)
  return {
    userId: user.id,
    integrator: integrator.name,
    issuedAt: world.now,
    expiresAt: world.now + world.settings['login.token.ttl'],
  }
}

function refuseLoginCode(
  world: World,
  sent: LoginCode | undefined,
  code: string,
): asserts sent is LoginCode {
  const attemptsMax = world.settings['login.code.attempts']
  const refuse = (message: string, hint = 'POST /v2/auth/login-codes sends a new one.') =>
    new DomainError(world.settings['errors.loginCode'], 'code', message, { rule, hint })
  const rule = 'Authentication: 8'
  if (sent === undefined) throw refuse('No login code was sent to this user.')
  if (sent.spent) throw refuse('The login code was used already.')
  if (sent.attempts >= attemptsMax) throw refuse('Too many wrong codes; the code is spent.')
  if (sent.expiresAt <= world.now) {
    const at = formatInstant(sent.expiresAt)
    throw refuse(
      'The login code has expired.',
      `It expired at ${at} of world time; ask for another.`,
    )
  }
  if (sent.code === code) return
  sent.attempts++
  world.touch('loginCodes', sent)
  const left = attemptsMax - sent.attempts
  throw refuse(
    'The login code is wrong.',
    `GET /_sandbox/inbox?kind=login-code shows the one that was sent; ${left} more wrong ones spend it.`,
  )
}
