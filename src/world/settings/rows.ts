import { INSTANT_HELP, parseInstant } from '../duration.ts'
import { CREATE_FIELDS } from '../profile.ts'
import { EVENT_TYPES } from '../words.ts'
import {
  CREATING,
  LEGACY,
  OPERATION_IDS,
  V1_HOOKS,
  V2_EVENTS,
  WITH_BODY,
  WITH_NAMED_USER,
  WITH_TOKEN,
} from './operations.ts'
import {
  type Concerned,
  choice,
  count,
  duration,
  except,
  list,
  numbers,
  on,
  text,
} from './setting.ts'

const SENDING_CODES = ['sendLoginCode', 'v1SendLoginCode'] satisfies Concerned
const LOGGING_IN = ['verifyLoginCode', 'v1VerifyLoginCode'] satisfies Concerned
const WEBHOOKS = [...V2_EVENTS, ...V1_HOOKS]
const [, ...V1_ORDER_HOOKS] = V1_HOOKS

const REGISTRATION_FIELDS = ['email', ...CREATE_FIELDS]
const PREFIX = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]{0,63}$/
const ORIGIN = String.raw`https?://[^\s,/]+`
const SUNSETS = ['extended', 'contract']
type Sunset = 'extended' | 'contract' | `${number}-${string}Z`
const ORIGINS = new RegExp(`^(none|\\*|${ORIGIN}(,${ORIGIN})*)$`)

export const PEOPLE = {
  ...on(['createUser'], {
    'users.create.required': list(REGISTRATION_FIELDS, ['email'], 'Resources: Create-user body', {
      question: 'Which create-user fields are required?',
      why: 'Not shown in the contract. Fields that are left out are outstanding in the requirements; `email` is always required.',
    }),
  }),
  ...on(['createUser', 'v1GenerateApiLink'], {
    'users.initialStatus': choice(['initial', 'active'], 'States: User statuses', {
      question: 'Which status does a new user have?',
      why: 'The contract shows no transitions; nothing moves by itself.',
    }),
  }),
  'users.visibility': choice(['platform', 'integrator'], 'Limits', {
    on: ['findUsers', 'v1FindUser', ...WITH_TOKEN],
    question: 'Which users do search and paths show to an integrator?',
    why: 'All of them: limits apply per user, not per integration, and `jwt` is always listed. With `integrator`, search and paths show only those that it created, imported or logged in; it may log in and import every user.',
  }),
  'access.subject': choice(['query-or-body', 'refuse'], 'Authentication: 5', {
    on: WITH_NAMED_USER,
    question: 'How does a caller without a token name the user?',
    why: 'With `userId` in the query (the body of a POST), where the path names no user or transaction.',
  }),
  ...on(['getRequirements'], {
    'requirements.shape': choice(['object', 'array'], 'Endpoints: Users, GET requirements', {
      question: 'What does the response with the requirements look like?',
      why: '`{ complete, outstanding: [{ field, message }] }`, like a list of errors; `array` is the list alone.',
    }),
  }),
  'login.eligible': choice(['verified', 'registered'], 'Endpoints: Login', {
    on: [...SENDING_CODES, ...LOGGING_IN],
    question: 'Who may log in?',
    why: 'Stated: registered and verified; others get `unverified-login`. `registered` differs from the contract, for providers that let users log in to finish onboarding.',
    stated: true,
  }),
  'login.code.resend': choice(['replace', 'keep', 'same'], 'Authentication: 8', {
    on: [...SENDING_CODES, ...LOGGING_IN],
    question: 'What happens to a login code when another one is asked for?',
    why: 'Not shown in the contract; usually the newer one ends it. With `keep` both work, with `same` the same code is sent again.',
  }),
  ...on(LOGGING_IN, {
    'login.code.ttl': duration('10m', 'Authentication: 8', {
      question: 'How long is a login code valid?',
      why: 'Long enough to read an e-mail.',
    }),
    'login.token.ttl': duration('1h', 'Limits: Access token lifetime', {
      question: 'How long is an access token valid?',
      why: 'Stated: 1 hour (`expiresIn` is 3600).',
      stated: true,
    }),
    'tokens.time': choice(['world', 'wall'], 'Authentication: 2', {
      question: 'Which clock do `iat` and `exp` in an access token follow?',
      why: 'World time, which also decides when it expires; `wall` is for clients that check `exp` against their own clock.',
    }),
  }),
  'tokens.afterStatusChange': choice(['keep', 'revoke'], 'Authentication: 4', {
    on: WITH_TOKEN,
    question: 'Does an access token still work once its user is no longer verified?',
    why: 'Yes, for its hour: only creating a transaction checks the status again. With `revoke`, calls get 401.',
  }),
  'kyc.linkTtl': duration('30m', 'Resources: KYC link', {
    on: ['createKycLink', 'v1GenerateApiLink'],
    question: 'How long is a KYC link valid?',
    why: 'Identity providers’ links last from minutes to hours.',
  }),
}

