import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Numbers and choices of this provider; a test may change each at any time. */
const TERMS = {
  clockAheadMs: 90_000,
  eventDelayMs: 250,
  feeRate: 0.008,
  markup: 0.002,
  rate: 1.4,
  networkFee: { ETH: 2, BASE: 0.1 },
  labels: ['USDC', 'USDC-ETH', 'USDC-BASE', 'CADC-ETH'],
  bareChain: 'BASE',
  quoteTtlMs: 1_200_000,
  quoteSpentStatus: 409,
  quoteDecides: true,
  cadMin: 10,
  cadMax: 8_000,
  selfServeMin: 60,
  userRequired: ['email', 'firstName', 'lastName', 'dob', 'phone'],
  refusesUnknownFields: false,
  refusesNull: false,
  checksPostalCode: true,
  ageMin: 18,
  createUserStatus: 201,
  linkTtlMs: 3_600_000,
  wrongCodeStatus: 401,
  tokenTtlMs: 1_800_000,
  listLimit: 25,
  listLimitMax: 100,
  orderStatus: 202,
  transactionFields: ['id', 'date', 'coin', 'leftSideLabel', 'leftSideValue', 'rightSideLabel'],
  moreTransactionFields: [
    'rightSideValue',
    'status',
    'wallet',
    'paymentType',
    'paymentId',
    'rmtId',
    'depositAddress',
  ],
  cancelledStatus: 'cancelled',
}

const [FIRST_KEY, SECOND_KEY] = ['quay-key-1', 'quay-key-2']
const USER = 'olivier@example.com'

/** The settings that say what this provider does; `undefined` for behaviour that none says. */
export const CHOICES = {
  'auth.createQuote': 'none',
  'auth.getLimits': 'token',
  'auth.getRequirements': 'key',
  'auth.updateUser': 'token',
  'auth.createKycLink': 'key',
  'auth.importKyc': 'key',
  'errors.v1': undefined,
  'fields.createQuote': undefined,
  'fields.createUser': 'full',
  'fields.findUsers': 'contract',
  'fields.getTransaction': 'full',
  'fields.sendLoginCode': 'contract',
  'kyc.import.body': 'shareToken',
  'kyc.linkTtl': '1h',
  'limits.maximum': '8000',
  'limits.minimum': '10',
  'limits.selfServeMinimum': '60',
  'login.eligible': 'verified',
  'login.token.ttl': '30m',
  'names.envelopeId': 'id',
  'names.headerPrefix': 'X-Event',
  'names.securityAnswerField': 'interacSecurityAnswer',
  'quotes.bareLabels': 'BASE',
  'quotes.fee': '0.008',
  'quotes.gas.ethereum': '2',
  'quotes.gas.other': '0.1',
  'quotes.gas.solana': undefined,
  'quotes.labels': 'USDC,USDC-ETH,USDC-BASE,CADC-ETH',
  'quotes.spread': '0.002',
  'quotes.ttl': '20m',
  'requests.null': 'absent',
  'requirements.shape': 'array',
  'status.already-verified': '409',
  'status.createTransaction': '202',
  'status.createUser': '201',
  'status.duplicate-user': '409',
  'status.invalid-body': '400',
  'status.invalid-query': '400',
  'status.invalid-share-token': '422',
  'status.invalid-token': '401',
  'status.invalid-url': '400',
  'status.limit-minimum': '400',
  'status.missing-key': '401',
  'status.missing-token': '401',
  'status.no-webhook-configuration': '404',
  'status.no-webhook-to-test': '404',
  'status.not-cancellable': '409',
  'status.other-user': undefined,
  'status.page-too-large': '200',
  'status.quote-amount': undefined,
  'status.quote-spent': '409',
  'status.too-many-decimals': '400',
  'status.unknown-field': '200',
  'status.unknown-key': '401',
  'status.unknown-quote': '404',
  'status.unknown-transaction': '404',
  'status.unknown-user': '404',
  'status.unverified-login': '403',
  'status.user-not-found': '404',
  'status.wrong-code': '401',
  'transactions.cancelledStatus': 'cancelled',
  'transactions.depositAddress': 'null',
  'transactions.list.limit': '25',
  'transactions.list.maximum': '100',
  'transactions.list.order': 'newest',
  'transactions.paymentType': 'chain',
  'transactions.required': 'all',
  'users.create.event': 'none',
  'users.create.required': 'email,firstName,lastName,dob,phone',
  'users.formats': 'postalCode',
  'users.initialStatus': 'initial',
  'users.minimumAge': '18',
  'users.visibility': 'platform',
  'v1.sunset': 'contract',
  'webhooks.test': 'user.update',
  'webhooks.url': 'loopback-http',
}

