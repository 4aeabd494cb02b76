import { toClause } from '../clause.ts'
import {
  LEGACY,
  OPERATION_IDS,
  WITH_BODY,
  WITH_QUERY,
  WITH_TOKEN,
  WITH_USER,
} from './operations.ts'
import { type Concerned, type Exclusion, only, type Setting, toNumber } from './setting.ts'

/** Part of the contract that says that it has no catalogue of errors. */
export const NO_CATALOGUE = 'Errors: 6'
const LOGINS = [
  'sendLoginCode',
  'verifyLoginCode',
  'v1SendLoginCode',
  'v1VerifyLoginCode',
] satisfies Concerned
const ORDERS = ['createTransaction', 'v1CreateTransaction'] satisfies Concerned
/** Operations on behalf of a user for which the key alone is enough by default. */
const KEY_ENOUGH: Concerned = ['getRequirements', 'importKyc']
const WEBHOOK = 'Endpoints: Webhook configuration'

export interface ErrorRow {
  /** Default status; below 400 the call succeeds anyway. */
  status: number
  /** The field that it names, where that is always the same. */
  field: string
  ref: string
  /** Why a call gets it, for the documents. */
  says: string
  on: Concerned
  /** Set if the contract states the status. */
  stated?: boolean
  excluded?: readonly Exclusion[]
  /** The setting without which it does not occur. */
  needs?: 'requests.perMinute' | 'tokens.afterStatusChange'
}

type Cells = readonly [status: number, field: string, says: string, more?: Partial<ErrorRow>]

/** The errors of one place in the contract. */
const at = <Code extends string>(ref: string, on: Concerned, errors: Record<Code, Cells>) =>
  Object.fromEntries(
    Object.entries<Cells>(errors).map(([code, [status, field, says, more]]) => [
      code,
      { status, field, says, ref, on, ...more },
    ]),
  ) as Record<Code, ErrorRow>

const STATED = { stated: true }
const CONFIGURATION = 'webhookConfiguration'

