import { formatDuration } from '../../world/duration.ts'
import { PROFILE } from '../profile.ts'
import { bad, byToken, type READ_STEPS, type TOKEN_STEPS, tokenOf, userIdOf } from './read.ts'
import {
  assertOk,
  errorFields,
  errorOf,
  findMin,
  isAccepted,
  isOk,
  lifetimeOf,
  numberIn,
  shapeOf,
} from './reading.ts'
import type { Reading } from './step.ts'
import { type Context, NotMeasured, probesOf, refused, type Step, step } from './step.ts'

export const NEW_USER = { ...PROFILE, firstName: 'Calibration', lastName: 'Tester' }
const CREATE = 'POST /v2/users'
const SEND = 'POST /v2/auth/login-codes'
const VERIFY = 'POST /v2/auth/login-codes/verify'
const KYC_LINK = 'GET /v2/users/:userId/kyc-url'
const UPDATE = 'PATCH /v2/users/:userId'
const IMPORT = 'PUT /v2/users/:userId/kyc'
/** Refused in any case: a share token has another form. */
const NO_SHARE_TOKEN = 'calibrate'

const newUser = (run: Step<Reading>['run']) => step('write', ['newUsers'], run)
const create = (tag: string, more: object, isRefusal = false) =>
  newUser(({ send, newEmail }) =>
    send(CREATE, { body: { email: newEmail(tag), ...NEW_USER, ...more }, isRefusal }),
  )
/** A call about the user that the run made, by the key alone. */
const ofCreated = (route: string, body?: object) =>
  newUser((context) => {
    const path = { userId: createdOf(context).id }
    return context.send(route, { path, ...(body && { body }), isRefusal: true })
  })
/** A call about the verified user, by the key alone; none of these changes anything. */
const ofVerified = (route: string, body?: object) =>
  step('write', ['user'], (context) => {
    const path = { userId: userIdOf(context) }
    return context.send(route, { path, ...(body && { body }), isRefusal: true })
  })

interface Required {
  fields: string[]
  created: Reading
}

/** Adds to a creation what its errors name, until it is accepted. */
const required = step(
  'write',
  ['newUsers'],
  async ({ send, newEmail, known }): Promise<Required> => {
    const whole: Record<string, unknown> = {
      email: newEmail('minimal'),
      ...NEW_USER,
      addressLine2: '2',
    }
    const body: Record<string, unknown> = {}
    for (;;) {
      const created = await send(CREATE, { body, isRefusal: Object.keys(body).length === 0 })
      if (isOk(created)) {
        known.required = Object.keys(body)
        return { fields: Object.keys(body), created }
      }
      const named = errorFields(created).map((field) => field.replace(/^.*\./, ''))
      const missing = named.filter((name) => name in whole && !(name in body))
      if (missing.length === 0) throw new NotMeasured('the errors do not name what is missing')
      for (const name of missing) body[name] = whole[name]
    }
  },
)

const FORMATS = { phone: '12', province: 'Bavaria', postalCode: '12345' }

/** Each format that may be checked, with one value of another. */
const formats = step('write', ['newUsers'], async ({ send, newEmail }) => {
  const tried: Record<string, Reading> = {}
  for (const [name, value] of Object.entries(FORMATS)) {
    const body = { email: newEmail(name), ...NEW_USER, [name]: value }
    tried[name] = await send(CREATE, { body })
  }
  return tried
})

interface LoginReadings {
  sent: Reading
  verified: Reading
}

/** By how it reacts to one field, whether a provider reads a share token from it. */
interface Imports {
  nothing: Reading
  unknown: Reading
  camel: Reading
  snake: Reading
}