const ORDER_FIELDS = [
  'leftSideLabel',
  'leftSideValue',
  'rightSideLabel',
  'wallet',
  'quoteId',
  'externalSessionId',
]

class Problem extends Error {
  constructor(status, field, message) {
    super(message)
    Object.assign(this, { status, field })
  }
}

const reject = (status, field, message = 'Not acceptable.') => {
  throw new Problem(status, field, message)
}

/**
 * A provider in another style than the first: it names the first wrong field only, as a JSON pointer,
 * the quote decides the amount, webhooks come late and its clock is ahead. Keeps its own books.
 *
 * @param {Partial<typeof TERMS>} [changed]
 */
export async function createSecondProvider(changed = {}) {
  const terms = { ...TERMS, ...changed }
  const state = createState(terms)
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  const url = await listen(server)
  const mailbox = createServer((request, response) => {
    const to = new URL(request.url, url).searchParams.get('to')
    const codes = state.mailbox.filter((row) => row.to === to).map(({ code }) => ({ code }))
    response.end(JSON.stringify(codes))
  })
  const mailboxUrl = await listen(mailbox)
  return {
    url,
    terms,
    state,
    apiKey: FIRST_KEY,
    secondApiKey: SECOND_KEY,
    user: USER,
    codesUrl: `${mailboxUrl}/?to={email}`,
    /** Amounts in CAD of all transactions that were ever made. */
    amounts: () => state.transactions.map(({ leftSideValue }) => leftSideValue),
    /** Resolves once every event so far has arrived. */
    idle: () => Promise.all(state.underway),
    async close() {
      for (const one of [server, mailbox]) {
        one.closeAllConnections()
        one.close()
        await once(one, 'close')
      }
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

function createState(terms) {
  const verified = {
    id: randomUUID(),
    email: USER,
    status: 'verified',
    phone: '5145550101',
  }
  return {
    terms,
    keys: [FIRST_KEY, SECOND_KEY],
    users: [verified],
    quotes: new Map(),
    transactions: [],
    /** Events that have not arrived yet. */
    underway: new Set(),
    mailbox: [],
    tokens: new Map(),
    webhooks: new Map(),
    calls: [],
    now: () => Date.now() + terms.clockAheadMs,
  }
}

async function serve(state, request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { pathname: path, searchParams: query } = new URL(request.url, 'http://any')
  const call = { method: request.method, path, query, text, headers: request.headers }
  state.calls.push(`${call.method} ${request.url} ${text}`.trim())
  response.setHeader('date', new Date(state.now()).toUTCString())
  try {
    const { status = 200, data } = await respond(state, call)
    const body = status === 204 ? '' : JSON.stringify({ success: true, data })
    end(response, status, body, 'application/json')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, field, message } = error
    const body = path.startsWith('/v2/')
      ? { success: false, title: message, errors: [{ field: `/${field}`, message }] }
      : { message, status: 'error' }
    const type = path.startsWith('/v2/') ? 'application/problem+json' : 'application/json'
    end(response, status, JSON.stringify(body), type)
  }
}

function end(response, status, body, type) {
  response.writeHead(status, body ? { 'content-type': type } : {})
  response.end(body)
}

function respond(state, call) {
  if (!call.path.startsWith('/v2/')) reject(410, '', 'v1 has ended.')
  const path = call.path.slice('/v2'.length)
  const known = ROUTES.filter(([, pattern]) => pattern.test(path))
  const row = known.find(([method]) => method === call.method)
  if (!row) return reject(known.length > 0 ? 405 : 404, 'path')
  const [, pattern, auth, handle] = row
  const [, id] = pattern.exec(path)
  const key = call.headers['x-api-key']
  if (auth !== 'none' && !state.keys.includes(key)) reject(401, 'x-api-key', 'Who are you?')
  const user = auth === 'token' ? userOf(state, call) : undefined
  return handle(state, { ...call, id, key, user, body: () => readBody(call.text) })
}

function userOf(state, { headers }) {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  const user = state.tokens.get(token)
  return user ?? reject(401, 'authorization', 'Log in.')
}

function readBody(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return reject(400, '', 'That is not JSON.')
  }
}

/** Names the first that is missing, and nothing else. */
function need(body, names) {
  for (const name of names) if (body[name] === undefined) reject(400, name, 'Required.')
}

const iso = (ms) => new Date(ms).toISOString()
const pick = (row, names) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))