/** Every error of the contract API by its stable code: status, field and meaning. */
export const ERRORS = {
  ...at('Authentication: 1', OPERATION_IDS, {
    'missing-key': [401, 'x-api-key', 'No API key was sent.'],
    'unknown-key': [401, 'x-api-key', 'The API key is unknown.'],
  }),
  ...at('Authentication: 2', WITH_TOKEN, {
    'missing-token': [
      401,
      'authorization',
      'No access token was sent.',
      { on: WITH_TOKEN.filter((id) => !KEY_ENOUGH.includes(id)) },
    ],
    'invalid-token': [401, 'authorization', 'The token is malformed, or another integrator’s.'],
  }),
  ...at(NO_CATALOGUE, WITH_USER, {
    'other-user': [403, 'userId', 'The access token belongs to another user.'],
    'user-not-found': [404, 'userId', 'There is no such user.'],
  }),
  ...at('Authentication: 4', WITH_TOKEN, {
    'expired-token': [401, 'authorization', 'The access token has expired.'],
    'revoked-token': [
      401,
      'authorization',
      'The user of the access token is no longer verified.',
      { needs: 'tokens.afterStatusChange' },
    ],
  }),
  ...at(NO_CATALOGUE, WITH_BODY, {
    'malformed-json': [400, 'body', 'The body is not a JSON object.'],
    'invalid-body': [400, 'body', 'A field is missing, or its type or value is not accepted.'],
    'unknown-field': [
      200,
      'body',
      'The body has a field that the contract does not name.',
      { on: WITH_BODY.filter((id) => id === 'v1PatchWebhooks' || !LEGACY.includes(id)) },
    ],
    'body-too-large': [413, 'body', 'The body is too long.'],
    'unsupported-media-type': [
      415,
      'content-type',
      'The body is not `application/json`, or it is compressed.',
    ],
  }),
  ...at(NO_CATALOGUE, WITH_QUERY, {
    'invalid-query': [400, 'query', 'A parameter is missing, or has a value that is not accepted.'],
  }),
  ...at('Endpoints', [], {
    'unknown-path': [404, 'path', 'No operation has this path.'],
    'method-not-allowed': [405, 'method', 'The path does not accept this method.'],
  }),
  ...at('Limits: last paragraph', OPERATION_IDS, {
    'too-many-requests': [
      429,
      'requests',
      'Too many calls were made in one minute.',
      { needs: 'requests.perMinute' },
    ],
  }),
  ...at('Endpoints: Login', LOGINS, {
    'unknown-user': [404, 'email', 'A login names an e-mail address that no user has.'],
    'unverified-login': [403, 'email', 'A user who is not verified logs in.'],
  }),
  ...at('Authentication: 8', ['verifyLoginCode', 'v1VerifyLoginCode'], {
    'wrong-code': [
      401,
      'code',
      'The login code is wrong, spent or expired, or none was requested.',
    ],
  }),
  ...at('Endpoints: Users, POST /users', ['createUser', 'v1GenerateApiLink'], {
    'duplicate-user': [409, 'email', 'The e-mail address is already registered (case is ignored).'],
  }),
  ...at('Resources: Onboarding update body', ['updateUser'], {
    'verified-field': [
      200,
      'firstName',
      'The call would change a verified name or date of birth.',
      // Only a verified user has the token that the call takes.
      { excluded: [only('Every field is optional.', 200)] },
    ],
  }),
  ...at('Endpoints: Users, GET kyc-url', ['createKycLink'], {
    'already-verified': [200, 'kyc', 'The user is already verified and needs no KYC link.'],
  }),
  ...at('Endpoints: Users, PUT kyc', ['importKyc', 'v1ImportUser'], {
    'invalid-share-token': [
      400,
      'shareToken',
      'The share token is malformed, expired, incomplete, or another applicant’s.',
    ],
  }),
  ...at('Endpoints: Transactions, POST', ORDERS, {
    'not-verified': [403, 'user', 'A user who is not verified creates a transaction.'],
    'requirements-outstanding': [
      200,
      'user',
      'A verified user has requirements outstanding.',
      {
        excluded: [
          only('A user that completes KYC becomes `verified` and is then ready to transact;', 200),
        ],
      },
    ],
    'unknown-quote': [400, 'quoteId', 'There is no such quote.'],
    'quote-expired': [400, 'quoteId', 'The quote has expired.'],
    'quote-spent': [200, 'quoteId', 'The quote has already been used.'],
    'quote-labels': [400, 'quoteId', 'The quote is for different labels.'],
    'quote-amount': [200, 'leftSideValue', 'The quote is for a different amount.'],
  }),
  ...at('Resources: Transaction, leftSideValue', ['createQuote', 'v1PriceQuote', ...ORDERS], {
    'too-many-decimals': [
      200,
      'leftSideValue',
      'An amount has more than two decimals in CAD, or more than six in coins.',
    ],
  }),
  ...at('Errors: 3', ORDERS, {
    'limit-minimum': [400, 'leftSideValue', 'The transaction is worth too little.', STATED],
    'limit-maximum': [400, 'leftSideValue', 'The transaction is worth too much.', STATED],
    'limit-active': [
      400,
      'transactions',
      'The limit on active transactions has been reached.',
      STATED,
    ],
    'limit-cancelled': [
      400,
      'transactions',
      'The limit on cancelled and expired transactions has been reached.',
      STATED,
    ],
  }),
  ...at('Endpoints: Transactions, GET list', ['listTransactions'], {
    'page-too-large': [400, 'limit', '`limit` is above the maximum.'],
  }),
  ...at(NO_CATALOGUE, ['getTransaction', 'cancelTransaction', 'v1GetTransaction'], {
    'unknown-transaction': [404, 'txId', 'The user has no transaction with this id.'],
  }),
  ...at('Endpoints: Transactions, PUT cancel', ['cancelTransaction'], {
    'not-cancellable': [400, 'txId', 'The transaction can no longer be cancelled.'],
  }),
  ...at('Resources: Webhook configuration, url', ['putWebhookConfiguration', 'v1PatchWebhooks'], {
    'invalid-url': [400, 'url', 'Webhooks may not be sent to this URL.'],
  }),
  ...at(WEBHOOK, ['getWebhookConfiguration', 'deleteWebhookConfiguration'], {
    'no-webhook-configuration': [404, CONFIGURATION, 'There is no webhook configuration.'],
  }),
  ...at(WEBHOOK, ['testWebhookConfiguration'], {
    'no-webhook-to-test': [404, CONFIGURATION, 'There is no webhook configuration to test.'],
  }),
  ...at(WEBHOOK, ['rotateSigningSecret'], {
    'no-signing-secret': [404, 'signingSecret', 'There is no signing secret yet.'],
  }),
  ...at('Endpoints: Corporate verification', ['submitKyb'], {
    'duplicate-business': [
      200,
      'corporation_number',
      'The corporation has already been submitted.',
    ],
    'unknown-account': [
      200,
      'paytrie_email',
      '`paytrie_email` is not the e-mail address of a user that the integrator can find.',
    ],
  }),
  ...at('Versioning: 4', LEGACY, {
    'v1-shut-down': [410, 'path', 'v1 has been shut down (the setting `v1.sunset`).'],
  }),
  ...at('Versioning: GET /apiFindUser', ['v1FindUser'], {
    'unknown-email': [404, 'email', '`/apiFindUser` names an e-mail address that no user has.'],
  }),
  ...at('Versioning: POST /sumsubImportUser', ['v1ImportUser'], {
    'unknown-applicant': [404, 'email', 'The user of the share token is not registered.'],
  }),
  ...at('Endpoints: Legacy v1 endpoints, PATCH /webhooks', ['v1PatchWebhooks'], {
    'webhook-without-url': [
      200,
      'url',
      'A legacy webhook is switched on, and there is no URL for it.',
    ],
  }),
}

