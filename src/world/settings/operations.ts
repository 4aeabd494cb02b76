import { choice, type Setting } from './setting.ts'

/** Operations whose success has the status that the contract states. */
const STATED = [
  'verifyLoginCode',
  'updateUser',
  'importKyc',
  'getLimits',
  'createTransaction',
  'listTransactions',
  'cancelTransaction',
  'deleteWebhookConfiguration',
] as const
/** Operations whose success status the contract leaves open. */
const OPEN = [
  'sendLoginCode',
  'createUser',
  'findUsers',
  'getRequirements',
  'createKycLink',
  'createQuote',
  'getTransaction',
  'putWebhookConfiguration',
  'getWebhookConfiguration',
  'testWebhookConfiguration',
  'rotateSigningSecret',
  'submitKyb',
  'v1SendLoginCode',
  'v1VerifyLoginCode',
  'v1GetWebhooks',
  'v1PatchWebhooks',
  'v1MakeSigningSecret',
  'v1GenerateApiLink',
  'v1FindUser',
  'v1ImportUser',
  'v1PriceQuote',
  'v1CreateTransaction',
  'v1GetTransaction',
] as const
export type ContractOperationId = (typeof STATED | typeof OPEN)[number]

/** The status of the success of every operation, `status.<operation>`. */
export const SUCCESS_STATUSES = Object.fromEntries(
  [...STATED, ...OPEN].map((id) => [`status.${id}`, toStatus(id)]),
) as { [Id in ContractOperationId as `status.${Id}`]: Setting<number, number> }

/** Names of these settings by operation. */
export const SUCCESS_SETTINGS = Object.fromEntries(
  [...STATED, ...OPEN].map((id) => [id, `status.${id}`]),
) as { readonly [Id in ContractOperationId]: `status.${Id}` }

function toStatus(id: ContractOperationId): Setting<number, number> {
  const statuses = id === 'deleteWebhookConfiguration' ? [204, 200] : [200, 201, 202]
  const isStated = STATED.some((stated) => stated === id)
  return {
    on: [id],
    ref: 'Endpoints',
    question: `Which status does a success of ${id} have?`,
    why: isStated
      ? 'Stated.'
      : 'Not in the contract; the same as for every other success with a body.',
    ...(isStated && { stated: true }),
    default: statuses[0] ?? 200,
    options: statuses.map(String),
    parse: (given) => statuses.find((status) => String(status) === String(given)),
    format: (status) => status,
  }
}

/** Credentials of a call: `token` means key and token, `key-or-token` either of them. */
export type CredentialRule = 'key' | 'token' | 'key-or-token' | 'key-until-verified' | 'none'

const BY_TOKEN = ['token', 'key', 'key-or-token'] as const
const BY_KEY = ['key', 'token', 'key-or-token', 'key-until-verified'] as const
const UNTIL_VERIFIED = ['key-until-verified', 'token', 'key', 'key-or-token'] as const
const BOTH_STATED = { why: 'Stated: both headers.', stated: true }
const ONBOARDING = {
  why: 'Differs from the contract, which requires key and token, because only verified users can log in: until then the key alone is enough.',
  strict: 'token',
} as const

