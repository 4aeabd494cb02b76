import { DomainError } from './domain-error.ts'
import { sendKycResult } from './messages.ts'
import { isEmail } from './profile.ts'
import { hex } from './random.ts'
import { newShareTokenError, readShareToken } from './share-token.ts'
import type { Integrator, KycLink, User } from './state.ts'
import type { Caller } from './transactions.ts'
import { changeUserStatus, findRegistered, linkIntegrator, throwUnknown } from './users.ts'
import { USER_STATUSES, type UserStatus } from './words.ts'
import type { World } from './world.ts'

/** A link to the page where the user identifies. */
export function createKycLink(world: World, user: User): KycLink {
  assertNeedsKyc(world, user)
  const ordinal = user.kycLinkCount + 1
  const link = {
    token: tokenOf(world, user, ordinal),
    userId: user.id,
    expiresAt: world.now + world.settings['kyc.linkTtl'],
  }
  user.kycLinkCount = ordinal
  world.touch('users', user)
  world.insert('kycLinks', link)
  return link
}

function assertNeedsKyc(world: World, { status }: User): void {
  if (status !== 'verified') return
  const message = 'The user is already verified and needs no KYC link.'
  world.assertAccepted(new DomainError('already-verified', message))
}

const tokenOf = (world: World, { id }: User, ordinal: number) =>
  hex(world.secretRandom('kyc-link', id, ordinal), 32)

/** Finds the user of a link that has not expired. */
export function getKycLink(world: World, token: string): { link: KycLink; user: User } {
  const link = world.kycLinks.get(token)
  const user = link && world.usersById.get(link.userId)
  if (!link || !user) throw newLinkError('There is no such KYC link.')
  if (link.expiresAt <= world.now) {
    throw newLinkError('This KYC link has expired; ask for a new one.')
  }
  return { link, user }
}

const newLinkError = (message: string) => new DomainError('not-found', message, { field: 'token' })

/** Imports a verification from another service: the user becomes verified. */
export function importKyc(world: World, { user, integrator }: Caller, shareToken: string): User {
  const applicant = readShareToken(world, shareToken)
  if (applicant.email && applicant.email.toLowerCase() !== user.email.toLowerCase()) {
    throw new DomainError('invalid-share-token', 'The share token belongs to another applicant.', {
      hint: `It is for ${applicant.email}, but the user is ${user.email}.`,
    })
  }
  linkIntegrator(world, user, integrator)
  changeUserStatus(world, user, { status: 'verified', reasons: [] })
  return user
}

export function importApplicant(world: World, integrator: Integrator, shareToken: string): User {
  const { email } = readShareToken(world, shareToken)
  if (email === null || !isEmail(email)) throw newShareTokenError('not-found')
  const which = `the e-mail address in the share token (${email})`
  const user = findRegistered(world, email) ?? throwUnknown('unknown-applicant', which)
  return importKyc(world, { user, integrator }, shareToken)
}

export interface KycOutcome {
  status: UserStatus
  reasons: string[]
}

/** Statuses that a reviewer may choose: any but the current one. */
const kycStatusesFrom = (from: UserStatus): UserStatus[] =>
  USER_STATUSES.filter((status) => status !== from)

export function simulateKyc(world: World, user: User, { status, reasons }: KycOutcome): void {
  if (!kycStatusesFrom(user.status).includes(status)) return
  changeUserStatus(world, user, { status, reasons })
  sendKycResult(world, user)
}

/** KYC outcomes that may be scheduled for one user at once. */
export const TASKS_PER_USER_MAX = 1_000

export function scheduleKyc(
  world: World,
  { id }: User,
  { at, status, reasons }: KycOutcome & { at: number },
): void {
  if (world.tasks.of(id).length >= TASKS_PER_USER_MAX) {
    const message =
      `At most ${TASKS_PER_USER_MAX} outcomes may be scheduled for one user; ` +
      'advance the clock.'
    throw new DomainError('too-many-tasks', message, { field: 'after' })
  }
  world.schedule({ at, kind: 'change-kyc-status', ref: id, status, reasons })
}
