import { INSTANT_HELP, parseInstant } from '../duration.ts'
import { CREATE_FIELDS, FORMATTED_FIELDS } from '../profile.ts'
import { choice, count, duration, EVENTS, HOOKS, list, on, text } from './setting.ts'

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
      strict: REGISTRATION_FIELDS.join(','),
      notV1: true,
    }),
    'users.create.event': choice(['none', 'sent'], 'Events: Event types', {
      question: 'Does creating a user send a `user.update`?',
      why: 'One is sent when a status changes, and a new user’s status has not changed yet.',
    }),
    'users.initialStatus': choice(['initial', 'active'], 'States: User statuses', {
      question: 'Which status does a new user have?',
      why: 'The contract shows no transitions; nothing moves by itself.',
    }),
  }),
  'users.formats': list(FORMATTED_FIELDS, FORMATTED_FIELDS, 'Resources: Create-user body', {
    on: ['createUser', 'updateUser'],
    question: 'Which fields of a profile must have a Canadian format?',
    why: 'Not shown in the contract; every field that has one. KYB accepts any text.',
  }),
  'users.visibility': choice(['platform', 'integrator'], 'Limits', {
    on: ['findUsers', 'token'],
    question: 'Which users do search and paths show to an integrator?',
    why: 'All of them: limits apply per user, not per integration, and `jwt` is always listed. With `integrator`, search and paths show only those that it created, imported or logged in; it may log in and import every user.',
    strict: 'integrator',
  }),
  'users.minimumAge': count(18, 'Resources: Create-user body, dob', {
    on: ['createUser', 'updateUser', 'submitKyb'],
    max: 120,
    question: 'How old must a user be, by world time?',
    why: 'The age of majority in most provinces; in v1 too, and for the person who signs for a business (KYB).',
  }),
  'access.subject': choice(['query-or-body', 'refuse'], 'Authentication: 5', {
    on: ['token'],
    question: 'How does a caller without a token name the user?',
    why: 'With `userId` in the query (the body of a POST), where the path names no user or transaction.',
    strict: 'refuse',
  }),
  ...on(['getRequirements'], {
    'requirements.shape': choice(['object', 'array'], 'Endpoints: Users, GET requirements', {
      question: 'What does the response with the requirements look like?',
      why: '`{ complete, outstanding: [{ field, message }] }`, like a list of errors; `array` is the list alone.',
    }),
    'requirements.olderAge': count(60, 'Resources: Onboarding update body, olderUserInfo', {
      max: 130,
      question: 'From what age is `olderUserInfo` outstanding?',
      why: 'The name says older users; the contract does not show the age.',
    }),
  }),
  'login.eligible': choice(['verified', 'registered'], 'Endpoints: Login', {
    on: ['sendLoginCode', 'verifyLoginCode'],
    question: 'Who may log in?',
    why: 'Stated: registered and verified; others get `unverified-login`. `registered` differs from the contract, for providers that let users log in to finish onboarding.',
    stated: true,
  }),
  'login.code.resend': choice(['replace', 'keep', 'same'], 'Authentication: 8', {
    on: ['sendLoginCode', 'verifyLoginCode'],
    question: 'What happens to a login code when another one is asked for?',
    why: 'Not shown in the contract; usually the newer one ends it. With `keep` both work, with `same` the same code is sent again.',
  }),
  ...on(['verifyLoginCode'], {
    'login.code.ttl': duration('10m', 'Authentication: 8', {
      question: 'How long is a login code valid?',
      why: 'Long enough to read an e-mail.',
    }),
    'login.code.attempts': count(5, 'Authentication: 8', {
      min: 1,
      max: 1000,
      question: 'After how many wrong attempts does a login code stop working?',
      why: 'Without a limit, four digits can be guessed.',
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
    on: ['token'],
    question: 'Does an access token still work once its user is no longer verified?',
    why: 'Yes, for its hour: only creating a transaction checks the status again. With `revoke`, calls get 401.',
  }),
  'kyc.import.body': choice(['either', 'shareToken', 'share_token'], 'Endpoints: Users, PUT kyc', {
    on: ['importKyc'],
    question: 'What is the share-token field of a KYC import called?',
    why: '`shareToken` follows v2’s spelling; `share_token` is what v1 clients send.',
    strict: 'shareToken',
    notV1: true,
  }),
  'kyc.linkTtl': duration('30m', 'Resources: KYC link', {
    on: ['createKycLink'],
    question: 'How long is a KYC link valid?',
    why: 'Identity providers’ links last from minutes to hours.',
  }),
}

export const SERVICE = {
  ...on(['submitKyb'], {
    'kyb.quarterOwners': choice(['may-be-empty', 'required'], 'Endpoints: Corporate verification', {
      question: 'May the texts in `list_of_quarter_owners` be empty?',
      why: 'Not every business has such owners; with `is_quarter_owner: true` they may not be empty.',
      strict: 'required',
    }),
    'kyb.certificates': choice(['either', 'array'], 'Endpoints: Corporate verification', {
      question: 'Which forms of `incorpCertData` are accepted?',
      why: 'The table says an array of texts; a sample shows one text.',
      strict: 'array',
    }),
  }),
  'webhooks.test': choice(
    ['user.update', 'transaction.update'],
    'Events: last line of transaction.update payload',
    {
      on: ['testWebhookConfiguration'],
      question: 'Which synthetic event does the test operation send?',
      why: 'A handler must accept either; a receiver that cannot be reached gets status code 0 and the reason.',
    },
  ),
  'webhooks.url': choice(['loopback-http', 'https-only'], 'Resources: Webhook configuration, url', {
    on: ['putWebhookConfiguration'],
    question: 'Which webhook URLs are accepted?',
    why: 'Differs from the contract, which says HTTPS, because tests receive on this machine: http to loopback and to named hosts is accepted too. The catch URLs of the sandbox itself always are.',
    strict: 'https-only',
  }),
  'webhooks.body': choice(['spaced', 'compact'], 'Events: Signature, rule 1', {
    on: [...EVENTS, 'testWebhookConfiguration'],
    question: 'How is the JSON of a webhook written?',
    why: 'On one line with a space inside every bracket, as no usual JSON writer does, so that a receiver that verifies a re-serialised body fails in its first test; `compact` is what `JSON.stringify` writes.',
  }),
  'webhooks.timeout': duration('10s', 'Events: Delivery', {
    on: [...EVENTS, 'testWebhookConfiguration'],
    question: 'How long does a delivery wait for a response, in wall time?',
    why: 'Not shown in the contract; ten seconds is common.',
  }),
  ...on(EVENTS, {
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
    'names.envelopeId': choice(['id', 'eventId', 'both'], 'Events: Envelope', {
      question: 'What is the id of an event called?',
      why: 'The table says `id`; one sample says `eventId`.',
      notV1: true,
    }),
  }),
  'webhooks.withoutSecret': choice(['unsigned', 'suppressed'], 'Events: Legacy v1 webhooks', {
    on: ['v1PatchWebhooks'],
    question: 'What happens to a legacy webhook while there is no signing secret?',
    why: 'Differs from the contract, where they carry the signature headers, because there is nothing to sign them with yet; `suppressed` sends nothing.',
    strict: 'suppressed',
  }),
  'names.securityAnswerField': text(
    'etransferSecurityAnswer',
    'Events: transaction.update payload',
    {
      accepts: (given) => IDENTIFIER.test(given),
      options: 'a field name of at most 64 letters and digits',
      on: ['onTransactionUpdate'],
      question: 'What is the e-transfer security answer called?',
      why: 'The contract puts a neutral word in place of the network’s name.',
    },
  ),
  ...on(['v1'], {
    'v1.sunset': text<Sunset>('extended', 'Versioning: 4 and 5', {
      accepts: (given) => SUNSETS.includes(given) || parseInstant(given) !== undefined,
      options: `extended | contract | ${INSTANT_HELP}`,
      question: 'When does v1 stop?',
      why: 'Differs from the contract, by which v1 stops on 21 August 2026, because an extension is available on request and clients still migrate; `contract` is 410 from 2026-08-21T00:00Z.',
      strict: 'contract',
    }),
    'errors.v1': choice(['as-v2', '400'], 'Errors: 7', {
      question: 'Which status code do errors of v1 have?',
      why: 'The status that v2 has for the same reason; `400` uses 400 for all but the shutdown and 405, 413, 415 and 429.',
    }),
  }),
  ...on(HOOKS, {
    'v1.hooksAfterSunset': choice(['stop', 'continue'], 'Events: Legacy v1 webhooks', {
      question: 'Are legacy webhooks still sent after the shutdown?',
      why: 'They are part of v1.',
    }),
    'v1.hooks.singleUrl': choice(['shared', 'separate'], 'Events: Legacy v1 webhooks', {
      question: 'Where does a legacy webhook go that is switched on without a URL of its own?',
      why: 'To the only URL that is configured, because they may share one; with `separate` it is not sent.',
      strict: 'separate',
    }),
  }),
  'v1.statusUpdateOnCreate': choice(['no', 'yes'], 'Events: Legacy v1 webhooks', {
    on: ['onV1TransactionStatusUpdate'],
    question: 'Does creating a transaction also send Transaction Status Update?',
    why: 'Transaction Initiated already reports it.',
  }),
  'requests.null': choice(['absent', 'refused'], 'Resources: Create-user body', {
    on: ['body'],
    question: 'What does null in a body mean?',
    why: 'The contract’s types have no null; as in many APIs it means that the field is left out, except `ethCost` and `gasId` of v2, which are not accepted.',
    strict: 'refused',
  }),
  'body.mediaType': choice(['json-suffix', 'application/json'], 'Endpoints', {
    on: ['body'],
    question: 'Which media types of a body are accepted?',
    why: 'Differs from the contract, by which all bodies are `application/json`, because others are JSON, too, such as `application/vnd.api+json`; which one a call sent is noted.',
    strict: 'application/json',
  }),
  ...on(['key'], {
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
