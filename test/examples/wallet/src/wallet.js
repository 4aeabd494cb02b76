// The wallet itself: who its customers are, what they bought, and what they own.
import { randomUUID } from 'node:crypto'

export function createWallet(ramp) {
  const customers = new Map()
  const sessions = new Map()
  const buys = new Map()
  return { signUp, sendCode, logIn, buy, show, onEvent }

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
      kyc: customers.get(email) ?? 'verified',
      balance: complete.reduce((sum, { coins }) => sum + coins, 0),
      buys: own,
    }
  }

  /** The platform may send a status before its response to `buy` arrives. */
  function onEvent({ type, payload }) {
    const { status, email } = payload
    if (type === 'user.update') customers.set(email, status)
    if (type !== 'transaction.update') return
    const { transactionId: id, rightSideValue: coins } = payload
    buys.set(id, { id, email, coins, status })
  }

  function getSession(session) {
    const found = sessions.get(session)
    if (found) return found
    throw Object.assign(new Error('Log in first.'), { status: 401 })
  }
}
