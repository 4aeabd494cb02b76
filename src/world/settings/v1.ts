import { choice, choiceOrInstant } from './setting.ts'

export const V1 = {
  'v1.sunset': choiceOrInstant(['extended', 'contract'], {
    ref: 'Versioning: 4 and 5',
    question: 'When does v1 stop?',
    why: 'An extension is available on request; `contract` is 410 from 2026-08-22T00:00Z.',
    strict: 'contract',
  }),
  'v1.hooksAfterSunset': choice(['stop', 'continue'], {
    ref: 'Events: Legacy v1 webhooks',
    question: 'Are legacy webhooks still sent after the shutdown?',
    why: 'They are part of v1.',
  }),
  'v1.statusUpdateOnCreate': choice(['no', 'yes'], {
    ref: 'Events: Legacy v1 webhooks',
    question: 'Does a creation send Transaction Status Update as well?',
    why: 'Transaction Initiated already says so.',
  }),
  'v1.hooks.singleUrl': choice(['shared', 'separate'], {
    ref: 'Events: Legacy v1 webhooks',
    question: 'Where does a legacy webhook go that is switched on without a URL of its own?',
    why: 'They may use a single URL: to the only one that is configured; with `separate` it is not sent.',
  }),
  'v1.hooks.withoutUrl': choice(['accepted', 'refused'], {
    ref: 'Endpoints: Legacy v1 endpoints, PATCH /webhooks',
    question: 'May a legacy webhook be switched on while there is no URL for it?',
    why: 'Clients may send flags and URLs one after the other; `refused` is a validation error on the URL.',
    strict: 'refused',
  }),
  'v1.priceQuote.key': choice(['optional', 'required'], {
    ref: 'Versioning: GET /priceQuote',
    question: 'Does the v1 price quote need a key?',
    why: "v1's own documentation calls it without; a wrong key is still 401.",
    strict: 'required',
  }),
  'v1.findUser': choice(['user', 'id'], {
    ref: 'Versioning: GET /apiFindUser',
    question: 'What does the v1 user search return?',
    why: '`{ message, status, userId, userStatus }`; `id` leaves out the status of the user.',
  }),
  'errors.v1': choice(['as-v2', '400'], {
    ref: 'Errors: 7',
    question: 'Which status code do errors of v1 have?',
    why: 'That of v2 for the same reason; `400` except after the shutdown and for 405, 413, 415 and 429.',
  }),
}
