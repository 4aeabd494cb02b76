import type { Json } from '../client/http.ts'
import { formatDuration } from '../world/duration.ts'
import { idOf } from './hooks.ts'
import { asInV2, REQUIREMENTS, USER_FIELDS } from './read.ts'
import {
  assertOk,
  errorOf,
  fieldsOf,
  isOk,
  lifetimeOf,
  NotMeasured,
  notMeasured,
  notShown,
  numberIn,
  type Reading,
  requirementsShape,
  Shown,
} from './reading.ts'
import type { Run } from './run.ts'
import {
  assertLetIn,
  type CallRow,
  call,
  createdOf,
  type SeenStep,
  type Step,
  statusOf,
  step,
  type Tells,
  tokenOf,
  userOf,
  whereOf,
} from './step.ts'
import {
  awaitCreation,
  createUnusual,
  createWith,
  findFormats,
  findMinimumAge,
  findRequired,
  NEW_USER,
  newUser,
  nullIn,
  sendNulls,
  UNKNOWN_FIELD,
  USERS,
} from './users.ts'

const SEND = 'POST /v2/auth/login-codes'
const VERIFY = 'POST /v2/auth/login-codes/verify'
const KYC_LINK = 'GET /v2/users/:userId/kyc-url'
const IMPORT = 'PUT /v2/users/:userId/kyc'
/** Contains `invalid`, in case a provider accepts any other text as a share token. */
const NO_SHARE_TOKEN = 'invalid-calibrate'

const emailOfCreated = (run: Run) => ({ query: { email: createdOf(run).email } })
const usedCode: CallRow = {
  meets: 'wrong-code',
  unlike: 'login',
  make: ({ options, known }) => ({
    body: {
      email: options.user,
      code: known.code ?? notMeasured('no code was used'),
    },
  }),
}

/** Operation on a user, with a body for each of two users, and the settings it shows. */
interface Guarded {
  id: string
  route: string
  created?: object
  user?: object
  tells?: Tells<Reading>
}

const GUARDED: readonly Guarded[] = [
  {
    id: 'getRequirements',
    route: REQUIREMENTS,
    tells: { 'requirements.shape': requirementsShape },
  },
  { id: 'updateUser', route: 'PATCH /v2/users/:userId', created: { city: 'Ottawa' }, user: {} },
  { id: 'createKycLink', route: KYC_LINK, tells: { 'kyc.linkTtl': linkTtl } },
  { id: 'importKyc', route: IMPORT, created: {}, user: {} },
]

/** Makes a step per operation, about the user that the run created or about the verified one. */
const guarded = (name: string, of: 'created' | 'user', more: (one: Guarded) => CallRow) =>
  Object.fromEntries(
    GUARDED.map((one) => {
      const { id, route, [of]: body } = one
      const sent = { of, isRepeatable: true, ...(body && { body }) }
      return [`${id}${name}`, call(route, { ...sent, ...more(one) })]
    }),
  )

