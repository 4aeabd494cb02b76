import { INSTANT_HELP, parseInstant } from '../duration.ts'
import { SECURITY_ANSWER, TransactionUpdate } from '../event-types.ts'
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
/** Returns true for a name that the payload of a webhook about a transaction already has. */
const isOtherField = (name: string) =>
  name === 'txId' || (name !== SECURITY_ANSWER && name in TransactionUpdate().shape)
const ORIGIN = String.raw`https?://[^\s,/]+`
const SUNSETS = ['extended', 'contract']
type Sunset = 'extended' | 'contract' | `${number}-${string}Z`
const ORIGINS = new RegExp(`^(none|\\*|${ORIGIN}(,${ORIGIN})*)$`)

export const PEOPLE = {
  ...on(['createUser'], {
    'users.create.required': list(REGISTRATION_FIELDS, ['email'], 'Resources: Create-user body', {
      question: 'Which create-user fields are required?',
      why: 'The contract does not say. Fields that are left out become outstanding requirements, except `phone` and `addressLine2`. `email` is always required.',
    }),
  }),
  ...on(['createUser', 'v1GenerateApiLink'], {
    'users.initialStatus': choice(['initial', 'active'], 'States: User statuses', {
      question: 'Which status does a new user have?',
      why: 'The contract shows no transitions, so a new user has the first status that it lists.',
    }),
  }),
  'users.visibility': choice(['platform', 'integrator'], 'Limits', {
    on: ['findUsers', 'v1FindUser', ...WITH_TOKEN],
    question: 'Which users can an integrator find and read?',
    why: 'All users, because limits apply per user and not per integration. With `integrator`, only users that it created, imported or logged in; it may still log in and import every user.',
  }),
  'access.subject': choice(['query-or-body', 'refuse'], 'Authentication: 5', {
    on: WITH_NAMED_USER,
    question: 'How does a call without an access token say which user it is for?',
    why: 'With `userId` in the query, or in the body of a POST, unless the path names a user or transaction.',
  }),
  ...on(['getRequirements'], {
    'requirements.shape': choice(['object', 'array'], 'Endpoints: Users, GET requirements', {
      question: 'What shape does the requirements response have?',
      why: '`{ complete, outstanding: [{ field, message }] }`, like the list of errors. `array` returns the list alone.',
    }),
  }),
  'login.eligible': choice(['verified', 'registered'], 'Endpoints: Login', {
    on: [...SENDING_CODES, ...LOGGING_IN],
    question: 'Who may log in?',
    why: 'Stated: users who are registered and verified. Unverified ones get `unverified-login`. `registered` lets users log in to finish onboarding, which the contract rules out.',
    stated: true,
  }),
  'login.code.resend': choice(['replace', 'keep', 'same'], 'Authentication: 8', {
    on: [...SENDING_CODES, ...LOGGING_IN],
    question: 'What happens to a login code when the user requests another one?',
    why: 'The contract does not say. Most services accept only the newest code. With `keep` both work; with `same` the same code is sent again.',
  }),
  ...on(LOGGING_IN, {
    'login.code.ttl': duration('10m', 'Authentication: 8', {
      question: 'How long is a login code valid?',
      why: 'The contract does not say. Ten minutes is enough to read an e-mail.',
    }),
    'login.token.ttl': duration('1h', 'Limits: Access token lifetime', {
      question: 'How long is an access token valid?',
      why: 'Stated: 1 hour (`expiresIn` is 3600).',
      stated: true,
    }),
    'tokens.time': choice(['world', 'wall'], 'Authentication: 2', {
      question: 'Which clock do `iat` and `exp` in an access token follow?',
      why: 'World time, which also decides when the token expires. Use `wall` if your client checks `exp` against its own clock.',
    }),
  }),
  'tokens.afterStatusChange': choice(['keep', 'revoke'], 'Authentication: 4', {
    on: WITH_TOKEN,
    question: 'Does an access token still work once its user is no longer verified?',
    why: 'Yes, until it expires: only creating a transaction checks the status again. With `revoke`, calls get 401.',
  }),
  'kyc.linkTtl': duration('30m', 'Resources: KYC link', {
    on: ['createKycLink', 'v1GenerateApiLink'],
    question: 'How long is a KYC link valid?',
    why: 'The contract does not say. Identity providers’ links last anywhere from minutes to hours.',
  }),
}

