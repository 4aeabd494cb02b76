import { SandboxError } from '../../client/error.ts'
import type { Json } from '../../client/http.ts'
import { api, catchUrl, readControl } from './api.ts'
import { change, startOver, state } from './store.ts'
import { goHome } from './trading.ts'
import { language, type WordKey } from './words.ts'

/** Starts with an address that is not registered yet. */
export async function startAsNewUser(): Promise<void> {
  const { counts, now, mode } = await readControl('/info')
  const settings = await readControl('/settings')
  startOver(counts.users > 0 ? `ana${counts.users + 1}@example.com` : 'ana@example.com')
  const activeMost = Number(settings['limits.active'])
  change({ now: Date.parse(now), mode, activeMost, warnings: findWarnings(settings) })
}

function findWarnings(settings: Json): string[] {
  return settings['auth.updateUser'] === 'token' ? [NEEDS_TOKEN] : []
}

const NEEDS_TOKEN =
  'Sign-up needs an access token here, which nobody has before the identity check: play a story ' +
  'of a customer who returns, or start with --set auth.updateUser=key-until-verified --set auth.createKycLink=key-until-verified.'

/** Sets a webhook URL unless there is one, which may be that of another program. */
export async function receiveWebhooks(): Promise<void> {
  const { integrators } = await readControl('/info')
  const url = integrators[0]?.webhookUrl
  if (!url) await api('PUT', '/webhook-configurations', { url: catchUrl })
}

/** Logs in a registered user, and asks anybody else for their profile. */
export async function enter(): Promise<void> {
  change({ token: '' })
  await receiveWebhooks()
  const [found] = await api('GET', `/users?email=${encodeURIComponent(state.email)}`)
  if (!found) return change({ screen: 'profile' })
  change({ userId: found.id })
  try {
    await sendCode()
  } catch (error) {
    if (!(error instanceof SandboxError && error.status === 403)) throw error
    change({ screen: 'review' })
  }
}

/** What the profile asks for, with what Ana enters. */
export const PROFILE_FIELDS: readonly (readonly [name: string, label: WordKey, value: string])[] = [
  ['firstName', 'firstName', 'Ana'],
  ['lastName', 'lastName', 'Silva'],
  ['dob', 'dob', '1992-03-14'],
  ['phone', 'phone', '4165550142'],
  ['addressLine1', 'street', '77 Example Street'],
  ['city', 'city', 'Toronto'],
  ['province', 'province', 'ON'],
  ['postalCode', 'postalCode', 'M5V 3L9'],
  ['occupation', 'occupation', 'Designer'],
]

/** A complete profile: nobody of the demo is politically exposed. */
export const toProfile = (fields: object) => ({ ...fields, pep: false, tpd: false })

export async function register(fields: Json): Promise<void> {
  const profile = toProfile(fields)
  change({ name: fields.firstName || 'Ana' })
  const { id } = await api('POST', '/users', { email: state.email, ...profile })
  change({ userId: id })
  const { outstanding = [] } = await api('GET', `/users/${id}/requirements`)
  if (outstanding.some(({ field }: Json) => field === 'purpose')) {
    await api('PATCH', `/users/${id}`, { purpose: 'Savings' })
  }
  await identify()
}

export async function identify(): Promise<void> {
  const { url } = await api('GET', `/users/${state.userId}/kyc-url`)
  const kycUrl = `${new URL(url).pathname}?lang=${language}`
  change({ kycUrl, screen: 'identify', reason: '' })
}

/** What a verified `user.update` webhook leads to. */
export async function onUserUpdate(status: string): Promise<void> {
  change({ userStatus: status })
  if (state.screen !== 'identify' && state.screen !== 'review') return
  if (status === 'verified') await sendCode()
  else change({ screen: 'review' })
}

export async function sendCode(): Promise<void> {
  change({ token: '', code: '' })
  await api('POST', '/auth/login-codes', { email: state.email })
  change({ screen: 'code' })
}

export async function verifyCode(code: string): Promise<void> {
  const answer = await api('POST', '/auth/login-codes/verify', { email: state.email, code })
  change({ token: answer.accessToken, code: '', userStatus: 'verified' })
  await goHome()
}
