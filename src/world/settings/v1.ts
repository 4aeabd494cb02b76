import { choice, choiceOrInstant, errorsAt } from './setting.ts'

/** The webhooks of v1. */
const HOOKS = [
  'onV1UserVerified',
  'onV1TransactionInitiated',
  'onV1TransactionComplete',
  'onV1TransactionStatusUpdate',
]

export const V1 = {
  'v1.sunset': choiceOrInstant(['extended', 'contract'], {
    on: ['v1'],
    ref: 'Versioning: 4 and 5',
    question: 'When does v1 stop?',
    why: 'Differs from the contract, by which v1 stops on 21 August 2026, because an extension is available on request and clients still migrate; `contract` is 410 from 2026-08-22T00:00Z.',
    strict: 'contract',
  }),
  'v1.hooksAfterSunset': choice(['stop', 'continue'], {
    on: HOOKS,
    ref: 'Events: Legacy v1 webhooks',
    question: 'Are legacy webhooks still sent after the shutdown?',
    why: 'They are part of v1.',
  }),
  'v1.statusUpdateOnCreate': choice(['no', 'yes'], {
    on: ['onV1TransactionStatusUpdate'],
    ref: 'Events: Legacy v1 webhooks',
    question: 'Does a creation send Transaction Status Update as well?',
    why: 'Transaction Initiated already says so.',
  }),
  'v1.hooks.singleUrl': choice(['shared', 'separate'], {
    on: HOOKS,
    ref: 'Events: Legacy v1 webhooks',
    question: 'Where does a legacy webhook go that is switched on without a URL of its own?',
    why: 'They may use a single URL: to the only one that is configured; with `separate` it is not sent.',
    strict: 'separate',
  }),
  'errors.v1': choice(['as-v2', '400'], {
    on: ['v1'],
    ref: 'Errors: 7',
    question: 'Which status code do errors of v1 have?',
    why: 'That of v2 for the same reason; `400` except after the shutdown and for 405, 413, 415 and 429.',
  }),
}

/** Errors of v1 alone. */
export const V1_ERRORS = {
  ...errorsAt('Versioning: 4', ['v1'], {
    'v1-shut-down': [410, 'path', 'v1 was shut down (the setting `v1.sunset`).', { http: true }],
  }),
  ...errorsAt('Versioning: GET /apiFindUser', ['v1FindUser'], {
    'unknown-email': [404, 'email', 'No user is registered with this e-mail address.'],
  }),
  ...errorsAt('Versioning: POST /sumsubImportUser', ['v1ImportUser'], {
    'unknown-applicant': [404, 'email', 'The user of the share token is not registered.'],
  }),
  ...errorsAt('Endpoints: Legacy v1 endpoints, PATCH /webhooks', ['v1PatchWebhooks'], {
    'webhook-without-url': [
      200,
      'url',
      'A legacy webhook is switched on, and there is no URL for it.',
      { strict: 400, hidden: 'flags and URLs may be sent one after the other' },
    ],
  }),
}

/** Operations of v1 by their place in the contract, which states the status of no success. */
export const V1_OPERATIONS = {
  'Endpoints: Legacy v1 endpoints': {
    v1SendLoginCode: false,
    v1VerifyLoginCode: false,
    v1GetWebhooks: false,
    v1PatchWebhooks: false,
    v1MakeSigningSecret: false,
  },
  Versioning: {
    v1GenerateApiLink: false,
    v1FindUser: false,
    v1ImportUser: false,
    v1PriceQuote: false,
    v1CreateTransaction: false,
    v1GetTransaction: false,
  },
}

const BY_TOKEN = ['token', 'key', 'key-or-token'] as const

/** Credentials of operations of v1. */
export const V1_GUARDED = {
  v1PriceQuote: {
    ref: 'Authentication: 1',
    options: ['none', 'key'] as const,
    strict: 'key' as const,
    why: 'Differs from the contract, by which every request carries a key, because published calls of v1 send none; a wrong key is still refused.',
  },
  v1CreateTransaction: {
    ref: 'Versioning: POST /transaction',
    options: BY_TOKEN,
    why: 'Not shown; both headers, as in v2.',
  },
  v1GetTransaction: {
    ref: 'Versioning: GET /transaction',
    options: BY_TOKEN,
    why: 'Not shown; both headers, as in v2.',
  },
}

type Options = ['full', 'contract']

/** Responses of v1 whose shape the contract does not show. */
export const V1_SHOWN = {
  v1FindUser: {
    ref: 'Versioning: GET /apiFindUser',
    options: ['full', 'contract'] as Options,
    why: 'Not shown; `{ message, status, userId, userStatus }`. `contract` leaves out the status of the user.',
  },
  v1CreateTransaction: {
    ref: 'Versioning: POST /transaction',
    options: ['full', 'contract'] as Options,
    why: 'Not shown; `{ message, status, tx, rmt }`, and for a sell `depositAddress`, which `contract` leaves out.',
  },
}
