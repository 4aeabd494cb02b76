import { makeShareToken, SHARE_TOKEN_KINDS } from '../../src/world/share-token.ts'
import { type Step, toStep } from './scene.ts'
import {
  type Caller,
  EMAILS,
  keyOf,
  type Make,
  NOWHERE,
  someCaller,
  someUser,
  type View,
} from './view.ts'

/** A world whose tokens anyone can make. */
const OPEN = { secret: '', secretRandom: () => () => 0 }

const NAMES = ['Ann', 'Zoë', '漢', '🙂'] as const

const GOOD: readonly [object, ...object[]] = [
  {},
  { firstName: 'Ann', lastName: 'Lee', dob: '1990-05-17', pep: false, tpd: true },
  { city: 'Montréal', province: 'qc', postalCode: 'H2X 1Y4', addressLine1: '1 Rue' },
  { dob: '1950-01-01', occupation: 'retired' },
]

const BAD: readonly [object, ...object[]] = [
  { dob: '2023-02-30' },
  { dob: '2020-01-01' },
  { province: 'ZZ' },
  { postalCode: 'D1D 1D1' },
  { firstName: 7 },
  { pep: 'true' },
  { lastName: '' },
]

function profile({ dice }: View): { fields: object; broken: string | undefined } {
  if (dice.chance(0.75)) return { fields: dice.pick(GOOD), broken: undefined }
  const fields = dice.pick(BAD)
  return { fields, broken: JSON.stringify(fields) }
}

export const createUser: Make = (view) => {
  const { dice, state } = view
  const { fields, broken } = profile(view)
  const integrator = dice.find(state.integrators)
  if (!integrator) return undefined
  const email = dice.chance(0.1) ? 'nobody' : dice.pick(EMAILS)
  const spelt = dice.chance(0.2) ? email.toUpperCase() : email
  return toStep('createUser', 'POST /v2/users', {
    key: keyOf(view, integrator),
    body: dice.chance(0.03) ? '{"email":' : { email: spelt, ...fields },
    broken: email === 'nobody' ? 'email' : broken,
    ref: spelt,
  })
}

export const updateUser: Make = (view) => {
  const caller = someCaller(view)
  if (!caller) return undefined
  const { fields, broken } = profile(view)
  const { user, integrator, token } = caller
  const purpose = view.dice.chance(0.3) ? { purpose: view.dice.pick(NAMES) } : {}
  return toStep('updateUser', `PATCH /v2/users/${user.id}`, {
    key: keyOf(view, integrator),
    token,
    body: { ...fields, ...purpose },
    broken,
    ref: user.id,
  })
}

export const readUser: Make = (view) => {
  const caller = someCaller(view)
  if (!caller) return undefined
  const { user, integrator, token } = caller
  const key = keyOf(view, integrator)
  const email = encodeURIComponent(view.dice.chance(0.1) ? 'no@example.com' : user.email)
  const id = view.dice.chance(0.05) ? NOWHERE : user.id
  const reads: readonly [Step, ...Step[]] = [
    toStep('findUsers', `GET /v2/users?email=${email}`, { key, ref: user.id }),
    toStep('getRequirements', `GET /v2/users/${id}/requirements`, { key, ref: id }),
    toStep('createKycLink', `GET /v2/users/${id}/kyc-url`, { key, token, ref: id }),
    toStep('getLimits', 'GET /v2/limits', { key, token, ref: user.id }),
  ]
  return view.dice.pick(reads)
}

export const importKyc: Make = (view) => {
  const caller = someCaller(view)
  if (!caller) return undefined
  const kind = view.dice.pick(SHARE_TOKEN_KINDS)
  const email = view.dice.chance(0.8) ? caller.user.email : 'other@example.com'
  const isGood = kind === 'valid' && email === caller.user.email
  return toStep('importKyc', `PUT /v2/users/${caller.user.id}/kyc`, {
    key: keyOf(view, caller.integrator),
    body: { shareToken: makeShareToken(OPEN, email, kind) },
    broken: isGood ? undefined : `${kind} share token of ${email}`,
    ref: caller.user.id,
  })
}

/** Asks for a code; most go on and use it. */
export const sendLoginCode: Make = (view) => {
  const user = someUser(view)
  const integrator = view.dice.find(view.state.integrators)
  if (!user || !integrator) return undefined
  if (view.dice.chance(0.5)) view.plan(verifyLoginCode)
  const email = view.dice.chance(0.05) ? 'no@example.com' : user.email
  return sendTo(email, keyOf(view, integrator))
}

/** A login that works, for a user who may. */
export function logIn({ plan }: View, { user, integrator }: Caller): Step {
  plan((later) => {
    const sent = later.state.loginCodes.find(
      (code) => code.userId === user.id && code.integrator === integrator.name,
    )
    return sent && verify(user.email, sent.code, integrator.apiKey)
  })
  return sendTo(user.email, integrator.apiKey)
}

export const sendTo = (email: string, key: string | undefined): Step =>
  toStep('sendLoginCode', 'POST /v2/auth/login-codes', { key, body: { email } })

/** Uses a code that was sent, the right one or others. */
export const verifyLoginCode: Make = (view) => {
  const { dice, state } = view
  const sent = dice.find(state.loginCodes)
  const user = state.users.find(({ id }) => id === sent?.userId)
  const integrator = state.integrators.find(({ name }) => name === sent?.integrator)
  if (!sent || !user || !integrator) return undefined
  if (dice.chance(0.05)) return { ...verify(user.email, '12', integrator.apiKey), broken: 'code' }
  if (dice.chance(0.5)) return verify(user.email, sent.code, integrator.apiKey)
  return verify(user.email, wrongCode(sent.code), integrator.apiKey)
}

export const wrongCode = (code: string): string =>
  String((Number(code) + 1) % 10_000).padStart(4, '0')

export const verify = (email: string, code: string, key: string): Step =>
  toStep('verifyLoginCode', 'POST /v2/auth/login-codes/verify', { key, body: { email, code } })
