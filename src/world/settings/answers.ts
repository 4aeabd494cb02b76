import { choice, count } from './setting.ts'

/** How the service says no. */
export const ANSWERS = {
  'errors.validation': choice(['400', '422'], {
    ref: 'Errors: 6',
    question: 'Which status refuses a request whose form or values are wrong?',
    why: 'The limit cases are 400; the rest is not shown.',
  }),
  'errors.otherUser': choice(['forbidden', 'not-found'], {
    ref: 'Errors: 6',
    question: "What answers a token on another user's path?",
    why: '`forbidden` is 403; `not-found` is 404, as if the other user did not exist.',
  }),
  'errors.notVerified': choice(['forbidden', 'invalid'], {
    ref: 'Errors: 6',
    question: 'What answers a login or a transaction of a user who is not verified?',
    why: '`forbidden` is 403, `invalid` is a validation error.',
  }),
  'errors.loginCode': choice(['unauthenticated', 'invalid'], {
    ref: 'Errors: 6',
    question: 'What answers a login code that is wrong, spent or expired?',
    why: '`unauthenticated` is 401, `invalid` is a validation error.',
  }),
  'errors.field': choice(['named', 'blank'], {
    ref: 'Errors: 6',
    question: 'What does `field` hold?',
    why: 'The name of the input at fault; `blank` is `""`, for clients that must not rely on it.',
  }),
  'errors.v1': choice(['as-v2', '400'], {
    ref: 'Errors: 7',
    question: 'Which status has a refusal of v1?',
    why: 'That of v2 for the same reason; `400` is the same for all but the shutdown.',
  }),
  'requests.perMinute': count(
    0,
    { least: 0, most: 1_000_000 },
    {
      ref: 'Limits: last paragraph',
      question: 'How many calls may an integrator make in a minute of world time?',
      why: '0 is without a limit, as none is shown; beyond it calls are 429 with Retry-After.',
    },
  ),
}
