import * as z from 'zod'
import { Deliver, type Delivering } from '../../control-api/events.ts'
import {
  AccountChanged,
  KybRecord,
  KycChanged,
  Reasons,
  UserRecord,
} from '../../control-api/users.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatDuration, formatInstant } from '../../world/duration.ts'
import { scheduleKyc, simulateKyc } from '../../world/kyc.ts'
import { findActive, findUnsuccessful, LIMITS_WINDOW_MS, maximumCad } from '../../world/limits.ts'
import { logInWithoutCode } from '../../world/login.ts'
import { isEmail, PROFILE_FIELD_NAMES, type Profile } from '../../world/profile.ts'
import { getRequirements } from '../../world/requirements.ts'
import { makeShareToken } from '../../world/share-token.ts'
import type { KybSubmission, User } from '../../world/state.ts'
import { type Access, createUser, getAnyUser, setAccess, setAccount } from '../../world/users.ts'
import type { UserStatus } from '../../world/words.ts'
import type { World } from '../../world/world.ts'
import { presentToken } from '../contract.ts'
import { openKycLink } from '../kyc-link.ts'
import type { Services } from '../services.ts'
import { requireNoToken } from './auth.ts'
import { getIntegrator } from './context.ts'
import { implement, operation } from './dialect.ts'
import { observe } from './events.ts'
import { addUnknown, contains, equals } from './filters.ts'
import { readPage } from './page.ts'
import { presentAs } from './present-as.ts'

export const users = [
  implement('users.add', ({ services, world, input: { body } }) => {
    const { email, verified, integrator, deliver: _, ...fields } = body
    const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
    const profile: Profile = Object.fromEntries(sent)
    return observe(services, body, () => {
      const request = { email, profile, mayLackFields: true }
      const user = createUser(world, getIntegrator(world, integrator), request)
      if (verified) simulateKyc(world, user, { status: 'verified', reasons: [] })
      return { user: presentUser(world, user) }
    })
  }),
  implement('users.list', ({ world, input: { query } }) => {
    const { email, ...rest } = query
    const own = world.usersByEmail.get(email?.toLowerCase() ?? '')
    const found = own ? [own] : []
    const rows = email === undefined ? world.users : found
    const present = (user: User) => presentUser(world, user)
    const page = readPage(rows, { query: rest, filters: USER_FILTERS, present })
    return addUnknown(page, world, { email })
  }),
  implement('users.get', ({ world, param }) =>
    presentUser(world, getAnyUser(world, param('user'))),
  ),
  implement('users.token', ({ services, world, param, input: { body } }) => {
    const user = getAnyUser(world, param('user'))
    const integrator = getIntegrator(world, body.integrator)
    return presentToken(
      services,
      logInWithoutCode(world, { user, integrator }, services.wallClock()),
    )
  }),
  implement('simulate.kyc', ({ services, world, param, input: { body } }) => {
    const user = getAnyUser(world, param('user'))
    const { status, reasons = [], after = 0 } = body
    if (after === 0) return decideKyc(services, user, body)
    const at = world.now + after
    return observe(services, { deliver: 'async' }, () => {
      scheduleKyc(world, user, { at, status, reasons })
      return { userId: user.id, from: user.status, to: status, due: formatInstant(at) }
    })
  }),
  operation('POST', '/_sandbox/kyc/:token', 'decideKyc', {
    action: 'simulation',
    summary: 'Set the KYC outcome behind a KYC link',
    about:
      'The KYC page makes this call; the token is the last part of the link. The user gets the status and a message, and `user.update` is sent. It needs no control token, and works with `--no-control` too.',
    success: 'The decision, with the events and deliveries that followed.',
    auth: requireNoToken,
    params: { token: 'Last part of a KYC link.' },
    body: () => ({
      status: z
        .enum(['verified', 'rejected', 'upload', 'in-review'])
        .describe('What the reviewer decides.'),
      reasons: Reasons().describe('Why the reviewer rejects or asks for more: up to 20 sentences.'),
      deliver: Deliver(),
    }),
    response: KycChanged,
    errors: { 'not-found': 'There is no such KYC link, or it has expired.' },
    handle: ({ services, param, input: { body } }) =>
      decideKyc(services, openKycLink(services, param('token')).user, body),
  }),
  implement('simulate.access', ({ world, param, input }) => {
    const user = getAnyUser(world, param('user'))
    setAccess(world, user, input.body.accessibleBy)
    const accessibleBy: Access[] = user.keyAccess ? ['jwt', 'apiKey'] : ['jwt']
    return { userId: user.id, accessibleBy }
  }),
  implement('simulate.account', ({ world, param, input }) => {
    const user = getAnyUser(world, param('user'))
    setAccount(world, user, input.body)
    return presentAs(AccountChanged, user, { userId: user.id })
  }),
  implement('simulate.shareToken', ({ world, input: { body } }) => {
    if (!isEmail(body.email)) {
      throw new DomainError('invalid', 'email must be an e-mail address.', { field: 'email' })
    }
    return { shareToken: makeShareToken(world, body.email, body.kind ?? 'valid') }
  }),
  implement('kybSubmissions.list', ({ world, input: { query } }) => {
    const present = (row: KybSubmission) => presentAs(KybRecord, row)
    const filters = { q: contains((row: KybSubmission) => Object.values(row)) }
    return readPage(world.kybSubmissions, { query, filters, present })
  }),
]

const USER_FILTERS = {
  status: equals('status'),
  q: contains(({ id, email, status, profile }: User) => [
    ...[id, email, status],
    ...Object.values(profile),
  ]),
}

/** Sets the decision of a reviewer about a user, and returns what followed. */
function decideKyc(
  services: Services,
  user: User,
  body: Delivering & { status: UserStatus; reasons?: string[] | undefined },
) {
  const { status, reasons = [] } = body
  const userId = user.id
  const from = user.status
  return observe(services, body, () => {
    simulateKyc(services.world, user, { status, reasons })
    return { userId, from, to: status }
  })
}

const presentUser = (world: World, user: User): UserRecord =>
  presentAs(UserRecord, user, {
    requirements: getRequirements(world, user),
    limits: presentLimits(world, user),
    profile: presentProfile(user.profile),
    account: user,
  })

function presentProfile(profile: Profile) {
  const fields = PROFILE_FIELD_NAMES.map((name) => [name, profile[name] ?? null])
  return { ...Object.fromEntries(fields), olderUserInfo: profile.olderUserInfo ?? null }
}

/** Limits of one transaction, and how close the user is to the limits on counts. */
function presentLimits(world: World, user: User) {
  const { settings } = world
  return {
    minimumCad: settings['limits.minimum'],
    maximumCad: maximumCad(world, user),
    window: formatDuration(LIMITS_WINDOW_MS),
    active: { count: findActive(world, user).length, maximum: settings['limits.active'] },
    cancelledOrExpired: {
      count: findUnsuccessful(world, user).length,
      maximum: settings['limits.cancelled'],
    },
  }
}
