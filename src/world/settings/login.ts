import { choice, count, duration } from './setting.ts'

export const LOGIN = {
  'login.eligible': choice(['verified', 'registered'], {
    on: ['sendLoginCode', 'verifyLoginCode'],
    ref: 'Endpoints: Login',
    question: 'Who may log in?',
    why: 'Stated: registered and verified; others get `unverified-login`. `registered` differs from the contract, for providers that let users log in to finish onboarding.',
    stated: true,
  }),
  'login.code.ttl': duration('10m', {
    on: ['verifyLoginCode'],
    ref: 'Authentication: 8',
    question: 'How long is a login code valid?',
    why: 'Long enough to read an e-mail.',
  }),
  'login.code.attempts': count(5, {
    least: 1,
    most: 1000,
    on: ['verifyLoginCode'],
    ref: 'Authentication: 8',
    question: 'How many wrong codes spend the code that was sent?',
    why: 'Four digits need a bound.',
  }),
  'login.token.ttl': duration('1h', {
    on: ['verifyLoginCode'],
    ref: 'Limits: Access token lifetime',
    question: 'How long is an access token valid?',
    why: 'Stated: 1 hour, `expiresIn` 3600.',
    stated: true,
  }),
  'tokens.time': choice(['world', 'wall'], {
    on: ['verifyLoginCode'],
    ref: 'Authentication: 2',
    question: 'Which clock do `iat` and `exp` in an access token follow?',
    why: 'That of the world, which also decides when it expires; `wall` is for clients that check `exp` by their own clock.',
  }),
  'tokens.afterStatusChange': choice(['keep', 'revoke'], {
    on: ['token'],
    ref: 'Authentication: 4',
    question: 'Does an access token work after its user lost the verification?',
    why: 'It is valid for an hour, and only the creation of a transaction asks again; `revoke` is 401.',
  }),
}
