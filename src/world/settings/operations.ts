import { choice, type Setting, success } from './setting.ts'
import { V1_GUARDED, V1_OPERATIONS, V1_SHOWN } from './v1.ts'

/** Operations by their place in the contract; true where it states the status of a success. */
const OPERATIONS = {
  'Endpoints: Login': { sendLoginCode: false, verifyLoginCode: true },
  'Endpoints: Users': {
    createUser: false,
    findUsers: false,
    updateUser: true,
    getRequirements: false,
    createKycLink: false,
    importKyc: true,
  },
  'Endpoints: Quotes and limits': { createQuote: false, getLimits: true },
  'Endpoints: Transactions': {
    createTransaction: true,
    listTransactions: true,
    getTransaction: false,
    cancelTransaction: true,
  },
  'Endpoints: Webhook configuration': {
    putWebhookConfiguration: false,
    getWebhookConfiguration: false,
    deleteWebhookConfiguration: true,
    testWebhookConfiguration: false,
    rotateSigningSecret: false,
  },
  'Endpoints: Corporate verification': { submitKyb: false },
  ...V1_OPERATIONS,
}

type Union<Of> = Of extends Record<infer Key, unknown> ? Key : never
export type OperationId = Union<(typeof OPERATIONS)[keyof typeof OPERATIONS]>

/** The status of each success, `status.<operation>`. */
export const SUCCESS_STATUSES = Object.fromEntries(
  Object.entries(OPERATIONS).flatMap(([ref, operations]) =>
    Object.entries<boolean>(operations).map(([id, stated]) => [
      `status.${id}`,
      success(id === 'deleteWebhookConfiguration' ? [204, 200] : [200, 201, 202], {
        on: [id],
        ref,
        question: `Which status does a success of ${id} have?`,
        why: stated ? 'Stated.' : 'Not shown; that of every success with a body that is.',
        ...(stated && { stated }),
      }),
    ]),
  ),
) as { [Id in OperationId as `status.${Id}`]: Setting<number, number> }

/** CredentialRule of a call: `token` means key and token, `key-or-token` either of them. */
export type CredentialRule = 'key' | 'token' | 'key-or-token' | 'key-until-verified' | 'none'

const UNTIL_VERIFIED: readonly CredentialRule[] = [
  'key-until-verified',
  'token',
  'key',
  'key-or-token',
]
const BY_TOKEN: readonly CredentialRule[] = ['token', 'key', 'key-or-token']
const DIFFERS =
  'Differs from the contract, which requires key and token, because only verified users can log in: until then the key alone is enough.'

/** What the operations ask for that the contract does not leave to the key alone. */
const GUARDED = {
  updateUser: credentials('Endpoints: Users, PATCH', UNTIL_VERIFIED, {
    why: DIFFERS,
    strict: 'token',
  }),
  createKycLink: credentials('Endpoints: Users, GET kyc-url', UNTIL_VERIFIED, {
    why: DIFFERS,
    strict: 'token',
  }),
  getRequirements: credentials(
    'Endpoints: Users, GET requirements',
    ['key', 'token', 'key-or-token', 'key-until-verified'],
    {
      why: 'Required headers are not shown; it is for users who cannot log in yet.',
      strict: 'token',
    },
  ),
  importKyc: credentials(
    'Endpoints: Users, PUT kyc',
    ['key', 'token', 'key-or-token', 'key-until-verified'],
    {
      why: 'The key is required, and the bearer scheme also listed. With a token nobody could become verified.',
    },
  ),
  createQuote: credentials('Endpoints: Quotes and limits, GET /quotes', ['key', 'none'], {
    why: 'Stated: the header x-api-key.',
    stated: true,
  }),
  getLimits: credentials('Endpoints: Quotes and limits, GET /limits', BY_TOKEN, {
    why: 'Required headers are not shown; it returns the limits of the authenticated user. With `key` they are the general ones.',
  }),
  createTransaction: credentials('Endpoints: Transactions, POST', BY_TOKEN, {
    why: 'Stated: both headers.',
    stated: true,
  }),
  listTransactions: credentials('Endpoints: Transactions, GET list', BY_TOKEN, {
    why: 'Stated: both headers.',
    stated: true,
  }),
  getTransaction: credentials('Endpoints: Transactions, GET one', BY_TOKEN, {
    why: 'Not shown; both headers, as for the list.',
  }),
  cancelTransaction: credentials('Endpoints: Transactions, PUT cancel', BY_TOKEN, {
    why: 'Stated: both headers.',
    stated: true,
  }),
  ...V1_GUARDED,
}

function credentials(
  ref: string,
  options: readonly CredentialRule[],
  note: { why: string; strict?: CredentialRule; stated?: boolean },
) {
  return { ref, options, ...note }
}

export type GuardedId = keyof typeof GUARDED

export const isGuarded = (id: string): id is GuardedId => Object.hasOwn(GUARDED, id)

/** The credentials of each, `auth.<operation>`. */
export const CREDENTIALS = Object.fromEntries(
  Object.entries(GUARDED).map(([id, { options, ...note }]) => [
    `auth.${id}`,
    choice(options as [CredentialRule, ...CredentialRule[]], {
      ...note,
      on: [id],
      notV1: true,
      question: `Which credentials does ${id} take?`,
    }),
  ]),
) as { [Id in GuardedId as `auth.${Id}`]: Setting<CredentialRule, CredentialRule> }

/** What a response shows: every field that the sandbox has, or those that the contract names. */
type Fields = 'full' | 'contract'

const SHOWN: Readonly<Record<string, { ref: string; options: [Fields, Fields]; why: string }>> = {
  sendLoginCode: {
    ref: 'Endpoints: Login, POST /auth/login-codes',
    options: ['full', 'contract'],
    why: 'Not shown; `{ message }`, as v1 says it. `contract` is `{}`.',
  },
  createUser: {
    ref: 'Endpoints: Users, POST /users',
    options: ['full', 'contract'],
    why: 'Other fields are not shown; `{ id, accessibleBy, status }`, as for the other writes. `contract` is `{ id }`.',
  },
  findUsers: {
    ref: 'Resources: User',
    options: ['contract', 'full'],
    why: 'An array of `{ id }`; `full` adds accessibleBy, status and email.',
  },
  createQuote: {
    ref: 'Resources: Quote',
    options: ['full', 'contract'],
    why: 'Other fields are not shown; labels, amounts, rate and expiry. `contract` is `quoteId` and `breakdown`.',
  },
  getTransaction: {
    ref: 'Endpoints: Transactions, GET one',
    options: ['contract', 'full'],
    why: 'Not shown; as in the list. `full` adds depositAddress, which the create response has.',
  },
  ...V1_SHOWN,
}

/** What each shows, `fields.<operation>`. */
export const FIELDS = Object.fromEntries(
  Object.entries(SHOWN).map(([id, { options, ...note }]) => [
    `fields.${id}`,
    choice(options, {
      ...note,
      on: [id],
      notV1: true,
      question: `Which fields does a response of ${id} have?`,
      ...(options[0] === 'full' && { strict: 'contract' }),
    }),
  ]),
) as Record<`fields.${ShownId}`, Setting<Fields, Fields>>

export type ShownId =
  | 'sendLoginCode'
  | 'createUser'
  | 'findUsers'
  | 'createQuote'
  | 'getTransaction'
  | keyof typeof V1_SHOWN
