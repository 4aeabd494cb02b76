import * as z from 'zod'
import { PROFILE_ABOUT } from '../../control-api/profile.ts'
import { Email, textUpTo } from '../../world/fields.ts'
import { createKycLink, importApplicant } from '../../world/kyc.ts'
import { sendLoginCode, verifyLoginCode } from '../../world/login.ts'
import { CREATE_FIELDS, PROFILE_FIELDS, type Profile, toV1Name } from '../../world/profile.ts'
import { LENGTHS } from '../../world/settings/constants.ts'
import { createUser, getUserByEmail, type UserRequest } from '../../world/users.ts'
import { USER_STATUSES } from '../../world/words.ts'
import { requireApiKey } from '../auth.ts'
import { DateText, isFull, nothingSent, toKycUrl } from '../contract.ts'
import { succeeded } from '../unversioned.ts'
import { operation } from './dialect.ts'

/** A boolean, or its text: some clients of v1 send forms. */
const flag = () =>
  z
    .preprocess((sent) => (isFlagText(sent) ? sent === 'true' : sent), z.boolean())
    .meta({ wire: { anyOf: [{ type: 'boolean' }, { enum: ['true', 'false'] }] } })

const isFlagText = (sent: unknown) => sent === 'true' || sent === 'false'

const make = { text: () => textUpTo(LENGTHS.profile), date: DateText, flag }

/** Fields that v1 takes in another form than v2. */
const V1_ABOUT: Partial<typeof PROFILE_ABOUT> = { addressLine2: 'Unit or suite; may be empty.' }

const GenerateApiLink = () => {
  const shape = CREATE_FIELDS.map((name): [string, z.ZodType<string | boolean>] => [
    toV1Name(name),
    make[PROFILE_FIELDS[name].type]().describe(V1_ABOUT[name] ?? PROFILE_ABOUT[name]),
  ])
  const email = Email()
  return z.object(Object.fromEntries([...shape, ['email', email] as const].sort()))
}
type ApiLinkRequest = z.infer<ReturnType<typeof GenerateApiLink>>

const ByEmail = () => z.object({ email: Email() })

const VerifyLoginCode = () =>
  z.object({
    email: Email(),
    login_code: z
      .string()
      .regex(/^\d{4}$/, { error: 'must be 4 digits' })
      .describe('The 4 digits that the user received by e-mail.'),
  })

export const users = [
  operation('POST', '/loginCodeSend', {
    id: 'v1SendLoginCode',
    summary: 'Send a 4-digit login code to a verified user (v1)',
    about:
      'Sends a code of 4 digits to a user who is registered and verified. In this sandbox it arrives at `GET /_sandbox/inbox?kind=login-code`; `v1VerifyLoginCode` exchanges it for an access token.',
    success: 'The code was sent.',
    adds: true,
    successor: 'POST /v2/auth/login-codes',
    auth: requireApiKey,
    query: ByEmail,
    response: () => succeeded('Login code sent to user'),
    handle({ world, who, input, record }) {
      const { email } = input.query
      if (!sendLoginCode(world, who.integrator, email)) record.note(nothingSent(world, email))
      return { message: 'Login code sent to user', status: 'success' } as const
    },
  }),
  operation('POST', '/loginCodeVerify', {
    id: 'v1VerifyLoginCode',
    summary: 'Exchange a login code for an access token (v1)',
    about:
      'Exchanges the newest login code of a user for an access token. Each code works once. Both versions accept the token.',
    success: 'The access token of the user, who is now logged in.',
    successor: 'POST /v2/auth/login-codes/verify',
    auth: requireApiKey,
    query: VerifyLoginCode,
    response: () =>
      succeeded('Email code validated', {
        token: z.jwt({ alg: 'HS256' }).describe('JWT; send it as `Authorization: Bearer <token>`.'),
      }),
    handle({ world, services, who, input }) {
      const { email, login_code: code } = input.query
      const wallNow = services.wallClock()
      const session = verifyLoginCode(world, who.integrator, { email, code, wallNow })
      return {
        message: 'Email code validated',
        status: 'success',
        token: services.tokens.issue(session),
      } as const
    },
  }),
  operation('POST', '/generateApiLink', {
    id: 'v1GenerateApiLink',
    summary: 'Register a user and get a link to the identity verification page (v1)',
    about:
      'Registers a user with a complete profile and creates a link to the page where users prove their identity. The decision made there changes the user’s status, and webhooks are sent.',
    success: 'The user is registered; the response has the link.',
    adds: true,
    successor: 'POST /v2/users, then GET /v2/users/{userId}/kyc-url',
    auth: requireApiKey,
    body: GenerateApiLink,
    response: () =>
      succeeded('API user created', {
        verificationLink: z
          .url()
          .describe('The page where users prove their identity; open it in a browser.'),
      }),
    handle(call) {
      const { world, who, input } = call
      const user = createUser(world, who.integrator, toUserRequest(input.body))
      const verificationLink = toKycUrl(call, createKycLink(world, user))
      return { message: 'API user created', status: 'success', verificationLink } as const
    },
  }),
  operation('GET', '/apiFindUser', {
    id: 'v1FindUser',
    summary: 'Find a user by e-mail address (v1)',
    about:
      'Finds the user with an e-mail address, ignoring case. Unlike v2 it responds with 404 when there is none.',
    success: 'The user that has this address.',
    successor: 'GET /v2/users?email={email}',
    auth: requireApiKey,
    query: ByEmail,
    response: () =>
      succeeded('User found', {
        userId: z.uuid().describe('Id of the user.'),
        userStatus: z
          .enum(USER_STATUSES)
          .optional()
          .describe('Status of the user; only a `verified` one can trade.'),
      }),
    handle({ world, who, input }) {
      const user = getUserByEmail(world, who.integrator, input.query.email, 'unknown-email')
      return {
        message: 'User found',
        status: 'success',
        userId: user.id,
        ...(isFull(world) && { userStatus: user.status }),
      } as const
    },
  }),
  operation('POST', '/sumsubImportUser', {
    id: 'v1ImportUser',
    summary: 'Import a verification made by the shared-KYC provider (v1)',
    about:
      'Imports a verification that another service made. The user with the e-mail address in the share token becomes `verified` at once, and webhooks are sent.',
    success: 'The user is verified.',
    successor: 'PUT /v2/users/{userId}/kyc',
    auth: requireApiKey,
    body: () =>
      z.object({
        share_token: z
          .string()
          .describe('Share token of the shared-KYC provider, under the name that v1 gave it.'),
      }),
    response: () => succeeded('User imported successfully'),
    handle({ world, who, input }) {
      importApplicant(world, who.integrator, input.body.share_token)
      return { message: 'User imported successfully', status: 'success' } as const
    },
  }),
]

function toUserRequest({ email, ...sent }: ApiLinkRequest): UserRequest {
  const fields = CREATE_FIELDS.map((name) => [name, sent[toV1Name(name)]])
  return { email: String(email), profile: Object.fromEntries(fields) as Profile }
}
