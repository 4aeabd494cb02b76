import * as z from 'zod'
import { Email, email } from '../world/fields.ts'
import { CREATE_FIELDS, PROFILE_FIELD_NAMES } from '../world/profile.ts'
import { Reasons as RowReasons } from '../world/state.ts'
import { SHARE_TOKEN_KINDS, USER_STATUSES } from '../world/words.ts'
import { Deliver, Happened } from './events.ts'
import { Filter, Page, PageOf, Unknown } from './pages.ts'
import { profileFields } from './profile.ts'
import { type Cell, nameFields, type Use } from './row.ts'
import { inField, named, notForAgents, record } from './schema.ts'
import { Duration, WorldTime } from './shapes.ts'

const Counter = () =>
  record({
    count: z.int().describe('How many there are now.'),
    maximum: z.int().describe('The limit.'),
  })

const AUTODEPOSIT = 'Deposit e-transfers to the user without a security answer.'
const MAXIMUM_CAD = 'Maximum value of a transaction, in CAD; null means the general maximum.'
const LOGIN_CODE = 'Login code of four digits that always works; null for none.'

const AccountState = () => ({
  autodeposit: z.boolean().describe(AUTODEPOSIT),
  maximumCad: z.number().nullable().describe(MAXIMUM_CAD),
  loginCode: z.string().nullable().describe(LOGIN_CODE),
})

export const AccountChanged = () =>
  record({ userId: z.uuid().describe('Id of the user.'), ...AccountState() })

const ProfileRecord = () =>
  named('ProfileRecord', {
    ...profileFields(PROFILE_FIELD_NAMES, {
      text: () => z.string().nullable(),
      date: () => z.iso.date().nullable(),
      flag: () => z.boolean().nullable(),
    }),
    olderUserInfo: z
      .record(z.string(), z.string())
      .nullable()
      .describe('Asked of users aged 60 or over.'),
  })

export const UserRecord = () =>
  named('UserRecord', {
    id: z.uuid().describe('Id of the user.'),
    email: Email(),
    status: z.enum(USER_STATUSES).describe('Status of the user; only a `verified` one can trade.'),
    createdAt: WorldTime(),
    integrators: z.array(z.string()).describe('Names of the integrators the user is linked to.'),
    keyAccess: z.boolean().describe('Whether the user granted key-only access.'),
    profile: notForAgents(
      inField(ProfileRecord(), 'What is known about the user; null for what was never sent.'),
    ),
    reasons: z
      .array(z.string())
      .describe('Why a reviewer rejected the user, or asked for more documents.'),
    requirements: record({
      complete: z.boolean().describe('True if nothing is outstanding.'),
      outstanding: z
        .array(
          record({
            field: z.string().describe('The field to send, or `kyc` for the identity check.'),
            message: z.string().describe('What to do about it.'),
          }),
        )
        .describe('What the user still has to supply.'),
    }).describe('What the user still has to supply.'),
    limits: record({
      minimumCad: z.number().describe('Minimum value of one transaction, in CAD.'),
      maximumCad: z.number().describe('Maximum value of one transaction, in CAD.'),
      window: z.string().describe('A length of time, such as `24h`.'),
      active: Counter().describe('Active transactions that count.'),
      cancelledOrExpired: Counter().describe('Cancelled and expired transactions that count.'),
    }).describe('The limits of this user, and how much of them is used up.'),
    account: record(AccountState()).describe('What differs from other accounts.'),
    transactionCount: z.int().describe('How many transactions the user has created.'),
    history: notForAgents(
      z
        .array(
          record({
            status: z.enum(USER_STATUSES).describe('The status.'),
            at: WorldTime('When it got this status.'),
          }),
        )
        .describe('Every status it had, oldest first.'),
    ),
  }).describe(
    'A user in full, as only the control API shows it. Times are ISO 8601, in world time.',
  )
export type UserRecord = z.output<ReturnType<typeof UserRecord>>

const userCells = ({ id, email, status }: UserRecord): Cell[] => [id, email, status]

const AddUser = () => ({
  email: Email(),
  verified: z.boolean().optional().describe('Verify the identity of the user at once.'),
  integrator: notForAgents(
    z.string().optional().describe('Integrator that creates the user; the first one by default.'),
  ),
  ...profileFields(CREATE_FIELDS, {
    text: () => z.string().optional(),
    date: () => z.string().optional(),
    flag: () => notForAgents(z.boolean().optional()),
  }),
  deliver: Deliver(),
})

const UserAdded = () =>
  record({
    user: inField(UserRecord(), 'The user after the call.'),
    ...Happened().shape,
  })

