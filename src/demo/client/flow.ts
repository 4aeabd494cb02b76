import { SandboxError } from '../../client/error.ts'
import type { Json } from '../../client/http.ts'
import { messageOf } from '../../dashboard/client/calls.ts'
import type { Side } from '../../world/money.ts'
import { api, catchUrl, readControl, simulate } from './api.ts'
import { change, startOver, state } from './store.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const FINAL = ['complete', 'cancelled', 'canceled', 'expired']

/** Runs an action of the user, and shows its error. */
export async function attempt(act: () => Promise<void>): Promise<void> {
  if (state.isBusy) return
  change({ isBusy: true, problem: '' })
  try {
    await act()
  } catch (error) {
    change({ problem: messageOf(error) })
  } finally {
    change({ isBusy: false })
  }
}

/** Starts with an address that is not registered yet. */
export async function startAsNewUser(): Promise<void> {
  const { counts, now, mode } = await readControl('/info')
  startOver(counts?.users > 0 ? `ana${counts.users + 1}@example.com` : 'ana@example.com')
  change({ now: Date.parse(now), mode })
}

/** Sets a webhook URL unless there is one. */
async function receiveWebhooks(): Promise<void> {
  try {
    await api('GET', '/webhook-configurations')
  } catch (error) {
    if (!(error instanceof SandboxError) || error.status !== 404) throw error
    await api('PUT', '/webhook-configurations', { url: catchUrl })
  }
}

/** Logs in a registered user, and asks anybody else for their profile. */
export async function enter(email: string): Promise<void> {
  change({ email, token: '' })
  await receiveWebhooks()
  const [found] = await api('GET', `/users?email=${encodeURIComponent(email)}`)
  if (!found) return change({ screen: 'profile' })
  change({ userId: found.id })
  try {
    await sendCode()
  } catch (error) {
    if (!(error instanceof SandboxError) || error.status !== 403) throw error
    await identify()
  }
}

export async function register(profile: Json): Promise<void> {
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
  change({ kycUrl: new URL(url).pathname, screen: 'identify', userStatus: '' })
}

/** Called with the status in a `user.update` webhook. */
export async function onUserUpdate(status: string): Promise<void> {
  change({ userStatus: status })
  if (status === 'verified' && state.screen === 'identify') {
    await attempt(sendCode)
  }
}

async function sendCode(): Promise<void> {
  change({ token: '' })
  await api('POST', '/auth/login-codes', { email: state.email })
  change({ screen: 'code' })
}

export async function verifyCode(code: string): Promise<void> {
  const answer = await api('POST', '/auth/login-codes/verify', { email: state.email, code })
  change({ token: answer.accessToken, notice: null })
  await goHome()
}

export async function goHome(): Promise<void> {
  const limits = await api('GET', '/limits')
  const { items } = await api('GET', '/transactions?limit=5')
  const done = { transaction: null, quote: null, isBankOpen: false, problem: '' }
  change({ ...done, limits: limits.leftSideCurrency, transactions: items, screen: 'home' })
}

export async function order(side: Side): Promise<void> {
  change({ side, screen: 'order', amount: side === 'buy' ? '250' : '100', quote: null })
  await askQuote()
}

const labelsOf = () =>
  state.side === 'buy'
    ? { leftSideLabel: 'CAD', rightSideLabel: state.coin }
    : { leftSideLabel: state.coin, rightSideLabel: 'CAD' }

export async function askQuote(): Promise<void> {
  const { leftSideLabel, rightSideLabel } = labelsOf()
  const query = new URLSearchParams({
    leftSideLabel,
    leftSideValue: state.amount,
    rightSideLabel,
  })
  change({ quote: await api('GET', `/quotes?${query}`) })
}

export async function confirmOrder(): Promise<void> {
  const transaction = await api('POST', '/transactions', {
    ...labelsOf(),
    leftSideValue: Number(state.amount),
    wallet: state.coin.endsWith('-SOL') ? '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' : WALLET,
    quoteId: state.quote?.quoteId,
    externalSessionId: `wallet-${state.quote?.quoteId}`,
  })
  change({ transaction, screen: 'pay' })
}

/** Called on a `transaction.update` webhook; reads the transaction again. */
export async function onTransactionUpdate(id: string): Promise<void> {
  const { transaction } = state
  if (transaction?.id !== id || !state.token) return
  try {
    const fresh = await api('GET', `/transactions/${id}`)
    const { depositAddress } = transaction
    const isDone = FINAL.includes(fresh.status)
    change({ transaction: { ...fresh, depositAddress }, ...(isDone && { screen: 'done' }) })
  } catch (error) {
    await onExpiredToken(error)
  }
}

/** Tokens expire after an hour of world time, which a fast forward may pass. */
async function onExpiredToken(error: unknown): Promise<void> {
  if (!(error instanceof SandboxError) || error.status !== 401) throw error
  await sendCode()
  change({ problem: 'The access token has expired, so log in again.' })
}

export async function cancel(): Promise<void> {
  await api('PUT', `/transactions/${state.transaction?.id}/cancel`)
}

/** The user sends coins from another wallet. */
export async function sendCoins(): Promise<void> {
  const { id } = state.transaction ?? {}
  await simulate('The coins arrive', `/simulate/transactions/${id}/funds-received`)
}

export async function settle(): Promise<void> {
  const { id } = state.transaction ?? {}
  await simulate('The provider settles', `/simulate/transactions/${id}/settled`)
}

export async function fastForward(target: Json): Promise<void> {
  await simulate('Fast forward', '/clock/advance', target)
}
