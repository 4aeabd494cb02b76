import { choice, count } from './setting.ts'

export const USERS = {
  'users.create.required': choice(['email', 'all'], {
    ref: 'Resources: Create-user body',
    question: 'Which create-user fields are required?',
    why: 'The rest is reported as outstanding by the requirements read; `all` is all but address line 2.',
    strict: 'all',
  }),
  'users.create.status': choice(['200', '201'], {
    ref: 'Endpoints: Users, POST /users',
    question: 'Which status code does a creation have?',
    why: 'Every status that the contract shows for a success with a body is 200.',
  }),
  'users.create.response': choice(['user', 'id'], {
    ref: 'Endpoints: Users, POST /users',
    question: 'Which fields come with the new id?',
    why: '`{ id, accessibleBy, status }`, as for the other writes of a user.',
    strict: 'id',
  }),
  'users.create.event': choice(['none', 'sent'], {
    ref: 'Events: Event types',
    question: 'Does a creation send a `user.update`?',
    why: 'It is sent when a status changes, and a new user has no other status yet.',
  }),
  'users.create.duplicate': choice(['conflict', 'invalid'], {
    ref: 'Endpoints: Users, POST /users',
    question:
      'Which error is an e-mail address that is registered already, in upper or lower case?',
    why: '`conflict` is 409, `invalid` has the status of errors.validation; both name `email`.',
  }),
  'users.update.verified': choice(['accepted', 'refused'], {
    ref: 'Resources: Onboarding update body',
    question: 'May the name and the date of birth of a verified user be changed?',
    why: 'The body names them and no condition; `refused` has the status of errors.validation.',
  }),
  'users.visibility': choice(['platform', 'integrator'], {
    ref: 'Limits',
    question: 'Which users does an integrator find and log in?',
    why: 'Limits apply per user, not per integration, and `jwt` is always listed: all of them. With `integrator`, only those that it created, imported or logged in.',
  }),
  'users.minimumAge': count(18, {
    least: 0,
    most: 120,
    ref: 'Resources: Create-user body, dob',
    question: 'How old must a user be on the date of the world?',
    why: 'The age of majority in most provinces; in v1 too, and for who signs for a business (KYB).',
  }),
  'users.formats': choice(['checked', 'any'], {
    ref: 'Resources: Create-user body',
    question: 'Which formats must the texts of a profile have?',
    why: 'Canadian ones for province, postal code and phone, in v1 too; KYB, and `any`, accept every text.',
  }),
  'users.initialStatus': choice(['initial', 'active'], {
    ref: 'States: User statuses',
    question: 'Which status does a new user have?',
    why: 'Transitions are not shown; nothing moves by itself.',
  }),
  'users.record': choice(['id', 'full'], {
    ref: 'Resources: User',
    question: 'Which fields does the user search show?',
    why: 'The contract shows an array of `{ id }`; `full` adds accessibleBy, status and email.',
  }),
  'onboarding.auth': choice(['key-until-verified', 'token'], {
    ref: 'Endpoints: Users, PATCH and kyc-url',
    question: 'How does a user who cannot log in yet finish onboarding?',
    why: 'A token is required, yet only verified users can log in: until then the key alone is enough.',
    strict: 'token',
  }),
  'access.subject': choice(['query-or-body', 'refuse'], {
    ref: 'Authentication: 5',
    question: 'How does a caller without a token name the user?',
    why: 'With `userId` in the query (the body of a POST), where the path names no user or transaction.',
    strict: 'refuse',
  }),
  'requirements.auth': choice(['key', 'token'], {
    ref: 'Endpoints: Users, GET requirements',
    question: 'Which headers does the requirements read need?',
    why: 'It is for users who cannot log in yet; a token that is sent must be valid.',
    strict: 'token',
  }),
  'requirements.shape': choice(['object', 'array'], {
    ref: 'Endpoints: Users, GET requirements',
    question: 'Which shape does the requirements read have?',
    why: '`{ complete, outstanding: [{ field, message }] }`, like an error list; `array` is the list alone.',
  }),
  'requirements.olderAge': count(60, {
    least: 0,
    most: 130,
    ref: 'Resources: Onboarding update body, olderUserInfo',
    question: 'From which age is `olderUserInfo` outstanding?',
    why: 'Its name says older users; the age is not shown.',
  }),
}
