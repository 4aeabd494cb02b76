// A provider that was written from the contract alone, without having seen `calibrate` or the sandbox.
// Where the contract leaves something open it chose differently from both on purpose; choices.md lists it.
import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { assertBody } from './bodies.mjs'
import { priceOf, TERMS } from './prices.mjs'
import { Refusal } from './refusal.mjs'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PENDING = 'pending request money transfer'
const CANCELLED = 'canceled'

const DEFAULTS = {
  apiKey: 'stranger-key-1',
  secondApiKey: 'stranger-key-2',
  user: 'noor@example.com',
  allowHttpWebhooks: false,
  clockAheadMs: 90_000,
  webhookDelayMs: 2_000,
  /** Each so many calls get the page of a proxy instead; 0 for none. */
  maintenanceEvery: 150,
  callsPerSecond: 30,
  terms: {},
  /** Other statuses than usual, by the name of the refusal or of the operation. */
  statuses: {},
}

/**
 * @param {Partial<typeof DEFAULTS>} [options]
 * @example const provider = await createStranger({ webhookDelayMs: 0 })
 */
export async function createStranger(options = {}) {
  const books = new Books({ ...DEFAULTS, ...options })
  const server = createServer((request, response) => serve(books, request, response))
  const mailbox = createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://mailbox')
    response
      .setHeader('content-type', 'text/plain')
      .end(books.newestMessage(searchParams.get('to')))
  })
  const [url, mailboxUrl] = [await listen(server), await listen(mailbox)]
  const { apiKey, secondApiKey, user } = books.options
  return {
    url,
    mailboxUrl,
    apiKey,
    secondApiKey,
    user,
    books,
    async close() {
      books.isClosed = true
      for (const one of [server, mailbox]) one.close().closeAllConnections()
    },
  }
}