export const WRITE_STEPS = {
  required,
  create: newUser(async ({ send, newEmail, known }) => {
    const email = newEmail('full')
    const created = await send(CREATE, { body: { email, ...NEW_USER } })
    if (typeof created.data?.id === 'string') known.created = { id: created.data.id, email }
    return created
  }),
  createAgain: refused('duplicate-user', 'create', create('full', {}, true)),
  createInvalid: refused('invalid-body', 'create', create('invalid', { dob: 'yesterday' }, true)),
  createUnknownField: refused(
    'unknown-field',
    'create',
    create('unknown-field', { calibration: 'x' }),
  ),
  createNull: create('null', { addressLine2: null }),
  formats,
  jsonMalformed: refused('malformed-json', 'quote', bad('write', SEND, { text: '{"email":' })),
  typeUnsupported: refused(
    'unsupported-media-type',
    'create',
    newUser(({ send, newEmail }) => {
      const text = JSON.stringify({ email: newEmail('media-type'), ...NEW_USER })
      return send(CREATE, { text, type: 'text/plain', isRefusal: true })
    }),
  ),
  findCreated: newUser((context) =>
    context.send('GET /v2/users', { query: { email: createdOf(context).email } }),
  ),
  v1Created: newUser((context) =>
    context.send('GET /apiFindUser', { query: { email: createdOf(context).email } }),
  ),
  findBySecond: step('write', ['newUsers', 'secondKey'], (context) =>
    context.send('GET /v2/users', { key: 'second', query: { email: createdOf(context).email } }),
  ),
  requirementsOfCreated: ofCreated('GET /v2/users/:userId/requirements'),
  update: ofCreated(UPDATE, { city: 'Ottawa' }),
  updateOfVerified: ofVerified(UPDATE, {}),
  kycLink: ofCreated(KYC_LINK),
  kycLinkByKey: ofVerified(KYC_LINK),
  // Before an import, which a provider may accept.
  loginUnverified: step('write', ['newUsers'], async (context) => {
    const { email } = createdOf(context)
    const ask = () => context.send(SEND, { body: { email }, isRefusal: true })
    return await context.watchCode(email, ask)
  }),
  imports: step('write', ['newUsers'], async (context): Promise<Imports> => {
    const path = { userId: createdOf(context).id }
    const send = (body: object) => context.send(IMPORT, { path, body, isRefusal: true })
    return {
      nothing: await send({}),
      unknown: await send({ calibration: NO_SHARE_TOKEN }),
      camel: await send({ shareToken: NO_SHARE_TOKEN }),
      snake: await send({ share_token: NO_SHARE_TOKEN }),
    }
  }),
  importOfVerified: ofVerified(IMPORT, {}),
  loginOfNobody: refused(
    'unknown-user',
    'create',
    newUser(({ send, newEmail }) =>
      send(SEND, { body: { email: newEmail('nobody') }, isRefusal: true }),
    ),
  ),
  minimumAge: step('write', ['newUsers'], ({ now, newEmail, send }) =>
    findMin({ min: 0, max: 120, expected: 18 }, async (age, tag) => {
      const body = { email: newEmail(`age-${tag}`), ...NEW_USER, dob: bornBefore(now(), age) }
      return isAccepted(await send(CREATE, { body }))
    }),
  ),
  olderAge: step('write', ['newUsers'], (context) =>
    findMin({ min: 0, max: 129, expected: 60 }, async (age, tag) => {
      const { now, newEmail, send } = context
      const body = { email: newEmail(`older-${tag}`), ...NEW_USER, dob: bornBefore(now(), age) }
      const created = await send(CREATE, { body })
      if (!isAccepted(created)) return false
      const path = { userId: created.data.id }
      const reading = await send('GET /v2/users/:userId/requirements', { path })
      return outstandingOf(reading).includes('olderUserInfo')
    }),
  ),
  login: step('write', ['user', 'code'], async (context): Promise<LoginReadings> => {
    const { user = '', known, receiveCode, send } = context
    const { sent, code } = await receiveCode(user, () => send(SEND, { body: { email: user } }))
    known.code = code
    const verified = await send(VERIFY, { body: { email: user, code } })
    const { accessToken } = verified.data ?? {}
    if (typeof accessToken === 'string') known.token = accessToken
    return { sent, verified }
  }),
  codeSpent: refused(
    'wrong-code',
    'login',
    step('write', ['user', 'code'], ({ user = '', known, send }) => {
      if (known.code === undefined) throw new NotMeasured('there is no code that was used')
      return send(VERIFY, { body: { email: user, code: known.code } })
    }),
  ),
  kycLinkOfVerified: refused(
    'already-verified',
    'login',
    step('write', ['user', 'token'], (context) => {
      const path = { userId: userIdOf(context) }
      return context.send(KYC_LINK, { path, token: tokenOf(context), isRefusal: true })
    }),
  ),
  updateByToken: byToken(UPDATE, {}),
  kycLinkByToken: byToken(KYC_LINK),
  importByToken: byToken(IMPORT, {}),
  otherUser: refused(
    'other-user',
    'create',
    step('write', ['newUsers', 'token'], (context) => {
      const path = { userId: createdOf(context).id }
      return context.send(KYC_LINK, { path, token: tokenOf(context), isRefusal: true })
    }),
  ),
}

