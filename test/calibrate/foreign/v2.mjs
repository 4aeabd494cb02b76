import { randomBytes } from 'node:crypto'
import { BODIES } from './checks.mjs'
import { Refusal } from './refusals.mjs'
import { createSecret } from './webhooks.mjs'

const iso = (instant) => new Date(instant).toISOString()

/** The routes of v2: method, path, credential, and what is done. */
export function createV2({ state, webhooks, baseUrl, isWebhookUrl }) {
  const { terms } = state
  const invalid = (field) => new Refusal('bad_field', { field })
  const missing = (field) => new Refusal('missing_field', { field })

  function sendCode({ owner, body }) {
    const user = state.findUser(owner, body.email)
    if (user?.status === 'verified') state.sendCode(user)
    return { data: { status: 'queued', channel: 'email' } }
  }

  function verifyCode({ owner, body }) {
    const accessToken = state.verifyCode(state.findUser(owner, body.email), body.code)
    const expiresIn = terms.tokenTtlMs / 1000
    return { data: { accessToken, tokenType: 'Bearer', expiresIn, scope: 'user' } }
  }

  function createUser({ owner, body }) {
    const { id, status, createdAt } = state.createUser(owner, body)
    return { status: 201, data: { id, status, createdAt: iso(createdAt) } }
  }

  function findUsers({ owner, query }) {
    const email = query.get('email')
    if (!email) throw missing('email')
    const user = state.findUser(owner, email)
    return { data: user ? [{ id: user.id, createdAt: iso(user.createdAt) }] : [] }
  }

  function ownUser({ owner, user, id }) {
    const found = state.users.find((row) => row.id === id && row.owner === owner)
    if (!found || (user && user !== found)) throw new Refusal('user_unknown')
    return found
  }

  const presentUser = ({ id, status }) => ({
    data: { id, accessibleBy: ['jwt'], status, updatedAt: iso(state.now()) },
  })

  function updateUser(call) {
    const user = ownUser(call)
    state.updateUser(user, call.body)
    return presentUser(user)
  }

  function readRequirements(call) {
    const pending = state.outstanding(ownUser(call))
    return { data: { pending, count: pending.length } }
  }

  function createKycUrl(call) {
    ownUser(call)
    const url = `${baseUrl()}/identity/${randomBytes(18).toString('base64url')}`
    return { data: { url, expiresAt: iso(state.now() + terms.kycLinkTtlMs), locale: 'en-CA' } }
  }

  /** Nobody has a share token here. */
  function importKyc(call) {
    ownUser(call)
    throw new Refusal('share_token_bad')
  }

  function readQuote({ owner, query }) {
    const named = (name) => {
      const value = query.get(name)
      if (!value) throw missing(name)
      return value
    }
    const [leftSideLabel, rightSideLabel] = [named('leftSideLabel'), named('rightSideLabel')]
    const leftSideValue = Number(named('leftSideValue'))
    const quote = state.createQuote(owner, { leftSideLabel, leftSideValue, rightSideLabel })
    const cents = (value) => Number(value.toFixed(4))
    return {
      data: {
        ...{ leftSideLabel, leftSideValue, rightSideLabel, rightSideValue: quote.rightSideValue },
        ...{ quoteId: quote.quoteId, side: quote.side, cadPerCoin: quote.rate },
        validUntil: iso(quote.expiresAt),
        breakdown: {
          serviceFee: cents(quote.fee),
          networkFee: quote.gas,
          margin: cents(quote.margin),
          currency: 'CAD',
        },
      },
    }
  }

  const readLimits = () => ({ data: { leftSideCurrency: state.limits(), asOf: iso(state.now()) } })

  function createTransaction({ user, body }) {
    if (state.outstanding(user).length > 0) throw new Refusal('onboarding_incomplete')
    return { data: withAddress(state.createTransaction(user, body)) }
  }

  function listTransactions({ user, query }) {
    const numeral = (name, standard, min) => {
      const value = query.get(name) ?? String(standard)
      if (!/^\d{1,9}$/.test(value) || Number(value) < min) throw invalid(name)
      return Number(value)
    }
    const limit = Math.min(numeral('limit', terms.listLimit, 1), terms.listLimitMax)
    const offset = numeral('offset', 0, 0)
    const all = state.transactions.filter((row) => row.user === user)
    const items = all.slice(offset, offset + limit).map(presentTransaction)
    const hasMore = offset + items.length < all.length
    return { data: { items, total: all.length, limit, offset, hasMore } }
  }

  function ownTransaction({ user, id }) {
    if (terms.checksIds && !/^[\da-f-]{36}$/.test(id)) throw invalid('txId')
    const found = state.transactions.find((row) => row.id === id && row.user === user)
    if (!found) throw new Refusal('transaction_unknown')
    return found
  }

  const readTransaction = (call) => ({ data: withAddress(ownTransaction(call)) })

  function cancel(call) {
    const transaction = ownTransaction(call)
    state.cancel(transaction)
    return { data: presentTransaction(transaction) }
  }

  function assertWebhook({ owner }) {
    if (!owner.webhook) throw new Refusal('not_configured')
  }

  const presentWebhook = (webhook) => webhook && { ...webhook, enabled: true }

  function putWebhook({ owner, body }) {
    if (!isWebhookUrl(body.url)) throw invalid('url')
    const [first, at] = [!owner.webhook, iso(state.now())]
    const signingSecret = owner.secret ? undefined : createSecret()
    owner.secret ??= signingSecret
    owner.webhook = { url: body.url, createdAt: owner.webhook?.createdAt ?? at, updatedAt: at }
    return { status: first ? 201 : 200, data: { ...presentWebhook(owner.webhook), signingSecret } }
  }

  const readWebhook = ({ owner }) => ({ data: presentWebhook(owner.webhook) })

  /** The secret goes with the configuration: the next PUT makes another. */
  function deleteWebhook({ owner }) {
    Object.assign(owner, { webhook: null, secret: null })
    return { status: 204 }
  }

  async function testWebhook({ owner }) {
    assertWebhook({ owner })
    return { data: await webhooks.test(owner) }
  }

  function rotate(call) {
    assertWebhook(call)
    call.owner.secret = createSecret()
    return { data: { signingSecret: call.owner.secret, rotatedAt: iso(state.now()) } }
  }

  const hooks = '/v2/webhook-configurations'
  const body = (name, required = Object.keys(BODIES[name])) => ({ fields: BODIES[name], required })
  const order = body('createTransaction', terms.transactionRequired)
  return [
    ['POST', '/v2/auth/login-codes', 'key', sendCode, body('sendCode')],
    ['POST', '/v2/auth/login-codes/verify', 'key', verifyCode, body('verifyCode')],
    ['POST', '/v2/users', 'key', createUser, body('createUser', terms.userRequired)],
    ['GET', '/v2/users', 'key', findUsers],
    ['PATCH', '/v2/users/:id', 'token', updateUser, body('updateUser', [])],
    ['GET', '/v2/users/:id/requirements', 'key', readRequirements],
    ['GET', '/v2/users/:id/kyc-url', 'token', createKycUrl],
    ['PUT', '/v2/users/:id/kyc', 'key', importKyc, body('importKyc')],
    ['GET', '/v2/quotes', 'key', readQuote],
    ['GET', '/v2/limits', 'token', readLimits],
    ['POST', '/v2/transactions', 'token', createTransaction, order],
    ['GET', '/v2/transactions', 'token', listTransactions],
    ['GET', '/v2/transactions/:id', 'token', readTransaction],
    ['PUT', '/v2/transactions/:id/cancel', 'token', cancel],
    ['PUT', hooks, 'key', putWebhook, body('putWebhook')],
    ['GET', hooks, 'key', readWebhook],
    ['DELETE', hooks, 'key', deleteWebhook],
    ['POST', `${hooks}/test`, 'key', testWebhook],
    ['POST', `${hooks}/signing-secret/rotate`, 'key', rotate],
  ]
}

function presentTransaction({ createdAt, ...row }) {
  const { id, coin, leftSideLabel, leftSideValue, rightSideLabel, rightSideValue, status } = row
  const { wallet, paymentType, paymentId, rmtId, chain } = row
  return {
    ...{ id, date: iso(createdAt), coin, leftSideLabel, leftSideValue, rightSideLabel },
    ...{ rightSideValue, status, wallet, paymentType, paymentId, rmtId, network: chain },
  }
}

const withAddress = (transaction) => ({
  ...presentTransaction(transaction),
  depositAddress: transaction.depositAddress,
})