// Users

const findUser = (state, email) => state.users.find((user) => user.email === email)

function createUser(state, { body: read }) {
  const { terms } = state
  const body = read()
  need(body, terms.userRequired)
  const known = [...terms.userRequired, ...PROFILE]
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown && terms.refusesUnknownFields) reject(400, unknown, 'Unknown.')
  const empty = Object.keys(body).find((name) => body[name] === null)
  if (empty && terms.refusesNull) reject(400, empty, 'Empty.')
  if (!/^\S+@\S+$/.test(body.email)) reject(400, 'email')
  if (body.dob !== undefined && !/^\d{4}-\d\d-\d\d$/.test(body.dob)) reject(400, 'dob')
  const postalCode = body.postalCode ?? 'H2X 1Y4'
  if (terms.checksPostalCode && !/^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i.test(postalCode)) {
    reject(400, 'postalCode')
  }
  const ageMs = state.now() - Date.parse(body.dob ?? '1990-01-01')
  if (ageMs < terms.ageMin * 365.25 * 86_400_000) reject(400, 'dob', 'Too young.')
  if (findUser(state, body.email)) reject(409, 'email', 'Known already.')
  const user = { ...body, id: randomUUID(), status: 'initial' }
  state.users.push(user)
  return { status: terms.createUserStatus, data: presentUser(user) }
}

const PROFILE = [
  'addressLine1',
  'addressLine2',
  'city',
  'province',
  'postalCode',
  'occupation',
  'pep',
  'tpd',
]
const presentUser = ({ id, status }) => ({ id, accessibleBy: ['jwt'], status })

function searchUsers(state, { query }) {
  const email = query.get('email') ?? reject(400, 'email', 'Required.')
  const user = findUser(state, email)
  return { data: user ? [{ id: user.id }] : [] }
}

const userById = (state, { id, user }) => {
  const found = state.users.find((row) => row.id === id)
  if (!found || (user && user !== found)) reject(404, 'userId')
  return found
}

function readRequirements(state, call) {
  const user = userById(state, call)
  const open = user.status === 'verified' ? [] : ['purpose', 'identity']
  return { data: open.map((field) => ({ field, kind: 'missing' })) }
}

function updateUser(state, call) {
  const user = userById(state, call)
  Object.assign(user, call.body())
  return { data: presentUser(user) }
}

function createLink(state, call) {
  if (userById(state, call).status === 'verified') reject(409, 'userId', 'Verified already.')
  const url = `https://identity.example/${randomUUID()}`
  return { data: { url, expiresAt: iso(state.now() + state.terms.linkTtlMs) } }
}

function importKyc(state, call) {
  userById(state, call)
  need(call.body(), ['shareToken'])
  reject(422, 'shareToken', 'This token is of no use.')
}

// Login

function sendCode(state, { body: read }) {
  const body = read()
  need(body, ['email'])
  const user = findUser(state, body.email) ?? reject(404, 'email', 'Nobody.')
  if (user.status !== 'verified') reject(403, 'email', 'Not verified.')
  const code = String(randomInt(10_000)).padStart(4, '0')
  state.mailbox.push({ to: user.email, code, user })
  return { data: {} }
}

function verifyCode(state, { body: read }) {
  const body = read()
  need(body, ['email', 'code'])
  const sent = state.mailbox.find(({ to, code, isUsed }) => {
    return to === body.email && code === body.code && !isUsed
  })
  if (!sent) return reject(state.terms.wrongCodeStatus, 'code', 'Wrong.')
  sent.isUsed = true
  const accessToken = `${randomBytes(8).toString('hex')}.${randomBytes(24).toString('hex')}`
  state.tokens.set(accessToken, sent.user)
  const expiresIn = state.terms.tokenTtlMs / 1000
  return { data: { accessToken, tokenType: 'Bearer', expiresIn } }
}

