import { choice, choiceOrInstant, duration, text } from './setting.ts'

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]{0,63}$/

export const SERVICE = {
  'webhooks.none': choice(['not-found', 'empty'], {
    ref: 'Endpoints: Webhook configuration',
    question: 'What answers a read, delete or test when no configuration exists?',
    why: '404; `empty` reads `data: null` and deletes 204.',
  }),
  'webhooks.test': choice(['user.update', 'transaction.update'], {
    ref: 'Events: last line of transaction.update payload',
    question: 'Which synthetic event does the test operation send?',
    why: 'Any handler must take both; an unreachable receiver reads as status code 0 and the reason.',
  }),
  'webhooks.url': choice(['loopback-http', 'https-only'], {
    ref: 'Resources: Webhook configuration, url',
    question: 'Which webhook URLs are accepted?',
    why: 'The contract says HTTPS; http to loopback and named hosts lets a test receive.',
  }),
  'webhooks.timeout': duration('10s', {
    ref: 'Events: Delivery',
    question: 'How long does a delivery wait for its answer, by the wall clock?',
    why: 'Not shown; ten seconds is common.',
  }),
  'names.headerPrefix': text('X-Service', /^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'a header prefix', {
    ref: 'Events: Signature',
    question: 'What do the signature headers start with?',
    why: 'The contract carries a neutral word in place of the name of the service.',
  }),
  'names.securityAnswerField': text('etransferSecurityAnswer', IDENTIFIER, 'a field name', {
    ref: 'Events: transaction.update payload',
    question: 'What is the e-transfer security answer called?',
    why: 'The contract carries a neutral word in place of the name of the network.',
  }),
  'names.envelopeId': choice(['id', 'eventId', 'both'], {
    ref: 'Events: Envelope',
    question: 'What is the id of an event called?',
    why: '`id` is in the table, one sample says `eventId`.',
  }),
  'v1.priceQuote.key': choice(['optional', 'required'], {
    ref: 'Versioning: GET /priceQuote',
    question: 'Does the v1 price quote need a key?',
    why: "v1's own documentation calls it without; a wrong key is still 401.",
  }),
  'v1.sunset': choiceOrInstant(['extended', 'contract'], {
    ref: 'Versioning: 4 and 5',
    question: 'When does v1 stop?',
    why: 'An extension is available on request; `contract` is 410 from 2026-08-22T00:00Z.',
  }),
  'v1.hooksAfterSunset': choice(['stop', 'continue'], {
    ref: 'Events: Legacy v1 webhooks',
    question: 'Do legacy webhooks fire after the shutdown?',
    why: 'They are part of v1.',
  }),
  'v1.statusUpdateOnCreate': choice(['no', 'yes'], {
    ref: 'Events: Legacy v1 webhooks',
    question: 'Does a creation fire Transaction Status Update as well?',
    why: 'Transaction Initiated tells of it already.',
  }),
  'v1.findUser': choice(['user', 'id'], {
    ref: 'Versioning: GET /apiFindUser',
    question: 'What does the v1 user search answer?',
    why: '`{ message, status, userId, userStatus }`; `id` leaves the status of the user out.',
  }),
}
