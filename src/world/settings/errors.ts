import { type ErrorRow, errorsAt, status } from './setting.ts'
import { V1_ERRORS } from './v1.ts'

/** Where the contract says that it has no catalogue of errors. */
export const NO_CATALOGUE = 'Errors: 6'
const LOGINS = ['sendLoginCode', 'verifyLoginCode']
const ORDERS = ['createTransaction']
const WEBHOOK = 'Endpoints: Webhook configuration'

/** Every error of the contract API by its stable code: status, field and meaning. */
export const ERRORS = {
  ...errorsAt('Authentication: 1', ['key'], {
    'missing-key': [401, 'x-api-key', 'No API key was sent.'],
    'unknown-key': [401, 'x-api-key', 'The API key is unknown.'],
  }),
  ...errorsAt('Authentication: 2', ['token'], {
    'missing-token': [401, 'authorization', 'No access token was sent.'],
    'invalid-token': [
      401,
      'authorization',
      'The access token is malformed, or another integrator’s.',
    ],
  }),
  ...errorsAt(NO_CATALOGUE, ['user'], {
    'other-user': [403, 'userId', 'The access token belongs to another user.'],
    'user-not-found': [404, 'userId', 'There is no such user.'],
  }),
  ...errorsAt('Authentication: 4', ['token'], {
    'expired-token': [401, 'authorization', 'The access token has expired.'],
    'revoked-token': [401, 'authorization', 'The user of the access token lost the verification.'],
  }),
  ...errorsAt(NO_CATALOGUE, ['body'], {
    'malformed-json': [400, 'body', 'The body is not a JSON object.'],
    'invalid-body': [
      400,
      'body',
      'A field is missing, or has a type or value that is not accepted.',
    ],
    'unknown-field': [
      200,
      'body',
      'The body has a field that the contract does not name.',
      { strict: 400, hidden: 'it is ignored', notV1: true },
    ],
    'body-too-large': [413, 'body', 'The body is too long.', { http: true }],
    'unsupported-media-type': [
      415,
      'content-type',
      'The body is not `application/json`, or it is compressed.',
      { http: true },
    ],
  }),
  ...errorsAt(NO_CATALOGUE, ['query'], {
    'invalid-query': [400, 'query', 'A parameter is missing, or has a value that is not accepted.'],
  }),
  ...errorsAt('Endpoints', [], {
    'unknown-path': [404, 'path', 'No operation has this path.', { http: true }],
    'method-not-allowed': [405, 'method', 'The path takes other methods.', { http: true }],
  }),
  ...errorsAt('Limits: last paragraph', ['key'], {
    'too-many-requests': [429, 'requests', 'Too many calls in this minute.', { http: true }],
  }),
  ...errorsAt('Endpoints: Login', LOGINS, {
    'unknown-user': [
      404,
      'email',
      'No user is registered with this e-mail address.',
      { hidden: 'no code is sent, and none is right' },
    ],
    'unverified-login': [
      403,
      'email',
      'The user is not verified.',
      { hidden: 'no code is sent, and none is right' },
    ],
  }),
  ...errorsAt('Authentication: 8', ['verifyLoginCode'], {
    'wrong-code': [401, 'code', 'The login code is wrong, spent or expired, or none was sent.'],
  }),
  ...errorsAt('Endpoints: Users, POST /users', ['createUser'], {
    'duplicate-user': [409, 'email', 'The e-mail address is registered already, in any case.'],
  }),
  ...errorsAt('Resources: Onboarding update body', ['updateUser'], {
    'verified-field': [
      200,
      'firstName',
      'The name or date of birth of a verified user would change.',
      { strict: 400, hidden: 'it changes' },
    ],
  }),
  ...errorsAt('Endpoints: Users, GET kyc-url', ['createKycLink'], {
    'already-verified': [
      200,
      'kyc',
      'The user is verified and needs no KYC link.',
      { hidden: 'there is a link all the same', notV1: true },
    ],
  }),
  ...errorsAt('Endpoints: Users, PUT kyc', ['importKyc'], {
    'invalid-share-token': [
      400,
      'shareToken',
      'The share token is malformed, expired, incomplete, or another applicant’s.',
    ],
  }),
  ...errorsAt('Endpoints: Transactions, POST', ORDERS, {
    'not-verified': [403, 'user', 'The user is not verified.'],
    'requirements-outstanding': [
      200,
      'user',
      'A verified user has requirements outstanding.',
      { hidden: 'a verified user is ready to transact, as States: User statuses says' },
    ],
    'unknown-quote': [400, 'quoteId', 'There is no such quote.'],
    'quote-expired': [400, 'quoteId', 'The quote has expired.'],
    'quote-spent': [
      200,
      'quoteId',
      'The quote was used already.',
      { strict: 400, hidden: 'it may be used until it expires' },
    ],
    'quote-labels': [400, 'quoteId', 'The quote is for other labels.'],
    'quote-amount': [
      200,
      'leftSideValue',
      'The quote is for another amount.',
      { strict: 400, hidden: 'the amount is priced at the locked rate' },
    ],
  }),
  ...errorsAt('Resources: Transaction, leftSideValue', ['createQuote', ...ORDERS], {
    'too-many-decimals': [
      200,
      'leftSideValue',
      'An amount of CAD has more than two decimals.',
      { strict: 400, hidden: 'it is rounded half up to cents: JavaScript makes 33.3 * 3 of 99.9' },
    ],
  }),
  ...errorsAt('Errors: 3', ORDERS, {
    'limit-minimum': [
      400,
      'leftSideValue',
      'The transaction is worth too little.',
      { stated: true },
    ],
    'limit-maximum': [400, 'leftSideValue', 'The transaction is worth too much.', { stated: true }],
    'limit-active': [
      400,
      'transactions',
      'The limit of active transactions is reached.',
      { stated: true },
    ],
    'limit-cancelled': [
      400,
      'transactions',
      'The limit of cancelled and expired transactions is reached.',
      { stated: true },
    ],
  }),
  ...errorsAt('Endpoints: Transactions, GET list', ['listTransactions'], {
    'page-too-large': [
      400,
      'limit',
      'The limit is above the maximum.',
      { hidden: 'the page has the maximum, and says so in `limit`' },
    ],
  }),
  ...errorsAt(NO_CATALOGUE, ['getTransaction', 'cancelTransaction'], {
    'unknown-transaction': [404, 'txId', 'The user has no transaction with this id.'],
  }),
  ...errorsAt('Endpoints: Transactions, PUT cancel', ['cancelTransaction'], {
    'not-cancellable': [400, 'txId', 'The transaction can no longer be cancelled.'],
  }),
  ...errorsAt('Resources: Webhook configuration, url', ['putWebhookConfiguration'], {
    'invalid-url': [400, 'url', 'Webhooks may not be sent to this URL.'],
  }),
  ...errorsAt(
    WEBHOOK,
    ['getWebhookConfiguration', 'deleteWebhookConfiguration', 'testWebhookConfiguration'],
    {
      'no-webhook-configuration': [
        404,
        'webhookConfiguration',
        'There is no webhook configuration.',
        { hidden: 'a read is `data: null` and a deletion succeeds; a test is still 404' },
      ],
    },
  ),
  ...errorsAt(WEBHOOK, ['rotateSigningSecret'], {
    'no-signing-secret': [404, 'signingSecret', 'There is no signing secret yet.'],
  }),
  ...errorsAt('Endpoints: Corporate verification', ['submitKyb'], {
    'duplicate-business': [
      200,
      'corporation_number',
      'The corporation was submitted already.',
      { strict: 409, hidden: 'it may be submitted again' },
    ],
    'unknown-account': [
      200,
      'paytrie_email',
      'The account address is that of no user whom the integrator can find.',
      { strict: 400, hidden: 'any e-mail address is accepted' },
    ],
  }),
  ...V1_ERRORS,
}

export type ErrorCode = keyof typeof ERRORS
export type ErrorStatuses = { readonly [Code in ErrorCode as `status.${Code}`]: number }

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

export const findError = (code: string): ErrorRow | undefined =>
  Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined

/** Whether calls are refused for this reason; a status below 400 means that they succeed. */
export const isRefused = (settings: ErrorStatuses, code: ErrorCode): boolean =>
  settings[`status.${code}`] >= 400

/** A setting for each, `status.<code>`. */
export const ERROR_STATUSES = Object.fromEntries(
  ERROR_CODES.map((code) => [`status.${code}`, status(ERRORS[code])]),
) as { [Code in ErrorCode as `status.${Code}`]: ReturnType<typeof status> }