function createdOf({ known }: Pick<Context, 'known'>): { id: string; email: string } {
  if (known.created) return known.created
  throw new NotMeasured('no user could be created')
}

/** The names of what onboarding still lacks, in whatever list of objects the response has. */
export function outstandingOf(reading: Reading): string[] {
  const { data } = assertOk(reading)
  const list = Array.isArray(data) ? data : Object.values(data ?? {}).find(Array.isArray)
  if (!Array.isArray(list)) throw new NotMeasured('the requirements have no list')
  return list.flatMap((row) => Object.values(row ?? {}).map(String))
}

/** A date of birth half a year past a birthday, so that no time zone makes a difference. */
function bornBefore(now: number, age: number): string {
  const born = new Date(now)
  born.setUTCFullYear(born.getUTCFullYear() - age)
  born.setUTCDate(born.getUTCDate() - 180)
  return born.toISOString().slice(0, 10)
}

const probe = probesOf<typeof READ_STEPS & typeof TOKEN_STEPS & typeof WRITE_STEPS>()

interface Credentials {
  /** By the key alone, before the verification. */
  before: Reading
  /** By the key alone, after it. */
  after: Reading
  /** By a token alone. */
  byToken: Reading
  /** What a call gets without a key, and without a token that it needs. */
  refusals: readonly Reading[]
}

/** What an operation on a user asks for. */
function credentialsOf({ before, after, byToken, refusals }: Credentials): string {
  const isLetIn = (reading: Reading): boolean => {
    if (isOk(reading)) return true
    const isRefused = refusals.some(
      (refusal) => refusal.status === reading.status && isNamedAlike(refusal, reading),
    )
    if (isRefused || reading.status === 401) return false
    if (reading.status !== 403) return true
    throw new NotMeasured('a 403 does not say whether credentials are missing')
  }
  if (!isLetIn(before)) return 'token'
  if (!isLetIn(after)) return 'key-until-verified'
  return isLetIn(byToken) ? 'key-or-token' : 'key'
}

const isNamedAlike = (one: Reading, other: Reading) =>
  errorFields(one).join() === errorFields(other).join()

/** Calls of an operation on a user with every kind of credentials. */
const credentials = <
  Before extends 'requirementsOfCreated' | 'update' | 'kycLink' | 'imports',
  After extends 'requirements' | 'updateOfVerified' | 'kycLinkByKey' | 'importOfVerified',
  ByToken extends 'requirementsByToken' | 'updateByToken' | 'kycLinkByToken' | 'importByToken',
>(
  id: string,
  [before, after, byToken]: [Before, After, ByToken],
) =>
  probe(`auth.${id}`, [before, after, byToken, 'keyMissing', 'tokenMissing'], (steps) => {
    const first = steps[before] as Reading | Imports
    return credentialsOf({
      before: 'nothing' in first ? first.nothing : first,
      after: steps[after] as Reading,
      byToken: steps[byToken] as Reading,
      refusals: [steps.keyMissing, steps.tokenMissing],
    })
  })

