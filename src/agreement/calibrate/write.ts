import { formatDuration } from '../../world/duration.ts'
import { presetValue } from '../../world/settings/index.ts'
import { PROFILE } from '../profile.ts'
import type { Context } from './context.ts'
import { NotMeasured } from './not-measured.ts'
import { probesOf, type Step, step } from './probe.ts'
import type { Reading } from './provider.ts'
import { type READ_STEPS, tokenOf } from './read.ts'
import {
  assertOk,
  byStatus,
  errorOf,
  errorStatusOf,
  findLeast,
  INVALID,
  isAccepted,
  isOk,
  lifetimeOf,
  numberIn,
} from './reading.ts'

export const NEW_USER = { ...PROFILE, firstName: 'Calibration', lastName: 'Tester' }
const AGE_MAX = 120
const AGE_EXPECTED = 18
const OLDER_AGE_MAX = 129
const OLDER_AGE_EXPECTED = 60
/** Refused in any case: a share token has another form. */
const NO_SHARE_TOKEN = 'calibrate'

const newUser = (run: Step<Reading>['run']) => step('write', ['newUsers'], run)
const register = (tag: string, more: object) =>
  newUser(({ send, newEmail }) =>
    send('POST /v2/users', { body: { email: newEmail(tag), ...more } }),
  )
/** A call about the user that the run made, by the key alone. */
const ofCreated = (route: string, body?: object) =>
  newUser((context) =>
    context.send(route, { path: { userId: createdOf(context).id }, ...(body && { body }) }),
  )

export const WRITE_STEPS = {
  loginOfNobody: newUser(({ send, newEmail }) =>
    send('POST /v2/auth/login-codes', { body: { email: newEmail('nobody') } }),
  ),
  createMinimal: register('minimal', {}),
  create: newUser(async ({ send, newEmail, known }) => {
    const email = newEmail('full')
    const created = await send('POST /v2/users', { body: { email, ...NEW_USER } })
    if (typeof created.data?.id === 'string') known.created = { id: created.data.id, email }
    return created
  }),
  createAgain: register('full', NEW_USER),
  createForeign: register('foreign', { ...NEW_USER, province: 'Bavaria' }),
  createUnknownField: register('unknown-field', { ...NEW_USER, calibration: 'x' }),
  findCreated: newUser((context) =>
    context.send('GET /v2/users', { query: { email: createdOf(context).email } }),
  ),
  v1Created: newUser((context) =>
    context.send('GET /apiFindUser', { query: { email: createdOf(context).email } }),
  ),
  findBySecond: step('write', ['newUsers', 'secondKey'], (context) =>
    context.send('GET /v2/users', {
      key: 'second',
      query: { email: createdOf(context).email },
    }),
  ),
  requirementsOfCreated: ofCreated('GET /v2/users/:userId/requirements'),
  update: ofCreated('PATCH /v2/users/:userId', { city: 'Ottawa' }),
  kycLink: ofCreated('GET /v2/users/:userId/kyc-url'),
  importNothing: ofCreated('PUT /v2/users/:userId/kyc', {}),
  importCamel: ofCreated('PUT /v2/users/:userId/kyc', { shareToken: NO_SHARE_TOKEN }),
  importSnake: ofCreated('PUT /v2/users/:userId/kyc', { share_token: NO_SHARE_TOKEN }),
  loginUnverified: newUser((context) =>
    context.send('POST /v2/auth/login-codes', { body: { email: createdOf(context).email } }),
  ),
  minimumAge: step('write', ['newUsers'], ({ now, newEmail, send }) => {
    const bounds = { least: 0, most: AGE_MAX, expected: AGE_EXPECTED }
    return findLeast(bounds, async (age) => {
      const body = { email: newEmail(`age-${age}`), ...NEW_USER, dob: bornBefore(now(), age) }
      return isAccepted(await send('POST /v2/users', { body }))
    })
  }),
  olderAge: step('write', ['newUsers'], ({ now, newEmail, send }) => {
    const bounds = { least: 0, most: OLDER_AGE_MAX, expected: OLDER_AGE_EXPECTED }
    return findLeast(bounds, async (age) => {
      const body = { email: newEmail(`older-${age}`), ...NEW_USER, dob: bornBefore(now(), age) }
      const created = await send('POST /v2/users', { body })
      if (!isAccepted(created)) return false
      const path = { userId: created.data.id }
      const answer = await send('GET /v2/users/:userId/requirements', { path })
      return outstandingOf(answer).includes('olderUserInfo')
    })
  }),
  login: step('write', ['user', 'code'], async (context): Promise<LoginReadings> => {
    const { user = '', known, receiveCode, send } = context
    const route = 'POST /v2/auth/login-codes'
    const { sent, code } = await receiveCode(user, () => send(route, { body: { email: user } }))
    const body = { email: user, code }
    const verified = await send('POST /v2/auth/login-codes/verify', { body })
    const { accessToken } = verified.data ?? {}
    if (typeof accessToken === 'string') known.token = accessToken
    const again = await send('POST /v2/auth/login-codes/verify', { body })
    return { sent, verified, again }
  }),
  otherUser: step('write', ['newUsers', 'token'], (context) =>
    context.send('GET /v2/users/:userId/requirements', {
      path: { userId: createdOf(context).id },
      token: tokenOf(context),
    }),
  ),
  kycLinkOfVerified: step('write', ['user', 'token'], (context) => {
    const { userId } = context.known
    if (userId === undefined) throw new NotMeasured('the provider does not find the user')
    const path = { userId }
    return context.send('GET /v2/users/:userId/kyc-url', { path, token: tokenOf(context) })
  }),
}