export const WRITE_STEPS: Readonly<Record<string, Step>> = {
  required: step(findRequired, { 'users.create.required': (fields) => fields.join(',') }),
  create: step(createUnusual, {
    'fields.createUser': fieldsOf(USER_FIELDS.slice(0, 3), ['id']),
    'users.initialStatus': (created) => statusIn(assertOk(created).data),
  }),
  createEvent: step(awaitCreation, {
    'users.create.event': (event, seen) =>
      event === undefined ? new Shown('none', seen('create')) : 'sent',
    'names.envelopeId': (event) => idOf(event ?? notShown()),
  }),
  createAgain: call(USERS, {
    meets: 'duplicate-user',
    unlike: 'create',
    make: (run) => ({ body: { ...NEW_USER, email: createdOf(run).email } }),
  }),
  createInvalid: call(USERS, {
    meets: 'invalid-body',
    unlike: 'create',
    make: (run) => ({ body: { ...newUser(run, 'invalid'), dob: 'yesterday' } }),
  }),
  createUnknownField: step(
    (run) => createWith(run, UNKNOWN_FIELD),
    statusOf('unknown-field', 'create'),
  ),
  nulls: step(sendNulls, { 'requests.null': nullIn }),
  formats: step(findFormats, { 'users.formats': (checked) => checked }),
  sendNothing: call(SEND, { meets: 'invalid-body', needsSuccess: true, body: {} }),
  v1SendNothing: call('POST /loginCodeSend', { ...asInV2('emailMissing'), isRepeatable: true }),
  v1VerifyNothing: call('POST /loginCodeVerify', { ...asInV2('emailMissing'), isRepeatable: true }),
  findCreated: call('GET /v2/users', {
    make: emailOfCreated,
    tells: {
      'fields.findUsers': fieldsOf(USER_FIELDS, ['id'], { of: ([first]) => first }),
      'users.initialStatus': (found) => statusIn(assertOk(found).data[0]),
    },
  }),
  v1Created: call('GET /apiFindUser', {
    make: emailOfCreated,
    tells: { 'users.initialStatus': (found) => statusIn(assertOk(found).data, 'userStatus') },
  }),
  findBySecond: call('GET /v2/users', {
    key: 'second',
    make: emailOfCreated,
    tells: {
      'users.visibility': (found, seen) => {
        const isFound = assertOk(seen('findCreated')).data.length > 0
        if (!isFound) return notMeasured('the user is not found')
        return isOk(found) && found.data.length > 0 ? 'platform' : 'integrator'
      },
    },
  }),
  ...guarded('ByKey', 'created', ({ tells = {} }) => ({ tells })),
  ...guarded('OfVerified', 'user', () => ({})),
  // Comes before the imports, which could verify the user.
  loginUnverified: step((run) => run.askCode(createdOf(run).email, { isTrial: true }), {
    'login.eligible': ({ sent, code }, _, run) => {
      run.assertSucceeded(SEND)
      if (!isOk(sent)) return 'verified'
      if (code === null) return notMeasured('a success does not say that a code was sent')
      return code === undefined ? 'verified' : 'registered'
    },
    'status.unverified-login': ({ sent, code }, _, run) => {
      run.assertSucceeded(SEND)
      if (!isOk(sent)) return sent.status
      if (code === undefined) return 200
      return notMeasured('a success does not say that a code was not sent')
    },
  }),
  imports: step(sendImports, {
    'kyc.import.body': ({ unknown, camel, snake }, seen) => {
      // A field that is read changes the error differently from an unknown field.
      const isRead = (reading: Reading, name: string) => {
        if (isOk(reading)) return true
        const isUnread = errorOf(reading, name) === errorOf(unknown, 'calibration')
        return !isUnread && errorOf(reading) !== errorOf(seen('importKycByKey'))
      }
      const [isCamel, isSnake] = [isRead(camel, 'shareToken'), isRead(snake, 'share_token')]
      if (isCamel) return new Shown(isSnake ? 'either' : 'shareToken', camel)
      if (isSnake) return new Shown('share_token', snake)
      return notMeasured('the error does not show which field is read')
    },
    'status.invalid-share-token': ({ camel, snake }, seen) => {
      const nothing = seen('importKycByKey')
      const other = [camel, snake].find((reading) => errorOf(reading) !== errorOf(nothing))
      if (other && !isOk(other) && !isOk(nothing)) return new Shown(other.status, other)
      return notMeasured('an invalid share token gets the same error as a missing one')
    },
  }),
  loginOfNobody: call(SEND, {
    meets: 'unknown-user',
    unlike: 'create',
    needsSuccess: true,
    make: (run) => ({ body: { email: run.newEmail('nobody') } }),
  }),
  minimumAge: step(findMinimumAge, { 'users.minimumAge': (age) => age }),
  login: step(
    async (run) => {
      const { known } = run
      const email = userOf(run)
      known.code = await receiveCode(email, run)
      const verified = await run.send(VERIFY, {
        body: { email, code: known.code },
        isRepeatable: true,
      })
      const { accessToken } = verified.data ?? {}
      if (typeof accessToken === 'string') known.token = accessToken
      return verified
    },
    {
      'login.token.ttl': (verified) =>
        formatDuration(numberIn(assertOk(verified).data?.expiresIn, 'expiresIn') * 1000),
    },
  ),
  codeSpent: call(VERIFY, usedCode),
  sendCode: call(SEND, {
    make(run) {
      tokenOf(run)
      return { body: { email: userOf(run) } }
    },
    tells: { 'fields.sendLoginCode': fieldsOf(['message'], []) },
  }),
  // Sends the used code while a new one is valid.
  codeWrong: call(VERIFY, usedCode),
  kycLinkOfVerified: call(KYC_LINK, {
    of: 'user',
    byUser: true,
    meets: 'already-verified',
    unlike: 'login',
    tells: { 'kyc.linkTtl': linkTtl },
  }),
  ...guarded('ByToken', 'user', ({ id }) => ({
    byUser: true,
    key: 'none',
    tells: { [`auth.${id}`]: (byToken, seen) => credentialsOf(id, byToken, seen) },
  })),
  otherUser: call(KYC_LINK, {
    of: 'created',
    byUser: true,
    tells: {
      'status.other-user': (link, seen) => {
        assertOk(seen('create'))
        // An operation that needs no token does not check whose token it gets.
        if (isOk(link)) return notMeasured('a KYC link needs no token')
        assertLetIn(link.status)
        return link.status
      },
    },
  }),
}

/** Sends imports whose errors show which field the share token is read from. */
async function sendImports(run: Run) {
  const path = { userId: createdOf(run).id }
  const send = (body: object) => run.send(IMPORT, { path, body, isRepeatable: true, isTrial: true })
  return {
    unknown: await send({ calibration: NO_SHARE_TOKEN }),
    camel: await send({ shareToken: NO_SHARE_TOKEN }),
    snake: await send({ share_token: NO_SHARE_TOKEN }),
  }
}

/** Requests a login code; throws unless one arrives. */
async function receiveCode(email: string, run: Run): Promise<string> {
  const { sent, code } = await run.askCode(email)
  if (!isOk(sent)) return notMeasured(`no login code was sent: ${sent.status}`)
  if (typeof code === 'string') return code
  throw new NotMeasured('no login code came from --code-from', { isFailure: true })
}

function linkTtl(link: Reading): string {
  if (isOk(link)) return lifetimeOf(link)
  return notMeasured(`no user of the run gets a link (${link.status})`)
}

const statusIn = (user: Json, field = 'status'): string =>
  typeof user?.[field] === 'string' ? user[field] : notShown()

/** Finds the credentials of an operation: a token, or a key before or after verification. */
function credentialsOf(id: string, byToken: Reading, seen: SeenStep): string {
  const refusals = [seen('keyMissing'), seen('tokenMissing')].map(whereOf)
  if (refusals.includes(whereOf(seen('queryInvalid')))) {
    notMeasured('errors do not say if credentials are missing')
  }
  const isLetIn = (reading: Reading): boolean => {
    if (isOk(reading)) return true
    if (refusals.includes(whereOf(reading)) || reading.status === 401) return false
    if (reading.status < 400) return notMeasured(`it got ${reading.status}`)
    if (reading.status !== 403) return true
    return notMeasured('a 403 does not say whether credentials are missing')
  }
  if (!isLetIn(seen(`${id}ByKey`))) return 'token'
  if (!isLetIn(seen(`${id}OfVerified`))) return 'key-until-verified'
  return isLetIn(byToken) ? 'key-or-token' : 'key'
}
