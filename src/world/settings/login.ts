import { choice, count, duration } from './setting.ts'

export const LOGIN = {
  'login.eligible': choice(['verified', 'registered'], {
    ref: 'Endpoints: Login',
    question: 'Who may log in?',
    why: 'The contract says registered and verified; others get the error of errors.notVerified.',
  }),
  'login.unknown': choice(['not-found', 'hidden'], {
    ref: 'Errors: 6',
    question: 'What does a login with an e-mail address get that nobody registered?',
    why: '`not-found` is 404 on `email`; `hidden` is 200 and no message, and then no code is right.',
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
  'tokens.time': choice(['world', 'wall'], {
    ref: 'Authentication: 2',
    question: 'Which clock do `iat` and `exp` in an access token follow?',
    why: 'That of the world, which also decides when it expires; `wall` is for clients that check `exp` by their own clock.',
  }),
  'tokens.afterStatusChange': choice(['keep', 'revoke'], {
    ref: 'Authentication: 4',
    question: 'Does an access token work after its user lost the verification?',
    why: 'It is valid for an hour, and only the creation of a transaction asks again; `revoke` is 401.',
  }),
}
