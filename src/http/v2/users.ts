import * as z from 'zod'
import { OLDER_USER_ABOUT, profileFields } from '../../control-api/profile.ts'
import { named } from '../../control-api/schema.ts'
import { AccessToken } from '../../control-api/users.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { Email, textUpTo } from '../../world/fields.ts'
import { createKycLink, importKyc } from '../../world/kyc.ts'
import { sendLoginCode, verifyLoginCode } from '../../world/login.ts'
import {
  CREATE_FIELDS,
  OLDER_USER_FIELDS,
  type Profile,
  UPDATE_FIELDS,
} from '../../world/profile.ts'
import { findProfileProblems } from '../../world/profile-check.ts'
import { getRequirements } from '../../world/requirements.ts'
import { LENGTHS } from '../../world/settings/constants.ts'
import type { Integrator, User } from '../../world/state.ts'
import {
  accessOf,
  createUser,
  findUserProblems,
  findUsersByEmail,
  updateUser,
} from '../../world/users.ts'
import { USER_STATUSES } from '../../world/words.ts'
import { requireApiKey, requirePathUser, requireRegisteredUser } from '../auth.ts'
import { DateText, isFull, nothingSent, presentToken, toKycUrl } from '../contract.ts'
import { operation } from './dialect.ts'

const text = () => textUpTo(LENGTHS.profile).optional()
const date = () => DateText().optional()
const flag = () => z.boolean().optional()

const make = { text, date, flag }

const CreateUser = () =>
  z.object({
    email: Email(),
    ...profileFields(CREATE_FIELDS, make),
  })

const UpdateUser = () =>
  z.object(profileFields(UPDATE_FIELDS, make)).extend({
    olderUserInfo: z
      .object(
        Object.fromEntries(
          OLDER_USER_FIELDS.map((field) => [field, text().describe(OLDER_USER_ABOUT)]),
        ),
      )
      .optional()
      .describe('More about older users; a field that is not sent stays as it was.'),
  })

const SHARE_TOKEN = 'Share token of the shared-KYC provider'
const ImportKyc = () =>
  z.object({ shareToken: z.string().optional(), share_token: z.string().optional() }).meta({
    wire: {
      anyOf: [
        oneField('shareToken', `${SHARE_TOKEN}.`),
        oneField('share_token', `${SHARE_TOKEN}, under the name that v1 gave it.`),
      ],
    },
  })

const oneField = (name: string, description: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  required: [name],
})

const UserResponse = () =>
  named('User', {
    id: z.uuid().describe('Id of the user: `userId` in paths.'),
    accessibleBy: z
      .array(z.enum(['jwt', 'apiKey']))
      .describe(
        'What to send for this user: `jwt` means API key plus access token, `apiKey` the API key alone. `jwt` is always listed.',
      ),
    status: z.enum(USER_STATUSES).describe('Status of the user; only a `verified` one can trade.'),
  })
export type UserResponse = z.output<ReturnType<typeof UserResponse>>

/** The contract promises only the id of a new user. */
const CreatedUser = () =>
  UserResponse().partial({ accessibleBy: true, status: true }).meta({ title: 'CreatedUser' })
export type CreatedUser = z.output<ReturnType<typeof CreatedUser>>

const FoundUser = () => UserResponse().pick({ id: true }).meta({ title: 'FoundUser' })
export type FoundUser = z.output<ReturnType<typeof FoundUser>>

const Outstanding = () =>
  z.array(
    named('OutstandingRequirement', {
      field: z.string().describe('The field to send, or `kyc` for the identity check.'),
      message: z.string().describe('What to do about it.'),
    }),
  )
const RequirementsResponse = () =>
  z.union([
    z.strictObject({
      complete: z.boolean().describe('True if nothing is outstanding.'),
      outstanding: Outstanding().describe('What the user still has to supply.'),
    }),
    // Documents describe the default of the setting `requirements.shape`.
    Outstanding().meta({ hidden: true }),
  ])
export type RequirementsResponse = z.output<ReturnType<typeof RequirementsResponse>>

const KycLinkResponse = () =>
  named('KycLink', {
    url: z.url().describe('The page where users prove their identity; open it in a browser.'),
    expiresAt: z.iso.datetime().describe('When the link expires: world time, ISO 8601.'),
  })
export type KycLinkResponse = z.output<ReturnType<typeof KycLinkResponse>>

const ByEmail = () => z.object({ email: Email() })
const VerifyLoginCode = () =>
  z.object({
    email: Email(),
    code: z
      .string()
      .regex(/^\d{4}$/, { error: 'must be 4 digits, as a string' })
      .describe('The 4 digits that the user received by e-mail, as a string.'),
  })