async function listen(server) {
  // A client whose process stands still must not find its connections closed.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

/** All that the provider knows. */
class Books {
  isClosed = false
  users = []
  transactions = []
  quotes = new Map()
  messages = []
  #codes = new Map()
  #calls = 0
  #underway = new Set()
  #second = { at: 0, calls: 0 }
  #jwtKey = randomUUID()

  constructor(options) {
    this.options = options
    this.terms = { ...TERMS, ...options.terms }
    this.integrators = [options.apiKey, options.secondApiKey].map((apiKey) => ({
      apiKey,
      webhook: null,
      secret: null,
    }))
    const user = { id: randomUUID(), email: options.user, status: 'verified', profile: {} }
    this.users.push(user)
  }

  now() {
    return Date.now() + this.options.clockAheadMs
  }

  stamp(at = this.now()) {
    return new Date(at).toISOString()
  }

  /** Counts the call; says whether a proxy in front takes it. */
  isUnderMaintenance() {
    this.#calls++
    const { maintenanceEvery } = this.options
    return maintenanceEvery > 0 && this.#calls % maintenanceEvery === 0
  }

  assertRate() {
    const at = Math.floor(Date.now() / 1_000)
    if (this.#second.at !== at) this.#second = { at, calls: 0 }
    if (++this.#second.calls > this.options.callsPerSecond) throw new Refusal('too_fast')
  }

  integratorOf({ headers }) {
    const apiKey = headers['x-api-key']
    const found = this.integrators.find((one) => one.apiKey === apiKey)
    if (!found) throw new Refusal(apiKey === undefined ? 'no_key' : 'wrong_key')
    return found
  }

  userOf({ headers }) {
    const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
    if (!token) throw new Refusal('no_token')
    const [head, claims, signature] = token.split('.')
    if (this.#sign(`${head}.${claims}`) !== signature) throw new Refusal('wrong_token')
    const { sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    if (exp * 1_000 <= this.now()) throw new Refusal('old_token')
    return this.users.find(({ id }) => id === sub)
  }

  findUser(email) {
    return this.users.find((user) => user.email === email.toLowerCase())
  }

  /** The user of the path, who must be the one of the token. */
  ownUser(call) {
    const user = this.userOf(call)
    if (call.params[0] !== user.id) throw new Refusal('other_user')
    return user
  }

  sendCode(user) {
    const code = String(randomInt(1_000, 10_000))
    this.#codes.set(user.email, { code, until: this.now() + 300_000, tries: 3 })
    this.messages.push({
      to: user.email,
      text: `Use ${code} to sign in. It works for five minutes.`,
    })
  }

  newestMessage(to) {
    return this.messages.findLast((message) => message.to === to)?.text ?? ''
  }

  takeCode(email, code) {
    const sent = this.#codes.get(email.toLowerCase())
    if (!sent || sent.until <= this.now() || sent.tries <= 0) throw new Refusal('wrong_code')
    sent.tries--
    if (sent.code !== code) throw new Refusal('wrong_code')
    this.#codes.delete(email.toLowerCase())
    return this.findUser(email)
  }

  tokenFor({ id }) {
    const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(this.now() / 1_000)
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: id, iat: now, exp: now + 3_600 })}`
    return `${text}.${this.#sign(text)}`
  }

  #sign(text) {
    return createHmac('sha256', this.#jwtKey).update(text).digest('base64url')
  }

  /** A quote that can still be used; it is used by that. */
  takeQuote(quoteId) {
    const quote = this.quotes.get(quoteId)
    if (!quote) throw new Refusal('no_quote')
    if (quote.until <= this.now()) throw new Refusal('old_quote')
    if (quote.isUsed) throw new Refusal('used_quote')
    return quote
  }

  /** The newest first; whatever is due has expired before it is looked at. */
  transactionsOf(user) {
    for (const row of this.transactions) {
      const lifetime = row.leftSideLabel === 'CAD' ? HOUR_MS : DAY_MS
      if (row.status !== PENDING || Date.parse(row.date) + lifetime > this.now()) continue
      this.moveTransaction(row, 'expired')
    }
    return this.transactions.filter(({ userId }) => userId === user.id).reverse()
  }

  assertOpenEnough(user) {
    const since = this.now() - DAY_MS
    const recent = this.transactionsOf(user).filter(({ date }) => Date.parse(date) > since)
    const open = recent.filter(({ status }) => /^(pending|processing)/.test(status))
    if (open.length >= 3) throw new Refusal('too_many_open')
    const ended = recent.filter(({ status }) => [CANCELLED, 'expired'].includes(status))
    if (ended.length >= 10) throw new Refusal('too_many_ended')
  }

  moveTransaction(row, status) {
    row.status = status
    const { id, userId, wallet, paymentId, externalSessionId } = row
    const { leftSideLabel, leftSideValue, rightSideLabel, rightSideValue } = row
    const owner = this.users.find((user) => user.id === userId)
    const etransferSecurityAnswer = leftSideLabel === 'CAD' ? 'maple' : null
    this.emit(row.integrator, 'transaction.update', {
      transactionId: id,
      status,
      email: owner.email,
      wallet,
      paymentId,
      leftSideLabel,
      leftSideValue,
      rightSideLabel,
      rightSideValue,
      etransferSecurityAnswer,
      externalSessionId,
    })
  }

  emit(integrator, type, payload) {
    const sent = this.#send(integrator, type, payload).finally(() => this.#underway.delete(sent))
    this.#underway.add(sent)
  }

  /** Resolves once every event so far has arrived. */
  idle() {
    return Promise.all(this.#underway)
  }

  /** Sends an event once, some time later. */
  async #send(integrator, type, payload) {
    if (!integrator.webhook) return
    const event = { id: randomUUID(), apiVersion: 'v2', occurredAt: this.stamp(), type, payload }
    await pause(this.options.webhookDelayMs, undefined, { ref: false })
    if (!this.isClosed && integrator.webhook) await this.post(integrator, event).catch(() => {})
  }

  async post({ webhook, secret }, event) {
    const body = JSON.stringify(event)
    const timestamp = String(Math.floor(this.now() / 1_000))
    const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    return fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': `v1=${digest}`,
      },
      body,
      signal: AbortSignal.timeout(5_000),
    })
  }
}

