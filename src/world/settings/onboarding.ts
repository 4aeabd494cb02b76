import { choice, count, duration } from './setting.ts'

export const ONBOARDING = {
  'users.create.required': choice(['email', 'all'], {
    ref: 'Resources: Create-user body',
    question: 'Which create-user fields are required?',
    why: 'The rest is reported as outstanding by the requirements read; `all` spares address line 2.',
  }),
  'users.create.status': choice(['200', '201'], {
    ref: 'Endpoints: Users, POST /users',
    question: 'Which status answers a creation?',
    why: 'Every status that the contract shows for a success with a body is 200.',
  }),
  'users.create.response': choice(['user', 'id'], {
    ref: 'Endpoints: Users, POST /users',
    question: 'Which fields come with the new id?',
    why: '`{ id, accessibleBy, status }` is what the other user writes answer.',
  }),
  'users.create.duplicate': choice(['conflict', 'invalid'], {
    ref: 'Endpoints: Users, POST /users',
    question: 'What answers an e-mail that is registered already, in any case of letters?',
    why: '`conflict` is 409, `invalid` 400; both name the field `email`.',
  }),
  'users.minimumAge': count(
    18,
    { least: 0, most: 120 },
    {
      ref: 'Resources: Create-user body, dob',
      question: 'How old must a user be on the date of the world?',
      why: 'The age of majority in most provinces.',
    },
  ),
  'users.formats': choice(['checked', 'any'], {
    ref: 'Resources: Create-user body',
    question: 'Which forms must the texts of a profile have?',
    why: 'Canadian ones for province, postal code and phone; `any` takes every text that is not empty.',
  }),
  'users.initialStatus': choice(['initial', 'active'], {
    ref: 'States: User statuses',
    question: 'Which status has a new user?',
    why: 'Transitions are not shown; nothing moves by itself.',
  }),
  'users.record': choice(['id', 'full'], {
    ref: 'Resources: User',
    question: 'Which fields does the user search show?',
    why: 'The contract shows an array of `{ id }`; `full` adds accessibleBy, status and email.',
  }),
  'requests.unknownFields': choice(['ignore', 'refuse'], {
    ref: 'Errors: 6',
    question: 'What happens to body fields that the contract does not name?',
    why: 'Clients of the first generation send some; the journal names them either way.',
  }),
  'onboarding.auth': choice(['key-until-verified', 'token'], {
    ref: 'Endpoints: Users, PATCH and kyc-url',
    question: 'How does a user who cannot log in yet finish onboarding?',
    why: 'A token is asked for, yet only verified users can log in: until then the key alone will do.',
  }),
  'requirements.auth': choice(['key', 'token'], {
    ref: 'Endpoints: Users, GET requirements',
    question: 'Which headers does the requirements read take?',
    why: 'It serves users who cannot log in yet; a token that is sent must be valid.',
  }),
  'requirements.shape': choice(['object', 'array'], {
    ref: 'Endpoints: Users, GET requirements',
    question: 'Which shape has the requirements read?',
    why: '`{ complete, outstanding: [{ field, message }] }`, like an error list; `array` is the list alone.',
  }),
  'requirements.olderAge': count(
    60,
    { least: 0, most: 130 },
    {
      ref: 'Resources: Onboarding update body, olderUserInfo',
      question: 'From which age is `olderUserInfo` outstanding?',
      why: 'Its name says older users; the age is not shown.',
    },
  ),
  'login.eligible': choice(['verified', 'registered'], {
    ref: 'Endpoints: Login',
    question: 'Who may log in?',
    why: 'The contract says registered and verified; others are 403, unknown e-mails 404.',
  }),
  'login.code.response': choice(['message', 'empty'], {
    ref: 'Endpoints: Login, POST /auth/login-codes',
    question: 'What is in `data` when a login code was sent?',
    why: 'The first generation says `Login code sent to user`; `empty` is `{}`.',
  }),
  'login.code.ttl': duration('10m', {
    ref: 'Authentication: 8',
    question: 'How long is a login code valid?',
    why: 'Long enough to read an e-mail.',
  }),
  'login.code.attempts': count(
    5,
    { least: 1, most: 1000 },
    {
      ref: 'Authentication: 8',
      question: 'How many wrong codes spend the code that was sent?',
      why: 'Four digits need a bound.',
    },
  ),
  'login.token.ttl': duration('1h', {
    ref: 'Limits: Access token lifetime',
    question: 'How long is an access token valid?',
    why: 'Stated: 1 hour, `expiresIn` 3600.',
    stated: true,
  }),
  'access.subject': choice(['query-or-body', 'refuse'], {
    ref: 'Authentication: 5',
    question: 'How does a caller without a token name the user?',
    why: 'In the path, by the transaction in the path, or with `userId` in the query (the body of a POST).',
  }),
  'kyc.import.body': choice(['either', 'shareToken', 'share_token'], {
    ref: 'Endpoints: Users, PUT kyc',
    question: 'What is the share-token field of a KYC import called?',
    why: '`shareToken` follows v2, `share_token` is what v1 clients send.',
  }),
  'kyc.import.auth': choice(['key', 'token'], {
    ref: 'Endpoints: Users, PUT kyc',
    question: 'Does a KYC import need a token?',
    why: 'The key is required and the bearer scheme also listed; it makes users verified who cannot log in yet.',
  }),
  'kyc.linkTtl': duration('30m', {
    ref: 'Resources: KYC link',
    question: 'How long does a KYC link live?',
    why: 'Identity providers use minutes to hours.',
  }),
}
