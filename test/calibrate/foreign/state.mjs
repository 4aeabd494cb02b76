import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { ageOf } from './checks.mjs'
import { Refusal } from './refusals.mjs'

const PENDING = 'pending request money transfer'
const PROFILE_NEEDED =
  'firstName lastName dob phone addressLine1 city province postalCode occupation'.split(' ')
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const floor = (value, digits) => Math.floor(value * 10 ** digits + 1e-6) / 10 ** digits

/** Users, quotes and transactions. Each change calls `onUser` or `onTransaction`. */
export function createState({ terms, clock: now, integrators }) {
  const [users, quotes, transactions, mailbox] = [[], [], [], []]
  const secret = randomBytes(32)
  let quoteId = 700_000_001
  const state = { terms, now, integrators, users, transactions, mailbox }

  // Users

  state.findUser = (owner, email) =>
    users.find((user) => user.owner === owner && user.email === String(email).toLowerCase())

  state.createUser = (owner, { email, ...profile }) => {
    if (state.findUser(owner, email)) throw new Refusal('email_taken')
    assertAge(profile.dob)
    const user = { id: randomUUID(), owner, email: email.toLowerCase(), profile, tokens: 1 }
    Object.assign(user, { status: terms.initialStatus, createdAt: now(), codes: [], wrongCodes: 0 })
    users.push(user)
    state.onUser(user)
    return user
  }

  state.updateUser = (user, { olderUserInfo, ...profile }) => {
    assertAge(profile.dob)
    Object.assign(user.profile, profile)
    if (olderUserInfo) {
      user.profile.olderUserInfo = { ...user.profile.olderUserInfo, ...olderUserInfo }
    }
  }

  function assertAge(dob) {
    if (dob && ageOf(dob, now()) < terms.ageMin) throw new Refusal('too_young')
  }

  state.setUserStatus = (user, status) => {
    if (user.status === status) return
    // Tokens end with the verification that they were given for.
    if (user.status === 'verified') user.tokens += 1
    user.status = status
    state.onUser(user)
  }

  /** What is outstanding, as pairs of a name and a kind. */
  state.outstanding = ({ profile, status }) => {
    const older = profile.dob !== undefined && ageOf(profile.dob, now()) >= terms.olderAge
    const missing = PROFILE_NEEDED.filter((name) => profile[name] === undefined)
    const info = older && !profile.olderUserInfo ? ['olderUserInfo'] : []
    return [
      ...[...missing, ...info].map((name) => ({ name, kind: 'profile' })),
      ...(status === 'verified' ? [] : [{ name: 'identity', kind: 'verification' }]),
    ]
  }

  // Login

  state.sendCode = (user) => {
    const code = String(randomInt(10_000)).padStart(4, '0')
    if (user.wrongCodes >= terms.codeAttemptsMax) user.codes = []
    user.wrongCodes = 0
    user.codes.push({ code, expiresAt: now() + terms.codeTtlMs })
    const text = `Your login code is ${code}. It can be used for ${terms.codeTtlMs / 60_000} minutes.`
    const receivedAt = Math.floor(now() / 1000)
    mailbox.unshift({ to: user.email, subject: 'Sign in', text, code, receivedAt })
  }

  /** An access token for a code. An older code stays good beside a newer one. */
  state.verifyCode = (user, code) => {
    const wrong = new Refusal('code_invalid')
    if (!user || user.wrongCodes >= terms.codeAttemptsMax) throw wrong
    const found = user.codes.find((row) => row.code === code && row.expiresAt > now())
    if (!found) {
      user.wrongCodes += 1
      throw wrong
    }
    user.codes = user.codes.filter((row) => row !== found)
    return createToken(user)
  }

  const sign = (text) => createHmac('sha256', secret).update(text).digest('base64url')

  function createToken({ id, owner, tokens }) {
    const iat = Math.floor(now() / 1000)
    const claims = { iss: 'harbour', sub: id, azp: owner.name, gen: tokens, jti: randomUUID(), iat }
    claims.exp = iat + terms.tokenTtlMs / 1000
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
    return `${text}.${sign(text)}`
  }

  /** The user of an access token; a token is good with the key that it was made with only. */
  state.userOfToken = (owner, token) => {
    const [, text, claimsText, signature] = /^([\w-]+\.([\w-]+))\.([\w-]+)$/.exec(token) ?? []
    if (!text || sign(text) !== signature) throw new Refusal('token_invalid')
    const { sub, azp, gen, exp } = JSON.parse(Buffer.from(claimsText, 'base64url').toString())
    const user = users.find(({ id }) => id === sub)
    if (exp * 1000 <= now()) throw new Refusal('token_expired')
    if (!user || azp !== owner.name || gen !== user.tokens) throw new Refusal('token_invalid')
    return user
  }

  // Quotes

  const coinOf = (label) => label.split('-')[0]
  const chainOf = (label) => label.split('-')[1] ?? terms.bareChain

  const rateOf = (coin) => terms.rates[coin]

  state.createQuote = (owner, { leftSideLabel, leftSideValue, rightSideLabel }) => {
    const invalid = (field, message) => new Refusal('bad_field', { field, message })
    for (const [field, label] of Object.entries({ leftSideLabel, rightSideLabel })) {
      const known = label === 'CAD' || terms.labels.includes(label)
      if (!known) throw invalid(field, 'No such currency.')
    }
    if ((leftSideLabel === 'CAD') === (rightSideLabel === 'CAD')) {
      throw invalid('rightSideLabel', 'One side is CAD, and the other a stablecoin.')
    }
    const [buys, value] = [leftSideLabel === 'CAD', leftSideValue]
    if (!(value > 0) || value > terms.quoteMax) throw invalid('leftSideValue', 'Not an amount.')
    if (floor(value, buys ? 2 : 4) !== value) throw invalid('leftSideValue', 'Too many decimals.')
    const label = buys ? rightSideLabel : leftSideLabel
    const rate = rateOf(coinOf(label))
    const gross = buys ? value : value * rate
    const fee = Math.max(terms.feeMin, gross * terms.feeRate)
    const gas = terms.gas[chainOf(label)]
    const margin = buys ? (gross - fee - gas) * terms.spread : gross * terms.spread
    const left = gross - fee - gas - margin
    const rightSideValue = buys ? floor(left / rate, 4) : floor(left, 2)
    if (!(rightSideValue > 0)) throw invalid('leftSideValue', 'Nothing would be left.')
    const quote = { leftSideLabel, leftSideValue, rightSideLabel, rightSideValue, rate, gross }
    Object.assign(quote, { quoteId, owner, fee, gas, margin, expiresAt: now() + terms.quoteTtlMs })
    Object.assign(quote, { coin: coinOf(label), chain: chainOf(label), spent: false })
    quote.side = buys ? 'buy' : 'sell'
    quoteId += 7
    quotes.push(quote)
    return quote
  }

  state.limits = () => {
    const row = (rate) => ({
      minimum: floor(terms.selfServeMin / rate, 2),
      maximum: floor(terms.cadMax / rate, 2),
    })
    return { CAD: row(1), CADC: row(rateOf('CADC')), USDC: row(rateOf('USDC')) }
  }

  // Transactions

  state.createTransaction = (user, request) => {
    const quote = takeableQuote(user, request)
    assertWallet(quote.chain, request.wallet)
    if (quote.gross < terms.cadMin || quote.gross > terms.cadMax) throw new Refusal('limit_value')
    quote.spent = true
    const { leftSideLabel, leftSideValue, rightSideLabel, rightSideValue } = quote
    const { coin, chain, side, fee } = quote
    const transaction = {
      ...{ id: randomUUID(), user, createdAt: now(), coin, chain, side, fee },
      ...{ leftSideLabel, leftSideValue, rightSideLabel, rightSideValue, status: PENDING },
      ...{ wallet: request.wallet ?? '', paymentId: null, closedAt: null },
      paymentType: side === 'buy' ? 'BANK_REQUEST' : 'ONCHAIN_DEPOSIT',
      rmtId: `RMT-${randomInt(10_000_000, 99_999_999)}`,
      depositAddress: createAddress(chain),
      externalSessionId: request.externalSessionId ?? null,
    }
    transactions.push(transaction)
    state.onTransaction(transaction)
    return transaction
  }

  function takeableQuote(user, { quoteId: id, leftSideLabel, leftSideValue, rightSideLabel }) {
    const quote = quotes.find((row) => row.quoteId === id && row.owner === user.owner)
    if (!quote) throw new Refusal('quote_unknown')
    if (quote.spent) throw new Refusal('quote_spent')
    if (quote.expiresAt <= now()) throw new Refusal('quote_expired')
    const given = Object.entries({ leftSideLabel, leftSideValue, rightSideLabel })
    const other = given.find(([field, value]) => value !== undefined && value !== quote[field])
    if (other) throw new Refusal('quote_mismatch', { field: other[0] })
    return quote
  }

  function assertWallet(chain, wallet) {
    const form = chain === 'SOL' ? BASE58 : /^0x[0-9a-fA-F]{40}$/
    if (!form.test(wallet)) throw new Refusal('bad_wallet')
  }

  const createAddress = (chain) =>
    chain === 'SOL'
      ? [...randomBytes(44)].map((byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte % 32]).join('')
      : `0x${randomBytes(20).toString('hex')}`

  state.cancel = (transaction) => {
    if (transaction.status !== PENDING) throw new Refusal('not_pending')
    transaction.status = terms.cancelledStatus
    transaction.closedAt = now()
    state.onTransaction(transaction)
  }
  return state
}