const recordOf = ({ id, status }) => ({ id, accessibleBy: ['jwt'], status })
const OUTSTANDING = ['purpose', 'occupation']

/** `[method, path, whether a key is needed, handler]`; a handler returns data, or throws a refusal. */
const ROUTES = [
  ['POST', '/v2/auth/login-codes', true, sendCode],
  ['POST', '/v2/auth/login-codes/verify', true, verifyCode],
  ['POST', '/v2/users', true, createUser],
  ['GET', '/v2/users', true, findUsers],
  ['PATCH', '/v2/users/:id', true, updateUser],
  ['GET', '/v2/users/:id/requirements', true, readRequirements],
  ['GET', '/v2/users/:id/kyc-url', true, readKycUrl],
  ['PUT', '/v2/users/:id/kyc', true, importKyc],
  ['GET', '/v2/quotes', false, quote],
  ['GET', '/v2/limits', true, readLimits],
  ['POST', '/v2/transactions', true, createTransaction],
  ['GET', '/v2/transactions', true, listTransactions],
  ['GET', '/v2/transactions/:id', true, readTransaction],
  ['PUT', '/v2/transactions/:id/cancel', true, cancelTransaction],
  ['PUT', '/v2/webhook-configurations', true, putWebhook],
  ['GET', '/v2/webhook-configurations', true, ({ webhook }) => shownWebhook(webhook)],
  ['DELETE', '/v2/webhook-configurations', true, deleteWebhook],
  ['POST', '/v2/webhook-configurations/test', true, testWebhook],
  ['POST', '/v2/webhook-configurations/signing-secret/rotate', true, rotate],
].map(([method, path, needsKey, handle]) => {
  const form = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`)
  return { method, form, needsKey, handle }
})
const STATUSES = { createUser: 201, createTransaction: 202, sendCode: 202, deleteWebhook: 204 }

function sendCode(_, { body, books }) {
  assertBody('sendCode', body)
  const user = books.findUser(body.email)
  if (!user) throw new Refusal('no_user')
  if (user.status !== 'verified') throw new Refusal('not_verified')
  books.sendCode(user)
  return { sent: true }
}

function verifyCode(_, { body, books }) {
  assertBody('verifyCode', body)
  const accessToken = books.tokenFor(books.takeCode(body.email, body.code))
  return { accessToken, tokenType: 'Bearer', expiresIn: 3_600 }
}

function createUser(integrator, { body, books }) {
  assertBody('createUser', body)
  if (books.findUser(body.email)) throw new Refusal('taken')
  const { email, ...profile } = body
  const user = { id: randomUUID(), email: email.toLowerCase(), status: 'initial', profile }
  books.users.push(user)
  const payload = { userId: user.id, email: user.email, status: user.status }
  void books.emit(integrator, 'user.update', payload)
  return { id: user.id, status: user.status }
}

function findUsers(_, { query, books }) {
  const email = query.get('email')
  if (!email) throw new Refusal('missing', '/email')
  const user = books.findUser(email)
  return user ? [{ id: user.id }] : []
}

function updateUser(_, call) {
  const user = call.books.ownUser(call)
  assertBody('updateUser', call.body)
  Object.assign(user.profile, call.body)
  return recordOf(user)
}

function readRequirements(_, call) {
  const user = call.books.ownUser(call)
  return { outstanding: OUTSTANDING.filter((field) => !user.profile[field]) }
}

function readKycUrl(_, call) {
  const user = call.books.ownUser(call)
  const expiresAt = call.books.stamp(call.books.now() + 2 * HOUR_MS)
  return { url: `https://verify.example/${user.id}`, expiresAt }
}

/** Tokens of the shared provider are not made here, so none is ever right. */
function importKyc(_, { body, params, books }) {
  if (!books.users.some(({ id }) => id === params[0])) throw new Refusal('no_user')
  assertBody('importKyc', body)
  throw new Refusal('wrong_share_token')
}

function quote(_, { query, books }) {
  const labels = ['leftSideLabel', 'leftSideValue', 'rightSideLabel'].map((name) => {
    const value = query.get(name)
    if (!value) throw new Refusal('missing', `/${name}`)
    return value
  })
  const price = priceOf(labels, books.terms)
  const quoteId = randomInt(10_000_000, 100_000_000)
  books.quotes.set(quoteId, { ...price, until: books.now() + 60_000, isUsed: false })
  const { serviceFee, networkFee, cad: _cad, ...rest } = price
  const expiresAt = books.stamp(books.now() + 60_000)
  return { quoteId, ...rest, breakdown: { serviceFee, networkFee }, expiresAt }
}

function readLimits(_, call) {
  call.books.userOf(call)
  const { minimum, maximum, rate } = call.books.terms
  const inCoins = (cad) => Math.round((cad / rate) * 100) / 100
  return {
    leftSideCurrency: {
      CAD: { minimum, maximum },
      CADC: { minimum, maximum },
      USDC: { minimum: inCoins(minimum), maximum: inCoins(maximum) },
    },
  }
}

/** The quote decides the amount; what the body says of it is not read. */
function createTransaction(integrator, call) {
  const { books, body } = call
  const user = books.userOf(call)
  assertBody('createTransaction', body)
  const price = books.takeQuote(body.quoteId)
  const isOther = ['leftSideLabel', 'rightSideLabel'].find((side) => body[side] !== price[side])
  if (isOther) throw new Refusal('other_label', `/${isOther}`)
  if (price.cad < books.terms.minimum) throw new Refusal('too_small')
  if (price.cad > books.terms.maximum) throw new Refusal('too_large')
  books.assertOpenEnough(user)
  price.isUsed = true
  const { leftSideLabel, leftSideValue, rightSideLabel, rightSideValue } = price
  const coin = leftSideLabel === 'CAD' ? rightSideLabel : leftSideLabel
  const row = {
    id: randomUUID(),
    userId: user.id,
    integrator,
    date: books.stamp(),
    coin,
    leftSideLabel,
    leftSideValue,
    rightSideLabel,
    rightSideValue,
    status: PENDING,
    wallet: body.wallet,
    paymentType: 'etransfer',
    paymentId: null,
    rmtId: `R${randomInt(1e8, 1e9)}`,
    externalSessionId: body.externalSessionId,
  }
  books.transactions.push(row)
  books.moveTransaction(row, PENDING)
  return { ...shown(row), depositAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72' }
}

function shown({ userId: _, integrator: __, externalSessionId: ___, ...row }) {
  return row
}

/** `offset` is not read. */
function listTransactions(_, call) {
  const rows = call.books.transactionsOf(call.books.userOf(call))
  const asked = Number(call.query.get('limit') ?? 20)
  if (!Number.isInteger(asked) || asked < 1) throw new Refusal('malformed', '/limit')
  const limit = Math.min(asked, 50)
  return { items: rows.slice(0, limit).map(shown), total: rows.length, limit, offset: 0 }
}

function ownTransaction(call) {
  const own = call.books.transactionsOf(call.books.userOf(call))
  const row = own.find(({ id }) => id === call.params[0])
  if (!row) throw new Refusal('no_transaction')
  return row
}

function readTransaction(_, call) {
  return shown(ownTransaction(call))
}

function cancelTransaction(_, call) {
  const row = ownTransaction(call)
  if (row.status !== PENDING) throw new Refusal('not_pending')
  call.books.moveTransaction(row, CANCELLED)
  return shown(row)
}

function shownWebhook(webhook) {
  if (!webhook) throw new Refusal('no_webhook')
  return webhook
}

function putWebhook(integrator, { body, books }) {
  assertBody('putWebhook', body)
  const isHttps = body.url.startsWith('https://')
  if (!isHttps && !books.options.allowHttpWebhooks) throw new Refusal('malformed', '/url')
  const now = books.stamp()
  const createdAt = integrator.webhook?.createdAt ?? now
  integrator.webhook = { url: body.url, createdAt, updatedAt: now }
  if (integrator.secret) return integrator.webhook
  integrator.secret = makeSecret()
  return { ...integrator.webhook, signingSecret: integrator.secret }
}

function deleteWebhook(integrator) {
  shownWebhook(integrator.webhook)
  integrator.webhook = null
}

async function testWebhook(integrator, { books }) {
  shownWebhook(integrator.webhook)
  const event = {
    id: randomUUID(),
    apiVersion: 'v2',
    occurredAt: books.stamp(),
    type: 'user.update',
    payload: { userId: randomUUID(), email: 'test@example.com', status: 'verified' },
  }
  const response = await books.post(integrator, event).catch(() => undefined)
  return {
    eventId: event.id,
    deliveredStatusCode: response?.status ?? 0,
    deliveredStatusText: response?.statusText ?? 'unreachable',
  }
}

function rotate(integrator) {
  shownWebhook(integrator.webhook)
  integrator.secret = makeSecret()
  return { signingSecret: integrator.secret }
}

function makeSecret() {
  return `sec_${randomUUID().replaceAll('-', '')}`
}

async function serve(books, request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  response.setHeader('date', new Date(books.now()).toUTCString())
  if (books.isUnderMaintenance()) {
    response.setHeader('content-type', 'text/html').end('<h1>We are back in a minute.</h1>')
    return
  }
  try {
    const { status, data } = await answer(books, request, Buffer.concat(chunks).toString())
    send(response, status, status === 204 ? undefined : { success: true, data })
  } catch (error) {
    refuse(books, response, error)
  }
}

async function answer(books, request, text) {
  books.assertRate()
  const url = new URL(request.url, 'http://provider')
  // Version 1 has ended in August 2026.
  if (!url.pathname.startsWith('/v2/')) throw new Refusal('gone')
  const routes = ROUTES.filter(({ form }) => form.test(url.pathname))
  if (routes.length === 0) throw new Refusal('no_path')
  const route = routes.find(({ method }) => method === request.method)
  if (!route) throw new Refusal('no_method')
  const integrator = route.needsKey ? books.integratorOf(request) : undefined
  const [, ...params] = route.form.exec(url.pathname)
  const { headers } = request
  const body = needsBody(request.method, text) ? parse(text) : undefined
  const call = { books, headers, params, query: url.searchParams, body }
  const data = await route.handle(integrator, call)
  const { name } = route.handle
  return { status: books.options.statuses[name] ?? STATUSES[name] ?? 200, data }
}

function needsBody(method, text) {
  return method !== 'GET' && text !== ''
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('not_json')
  }
}

function refuse(books, response, error) {
  const refusal = error instanceof Refusal ? error : new Refusal('internal')
  if (refusal !== error) console.error(error)
  const { status, field, message, name } = refusal
  if (status === 429) response.setHeader('retry-after', '1')
  const chosen = books.options.statuses[name] ?? status
  if (name === 'gone') return send(response, chosen, { message, status: 'gone' })
  send(response, chosen, { success: false, errors: [{ field, message }] })
}

function send(response, status, body) {
  const isProblem = status >= 400
  response.statusCode = status
  if (body === undefined) return response.end()
  response
    .setHeader('content-type', isProblem ? 'application/problem+json' : 'application/json')
    .end(JSON.stringify(body))
}