export const Reasons = () => RowReasons().optional()

export const KycChanged = () =>
  record({
    userId: z.uuid(),
    from: z.enum(USER_STATUSES).describe('Status before the change.'),
    to: z.enum(USER_STATUSES).describe('Status after the change.'),
    due: WorldTime()
      .optional()
      .describe('When a delayed decision is scheduled; world time, ISO 8601.'),
    ...Happened().shape,
  })
export type KycChanged = z.output<ReturnType<typeof KycChanged>>

const AccessList = () => z.array(z.enum(['jwt', 'apiKey']))

const SimulateAccount = () => ({
  autodeposit: z.boolean().optional().describe(AUTODEPOSIT),
  maximumCad: z.number().min(0).max(1e9).nullish().describe(MAXIMUM_CAD),
  loginCode: z
    .string()
    .regex(/^\d{4}$/, { error: 'must be 4 digits' })
    .nullish()
    .describe(LOGIN_CODE),
})

export const KybRecord = () =>
  named('KybSubmission', {
    id: z.string().describe('Id of the submission.'),
    integrator: z.string(),
    at: z.iso.datetime().describe('When it was submitted: world time, ISO 8601.'),
    submission: z
      .record(z.string(), z.unknown())
      .describe(
        'The body as it was sent, with only the name, type, size and SHA-256 of each document.',
      ),
  })

/** The contract's result of a login. */
export const AccessToken = () =>
  named('AccessToken', {
    accessToken: z.string().describe('Send it as `Authorization: Bearer <ACCESS_TOKEN>`.'),
    tokenType: z.literal('Bearer').describe('The scheme of the `Authorization` header.'),
    expiresIn: z.int().describe('Seconds until the token expires.'),
  })
export type AccessToken = z.output<ReturnType<typeof AccessToken>>

const NO_USER = { 'not-found': 'There is no such user.' }

export const USER = { user: 'Id or e-mail address of the user.' }

