import { choice, count, list } from './setting.ts'

const CREATE_FIELDS = [
  'email',
  'firstName',
  'lastName',
  'dob',
  'phone',
  'addressLine1',
  'addressLine2',
  'city',
  'province',
  'postalCode',
  'occupation',
  'pep',
  'tpd',
]

export const USERS = {
  'users.create.required': list(CREATE_FIELDS, ['email'], {
    on: ['createUser'],
    notV1: true,
    ref: 'Resources: Create-user body',
    question: 'Which create-user fields are required?',
    why: 'Not shown. What is left out is reported as outstanding by the requirements read; `email` is always required.',
    strict: CREATE_FIELDS.filter((name) => name !== 'addressLine2').join(','),
  }),
  'users.formats': list(['province', 'postalCode', 'phone'], ['province', 'postalCode', 'phone'], {
    on: ['createUser', 'updateUser'],
    ref: 'Resources: Create-user body',
    question: 'Which fields of a profile must have a Canadian format?',
    why: 'Not shown; those that have one. KYB accepts every text.',
  }),
  'users.create.event': choice(['none', 'sent'], {
    on: ['createUser'],
    ref: 'Events: Event types',
    question: 'Does a creation send a `user.update`?',
    why: 'It is sent when a status changes, and a new user has no other status yet.',
  }),
  'users.visibility': choice(['platform', 'integrator'], {
    on: ['sendLoginCode', 'verifyLoginCode', 'findUsers', 'token'],
    ref: 'Limits',
    question: 'Which users does an integrator find and log in?',
    why: 'Limits apply per user, not per integration, and `jwt` is always listed: all of them. With `integrator`, only those that it created, imported or logged in.',
    strict: 'integrator',
  }),
  'users.minimumAge': count(18, {
    least: 0,
    most: 120,
    on: ['createUser', 'updateUser', 'submitKyb'],
    ref: 'Resources: Create-user body, dob',
    question: 'How old must a user be on the date of the world?',
    why: 'The age of majority in most provinces; in v1 too, and for who signs for a business (KYB).',
  }),
  'users.initialStatus': choice(['initial', 'active'], {
    on: ['createUser'],
    ref: 'States: User statuses',
    question: 'Which status does a new user have?',
    why: 'Transitions are not shown; nothing moves by itself.',
  }),
  'access.subject': choice(['query-or-body', 'refuse'], {
    on: ['token'],
    ref: 'Authentication: 5',
    question: 'How does a caller without a token name the user?',
    why: 'With `userId` in the query (the body of a POST), where the path names no user or transaction.',
    strict: 'refuse',
  }),
  'requirements.shape': choice(['object', 'array'], {
    on: ['getRequirements'],
    ref: 'Endpoints: Users, GET requirements',
    question: 'Which shape does the requirements read have?',
    why: '`{ complete, outstanding: [{ field, message }] }`, like an error list; `array` is the list alone.',
  }),
  'requirements.olderAge': count(60, {
    least: 0,
    most: 130,
    on: ['getRequirements'],
    ref: 'Resources: Onboarding update body, olderUserInfo',
    question: 'From which age is `olderUserInfo` outstanding?',
    why: 'Its name says older users; the age is not shown.',
  }),
}