export const users = [
  operation('POST', '/v2/auth/login-codes', {
    id: 'sendLoginCode',
    summary: 'Send a 4-digit login code to a verified user',
    about:
      'Sends a code of 4 digits to a user who is registered and verified. In this sandbox it arrives at `GET /_sandbox/inbox?kind=login-code`. `verifyLoginCode` exchanges it for an access token.',
    success: 'The code was sent.',
    adds: true,
    auth: requireApiKey,
    body: ByEmail,
    response: () =>
      z.strictObject({
        message: z.string().optional().describe('What was done.'),
      }),
    handle({ world, who, input, record }) {
      const { email } = input.body
      if (!sendLoginCode(world, who.integrator, email)) record.note(nothingSent(world, email))
      return isFull(world) ? { message: 'Login code sent to user' } : {}
    },
  }),
  operation('POST', '/v2/auth/login-codes/verify', {
    id: 'verifyLoginCode',
    summary: 'Exchange a login code for an access token',
    about:
      'Exchanges the code that `sendLoginCode` sent for an access token, with which you act for the user. Each code works once, and stops working after too many wrong attempts. A login links you to the user: from then on you receive its `user.update` events.',
    success: 'The access token of the user, who is now logged in.',
    auth: requireApiKey,
    body: VerifyLoginCode,
    response: AccessToken,
    handle({ world, services, who, input }) {
      const { email, code } = input.body
      const attempt = { email, code, wallNow: services.wallClock() }
      const session = verifyLoginCode(world, who.integrator, attempt)
      return presentToken(services, session)
    },
  }),
  operation('POST', '/v2/users', {
    id: 'createUser',
    summary: 'Register a user',
    about:
      'Registers a user by e-mail address. `getRequirements` reports omitted fields, except `phone` and `addressLine2`, as outstanding; send them with `updateUser`. Next, verify the user’s identity with `createKycLink` or `importKyc`.',
    success: 'The user is registered.',
    adds: true,
    auth: requireApiKey,
    body: CreateUser,
    findProblems: (world, { email, ...profile }) =>
      findUserProblems(world, { email: String(email), profile }),
    response: CreatedUser,
    handle({ world, who: { integrator }, input }) {
      const { email, ...profile } = input.body
      const user = createUser(world, integrator, { email, profile: toProfile(profile) })
      return isFull(world) ? presentUser(user, integrator) : { id: user.id }
    },
  }),
  operation('GET', '/v2/users', {
    id: 'findUsers',
    summary: 'Find a user by e-mail address',
    about:
      'Finds the user with an e-mail address, ignoring case. Use the id for every other call about this user.',
    success: 'A list with the user, or an empty one.',
    auth: requireApiKey,
    query: ByEmail,
    response: () => z.array(FoundUser()),
    handle({ world, who: { integrator }, input }) {
      return findUsersByEmail(world, integrator, input.query.email).map(({ id }) => ({ id }))
    },
  }),
  operation('PATCH', '/v2/users/:userId', {
    id: 'updateUser',
    params: { userId: 'Id of the user.' },
    summary: 'Update onboarding fields',
    about:
      'Replaces the profile fields that are sent; the others stay. Send what `getRequirements` reports as outstanding. No event is sent.',
    success: 'The fields are stored.',
    auth: requirePathUser,
    body: UpdateUser,
    findProblems: findProfileProblems,
    response: UserResponse,
    handle({ world, who: { integrator, user }, input }) {
      return presentUser(updateUser(world, user, toProfile(input.body)), integrator)
    },
  }),
  operation('GET', '/v2/users/:userId/requirements', {
    id: 'getRequirements',
    params: { userId: 'Id of the user.' },
    summary: 'List the outstanding requirements',
    about:
      'Lists what the user still has to supply: profile fields, and `kyc` while the user is not verified. Send the fields with `updateUser`, and verify the user with `createKycLink` or `importKyc`.',
    success: 'What is outstanding; an empty list when nothing is.',
    auth: requirePathUser,
    response: RequirementsResponse,
    handle({ world, who: { user } }) {
      const { complete, outstanding } = getRequirements(world, user)
      const isArray = world.settings['requirements.shape'] === 'array'
      return isArray ? outstanding : { complete, outstanding }
    },
  }),
  operation('GET', '/v2/users/:userId/kyc-url', {
    id: 'createKycLink',
    params: { userId: 'Id of the user.' },
    summary: 'Get a link to the identity verification page',
    about:
      'Creates a link to the page where users prove their identity. The decision made there changes the user’s status, and `user.update` is sent. `POST /_sandbox/simulate/users/{user}/kyc` decides without the page.',
    success: 'The link, and when it expires.',
    adds: true,
    auth: requirePathUser,
    response: KycLinkResponse,
    handle(call) {
      const link = createKycLink(call.world, call.who.user)
      return { url: toKycUrl(call, link), expiresAt: formatInstant(link.expiresAt) }
    },
  }),
  operation('PUT', '/v2/users/:userId/kyc', {
    id: 'importKyc',
    params: { userId: 'Id of the user.' },
    summary: 'Import a verification made by the shared-KYC provider',
    about:
      'Imports a verification that another service made, with a share token of the shared-KYC provider. The user becomes `verified` at once, and `user.update` is sent to every linked integrator. `POST /_sandbox/simulate/share-tokens` creates one.',
    success: 'The user is verified.',
    auth: requireRegisteredUser,
    body: ImportKyc,
    response: UserResponse,
    handle({ world, who: { integrator, user }, input }) {
      return presentUser(
        importKyc(world, { user, integrator }, toShareToken(input.body)),
        integrator,
      )
    },
  }),
]

function presentUser(user: User, integrator: Integrator) {
  return { id: user.id, accessibleBy: accessOf(user, integrator), status: user.status }
}

/** Drops fields that were not sent, so that they do not overwrite others. */
function toProfile(fields: Record<string, unknown>): Profile {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent) as Profile
}

/** The contract does not show the name of the field; v1 clients send `share_token`. */
function toShareToken(body: { shareToken?: string | undefined; share_token?: string | undefined }) {
  const token = body.shareToken ?? body.share_token
  if (token !== undefined) return token
  throw new DomainError('invalid', 'shareToken is required.', { field: 'shareToken' })
}
