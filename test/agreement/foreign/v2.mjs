import { randomBytes } from 'node:crypto'
import { BODIES, Refusal } from './checks.mjs'
import { createSecret } from './webhooks.mjs'

const iso = (instant) => new Date(instant).toISOString()

/** The routes of v2: method, path, credential, and what is done. */
export function createV2({ state, webhooks, baseUrl, isWebhookUrl }) {
  const { terms } = state
  const invalid = (field, message, code = 'bad_field') =>
    new Refusal(terms.invalidStatus, code, field, message)

  function sendCode({ owner, body }) {
    const user = state.findUser(owner, body.email)
    if (user?.status === 'verified') state.sendCode(user)
    return { data: { status: 'queued', channel: 'email' } }
  }

  function verifyCode({ owner, body }) {
    const accessToken = state.verifyCode(state.findUser(owner, body.email), body.code, 400)
    const expiresIn = terms.tokenTtlMs / 1000
    return { data: { accessToken, tokenType: 'Bearer', expiresIn, scope: 'user' } }
  }

  function createUser({ owner, body }) {
    const { id, status, createdAt } = state.createUser(owner, body)
    return { status: 201, data: { id, status, createdAt: iso(createdAt) } }
  }

  function findUsers({ owner, query }) {
    const email = query.get('email')
    if (!email) throw invalid('email', 'This parameter is needed.', 'missing_field')
    const user = state.findUser(owner, email)
    return { data: user ? [{ id: user.id, createdAt: iso(user.createdAt) }] : [] }
  }

  function ownUser({ owner, user, params: [id] }) {
    const found = state.users.find((row) => row.id === id && row.owner === owner)
    if (!found || (user && user !== found))
      throw new Refusal(404, 'not_found', 'userId', 'No such user.')
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

  function importKyc(call) {
    const user = ownUser(call)
    const { email, outcome } = state.readShareToken(call.body.share_token, 'share_token')
    if (email !== user.email)
      throw invalid('share_token', 'This is somebody else.', 'other_applicant')
    state.setUserStatus(user, outcome)
    return presentUser(user)
  }

  function readQuote({ owner, query }) {
    const named = (name) => {
      const value = query.get(name)
      if (!value) throw invalid(name, 'This parameter is needed.', 'missing_field')
      return value
    }
    const [leftSideLabel, rightSideLabel] = [named('leftSideLabel'), named('rightSideLabel')]
    const leftSideValue = Number(named('leftSideValue'))
    const quote = state.createQuote(owner, { leftSideLabel, leftSideValue, rightSideLabel })
    const cents = (value) => Number(value.toFixed(4))
    return {
      data: {
        ...{
          quoteId: quote.quoteId,
          side: quote.side,
          leftSideLabel,
          leftSideValue,
          rightSideLabel,
        },
        ...{ rightSideValue: quote.rightSideValue, cadPerCoin: quote.rate },
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

  const createTransaction = ({ user, body }) => {
    const outstanding = state.outstanding(user)
    if (outstanding.length > 0) {
      const names = outstanding.map(({ name }) => name).join(', ')
      throw new Refusal(403, 'onboarding_incomplete', 'requirements', `Outstanding: ${names}.`)
    }
    return { data: withAddress(state.createTransaction(user, body)) }
  }

  function listTransactions({ user, query }) {
    const numeral = (name, standard, min) => {
      const value = query.get(name) ?? String(standard)
      if (!/^\d{1,9}$/.test(value) || Number(value) < min)
        throw invalid(name, 'Not a whole number.')
      return Number(value)
    }
    const limit = Math.min(numeral('limit', terms.listLimit, 1), terms.listLimitMax)
    const offset = numeral('offset', 0, 0)
    const all = state.transactions.filter((row) => row.user === user)
    const items = all.slice(offset, offset + limit).map(presentTransaction)
    const hasMore = offset + items.length < all.length
    return { data: { items, total: all.length, limit, offset, hasMore } }
  }

  function ownTransaction({ user, params: [id] }) {
    const found = state.transactions.find((row) => row.id === id && row.user === user)
    if (!found) throw new Refusal(404, 'not_found', 'txId', 'No such transaction.')
    return found
  }

  function cancel(call) {
    const transaction = ownTransaction(call)
    state.cancel(transaction)
    return { data: presentTransaction(transaction) }
  }

  function assertWebhook({ owner }) {
    if (!owner.webhook)
      throw new Refusal(409, 'not_configured', 'url', 'There is no configuration.')
  }

  const presentWebhook = ({ url, createdAt, updatedAt }) => ({
    url,
    createdAt,
    updatedAt,
    enabled: true,
  })

  function putWebhook({ owner, body }) {
    if (!isWebhookUrl(body.url)) throw invalid('url', 'This must be an https URL.')
    const [first, at] = [!owner.webhook, iso(state.now())]
    const signingSecret = owner.secret ? undefined : createSecret()
    owner.secret ??= signingSecret
    owner.webhook = { url: body.url, createdAt: owner.webhook?.createdAt ?? at, updatedAt: at }
    return { status: first ? 201 : 200, data: { ...presentWebhook(owner.webhook), signingSecret } }
  }

  /** The secret goes with the configuration: the next PUT makes another. */
  function deleteWebhook({ owner }) {
    Object.assign(owner, { webhook: null, secret: null })
    return { status: 204 }
  }

  function rotate(call) {
    assertWebhook(call)
    call.owner.secret = createSecret()
    return { data: { signingSecret: call.owner.secret, rotatedAt: iso(state.now()) } }
  }

  const hooks = '/v2/webhook-configurations'
  const body = (name, required = Object.keys(BODIES[name])) => ({ fields: BODIES[name], required })
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
    [
      ...['POST', '/v2/transactions', 'token', createTransaction],
      body('createTransaction', terms.transactionRequired),
    ],
    ['GET', '/v2/transactions', 'token', listTransactions],
    [
      'GET',
      '/v2/transactions/:id',
      'token',
      (call) => ({ data: withAddress(ownTransaction(call)) }),
    ],
    ['PUT', '/v2/transactions/:id/cancel', 'token', cancel],
    ['PUT', hooks, 'key', putWebhook, body('putWebhook')],
    [
      'GET',
      hooks,
      'key',
      ({ owner }) => ({ data: owner.webhook && presentWebhook(owner.webhook) }),
    ],
    ['DELETE', hooks, 'key', deleteWebhook],
    [
      ...['POST', `${hooks}/test`, 'key'],
      async (call) => {
        assertWebhook(call)
        return { data: await webhooks.test(call.owner) }
      },
    ],
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
