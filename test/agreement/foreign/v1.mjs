import { BODIES } from './checks.mjs'
import { Refusal } from './refusals.mjs'
import { createSecret } from './webhooks.mjs'

const HOOKS =
  'verifiedEmail transactionInitiated transactionComplete transactionStatusUpdate'.split(' ')

/** The routes of v1, and that of corporate verification, which has no version. */
export function createV1({ state, baseUrl, isWebhookUrl }) {
  const { terms } = state
  const invalid = (field) =>
    new Refusal('bad_field', { field, message: `${field} is needed or malformed.` })
  const good = (message, more) => ({ data: { message, status: 'success', ...more } })

  function named({ query }, name) {
    const value = query.get(name)
    if (!value) throw invalid(name)
    return value
  }

  function sendCode(call) {
    const user = state.findUser(call.owner, named(call, 'email'))
    if (user?.status === 'verified') state.sendCode(user)
    return good('Login code sent to user')
  }

  function verifyCode(call) {
    const [email, code] = [named(call, 'email'), named(call, 'login_code')]
    const token = state.verifyCode(state.findUser(call.owner, email), code)
    return good('Email code validated', { token })
  }

  function createUser({ owner, body }) {
    const { first_name: firstName, last_name: lastName, address1, address2, postal, ...rest } = body
    const flags = { pep: String(body.pep) === 'true', tpd: String(body.tpd) === 'true' }
    const names = { firstName, lastName, addressLine1: address1, addressLine2: address2 }
    const { id } = state.createUser(owner, { ...rest, ...flags, ...names, postalCode: postal })
    return good('API user created', { verificationLink: `${baseUrl()}/identity/${id}` })
  }

  function findUser(call) {
    const user = state.findUser(call.owner, named(call, 'email'))
    if (!user) return { data: { message: 'No such user', status: 'none' } }
    return good('User found', { user: { id: user.id, verified: user.status === 'verified' } })
  }

  function importKyc({ owner, body }) {
    const { email, outcome } = state.readShareToken(body.share_token)
    const user = state.findUser(owner, email)
    if (!user) throw new Refusal('share_token_other')
    state.setUserStatus(user, outcome)
    return good('User imported successfully')
  }

  function readQuote(call) {
    const leftSideLabel = named(call, 'leftSideLabel')
    const rightSideLabel = named(call, 'rightSideLabel')
    const leftSideValue = Number(named(call, 'leftSideValue'))
    const quote = state.createQuote(call.owner, { leftSideLabel, leftSideValue, rightSideLabel })
    return {
      data: {
        ...{ quoteId: quote.quoteId, gasId: quote.quoteId + 1, cadusd: quote.rate, leftSideLabel },
        ...{ leftSideValue: leftSideValue.toFixed(2), rightSideLabel },
        ...{ rightSideValue: quote.rightSideValue.toFixed(4) },
        ...{ fee: quote.fee, ethGasFee: quote.gas },
      },
    }
  }

  function createTransaction({ user, body }) {
    const { id, rmtId, depositAddress } = state.createTransaction(user, body, { version: 'v1' })
    return good('New transaction created', { tx: id, rmt: rmtId, depositAddress })
  }

  function readTransaction(call) {
    const id = named(call, 'tx_id')
    const row = state.transactions.find((other) => other.id === id && other.user === call.user)
    if (!row) throw new Refusal('transaction_unknown')
    const { coin, leftSideLabel, leftSideValue, rightSideLabel, rightSideValue } = row
    return {
      data: {
        ...{ coin, leftSideLabel, leftSideValue, rightSideLabel, rightSideValue },
        ...{ status: row.status, wallet: row.wallet },
        ...{ tx_id: id, date: `${new Date(row.createdAt).toISOString().slice(0, 19)}Z` },
        ...{ fee: row.fee.toFixed(2), eth_fee: row.chain === 'ETH', payment_id: row.paymentId },
        payment_type: `${row.chain.toLowerCase()} network`,
      },
    }
  }

  const readHooks = ({ owner }) => ({ data: owner.legacy })

  function patchHooks({ owner, body }) {
    const next = { ...owner.legacy }
    for (const name of HOOKS) {
      const [enabled, url] = [`${name}Enabled`, `${name}Url`]
      if (Object.hasOwn(body, enabled)) next[enabled] = body[enabled]
      if (Object.hasOwn(body, url)) next[url] = body[url]
      if (typeof next[enabled] !== 'boolean') throw invalid(enabled)
      if (next[url] !== '' && !isWebhookUrl(next[url])) throw invalid(url)
      if (next[enabled] && next[url] === '') throw invalid(url)
    }
    owner.legacy = next
    return { data: next }
  }

  function rotate({ owner }) {
    owner.secret = createSecret()
    return { data: { status: 'success', signingSecret: owner.secret } }
  }

  function submitKyb({ owner, body }) {
    const id = `${owner.name} ${body.corporation_number}`
    if (state.submissions.has(id)) throw new Refusal('submitted')
    state.submissions.set(id, body)
    return { status: 201, data: { message: 'Submitted for review', status: 'received' } }
  }

  /** Where v1 has ended every one of its routes says so. */
  const untilSunset = (handle) => (call) => {
    if (state.now() >= Date.parse(terms.v1Until)) throw new Refusal('gone')
    return handle(call)
  }

  const body = (name, required = Object.keys(BODIES[name])) => {
    return { fields: BODIES[name], required, ignoreUnknown: true }
  }
  const order = ['leftSideLabel', 'leftSideValue', 'rightSideLabel', 'quoteId']
  const v1 = [
    ['POST', '/loginCodeSend', 'key', sendCode],
    ['POST', '/loginCodeVerify', 'key', verifyCode],
    ['POST', '/generateApiLink', 'key', createUser, body('v1CreateUser')],
    ['GET', '/apiFindUser', 'key', findUser],
    ['POST', '/sumsubImportUser', 'key', importKyc, body('importKyc')],
    ['GET', '/priceQuote', 'key', readQuote],
    ['POST', '/transaction', 'token', createTransaction, body('createTransaction', order)],
    ['GET', '/transaction', 'token', readTransaction],
    ['GET', '/webhooks', 'key', readHooks],
    ['PATCH', '/webhooks', 'key', patchHooks, { fields: {}, required: [], ignoreUnknown: true }],
    ['POST', '/webhook-signing-secret', 'key', rotate],
  ]
  return [
    ...v1.map((row) => row.with(3, untilSunset(row[3]))),
    ['POST', '/submitKYB', 'key', submitKyb, body('kyb')],
  ]
}

export const createLegacyHooks = () =>
  Object.assign({}, ...HOOKS.map((name) => ({ [`${name}Enabled`]: false, [`${name}Url`]: '' })))
