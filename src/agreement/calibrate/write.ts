import { formatDuration } from '../../world/duration.ts'
import { NotMeasured } from './not-measured.ts'
import { probesOf } from './probe.ts'
import type { Reading } from './provider.ts'
import type { READ_STEPS } from './read-steps.ts'
import {
  assertOk,
  byStatus,
  errorOf,
  INVALID,
  isAccepted,
  lifetimeOf,
  numberIn,
} from './reading.ts'
import type { WRITE_STEPS } from './write-steps.ts'

const { probe, statusProbe, acceptanceProbe } = probesOf<typeof READ_STEPS & typeof WRITE_STEPS>()

export const WRITE_PROBES = [
  statusProbe('login.unknown', 'loginOfNobody', { 404: 'not-found', 200: 'hidden' }),
  acceptanceProbe('users.create.required', 'createMinimal', ['email', 'all']),
  statusProbe('users.create.status', 'create', { 200: '200', 201: '201' }),
  probe('users.create.response', ['create'], ({ create }) =>
    'status' in assertOk(create).data ? 'user' : 'id',
  ),
  probe('users.create.duplicate', ['create', 'createAgain'], ({ create, createAgain }) => {
    assertOk(create)
    return byStatus(createAgain, { 409: 'conflict', ...INVALID })
  }),
  probe('users.formats', ['create', 'createForeign'], ({ create, createForeign }) => {
    assertOk(create)
    return isAccepted(createForeign) ? 'any' : 'checked'
  }),
  probe('requests.unknownFields', ['create', 'createUnknownField'], (steps) => {
    assertOk(steps.create)
    return isAccepted(steps.createUnknownField) ? 'ignore' : 'refuse'
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
  probe('users.record', ['findCreated'], ({ findCreated }) =>
    'status' in assertOk(findCreated).data[0] ? 'full' : 'id',
  ),
  statusProbe('requirements.auth', 'requirementsOfCreated', { 200: 'key', 401: 'token' }),
  probe('requirements.shape', ['requirementsOfCreated'], ({ requirementsOfCreated }) =>
    Array.isArray(assertOk(requirementsOfCreated).data) ? 'array' : 'object',
  ),
  probe('requirements.olderAge', ['olderAge'], ({ olderAge }) => numberIn(olderAge, 'age')),
  statusProbe('onboarding.auth', 'kycLink', { 200: 'key-until-verified', 401: 'token' }),
  probe('kyc.linkTtl', ['kycLinkOfVerified'], (steps) => lifetimeOf(steps.kycLinkOfVerified)),
  probe('kyc.linkTtl', ['kycLink'], ({ kycLink }) => lifetimeOf(kycLink)),
  statusProbe('kyc.import.auth', 'importNothing', { 400: 'key', 422: 'key', 401: 'token' }),
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
  statusProbe('errors.notVerified', 'loginUnverified', { 403: 'forbidden', ...INVALID }),
  probe('login.code.response', ['login'], ({ login: { sent } }) =>
    'message' in assertOk(sent).data ? 'message' : 'empty',
  ),
  probe('login.token.ttl', ['login'], ({ login: { verified } }) =>
    formatDuration(numberIn(assertOk(verified).data?.expiresIn, 'expiresIn') * 1000),
  ),
  probe('errors.loginCode', ['login'], ({ login: { verified, again } }) => {
    assertOk(verified)
    return byStatus(again, { 401: 'unauthenticated', ...INVALID })
  }),
  statusProbe('errors.otherUser', 'otherUser', { 403: 'forbidden', 404: 'not-found' }),
  statusProbe('kyc.link.verified', 'kycLinkOfVerified', { 200: 'given', 409: 'refused' }),
]

const hidden = (): never => {
  throw new NotMeasured('no answer shows the status of a new user')
}
