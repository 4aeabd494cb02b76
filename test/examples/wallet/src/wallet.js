// The wallet itself: who its customers are, what they bought, and what they own.
import { randomUUID } from 'node:crypto'

/** How far along each status is. A transaction only moves forward, whatever order its events arrive in. */
const STEPS = {
  'pending request money transfer': 0,
  'processing request money transfer': 1,
  complete: 2,
  expired: 2,
  cancelled: 2,
  // The contract does not show how it is spelled.
  canceled: 2,
}
const KYC = ['initial', 'active', 'verified', 'rejected', 'inactive', 'upload', 'in-review']

export function createWallet(ramp) {
  const customers = new Map()
  const sessions = new Map()
  const buys = new Map()
  return { signUp, sendCode, logIn, buy, show, onEvent, state }

  async function signUp({ email }) {
    const { id } = await ramp.registerUser({ email })
    const { url } = await ramp.kycLink(id)
    return { kycUrl: url }
  }

  async function sendCode({ email }) {
    await ramp.sendLoginCode(email)
    return {}
  }

  async function logIn({ email, code }) {
    const token = await ramp.logIn(email, code)
    const session = randomUUID()
    sessions.set(session, { email, token })
    return { session }
  }

  /** Asks for a price, accepts it, and says what the customer has to pay. */
  async function buy({ session, cad, address }) {
    const { token, email } = getSession(session)
    const sides = { leftSideLabel: 'CAD', leftSideValue: cad, rightSideLabel: 'USDC-ETH' }
    const { quoteId } = await ramp.quote(sides)
    const { id, status, rightSideValue } = await ramp.createTransaction(token, {
      ...sides,
      quoteId,
      wallet: address,
      externalSessionId: randomUUID(),
    })
    buys.set(id, { id, email, status, coins: rightSideValue, ...buys.get(id) })
    return buys.get(id)
  }

  function show({ session }) {
    const { email } = getSession(session)
    const own = [...buys.values()].filter((bought) => bought.email === email)
    const complete = own.filter(({ status }) => status === 'complete')
    return {
      email,
      kyc: customers.get(email)?.status ?? 'verified',
      balance: complete.reduce((sum, { coins }) => sum + coins, 0),
      buys: own,
    }
  }

  /** Events may arrive late, twice, out of order, or before the response to `buy`. */
  function onEvent({ type, occurredAt, payload }) {
    if (type === 'user.update') onUser(payload, occurredAt)
    if (type === 'transaction.update') onTransaction(payload)
  }

  /** A customer may be rejected and verified later, so the newest event counts. */
  function onUser({ email, status }, at) {
    const known = customers.get(email)
    if (!KYC.includes(status) || (known && known.at > at)) return
    customers.set(email, { status, at })
  }

  /** Ignores statuses that this version does not know. */
  function onTransaction({ transactionId: id, email, rightSideValue: coins, status }) {
    const known = buys.get(id)
    if (!(status in STEPS) || (known && STEPS[status] <= STEPS[known.status])) return
    buys.set(id, { id, email, coins, status })
  }

  /** What the wallet knows, for `explore`. */
  function state() {
    return { customers: Object.fromEntries(customers), buys: Object.fromEntries(buys) }
  }

  function getSession(session) {
    const found = sessions.get(session)
    if (found) return found
    throw Object.assign(new Error('Log in first.'), { status: 401 })
  }
}