/** Meaning of status 200, for the errors that a setting can hide behind it. */
export const HIDDEN: Partial<Record<string, string>> = {
  'unknown-field': 'the field is ignored',
  'unknown-user': 'no code is sent, and no code is accepted',
  'unverified-login': 'no code is sent, and no code is accepted',
  'verified-field': 'the field changes',
  'already-verified': 'the user gets a link anyway',
  'requirements-outstanding':
    'a verified user is ready to transact, as the contract says (States: User statuses)',
  'quote-spent': 'it may be used until it expires',
  'quote-amount': 'the amount is priced at the locked rate',
  'too-many-decimals':
    'the amount is rounded half up, CAD to cents and coins to six decimals: in JavaScript 33.3 * 3 is 99.89999999999999',
  'page-too-large': 'the page has the maximum size, and `limit` shows it',
  'no-webhook-configuration': 'a read returns `data: null` and a deletion succeeds',
  'duplicate-business': 'it may be submitted again',
  'unknown-account': 'any e-mail address is accepted',
  'webhook-without-url': 'flags and URLs may be sent one after the other',
}

export type ErrorCode = keyof typeof ERRORS
export type ErrorStatuses = { readonly [Code in ErrorCode as `status.${Code}`]: number }

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** Errors that an operation can respond with. */
export const errorsOn = (id: string): ErrorCode[] =>
  ERROR_CODES.filter((code) => ERRORS[code].on.some((concerned) => concerned === id))

/** Errors about credentials or the form of the input, which many operations have. */
const GENERAL: readonly ErrorCode[] = [
  'missing-key',
  'unknown-key',
  'missing-token',
  'invalid-token',
  'other-user',
  'user-not-found',
  'expired-token',
  'revoked-token',
  'malformed-json',
  'invalid-body',
  'unknown-field',
  'body-too-large',
  'unsupported-media-type',
  'invalid-query',
  'too-many-requests',
  'v1-shut-down',
]

export const isGeneral = (code: ErrorCode): boolean => GENERAL.includes(code)

export const findError = (code: string): ErrorRow | undefined =>
  Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined

/** Settings by error code. Calls look them up often, and a name put together anew is slow to find. */
const STATUS_SETTINGS = Object.fromEntries(ERROR_CODES.map((code) => [code, `status.${code}`])) as {
  readonly [Code in ErrorCode]: `status.${Code}`
}

/** Returns true if the error is sent as an error. With a status below 400, the call succeeds. */
export const isRefused = (settings: ErrorStatuses, code: ErrorCode): boolean =>
  settings[STATUS_SETTINGS[code]] >= 400

/** The settings `status.<code>`: the status of each error, or 200 if the call may succeed. */
export const ERROR_STATUSES = Object.fromEntries(
  ERROR_CODES.map((code) => [`status.${code}`, toSetting(code, ERRORS[code])]),
) as { [Code in ErrorCode as `status.${Code}`]: Setting<number> }

function toSetting(code: string, { status, says, needs: _, ...row }: ErrorRow): Setting<number> {
  const hidden = HIDDEN[code]
  const range = 'a status from 400 to 499'
  return {
    ...row,
    question: `What status does a call get when ${toClause(says)}?`,
    why: hidden === undefined ? whyStatus(status, row.stated) : `With 200, ${hidden}.`,
    default: status,
    options: hidden === undefined ? range : `200, or ${range}`,
    parse(given) {
      const number = toNumber(given)
      const isError = Number.isInteger(number) && number >= 400 && number <= 499
      return isError || (hidden !== undefined && number === 200) ? number : undefined
    },
    format: (number) => number,
  }
}

function whyStatus(status: number, isStated = false): string {
  return isStated ? `The contract states ${status}.` : 'The contract does not say.'
}