export const WRITE_PROBES = [
  probe('users.create.required', ['required'], ({ required }) => required.fields.join(',')),
  probe('fields.createUser', ['create'], ({ create }) =>
    shapeOf(assertOk(create).data, { full: ['id', 'accessibleBy', 'status'], contract: ['id'] }),
  ),
  probe('users.formats', ['create', 'formats'], ({ create, formats }) => {
    assertOk(create)
    const checked = Object.keys(FORMATS).filter((name) => !isAccepted(formats[name] as Reading))
    return checked.join(',') || 'none'
  }),
  probe('requests.null', ['create', 'createNull'], ({ create, createNull }) => {
    assertOk(create)
    return isAccepted(createNull) ? 'absent' : 'refused'
  }),
  probe('users.minimumAge', ['minimumAge'], ({ minimumAge }) => numberIn(minimumAge, 'age')),
  probe('users.initialStatus', ['v1Created'], ({ v1Created }) => {
    const { userStatus } = assertOk(v1Created).data
    return typeof userStatus === 'string' ? userStatus : hidden()
  }),
  probe('users.initialStatus', ['create', 'findCreated', 'update'], (steps) => {
    const { create, findCreated, update } = steps
    const shown = [create.data, findCreated.data?.[0], update.data].map((user) => user?.status)
    return shown.find((status) => typeof status === 'string') ?? hidden()
  }),
  probe('users.visibility', ['findCreated', 'findBySecond'], ({ findCreated, findBySecond }) => {
    if (assertOk(findCreated).data.length === 0) throw new NotMeasured('the user is not found')
    return isOk(findBySecond) && findBySecond.data.length > 0 ? 'platform' : 'integrator'
  }),
  probe('fields.findUsers', ['findCreated'], ({ findCreated }) =>
    shapeOf(assertOk(findCreated).data[0], {
      full: ['id', 'accessibleBy', 'status', 'email'],
      contract: ['id'],
    }),
  ),
  credentials('getRequirements', ['requirementsOfCreated', 'requirements', 'requirementsByToken']),
  credentials('updateUser', ['update', 'updateOfVerified', 'updateByToken']),
  credentials('createKycLink', ['kycLink', 'kycLinkByKey', 'kycLinkByToken']),
  credentials('importKyc', ['imports', 'importOfVerified', 'importByToken']),
  probe('requirements.shape', ['requirementsOfCreated'], ({ requirementsOfCreated }) => {
    const { data } = assertOk(requirementsOfCreated)
    return Array.isArray(data) ? 'array' : shapeOf(data, { object: ['complete', 'outstanding'] })
  }),
  probe('requirements.olderAge', ['olderAge'], ({ olderAge }) => numberIn(olderAge, 'age')),
  probe('kyc.linkTtl', ['kycLinkOfVerified'], (steps) => lifetimeOf(steps.kycLinkOfVerified)),
  probe('kyc.linkTtl', ['kycLink'], ({ kycLink }) => lifetimeOf(kycLink)),
  probe('kyc.import.body', ['imports'], ({ imports }) => {
    // A field that is read changes the error in another way than one that nobody knows.
    const isRead = (reading: Reading, name: string) => {
      if (isOk(reading)) return true
      const said = errorOf(reading, name)
      const isUnread = said === errorOf(imports.unknown, 'calibration')
      return !isUnread && errorOf(reading) !== errorOf(imports.nothing)
    }
    const camel = isRead(imports.camel, 'shareToken')
    const snake = isRead(imports.snake, 'share_token')
    if (!camel && !snake) throw new NotMeasured('the error does not show which field is read')
    if (camel && snake) return 'either'
    return camel ? 'shareToken' : 'share_token'
  }),
  probe('status.invalid-share-token', ['imports'], ({ imports }) => {
    const { nothing, camel, snake } = imports
    const other = [camel, snake].find((reading) => errorOf(reading) !== errorOf(nothing))
    if (other && !isOk(other) && !isOk(nothing)) return other.status
    throw new NotMeasured('a share token that is none is not told from a missing one')
  }),
  probe('login.eligible', ['loginUnverified'], ({ loginUnverified: { sent, hasArrived } }) => {
    if (!isOk(sent)) return 'verified'
    if (hasArrived === undefined)
      throw new NotMeasured('a success does not say that a code was sent')
    return hasArrived ? 'registered' : 'verified'
  }),
  probe('status.unverified-login', ['loginUnverified'], ({ loginUnverified }) => {
    const { sent, hasArrived } = loginUnverified
    if (!isOk(sent)) return sent.status
    if (hasArrived === false) return 200
    throw new NotMeasured('a success does not say that a code was not sent')
  }),
  probe('fields.sendLoginCode', ['login'], ({ login: { sent } }) =>
    shapeOf(assertOk(sent).data, { full: ['message'], contract: [] }),
  ),
  probe('login.token.ttl', ['login'], ({ login: { verified } }) =>
    formatDuration(numberIn(assertOk(verified).data?.expiresIn, 'expiresIn') * 1000),
  ),
]

const hidden = (): never => {
  throw new NotMeasured('no response shows the status of a new user')
}
