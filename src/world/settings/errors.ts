import { choice } from './setting.ts'

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
}