interface LoginReadings {
  sent: Reading
  verified: Reading
  /** The code that was used already. */
  again: Reading
}

function createdOf({ known }: Pick<Context, 'known'>): { id: string; email: string } {
  if (known.created) return known.created
  throw new NotMeasured('no user could be created')
}

/** The names of what onboarding still lacks, in either shape. */
export function outstandingOf(reading: Reading): string[] {
  const { data } = assertOk(reading)
  const rows: unknown = Array.isArray(data) ? data : data?.outstanding
  if (!Array.isArray(rows)) throw new NotMeasured('the requirements have another shape')
  return rows.map((row) => String(row?.field))
}

/** A date of birth half a year past a birthday, so that no time zone makes a difference. */
function bornBefore(now: number, age: number): string {
  const born = new Date(now)
  born.setUTCFullYear(born.getUTCFullYear() - age)
  born.setUTCDate(born.getUTCDate() - 180)
  return born.toISOString().slice(0, 10)
}

const { probe, statusProbe, acceptanceProbe } = probesOf<typeof READ_STEPS & typeof WRITE_STEPS>()

const REQUIRED = String(presetValue('users.create.required', 'contract'))

export const WRITE_PROBES = [
  probe('status.unknown-user', ['loginOfNobody'], ({ loginOfNobody }) =>
    errorStatusOf(loginOfNobody),
  ),
  acceptanceProbe('users.create.required', 'createMinimal', ['email', REQUIRED]),
  statusProbe('status.createUser', 'create', { 200: '200', 201: '201' }),
  probe('fields.createUser', ['create'], ({ create }) =>
    'status' in assertOk(create).data ? 'full' : 'contract',
  ),
  probe('status.duplicate-user', ['create', 'createAgain'], ({ create, createAgain }) => {
    assertOk(create)
    return errorStatusOf(createAgain)
  }),
  probe('users.formats', ['create', 'createForeign'], ({ create, createForeign }) => {
    assertOk(create)
    return isAccepted(createForeign) ? 'none' : 'province,postalCode,phone'
  }),
  probe('status.unknown-field', ['create', 'createUnknownField'], (steps) => {
    assertOk(steps.create)
    return errorStatusOf(steps.createUnknownField)
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
    return assertOk(findBySecond).data.length > 0 ? 'platform' : 'integrator'
  }),
  probe('fields.findUsers', ['findCreated'], ({ findCreated }) =>
    'status' in assertOk(findCreated).data[0] ? 'full' : 'contract',
  ),
  statusProbe('auth.getRequirements', 'requirementsOfCreated', { 200: 'key', 401: 'token' }),
  probe('requirements.shape', ['requirementsOfCreated'], ({ requirementsOfCreated }) =>
    Array.isArray(assertOk(requirementsOfCreated).data) ? 'array' : 'object',
  ),
  probe('requirements.olderAge', ['olderAge'], ({ olderAge }) => numberIn(olderAge, 'age')),
  statusProbe('auth.createKycLink', 'kycLink', { 200: 'key-until-verified', 401: 'token' }),
  probe('kyc.linkTtl', ['kycLinkOfVerified'], (steps) => lifetimeOf(steps.kycLinkOfVerified)),
  probe('kyc.linkTtl', ['kycLink'], ({ kycLink }) => lifetimeOf(kycLink)),
  statusProbe('auth.importKyc', 'importNothing', { 400: 'key', 422: 'key', 401: 'token' }),
  probe('kyc.import.body', ['importNothing', 'importCamel', 'importSnake'], (imports) => {
    byStatus(imports.importNothing, INVALID)
    // A field that is read changes the error.
    const isRead = (reading: Reading) => errorOf(reading) !== errorOf(imports.importNothing)
    const [camel, snake] = [isRead(imports.importCamel), isRead(imports.importSnake)]
    if (!camel && !snake) throw new NotMeasured('the error does not show which field is read')
    if (camel && snake) return 'either'
    return camel ? 'shareToken' : 'share_token'
  }),
  statusProbe('login.eligible', 'loginUnverified', {
    200: 'registered',
    403: 'verified',
    400: 'verified',
    422: 'verified',
  }),
  probe('status.unverified-login', ['loginUnverified'], ({ loginUnverified }) => {
    if (isOk(loginUnverified)) throw new NotMeasured('users who are not verified may log in')
    return errorStatusOf(loginUnverified)
  }),
  probe('fields.sendLoginCode', ['login'], ({ login: { sent } }) =>
    'message' in assertOk(sent).data ? 'full' : 'contract',
  ),
  probe('login.token.ttl', ['login'], ({ login: { verified } }) =>
    formatDuration(numberIn(assertOk(verified).data?.expiresIn, 'expiresIn') * 1000),
  ),
  probe('status.wrong-code', ['login'], ({ login: { verified, again } }) => {
    assertOk(verified)
    return errorStatusOf(again)
  }),
  probe('status.other-user', ['otherUser'], ({ otherUser }) => errorStatusOf(otherUser)),
  probe('status.already-verified', ['kycLinkOfVerified'], (steps) =>
    errorStatusOf(steps.kycLinkOfVerified),
  ),
]

const hidden = (): never => {
  throw new NotMeasured('no answer shows the status of a new user')
}
