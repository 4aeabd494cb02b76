import type { Json } from '../../dashboard/client/calls.ts'
import { api, catchUrl, lever, peek, Refused } from './api.ts'
import { change, type Side, startOver, state } from './store.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const FINAL = ['complete', 'cancelled', 'canceled', 'expired']

/** Does something the user asked for, and shows what went wrong. */
export async function attempt(act: () => Promise<void>): Promise<void> {
  if (state.isBusy) return
  change({ isBusy: true, problem: '' })
  try {
    await act()
  } catch (error) {
    change({ problem: error instanceof Refused ? error.message : String(error) })
  } finally {
    change({ isBusy: false })
  }
}

/** An address that nobody has registered with yet. */
export async function newcomer(): Promise<void> {
  const { counts, now, mode } = await peek('/info')
  startOver(counts?.users > 0 ? `ana${counts.users + 1}@example.com` : 'ana@example.com')
  change({ now: Date.parse(now), mode })
}

/** Without a destination the provider's webhooks would go nowhere; one that is there stays. */
async function receiveWebhooks(): Promise<void> {
  try {
    await api('GET', '/webhook-configurations')
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error
    await api('PUT', '/webhook-configurations', { url: catchUrl })
  }
}

/** Whoever is registered logs in; whoever is not is asked who they are. */
export async function enter(email: string): Promise<void> {
  change({ email, token: '' })
  await receiveWebhooks()
  const [found] = await api('GET', `/users?email=${encodeURIComponent(email)}`)
  if (!found) return change({ screen: 'profile' })
  change({ userId: found.id })
  try {
    await sendCode()
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error
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

/** What the webhook about the user says. */
export async function hearOfUser(status: string): Promise<void> {
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

/** What the webhook about the transaction says; the app then reads it anew. */
export async function hearOfTransaction(id: string): Promise<void> {
  const { transaction } = state
  if (transaction?.id !== id || !state.token) return
  try {
    const fresh = await api('GET', `/transactions/${id}`)
    const { depositAddress } = transaction
    const isDone = FINAL.includes(fresh.status)
    change({ transaction: { ...fresh, depositAddress }, ...(isDone && { screen: 'done' }) })
  } catch (error) {
    await onLapsedToken(error)
  }
}

/** Tokens live for an hour of world time; whoever fast-forwards past it logs in again. */
async function onLapsedToken(error: unknown): Promise<void> {
  if (!(error instanceof Refused) || error.status !== 401) throw error
  await sendCode()
  change({ problem: 'The access token has expired, so log in again.' })
}

export async function cancel(): Promise<void> {
  await api('PUT', `/transactions/${state.transaction?.id}/cancel`)
}

/** The user sends coins from another wallet. */
export async function sendCoins(): Promise<void> {
  const { id } = state.transaction ?? {}
  await lever('The coins arrive', `/simulate/transactions/${id}/funds-received`)
}

export async function settle(): Promise<void> {
  const { id } = state.transaction ?? {}
  await lever('The provider settles', `/simulate/transactions/${id}/settled`)
}

export async function fastForward(target: Json): Promise<void> {
  await lever('Fast forward', '/clock/advance', target)
}
