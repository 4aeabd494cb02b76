// A wallet's back end, written from the provider's contract by somebody who has not seen `explore`. It keeps what it is about to do before it
// does it, and looks for what became of an order whose response never came.
//
// POST /sign-in { email } · POST /sign-in/code { email, code } · POST /orders { email, cad, wallet } · GET /orders
// POST /hooks · POST /reset { url, apiKey, signingSecret } · GET /state · POST /reconcile
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const PATIENCE_MS = 1_000
const FINAL = ['complete', 'expired', 'cancelled', 'canceled']

/** An answer that the customer gets, with its status. */
class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

export class Backend {
  #place
  #tokens = new Map()
  /** By our own id: `{ email, cad, wallet, transactionId, status, coins }`. */
  #orders = new Map()
  #seen = new Set()

  constructor(place) {
    this.#place = place
  }

  reset(place) {
    this.#place = place
    this.#tokens.clear()
    this.#orders.clear()
    this.#seen.clear()
  }

  async signIn({ email }) {
    await this.#ask('POST', '/v2/auth/login-codes', { body: { email } })
  }

  async enterCode({ email, code }) {
    const { accessToken } = await this.#ask('POST', '/v2/auth/login-codes/verify', {
      body: { email, code },
    })
    this.#tokens.set(email, accessToken)
  }

  /** Writes the order down before the provider hears of it; a quote is used for one order only. */
  async order({ email, cad, wallet }) {
    const token = this.#tokens.get(email)
    if (!token) throw new Refused(401, 'Sign in first.')
    const query = new URLSearchParams({
      leftSideLabel: 'CAD',
      leftSideValue: String(cad),
      rightSideLabel: 'USDC-ETH',
    })
    const { quoteId } = await this.#ask('GET', `/v2/quotes?${query}`, { tries: 3 })
    const id = randomUUID()
    const order = { email, cad, wallet, status: 'placing', placedAt: Date.now(), coins: 0 }
    this.#orders.set(id, order)
    const body = {
      leftSideLabel: 'CAD',
      leftSideValue: cad,
      rightSideLabel: 'USDC-ETH',
      wallet,
      quoteId,
      externalSessionId: id,
    }
    try {
      this.#take(order, await this.#ask('POST', '/v2/transactions', { token, body }))
    } catch (error) {
      if (error instanceof Refused && error.status < 500) {
        this.#orders.delete(id)
        throw error
      }
      // It may have been placed: only asking can tell.
      await this.#findPlaced(email)
      if (order.status === 'placing')
        throw new Refused(503, 'We do not know yet. Please look at your orders.')
    }
    return { id, status: order.status }
  }

  list() {
    return [...this.#orders].map(([id, { status, cad }]) => ({ id, status, cad }))
  }

  state() {
    const orders = [...this.#orders.values()].map(({ email, cad, status, coins }) => ({
      email,
      cad,
      status,
      coins,
    }))
    return { orders, coins: orders.reduce((sum, { coins }) => sum + coins, 0) }
  }

  /** Asks for every order of everybody who is signed in. */
  async reconcile() {
    for (const email of this.#tokens.keys()) await this.#findPlaced(email)
  }

  hook(headers, text) {
    if (!this.#isGenuine(headers, text)) throw new Refused(401, 'This is not from the provider.')
    const { id, eventId = id, type, payload } = JSON.parse(text)
    if (type !== 'transaction.update' || this.#seen.has(eventId)) return
    this.#seen.add(eventId)
    const order = this.#orders.get(payload.externalSessionId)
    if (order) this.#take(order, { ...payload, id: payload.transactionId })
  }

  #isGenuine(headers, text) {
    const timestamp = headers['x-service-timestamp'] ?? ''
    if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300)) return false
    const digest = createHmac('sha256', this.#place.signingSecret)
      .update(`${timestamp}.${text}`)
      .digest('hex')
    const expected = Buffer.from(`v1=${digest}`)
    const given = Buffer.from(headers['x-service-signature'] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  #take(order, { id, status, rightSideValue }) {
    order.transactionId = id
    if (FINAL.includes(order.status)) return
    order.status = status
    if (status === 'complete') order.coins = rightSideValue
  }

  async #findPlaced(email) {
    const page = await this.#ask('GET', '/v2/transactions?limit=100', {
      token: this.#tokens.get(email),
      tries: 3,
    })
    const mine = [...this.#orders.values()].filter((order) => order.email === email)
    const known = new Map(mine.map((order) => [order.transactionId, order]))
    for (const row of page.items) {
      const order = known.get(row.id) ?? mine.find((one) => this.#couldBe(one, row))
      if (order) this.#take(order, row)
    }
  }

  #couldBe({ status, cad, wallet }, row) {
    return status === 'placing' && row.leftSideValue === cad && row.wallet === wallet
  }

  /** Only what changes nothing is tried again. */
  async #ask(method, path, { body, token, tries = 1 } = {}) {
    for (let left = tries - 1; ; left--) {
      try {
        return await this.#askOnce(method, path, { body, token })
      } catch (error) {
        const isFinal = error instanceof Refused && error.status < 500 && error.status !== 429
        if (isFinal || left <= 0) throw error
      }
    }
  }

  async #askOnce(method, path, { body, token }) {
    const headers = { 'x-api-key': this.#place.apiKey }
    if (token) headers.authorization = `Bearer ${token}`
    if (body) headers['content-type'] = 'application/json'
    const response = await fetch(this.#place.url + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { data, errors } = await response.json()
    if (response.ok) return data
    throw new Refused(response.status, errors?.[0]?.message ?? 'The provider refuses.')
  }
}

/** A server for one back end, not listening yet. */
export function serveBackend(backend) {
  const routes = {
    'POST /sign-in': (body) => backend.signIn(body),
    'POST /sign-in/code': (body) => backend.enterCode(body),
    'POST /orders': (body) => backend.order(body),
    'GET /orders': () => backend.list(),
    'GET /state': () => backend.state(),
    'POST /reset': (body) => backend.reset(body),
    'POST /reconcile': () => backend.reconcile(),
  }
  return createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    try {
      const name = `${request.method} ${request.url}`
      const isHook = name === 'POST /hooks'
      if (!isHook && !routes[name]) throw new Refused(404, 'Nothing is here.')
      const result = isHook
        ? backend.hook(request.headers, text)
        : await routes[name](text ? JSON.parse(text) : {})
      response.writeHead(result === undefined ? 204 : 200, { 'content-type': 'application/json' })
      response.end(result && JSON.stringify(result))
    } catch (error) {
      response.writeHead(error.status ?? 502, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: error.message }))
    }
  })
}