// Quotes and transactions

function createQuote(state, { query }) {
  const { terms } = state
  const named = ['leftSideLabel', 'leftSideValue', 'rightSideLabel']
  const [left, value, right] = named.map((name) => query.get(name) ?? reject(400, name))
  const cad = Number(value)
  if (!(cad > 0)) reject(400, 'leftSideValue')
  if (!/^\d+(\.\d\d?)?$/.test(value)) reject(400, 'leftSideValue', 'Too exact.')
  if (left !== 'CAD' || !terms.labels.includes(right)) reject(400, 'rightSideLabel')
  const chain = right.split('-')[1] ?? terms.bareChain
  const serviceFee = cad * terms.feeRate
  const networkFee = terms.networkFee[chain]
  const markup = (cad - serviceFee - networkFee) * terms.markup
  const out = (cad - serviceFee - networkFee - markup) / terms.rate
  if (out <= 0) reject(400, 'leftSideValue', 'Nothing would be left.')
  const quoteId = 1_000_000 + state.quotes.size
  const expiresAt = state.now() + terms.quoteTtlMs
  const quote = { left, cad, right, chain, rightSideValue: Math.floor(out * 1e6) / 1e6, expiresAt }
  state.quotes.set(quoteId, quote)
  const breakdown = { serviceFee, networkFee, markup }
  return {
    data: {
      quoteId,
      leftSideLabel: left,
      leftSideValue: cad,
      rightSideLabel: right,
      rightSideValue: quote.rightSideValue,
      exchangeRate: terms.rate,
      expiresAt: iso(expiresAt),
      breakdown,
    },
  }
}

const readLimits = ({ terms }) => {
  const CAD = { minimum: terms.selfServeMin, maximum: terms.cadMax }
  return { data: { leftSideCurrency: { CAD, CADC: CAD, USDC: CAD } } }
}

async function createTransaction(state, { body: read, user, key }) {
  const { terms } = state
  const body = read()
  need(body, ORDER_FIELDS)
  const quote = state.quotes.get(body.quoteId) ?? reject(404, 'quoteId', 'No such quote.')
  if (quote.isSpent && terms.quoteSpentStatus >= 400) {
    reject(terms.quoteSpentStatus, 'quoteId', 'Used.')
  }
  if (!/^0x[\da-f]{40}$/i.test(body.wallet)) reject(400, 'wallet')
  const cad = terms.quoteDecides ? quote.cad : body.leftSideValue
  if (cad < terms.cadMin || cad > terms.cadMax) reject(400, 'leftSideValue', 'Outside the limits.')
  quote.isSpent = true
  const transaction = {
    id: randomUUID(),
    user,
    key,
    externalSessionId: body.externalSessionId,
    date: iso(state.now()),
    coin: quote.right.split('-')[0],
    leftSideLabel: 'CAD',
    leftSideValue: cad,
    rightSideLabel: quote.right,
    rightSideValue: quote.rightSideValue,
    status: 'pending request money transfer',
    wallet: body.wallet,
    paymentType: `${quote.chain.toLowerCase()} network`,
    paymentId: null,
    rmtId: `T${randomInt(1e9)}`,
    depositAddress: null,
  }
  state.transactions.push(transaction)
  emitTransaction(state, transaction)
  return { status: terms.orderStatus, data: present(state, transaction) }
}

const present = ({ terms }, transaction) =>
  pick(transaction, [...terms.transactionFields, ...terms.moreTransactionFields])

function listTransactions(state, { query, user }) {
  const { terms } = state
  const asked = Number(query.get('limit') ?? terms.listLimit)
  if (!Number.isInteger(asked) || asked < 1) reject(400, 'limit')
  const limit = Math.min(asked, terms.listLimitMax)
  const own = state.transactions.filter((row) => row.user === user).reverse()
  const items = own.slice(0, limit).map((row) => present(state, row))
  return { data: { items, total: own.length, limit, offset: 0 } }
}

const ownTransaction = (state, { id, user }) =>
  state.transactions.find((row) => row.id === id && row.user === user) ?? reject(404, 'txId')

const readTransaction = (state, call) => ({ data: present(state, ownTransaction(state, call)) })

