import type { FieldNotes } from '../notes.ts'

const USER_ID = 'c20a193d-a2a7-40f7-b973-84e7545ace83'
const ACCESS = '`jwt` means API key plus access token, `apiKey` the API key alone.'
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjMjBhMTkzZCJ9.ES4wKKHWQaiDjPqcTHjUFGo06IuA'
const SHARE_TOKEN = '_act-sbx-jwt-eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFsaWNlQGV4YW1wbGUuY29tIn0.'
const OLDER = 'Asked of older users (the setting `requirements.olderAge`).'

/** Users, their login, profile and identity verification. */
export const userFields: FieldNotes = {
  accessToken: ['Send it as `Authorization: Bearer <ACCESS_TOKEN>`.', TOKEN],
  accessibleBy: [`What to send for this user: ${ACCESS} \`jwt\` is always listed.`, ['jwt']],
  'simulateAccess.accessibleBy': [`${ACCESS} \`jwt\` must be listed.`, ['jwt', 'apiKey']],
  addressLine1: ['Street address.', '100 Example Street'],
  addressLine2: ['Unit or suite; never required.', 'Unit 4'],
  city: ['City.', 'Toronto'],
  dob: ['Date of birth, `YYYY-MM-DD`.', '1990-04-12'],
  email: ["The user's e-mail address, in upper or lower case.", 'alice@example.com'],
  firstName: ['Given name.', 'Alice'],
  lastName: ['Family name.', 'Tremblay'],
  occupation: ['What the user does for a living.', 'Teacher'],
  pep: ['Whether the user is a politically exposed person.', false],
  phone: ['10 digits, with or without `+1` before them.', '4165550101'],
  postalCode: ['Canadian postal code.', 'M5V 3L9'],
  province: ['Canadian province code of two letters.', 'ON'],
  purpose: ['What the user wants the service for.', 'Savings'],
  tpd: ['Whether somebody else decides for the user (third-party determination).', false],
  olderUserInfo: ['More about older users; a field that is not sent stays as it was.'],
  'ProfileRecord.olderUserInfo': [OLDER, { sourceOfFunds: 'Pension' }],
  howDidYouHear: [OLDER, 'A friend'],
  intendedUseOfUSDC: [OLDER, 'Payments'],
  previousCryptoExperience: [OLDER, 'None'],
  sourceOfFunds: [OLDER, 'Pension'],
  walletAddress: [OLDER, '0x52908400098527886e0f7030069857d2e4169ee7'],
  walletProvider: [OLDER, 'Example Wallet'],
  whoReferredYou: [OLDER, 'Nobody'],
  userId: ['Id of the user.', USER_ID],
  'createTransaction.userId, listTransactions.userId': [
    'The user for whom a caller without a token acts (the setting `access.subject`).',
    USER_ID,
  ],
  'User.id, CreatedUser.id, FoundUser.id': ['Id of the user: `userId` in paths.', USER_ID],
  'User.status, CreatedUser.status': [
    'Status of the user; only a `verified` one can trade.',
    'initial',
  ],
  'FoundUser.status': ['Status of the user; only a `verified` one can trade.', 'verified'],
  'UserUpdate.status': ['The status that the user has now.', 'verified'],
  complete: ['Whether nothing is outstanding.', false],
  outstanding: ['What onboarding still lacks.'],
  'OutstandingRequirement.field, outstanding.field': [
    'The field to send, or `kyc` for the identity check.',
    'purpose',
  ],
  'OutstandingRequirement.message, outstanding.message': [
    'What to do about it.',
    'purpose is missing; send it with PATCH.',
  ],
  'KycLink.url': [
    'The page where the user identifies; open it in a browser.',
    'http://127.0.0.1:4100/_sandbox/kyc/7ec7908d462ed01d2eb9c2b49843ff0e',
  ],
  'KycLink.expiresAt': [
    'Until when the page opens: world time, ISO 8601.',
    '2026-07-01T12:30:00.000Z',
  ],
  shareToken: ['Share token of the shared-KYC provider.', SHARE_TOKEN],
  share_token: [
    'Share token of the shared-KYC provider, under the name that v1 gave it.',
    SHARE_TOKEN,
  ],
  'verifyLoginCode.code': ['The 4 digits that the user received by e-mail, as a string.', '0238'],
  'v1VerifyLoginCode.login_code': ['The 4 digits that the user received by e-mail.', '0238'],
  tokenType: ['The scheme of the header `Authorization`.'],
  expiresIn: ['Seconds until the token expires.', 3600],
  token: ['JWT; send it as `Authorization: Bearer <token>`.', TOKEN],
}