export const SERVICE = {
  'webhooks.test': choice(EVENT_TYPES, 'Events: last line of transaction.update payload', {
    on: ['testWebhookConfiguration'],
    question: 'Which synthetic event does the test operation send?',
    why: 'A handler must accept either; a receiver that cannot be reached gets status code 0 and the reason.',
  }),
  'webhooks.url': choice(['loopback-http', 'https-only'], 'Resources: Webhook configuration, url', {
    on: ['putWebhookConfiguration', 'v1PatchWebhooks'],
    question: 'Which webhook URLs are accepted?',
    why: 'Differs from the contract, which says HTTPS, because tests receive on this machine: http to loopback and to named hosts is accepted too. The catch URLs of the sandbox itself always are.',
    excluded: [
      except(
        '| url | string (HTTPS URL) | Single destination for all v2 events. |',
        'loopback-http',
      ),
    ],
  }),
  'webhooks.body': choice(['spaced', 'compact'], 'Events: Signature, rule 1', {
    on: [...WEBHOOKS, 'testWebhookConfiguration'],
    question: 'How is the JSON of a webhook written?',
    why: 'On one line with a space inside every bracket, as no usual JSON writer does, so that a receiver that verifies a re-serialised body fails in its first test; `compact` is what `JSON.stringify` writes.',
  }),
  'webhooks.timeout': duration('10s', 'Events: Delivery', {
    on: [...WEBHOOKS, 'testWebhookConfiguration'],
    question: 'How long does a delivery wait for a response, in wall time?',
    why: 'Not shown in the contract; ten seconds is common.',
  }),
  ...on(WEBHOOKS, {
    'webhooks.time': choice(['wall', 'world'], 'Events: Signature', {
      question: 'Which clock does the timestamp of a signature follow?',
      why: 'The wall clock, which receivers compare it with; `world` is for receivers whose clock is mocked.',
    }),
    'names.headerPrefix': text('X-Service', 'Events: Signature', {
      accepts: (given) => PREFIX.test(given),
      options: 'a header prefix of at most 64 letters, digits and hyphens',
      question: 'What do the signature headers start with?',
      why: 'The contract puts a neutral word in place of the service’s name.',
    }),
  }),
  ...on(V2_EVENTS, {
    'names.envelopeId': choice(['id', 'eventId', 'both'], 'Events: Envelope', {
      question: 'What is the id of an event called?',
      why: 'The table says `id`; one sample says `eventId`.',
    }),
  }),
  'webhooks.withoutSecret': choice(['unsigned', 'suppressed'], 'Events: Legacy v1 webhooks', {
    on: ['v1PatchWebhooks', ...V1_HOOKS],
    question: 'What happens to a legacy webhook while there is no signing secret?',
    why: 'Differs from the contract, where they carry the signature headers, because there is nothing to sign them with yet; `suppressed` sends nothing.',
    excluded: [except('They carry the same signature headers.', 'unsigned')],
  }),
  'names.securityAnswerField': text(
    'etransferSecurityAnswer',
    'Events: transaction.update payload',
    {
      accepts: (given) => IDENTIFIER.test(given),
      options: 'a field name of at most 64 letters and digits',
      on: ['onTransactionUpdate', ...V1_ORDER_HOOKS],
      question: 'What is the e-transfer security answer called?',
      why: 'The contract puts a neutral word in place of the network’s name.',
    },
  ),
  ...on(LEGACY, {
    'v1.sunset': text<Sunset>('extended', 'Versioning: 4 and 5', {
      accepts: (given) => SUNSETS.includes(given) || parseInstant(given) !== undefined,
      options: `extended | contract | ${INSTANT_HELP}`,
      question: 'When does v1 stop?',
      why: 'Differs from the contract, by which v1 stops on 21 August 2026, because an extension is available on request and clients still migrate; `contract` is 410 from 2026-08-21T00:00Z.',
    }),
  }),
  'body.mediaType': choice(['json-suffix', 'application/json'], 'Endpoints', {
    on: WITH_BODY,
    question: 'Which media types of a body are accepted?',
    why: 'Differs from the contract, by which all bodies are `application/json`, because others are JSON, too, such as `application/vnd.api+json`; which one a call sent is noted.',
  }),
  'status.created': numbers([200, 201], 'Endpoints', {
    on: CREATING,
    question: 'Which status does the success of a POST have that the contract leaves open?',
    why: 'Not in the contract; the same as for every other success with a body.',
  }),
  'responses.fields': choice(['full', 'contract'], 'Endpoints', {
    on: ['sendLoginCode', 'createUser', 'createQuote', 'v1FindUser', 'v1CreateTransaction'],
    question: 'Which fields do responses have that the contract does not show whole?',
    why: 'What a client needs next, as other responses have it: the message of a login code, access and status of a new user, the amounts of a quote, the status of a user of v1, the deposit address of a sell of v1. `contract` leaves out every field that the contract does not show.',
  }),
  ...on(OPERATION_IDS, {
    'requests.perMinute': count(0, 'Limits: last paragraph', {
      max: 1000000,
      question: 'How many calls may an integrator make in a minute of world time?',
      why: '0 means no limit, as the contract shows none; above the limit, calls get 429 with Retry-After.',
    }),
    cors: text('none', 'Endpoints', {
      accepts: (given) => ORIGINS.test(given),
      options: 'none, * or origins separated by commas, such as http://localhost:5173',
      question: 'Which origins may call the API from a browser?',
      why: 'The contract shows none, and a key does not belong in a page; the control API is never open to one.',
    }),
  }),
}
