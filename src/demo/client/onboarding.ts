import { SandboxError } from '../../client/error.ts'
import type { Json } from '../../client/http.ts'
import { api, catchUrl, readControl } from './api.ts'
import { toProfile } from './profile.ts'
import { newSession, note, readCustomer } from './session.ts'
import { change, state } from './store.ts'
import { goHome } from './trading.ts'
import { language } from './words.ts'

/** Starts with an address that is not registered yet. */
export async function startAsNewUser(): Promise<void> {
  const { counts, now, mode } = await readControl('/info')
  const settings = await readControl('/settings')
  await newSession(counts.users)
  change({ now: Date.parse(now), mode })
  useSettings(settings)
}

/** What an integrator would have in its own configuration. */
export function useSettings(settings: Json): void {
  change({
    activeMost: Number(settings['limits.active']),
    windowsMs: {
      buy: toMs(settings['transactions.buyWindow']),
      sell: toMs(settings['transactions.sellWindow']),
    },
    warnings: findWarnings(settings),
  })
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 }

/** `1h` or `90m`; a number is in milliseconds. */
function toMs(length: unknown): number {
  const parts = [...String(length).matchAll(/(\d+)([smhd])/g)]
  if (parts.length === 0) return Number(length)
  return parts.reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (UNITS_MS[unit] ?? 0),
    0,
  )
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
  await checkAgain()
}

/** Asks the user search, for webhooks that never arrived: only somebody verified gets a code. */
export async function checkAgain(): Promise<void> {
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

export async function register(fields: Json): Promise<void> {
  const profile = toProfile(fields)
  const { id } = await api('POST', '/users', { email: state.email, ...profile })
  change({ name: fields.firstName })
  await note({ name: fields.firstName })
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
  change({ kycUrl, screen: 'identify' })
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
  const customer = await readCustomer()
  change({ token: answer.accessToken, code: '', userStatus: 'verified', ...customer })
  await goHome()
}