function cancel(state, call) {
  const transaction = ownTransaction(state, call)
  if (!transaction.status.startsWith('pending')) reject(409, 'txId', 'Too late.')
  transaction.status = state.terms.cancelledStatus
  emitTransaction(state, transaction)
  return { data: present(state, transaction) }
}

// Webhooks

function putWebhook(state, { body: read, key }) {
  const { url } = read()
  if (!/^(https:|http:\/\/127\.0\.0\.1)/.test(url ?? '')) reject(400, 'url')
  const before = state.webhooks.get(key)
  const secret = before?.secret ?? randomBytes(16).toString('hex')
  const at = iso(state.now())
  const webhook = { url, secret, createdAt: before?.createdAt ?? at, updatedAt: at }
  state.webhooks.set(key, webhook)
  const shown = before ? {} : { signingSecret: secret }
  return { data: { ...pick(webhook, ['url', 'createdAt', 'updatedAt']), ...shown } }
}

const webhookOf = (state, { key }) =>
  state.webhooks.get(key) ?? reject(404, 'webhook', 'None is configured.')

const readWebhook = (state, call) => ({
  data: pick(webhookOf(state, call), ['url', 'createdAt', 'updatedAt']),
})

function deleteWebhook(state, call) {
  webhookOf(state, call)
  state.webhooks.delete(call.key)
  return { status: 204 }
}

async function testWebhook(state, call) {
  webhookOf(state, call)
  const payload = { userId: randomUUID(), email: 'test@example.com', status: 'verified' }
  const eventId = emit(state, call.key, 'user.update', payload)
  return { data: { eventId, deliveredStatusCode: 200, deliveredStatusText: 'OK' } }
}

function emitTransaction(state, { id, key, user, ...row }) {
  const payload = {
    transactionId: id,
    email: user.email,
    interacSecurityAnswer: null,
    ...pick(row, ['status', 'wallet', 'paymentId', 'leftSideLabel', 'leftSideValue']),
    ...pick(row, ['rightSideLabel', 'rightSideValue', 'externalSessionId']),
  }
  emit(state, key, 'transaction.update', payload)
}

/** Sends an event some time after the response. */
function emit(state, key, type, payload) {
  const id = randomUUID()
  const webhook = state.webhooks.get(key)
  if (!webhook) return id
  const event = { id, apiVersion: 'v2', occurredAt: iso(state.now()), type, payload }
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', webhook.secret).update(`${timestamp}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-event-timestamp': String(timestamp),
    'x-event-signature': `v1=${digest}`,
  }
  const sent = sleep(state.terms.eventDelayMs)
    .then(() => fetch(webhook.url, { method: 'POST', headers, body }))
    .catch(() => undefined)
    .finally(() => state.underway.delete(sent))
  state.underway.add(sent)
  return id
}

const ROUTES = [
  ['POST', /^\/auth\/login-codes$/, 'key', sendCode],
  ['POST', /^\/auth\/login-codes\/verify$/, 'key', verifyCode],
  ['POST', /^\/users$/, 'key', createUser],
  ['GET', /^\/users$/, 'key', searchUsers],
  ['PATCH', /^\/users\/([^/]+)$/, 'token', updateUser],
  ['GET', /^\/users\/([^/]+)\/requirements$/, 'key', readRequirements],
  ['GET', /^\/users\/([^/]+)\/kyc-url$/, 'key', createLink],
  ['PUT', /^\/users\/([^/]+)\/kyc$/, 'key', importKyc],
  ['GET', /^\/quotes$/, 'none', createQuote],
  ['GET', /^\/limits$/, 'token', readLimits],
  ['POST', /^\/transactions$/, 'token', createTransaction],
  ['GET', /^\/transactions$/, 'token', listTransactions],
  ['GET', /^\/transactions\/([^/]+)$/, 'token', readTransaction],
  ['PUT', /^\/transactions\/([^/]+)\/cancel$/, 'token', cancel],
  ['PUT', /^\/webhook-configurations$/, 'key', putWebhook],
  ['GET', /^\/webhook-configurations$/, 'key', readWebhook],
  ['DELETE', /^\/webhook-configurations$/, 'key', deleteWebhook],
  ['POST', /^\/webhook-configurations\/test$/, 'key', testWebhook],
]
