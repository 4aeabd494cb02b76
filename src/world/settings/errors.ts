import { choice, count } from './setting.ts'

export const ERRORS = {
  'errors.validation': choice(['400', '422'], {
    ref: 'Errors: 6',
    question: 'Which status code does a request with a wrong form or wrong values get?',
    why: 'The limit cases are 400; the rest is not shown.',
  }),
  'errors.otherUser': choice(['forbidden', 'not-found'], {
    ref: 'Errors: 6',
    question: "Which error does a token get on another user's path?",
    why: '`forbidden` is 403; `not-found` is 404, as if the other user did not exist.',
  }),
  'errors.notVerified': choice(['forbidden', 'invalid'], {
    ref: 'Errors: 6',
    question: 'Which error do a login and a transaction of an unverified user get?',
    why: '`forbidden` is 403, `invalid` has the status of errors.validation.',
  }),
  'errors.loginCode': choice(['unauthenticated', 'invalid'], {
    ref: 'Errors: 6',
    question: 'Which error does a login code get that is wrong, spent or expired?',
    why: '`unauthenticated` is 401, `invalid` has the status of errors.validation.',
  }),
  'requests.unknownFields': choice(['ignore', 'refuse'], {
    ref: 'Errors: 6',
    question: 'What happens to body fields that the contract does not name?',
    why: 'Clients of the first generation send some. It governs v2; v1 and KYB always ignore them.',
    strict: 'refuse',
  }),
  'requests.perMinute': count(0, {
    least: 0,
    most: 1_000_000,
    ref: 'Limits: last paragraph',
    question: 'How many calls may an integrator make in a minute of world time?',
    why: '0 means no limit, as none is shown; above the limit calls are 429 with Retry-After.',
  }),
}
