// A receiver that does it right: it credits a wallet once a buy completes. Tests put other parts in
// the place of one here.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { call, logIn } from './api.mjs'

const STALE_SECONDS = 300
const CUSTOMER = 'alice@example.com'
const RANKS = {
  'pending request money transfer': 0,
  'processing request money transfer': 1,
  complete: 2,
  expired: 2,
  cancelled: 2,
}

const empty = () => ({ events: [], orders: {}, wallet: 0 })

/** What can be got wrong. */
export const right = {
  /**
   * Takes a webhook; returns the status to send.
   *
   * @returns {Promise<number>}
   */
  async take(shop, headers, body) {
    if (!this.isGenuine(shop, headers, body)) return 401
    const { id, eventId = id, type, payload } = JSON.parse(body)
    if (type === 'transaction.update') await this.store(shop, eventId, payload)
    return 204
  },

  isGenuine({ place }, headers, body) {
    const timestamp = headers['x-service-timestamp'] ?? ''
    const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
    const hmac = createHmac('sha256', place.signingSecret).update(`${timestamp}.`).update(body)
    const expected = Buffer.from(`v1=${hmac.digest('hex')}`)
    const given = Buffer.from(headers['x-service-signature'] ?? '')
    return (
      age <= STALE_SECONDS && given.length === expected.length && timingSafeEqual(given, expected)
    )
  },

  /** One write holds all that an event changes, so no crash can come between. */
  async store(shop, eventId, payload) {
    const state = shop.read()
    if (state.events.includes(eventId)) return
    state.events.push(eventId)
    this.apply(state, payload)
    shop.write(state)
  },

  /** A status only ever moves on, whatever the order in which events come. */
  apply(state, { transactionId: id, status, rightSideValue }) {
    // A type or a status that is new says nothing to this version.
    if (!(status in RANKS)) return
    const before = state.orders[id]
    if (before !== undefined && RANKS[status] <= RANKS[before]) return
    state.orders[id] = status
    if (status === 'complete') state.wallet += rightSideValue
  },

  /** Events are sent once, so what was lost is found by asking. */
  async reconcile(shop) {
    const state = shop.read()
    for (const { id, ...transaction } of await list(shop.place)) {
      if (this.isOpen(state.orders[id])) this.apply(state, { transactionId: id, ...transaction })
    }
    shop.write(state)
  },

  isOpen: (status) => status === undefined || RANKS[status] < 2,
}

/** The store of a shop: a file that is replaced as a whole, or the memory. */
export function openShop(file, place) {
  let memory = JSON.stringify(empty())
  return {
    place,
    pause,
    resets: 0,
    read: () => JSON.parse(file && existsSync(file) ? readFileSync(file, 'utf8') : memory),
    write(state) {
      memory = JSON.stringify(state)
      if (!file) return
      writeFileSync(`${file}.new`, memory)
      renameSync(`${file}.new`, file)
    },
    /** The explorer says where the API is, with each reset. */
    reset(place) {
      this.resets++
      this.place = place
      this.write(empty())
    },
    /** Events are how it works, and not what it made of them. */
    state() {
      const { events: _, ...state } = this.read()
      return state
    },
  }
}

/** Every transaction of the customer. */
async function list(place) {
  const token = await logIn(place, CUSTOMER)
  const page = await call(place, '/v2/transactions?limit=100', { token })
  return page.data.items
}

/** Serves a shop; `POST /hooks`, `/orders`, `/reset` and `/reconcile`, and `GET /state`. */
export function serveShop(shop, parts = right) {
  const routes = {
    '/hooks': async ({ headers }, body) => ({ status: await parts.take(shop, headers, body) }),
    '/orders': async () => ({ status: 201, text: JSON.stringify({ id: await parts.order(shop) }) }),
    '/reset': async (_, body) => ({ status: 204, done: shop.reset(JSON.parse(body)) }),
    '/state': async () => ({ status: 200, text: JSON.stringify(shop.state()) }),
    '/reconcile': async () => ({ status: 204, done: await parts.reconcile(shop) }),
  }
  return createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    try {
      const { status, text } = await routes[request.url](request, Buffer.concat(chunks).toString())
      response.writeHead(status).end(text)
    } catch (error) {
      response.writeHead(502).end(String(error))
    }
  })
}