export const SERVICE = {
  'webhooks.test': choice(EVENT_TYPES, 'Events: last line of transaction.update payload', {
    on: ['testWebhookConfiguration'],
    question: 'Which synthetic event does the test operation send?',
    why: 'The contract does not say; your handler should accept either. If your receiver cannot be reached, the response has status code 0 and the reason.',
  }),
  'webhooks.url': choice(['loopback-http', 'https-only'], 'Resources: Webhook configuration, url', {
    on: ['putWebhookConfiguration', 'v1PatchWebhooks'],
    question: 'Which webhook URLs are accepted?',
    why: 'Differs from the contract, which says HTTPS. Tests receive webhooks on this machine, so http to loopback and to hosts that you allow is accepted too. The sandbox’s own catch URLs are always accepted.',
    excluded: [
      except(
        '| url | string (HTTPS URL) | Single destination for all v2 events. |',
        'loopback-http',
      ),
    ],
  }),
  'webhooks.body': choice(['spaced', 'compact'], 'Events: Signature, rule 1', {
    on: [...WEBHOOKS, 'testWebhookConfiguration'],
    question: 'How is the JSON of a webhook formatted?',
    why: 'With a space inside each bracket, so that a receiver that verifies a re-serialised body fails its first test. `compact` is what `JSON.stringify` writes.',
  }),
  'webhooks.timeout': duration('10s', 'Events: Delivery', {
    on: [...WEBHOOKS, 'testWebhookConfiguration'],
    question: 'How long does the sandbox wait for your response to a webhook, in real time?',
    why: 'The contract does not say. Ten seconds is common.',
  }),
  ...on(WEBHOOKS, {
    'webhooks.time': choice(['wall', 'world'], 'Events: Signature', {
      question: 'Which clock does the timestamp of a signature follow?',
      why: 'The real clock, because receivers compare it with theirs. Use `world` if your receiver’s clock is mocked.',
    }),
    'names.headerPrefix': text('X-Service', 'Events: Signature', {
      accepts: (given) => PREFIX.test(given),
      options: 'a header prefix of at most 64 letters, digits and hyphens',
      question: 'What do the signature headers start with?',
      why: 'The contract uses a neutral word instead of the service’s name. Set the real one.',
    }),
  }),
  ...on(V2_EVENTS, {
    'names.envelopeId': choice(['id', 'eventId', 'both'], 'Events: Envelope', {
      question: 'What is the field with the id of an event called?',
      why: 'The table says `id` and one sample says `eventId`; the contract tells clients to accept either.',
    }),
  }),
  'webhooks.withoutSecret': choice(['unsigned', 'suppressed'], 'Events: Legacy v1 webhooks', {
    on: ['v1PatchWebhooks', ...V1_HOOKS],
    question: 'What happens to a legacy webhook if there is no signing secret?',
    why: 'Differs from the contract, which says that they are signed. Without a secret, they can’t be. `suppressed` sends nothing.',
    excluded: [except('They carry the same signature headers.', 'unsigned')],
  }),
  'names.securityAnswerField': text(SECURITY_ANSWER, 'Events: transaction.update payload', {
    accepts: (given) => IDENTIFIER.test(given) && !isOtherField(given),
    options: 'a field name (letters and digits, at most 64) not used elsewhere in a webhook',
    on: ['onTransactionUpdate', ...V1_ORDER_HOOKS],
    question: 'What is the field with the e-transfer security answer called?',
    why: 'The contract uses a neutral word instead of the payment network’s name. Set the real one.',
  }),
  ...on(LEGACY, {
    'v1.sunset': text<Sunset>('extended', 'Versioning: 4 and 5', {
      accepts: (given) => SUNSETS.includes(given) || parseInstant(given) !== undefined,
      options: `extended | contract | ${INSTANT_HELP}`,
      question: 'When does v1 stop?',
      why: 'Differs from the contract, which says that v1 stops on 21 August 2026. The provider grants extensions. With `contract`, v1 returns 410 from 2026-08-21T00:00Z on.',
    }),
  }),
  'body.mediaType': choice(['json-suffix', 'application/json'], 'Endpoints', {
    on: WITH_BODY,
    question: 'Which media types are accepted for a request body?',
    why: 'Differs from the contract, which says that all bodies are `application/json`. Other JSON types, such as `application/vnd.api+json`, are accepted with a note.',
  }),
  'status.created': numbers([200, 201], 'Endpoints', {
    on: CREATING,
    question: 'What status does a successful POST return, if the contract does not show one?',
    why: 'The contract does not say; the same as other successful calls with a body.',
  }),
  'responses.fields': choice(['full', 'contract'], 'Endpoints', {
    on: ['sendLoginCode', 'createUser', 'createQuote', 'v1FindUser', 'v1CreateTransaction'],
    question: 'Which fields does a response have, if the contract does not show all of them?',
    why: 'Those that a client needs next: the message about a login code, the access and status of a new user, the amounts of a quote, the status of a v1 user, the deposit address of a v1 sell. `contract` leaves out every field that the contract does not show.',
  }),
  ...on(OPERATION_IDS, {
    'requests.perMinute': count(0, 'Limits: last paragraph', {
      max: 1000000,
      question: 'How many calls may an integrator make in a minute of world time?',
      why: 'The contract shows no limit; with 0 there is none. Above the limit, calls get 429, with Retry-After unless the clock is frozen.',
    }),
    cors: text('none', 'Endpoints', {
      accepts: (given) => ORIGINS.test(given),
      options: 'none, * or origins separated by commas, such as http://localhost:5173',
      question: 'Which origins may call the API from a browser?',
      why: 'The contract does not say, and an API key does not belong in a web page. The control API is never open to web pages.',
    }),
  }),
}
