import { choice, count, duration } from './setting.ts'

export const LOGIN = {
  'login.eligible': choice(['verified', 'registered'], {
    ref: 'Endpoints: Login',
    question: 'Who may log in?',
    why: 'The contract says registered and verified; others get the error of errors.notVerified.',
  }),
  'login.code.response': choice(['message', 'empty'], {
    ref: 'Endpoints: Login, POST /auth/login-codes',
    question: 'What is in `data` when a login code was sent?',
    why: 'The first generation says `Login code sent to user`; `empty` is `{}`.',
    strict: 'empty',
  }),
  'login.code.ttl': duration('10m', {
    ref: 'Authentication: 8',
    question: 'How long is a login code valid?',
    why: 'Long enough to read an e-mail.',
  }),
  'login.code.attempts': count(5, {
    least: 1,
    most: 1000,
    ref: 'Authentication: 8',
    question: 'How many wrong codes spend the code that was sent?',
    why: 'Four digits need a bound.',
  }),
  'login.token.ttl': duration('1h', {
    ref: 'Limits: Access token lifetime',
    question: 'How long is an access token valid?',
    why: 'Stated: 1 hour, `expiresIn` 3600.',
    stated: true,
  }),
}
