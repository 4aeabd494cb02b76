import type {
  AccessToken,
  CreatedUser,
  FoundUser,
  KycLinkResponse,
  RequirementsResponse,
  UserResponse,
} from '../../http/v2/shapes.ts'
import { ApiError } from '../lib/api.ts'
import { api, control } from './api.ts'
import { note } from './customer.ts'
import { goHome } from './orders.ts'
import { change, startOver, state } from './store.ts'
import { isWalletOnly } from './view.ts'

/** Fields of the profile, with what Ana enters. */
export const PROFILE_FIELDS: readonly (readonly [name: string, label: string, value: string])[] = [
  ['firstName', 'First name', 'Ana'],
  ['lastName', 'Last name', 'Silva'],
  ['dob', 'Date of birth', '1992-03-14'],
  ['phone', 'Phone', '4165550142'],
  ['addressLine1', 'Street', '77 Example Street'],
  ['city', 'City', 'Toronto'],
  ['province', 'Province', 'ON'],
  ['postalCode', 'Postal code', 'M5V 3L9'],
  ['occupation', 'Occupation', 'Designer'],
]

/** Completes a profile; nobody in the demo is politically exposed. */
export const toProfile = (fields: Readonly<Record<string, unknown>>) => ({
  ...fields,
  // People type spaces, dashes and brackets, which the provider rejects.
  phone: String(fields.phone ?? '').replace(/[\s().-]/g, ''),
  addressLine2: '',
  pep: false,
  tpd: false,
})

export const PROVINCES = [
  'AB',
  'BC',
  'MB',
  'NB',
  'NL',
  'NS',
  'NT',
  'NU',
  'ON',
  'PE',
  'QC',
  'SK',
  'YT',
]

/** Starts with an e-mail address that is not registered yet; several phones may start at once. */
export async function startAsNewUser(): Promise<void> {
  const { counts } = await control<'info'>('GET', '/info')
  const number = isWalletOnly ? Math.floor(Math.random() * 1e6) : counts.users + 1
  startOver(number > 1 ? `ana${number}@example.com` : 'ana@example.com')
}

/** Reads what an integrator would have in its own configuration. */
export async function readSettings(): Promise<void> {
  const { value } = await control<'settings.get'>('GET', '/settings/limits.active')
  change({ activeMax: Number(value) })
}

/** Sets the server's webhook URL. The signing secret was shown to the first who did so. */
export async function receiveWebhooks(): Promise<void> {
  await api('PUT', '/webhook-configurations', { url: state.world.catchUrl })
  const { integrators } = await control<'webhooks.settings'>('GET', '/webhooks/settings')
  const signingSecret = integrators[0]?.signingSecret ?? ''
  change({ world: { ...state.world, signingSecret } })
}

/** Logs in a registered user, and asks anybody else for their profile. */
export async function enter(): Promise<void> {
  change({ token: '' })
  await receiveWebhooks()
  await checkAgain()
}

/** Searches for the user, in case a webhook never arrived; only a verified user gets a code. */
export async function checkAgain(): Promise<void> {
  const [found] = await api<FoundUser[]>('GET', `/users?email=${encodeURIComponent(state.email)}`)
  if (!found) return change({ screen: 'profile' })
  change({ userId: found.id })
  try {
    await sendCode()
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error
    change({ screen: 'review' })
    await readStatus()
  }
}

/** Reads the user's status from the response to an update that changes nothing. */
async function readStatus(): Promise<void> {
  const { status } = await api<UserResponse>('PATCH', `/users/${state.userId}`, {})
  if (status === state.userStatus) return
  // Only a webhook says when it changed.
  change({ userStatus: status, userStatusAt: 0 })
}

export async function register(fields: Record<string, unknown>): Promise<void> {
  const profile = toProfile(fields)
  const { id } = await api<CreatedUser>('POST', '/users', { email: state.email, ...profile })
  change({ userId: id })
  note({ name: String(fields.firstName) })
  const found = await api<RequirementsResponse>('GET', `/users/${id}/requirements`)
  const outstanding = Array.isArray(found) ? found : found.outstanding
  if (outstanding.some(({ field }) => field === 'purpose')) {
    await api('PATCH', `/users/${id}`, { purpose: 'Savings' })
  }
  await identify()
}

export async function identify(): Promise<void> {
  const { url } = await api<KycLinkResponse>('GET', `/users/${state.userId}/kyc-url`)
  change({ kycUrl: new URL(url).pathname, screen: 'identify' })
}

/** Handles a verified `user.update` webhook. */
export async function onUserUpdate(userStatus: string, userStatusAt: number): Promise<void> {
  change({ userStatus, userStatusAt })
  if (state.screen !== 'identify' && state.screen !== 'review') return
  if (userStatus === 'verified') await sendCode()
  else change({ screen: 'review' })
}

export async function sendCode(): Promise<void> {
  change({ token: '', code: '' })
  await api('POST', '/auth/login-codes', { email: state.email })
  change({ screen: 'code' })
}

export async function verifyCode(code: string): Promise<void> {
  const { accessToken } = await exchangeCode(code)
  change({ token: accessToken, code: '', userStatus: 'verified' })
  await goHome()
}

/** Exchanges a code for a token, and does not offer a refused code again. */
async function exchangeCode(code: string): Promise<AccessToken> {
  try {
    return await api('POST', '/auth/login-codes/verify', { email: state.email, code })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && code === state.code) {
      change({ code: '' })
    }
    throw error
  }
}