/** Credentials of the operations that the contract does not leave to the key alone. */
export const CREDENTIALS = {
  ...credentials('updateUser', UNTIL_VERIFIED, 'Endpoints: Users, PATCH', ONBOARDING),
  ...credentials('createKycLink', UNTIL_VERIFIED, 'Endpoints: Users, GET kyc-url', ONBOARDING),
  ...credentials('getRequirements', BY_KEY, 'Endpoints: Users, GET requirements', {
    why: 'The contract does not show the required headers; the call is for users who cannot log in yet.',
    strict: 'token',
  }),
  ...credentials('importKyc', BY_KEY, 'Endpoints: Users, PUT kyc', {
    why: 'The key is required, and the bearer scheme is listed too. If a token were needed, nobody could become verified.',
  }),
  ...credentials('createQuote', ['key', 'none'], 'Endpoints: Quotes and limits, GET /quotes', {
    why: 'Stated: the header x-api-key.',
    stated: true,
  }),
  ...credentials('getLimits', BY_TOKEN, 'Endpoints: Quotes and limits, GET /limits', {
    why: 'The contract does not show the required headers, but the call returns the limits of the authenticated user. With `key` it returns the general ones.',
  }),
  ...credentials('createTransaction', BY_TOKEN, 'Endpoints: Transactions, POST', BOTH_STATED),
  ...credentials('listTransactions', BY_TOKEN, 'Endpoints: Transactions, GET list', BOTH_STATED),
  ...credentials('getTransaction', BY_TOKEN, 'Endpoints: Transactions, GET one', {
    why: 'Not shown in the contract; both headers, as for the list.',
  }),
  ...credentials('cancelTransaction', BY_TOKEN, 'Endpoints: Transactions, PUT cancel', BOTH_STATED),
  ...credentials('v1PriceQuote', ['none', 'key'], 'Authentication: 1', {
    why: 'Differs from the contract, where every request carries a key, because published v1 calls send none; a wrong key is still refused.',
    strict: 'key',
  }),
  ...credentials('v1CreateTransaction', BY_TOKEN, 'Versioning: POST /transaction', {
    why: 'Not in the contract; both headers, as in v2.',
  }),
  ...credentials('v1GetTransaction', BY_TOKEN, 'Versioning: GET /transaction', {
    why: 'Not in the contract; both headers, as in v2.',
  }),
}

interface Why {
  why: string
  strict?: CredentialRule
  stated?: boolean
}

function credentials<Id extends string>(
  id: Id,
  options: readonly [CredentialRule, ...CredentialRule[]],
  ref: string,
  note: Why,
) {
  const question = `Which credentials does ${id} take?`
  const row = choice(options, ref, { ...note, on: [id], notV1: true, question })
  return { [`auth.${id}`]: row } as Record<`auth.${Id}`, typeof row>
}

export type CredentialSetting = keyof typeof CREDENTIALS

const CREDENTIAL_SETTINGS = new Map(
  (Object.keys(CREDENTIALS) as CredentialSetting[]).map((name) => [
    name.replace('auth.', ''),
    name,
  ]),
)

/** The setting for the credentials of an operation; none if the key alone is enough. */
export const findCredentialSetting = (id: string): CredentialSetting | undefined =>
  CREDENTIAL_SETTINGS.get(id)

/** Fields of a response: all that the sandbox has, or those that the contract names. */
type Fields = 'full' | 'contract'

/** Settings for the responses whose fields the contract leaves open. */
export const FIELDS = {
  ...fields('sendLoginCode', 'full', 'Endpoints: Login, POST /auth/login-codes', {
    why: 'Not in the contract; `{ message }`, as in v1. `contract` is `{}`.',
  }),
  ...fields('createUser', 'full', 'Endpoints: Users, POST /users', {
    why: 'The contract shows no other fields; `{ id, accessibleBy, status }`, as for the other writes. `contract` is `{ id }`.',
  }),
  ...fields('findUsers', 'contract', 'Resources: User', {
    why: 'An array of `{ id }`; `full` adds accessibleBy, status and email.',
  }),
  ...fields('createQuote', 'full', 'Resources: Quote', {
    why: 'The contract shows no other fields; labels, amounts, rate and expiry. `contract` is `quoteId` and `breakdown`.',
  }),
  ...fields('getTransaction', 'contract', 'Endpoints: Transactions, GET one', {
    why: 'Not in the contract; as in the list. `full` adds depositAddress, which the create response has.',
  }),
  ...fields('v1FindUser', 'full', 'Versioning: GET /apiFindUser', {
    why: 'Not shown in the contract; `{ message, status, userId, userStatus }`. `contract` leaves out the status of the user.',
  }),
  ...fields('v1CreateTransaction', 'full', 'Versioning: POST /transaction', {
    why: 'Not shown in the contract; `{ message, status, tx, rmt }`, and for a sell `depositAddress`, which `contract` leaves out.',
  }),
}

function fields<Id extends string>(id: Id, usual: Fields, ref: string, { why }: Why) {
  const row = choice(usual === 'full' ? ['full', 'contract'] : ['contract', 'full'], ref, {
    ...(usual === 'full' && { strict: 'contract' as const }),
    on: [id],
    notV1: true,
    question: `Which fields does a response of ${id} have?`,
    why,
  })
  return { [`fields.${id}`]: row } as Record<`fields.${Id}`, typeof row>
}

export type ShownId = keyof typeof FIELDS extends `fields.${infer Id}` ? Id : never
