import type { CredentialSetting } from './operations.ts'
import { choice, except } from './setting.ts'

const BY_KEY = ['key', 'token', 'key-or-token'] as const
const BY_TOKEN = ['token', 'key', 'key-or-token'] as const
const UNTIL_VERIFIED = ['key-until-verified', 'token'] as const
const LOGIN_NEEDED =
  'Differs from the contract, which requires an API key and a token. Only verified users can log in, so the key alone is enough until they are verified.'
const KEYLESS = except(
  'Header `x-api-key` (string) is sent on every request.',
  'key-or-token',
  'none',
)

/** Nobody can have a token yet where an operation makes a user verified, or leads there. */
const BEFORE_LOGIN = except(
  'Users must be registered and identity-verified (KYC) before they can authenticate.',
  'token',
)

/** Credentials of the operations whose headers the contract leaves open, or with which none could begin. */
export const CREDENTIALS = {
  'auth.updateUser': choice(UNTIL_VERIFIED, 'Endpoints: Users, PATCH', {
    on: ['updateUser'],
    question: 'Which credentials does `updateUser` take?',
    why: LOGIN_NEEDED,
    excluded: [
      except(
        '| PATCH `/users/{userId}` | headers x-api-key and Authorization, both required;',
        'key-until-verified',
      ),
      BEFORE_LOGIN,
    ],
  }),
  'auth.createKycLink': choice(UNTIL_VERIFIED, 'Endpoints: Users, GET kyc-url', {
    on: ['createKycLink'],
    question: 'Which credentials does `createKycLink` take?',
    why: LOGIN_NEEDED,
    excluded: [
      except(
        '| GET `/users/{userId}/kyc-url` | headers x-api-key and Authorization;',
        'key-until-verified',
      ),
      BEFORE_LOGIN,
    ],
  }),
  'auth.getRequirements': choice(BY_KEY, 'Endpoints: Users, GET requirements', {
    on: ['getRequirements'],
    question: 'Which credentials does `getRequirements` take?',
    why: 'The contract does not say. The call is for users who cannot log in yet, so the key is enough.',
    excluded: [KEYLESS, BEFORE_LOGIN],
  }),
  'auth.importKyc': choice(BY_KEY, 'Endpoints: Users, PUT kyc', {
    on: ['importKyc'],
    question: 'Which credentials does `importKyc` take?',
    why: 'The contract requires the key and also lists a token. If the token were required, nobody could be verified by an import.',
    excluded: [KEYLESS, BEFORE_LOGIN],
  }),
  'auth.getLimits': choice(BY_TOKEN, 'Endpoints: Quotes and limits, GET /limits', {
    on: ['getLimits'],
    question: 'Which credentials does `getLimits` take?',
    why: 'The contract does not say, but the call returns the limits of the authenticated user. With `key` it returns the general ones.',
    excluded: [KEYLESS, except('Returns the limits for the authenticated user.', 'key')],
  }),
  'auth.getTransaction': choice(BY_TOKEN, 'Endpoints: Transactions, GET one', {
    on: ['getTransaction'],
    question: 'Which credentials does `getTransaction` take?',
    why: 'The contract does not say; both headers, as for the list.',
    excluded: [KEYLESS],
  }),
  'auth.v1PriceQuote': choice(['none', 'key'], 'Authentication: 1', {
    on: ['v1PriceQuote'],
    question: 'Which credentials does `v1PriceQuote` take?',
    why: 'Differs from the contract, which says that every request carries a key. The published v1 calls send none. A wrong key is still refused.',
    excluded: [KEYLESS],
  }),
  'auth.v1GetTransaction': choice(BY_TOKEN, 'Versioning: GET /transaction', {
    on: ['v1GetTransaction'],
    question: 'Which credentials does `v1GetTransaction` take?',
    why: 'The contract does not say; both headers, as in v2.',
    excluded: [KEYLESS],
  }),
} satisfies Record<CredentialSetting, object>