export const users = {
  'users.add': {
    id: 'addUser',
    method: 'POST',
    path: '/users',
    args: ['email'],
    summary: 'Create a user, optionally verified',
    about:
      'Makes the same checks as `POST /v2/users`. With `verified` the identity check succeeds at once, so that the user can trade.',
    success: 'The user, with the events and deliveries that followed.',
    done: 'User added',
    words: ['user', 'add', { field: 'email' }],
    columns: ({ user }: { user: UserRecord }) => userCells(user),
    example: 'user add ana@example.com --verified',
    tool: true,
    adds: true,
    body: AddUser,
    response: UserAdded,
    errors: {
      'duplicate-user': 'A user with this e-mail address already exists.',
      'not-found': 'There is no such integrator.',
    },
  },
  'users.list': {
    id: 'listUserRecords',
    method: 'GET',
    path: '/users',
    result: 'items',
    isPaged: true,
    summary: 'List the users of all integrators, oldest first',
    about: 'Continue with `after` while `more` is true.',
    words: ['user', 'list'],
    also: [{ words: ['users'], sends: {}, summary: 'List users (same as user list)' }],
    columns: userCells,
    query: () => ({
      status: z.enum(USER_STATUSES).optional().describe('Only users with this status.'),
      email: email(Filter()),
      ...Page(),
    }),
    response: () => PageOf(UserRecord(), 'The users, oldest first.').extend(Unknown()),
  },
  'users.get': {
    id: 'getUserRecord',
    method: 'GET',
    path: '/users/:user',
    params: USER,
    summary: 'Read a user, by id or e-mail address',
    about:
      'Includes the profile, outstanding requirements, limits and history, which no integrator sees in full.',
    words: ['user', 'show', { field: 'user' }],
    example: 'user show ana@example.com',
    tool: true,
    response: UserRecord,
    errors: NO_USER,
  },
  'simulate.kyc': {
    id: 'simulateKyc',
    method: 'POST',
    path: '/simulate/users/:user/kyc',
    args: ['status'],
    params: USER,
    summary: 'Set the outcome of an identity check, now, or after a delay in world time',
    about:
      'The user gets the status and a message, and `user.update` is sent. Nothing changes if the user already has the status.',
    success:
      'The decision, with the events and deliveries that followed; with `after`, when it is due.',
    done: ({ input: { status, after } }: Use) =>
      `Identity check: ${status}${after === undefined ? '' : ', later'}`,
    words: ['user', 'kyc', { field: 'user' }, { field: 'status' }],
    columns: ({ userId, from, to, due }: KycChanged) => [
      userId,
      due ? `${to} at ${due}` : `${from} → ${to}`,
    ],
    example: 'user kyc ana@example.com verified',
    tool: true,
    body: () => ({
      status: z.enum(USER_STATUSES).describe('The status that the user gets.'),
      reasons: Reasons().describe('Why the check was rejected or needs more documents.'),
      after: Duration()
        .optional()
        .describe(
          'Wait this much world time before the decision, such as `10m`, `PT1H` or a number of ms.',
        ),
      deliver: Deliver(),
    }),
    response: KycChanged,
    errors: NO_USER,
  },
  'simulate.access': {
    id: 'simulateAccess',
    method: 'POST',
    path: '/simulate/users/:user/access',
    args: ['accessibleBy'],
    params: USER,
    summary:
      'Set whether the API key alone may act for a user: `jwt apiKey` grants key-only access, `jwt` alone revokes it',
    about:
      'Only matters for integrators that may act without a token (`actsWithoutToken` in a fixture): they then need no login for this user.',
    done: 'Key-only access',
    words: [
      'user',
      'access',
      { field: 'user' },
      { field: 'accessibleBy', label: 'ACCESS', isMany: true },
    ],
    example: 'user access ana@example.com jwt apiKey',
    body: () => ({
      accessibleBy: AccessList()
        .max(2)
        .describe(
          '`jwt` means API key plus access token, `apiKey` the API key alone. `jwt` must be listed.',
        ),
    }),
    response: () =>
      record({
        userId: z.uuid(),
        accessibleBy: AccessList().describe(
          '`jwt` means API key plus access token, `apiKey` the API key alone. `jwt` must be listed.',
        ),
      }),
    errors: NO_USER,
  },
  'simulate.account': {
    id: 'simulateAccount',
    method: 'POST',
    path: '/simulate/users/:user/account',
    params: USER,
    summary: 'Set an account’s autodeposit, maximum or fixed login code',
    about:
      'With autodeposit, e-transfers need no security answer. Fields left out stay as they are. Existing transactions do not change.',
    done: nameFields('Account'),
    words: ['user', 'account', { field: 'user' }],
    example: 'user account ana@example.com --autodeposit',
    body: SimulateAccount,
    response: AccountChanged,
    errors: NO_USER,
  },
  'simulate.shareToken': {
    id: 'simulateShareToken',
    method: 'POST',
    path: '/simulate/share-tokens',
    args: ['email', 'kind'],
    result: 'shareToken',
    summary: 'Create a share token of the shared-KYC provider',
    done: 'Share token created',
    adds: true,
    about:
      'For use with `importKyc`. With a `kind` other than `valid`, the import fails for that reason. The world does not change.',
    words: ['user', 'share-token', { field: 'email' }, { field: 'kind', isOptional: true }],
    columns: ({ shareToken }: { shareToken: string }) => [shareToken],
    example: 'user share-token ana@example.com',
    body: () => ({
      email: Email(),
      kind: z
        .enum(SHARE_TOKEN_KINDS)
        .optional()
        .describe('Outcome of importing the token; `valid` by default.'),
    }),
    response: () =>
      record({
        shareToken: z.string().describe('Share token of the shared-KYC provider.'),
      }),
  },
  'users.token': {
    id: 'issueAccessToken',
    method: 'POST',
    path: '/users/:user/token',
    result: 'accessToken',
    params: USER,
    summary: 'Log a user in without a code, and get the access token',
    about:
      'It is the token that `verifyLoginCode` returns, with the same lifetime. No code is sent, and an earlier code still works.',
    success: 'The access token of the user, who is now logged in.',
    done: 'Access token issued',
    words: ['user', 'token', { field: 'user' }],
    columns: ({ accessToken }: AccessToken) => [accessToken],
    example: 'user token ana@example.com',
    adds: true,
    body: () => ({
      integrator: z
        .string()
        .optional()
        .describe('Integrator that logs the user in; the first one by default.'),
    }),
    response: AccessToken,
    errors: {
      'not-found': 'There is no such user or integrator.',
      'unverified-login': 'The user is not verified.',
    },
  },
  'kybSubmissions.list': {
    id: 'listKybSubmissions',
    method: 'GET',
    path: '/kyb-submissions',
    result: 'items',
    isPaged: true,
    summary: 'List corporate verifications, oldest first',
    about:
      'They were sent to `POST /submitKYB`. Only the name, type, size and SHA-256 of each document are kept.',
    query: () => Page(),
    response: () => PageOf(KybRecord(), 'The submissions, oldest first.'),
  },
} as const
