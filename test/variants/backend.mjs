import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * A backend that buys and sells through the ramp platform and keeps orders and balances. `style` is
 * one of five ways to do it right; `mistake` plants one that integrators make.
 */
export async function startBackend({ url, apiKey, style = 'users', mistake = '' }) {
  const users = new Map()
  const orders = new Map()
  const balances = new Map()
  const seen = new Set()
  const inbox = []
  const tokens = new Map()
  let secret

  async function call(method, path, { body, token, tries = style === 'once' ? 1 : 3 } = {}) {
    const headers = { 'x-api-key': apiKey }
    if (body) headers['content-type'] = 'application/json'
    if (token) headers.authorization = `Bearer ${token}`
    const sent = body && JSON.stringify(body)
    const response = await fetch(url + path, { method, headers, body: sent })
    const isBusy = response.status === 503 || response.status === 429
    if (isBusy && tries > 1 && method === 'GET') {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return await call(method, path, { body, token, tries: tries - 1 })
    }
    const text = await response.text()
    const { data, errors } = text ? JSON.parse(text) : {}
    if (response.ok) return { status: response.status, data }
    throw Object.assign(new Error(`${method} ${path} failed: ${errors?.[0]?.message}`), {
      status: response.status,
    })
  }

  function isGenuine(headers, raw) {
    const timestamp = headers['x-service-timestamp'] ?? ''
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
    const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex')
    const [given, made] = [headers['x-service-signature'] ?? '', `v1=${hmac}`].map(Buffer.from)
    return given.length === made.length && timingSafeEqual(given, made)
  }

  const RANKS = [/^pending/, /^processing/, /^(complete|expired|cancell?ed)$/]
  const rankOf = (status) => RANKS.findIndex((pattern) => pattern.test(status))

  async function apply({ id, eventId, type, payload }) {
    const key = id ?? eventId
    if (mistake !== 'no-dedupe' && seen.has(key)) return
    seen.add(key)
    if (type === 'user.update') {
      if (style === 'users' || users.has(payload.userId)) users.set(payload.userId, payload.status)
      return
    }
    const order = orders.get(payload.transactionId)
    if (!order) return
    const fresh =
      style === 'refetch'
        ? (
            await call('GET', `/v2/transactions/${payload.transactionId}`, {
              token: tokens.get(order.email),
            })
          ).data
        : payload
    if (mistake !== 'no-dedupe' && rankOf(fresh.status) <= rankOf(order.status)) return
    order.status = fresh.status
    if (fresh.status !== 'complete') return
    const balance = balances.get(order.email) ?? 0
    balances.set(order.email, balance + fresh.rightSideValue)
  }

  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const respond = (status) => response.writeHead(status).end()
    if (!isGenuine(request.headers, raw)) return respond(401)
    const event = JSON.parse(raw)
    if (!['user.update', 'transaction.update'].includes(event.type)) {
      return respond(style === 'strict' ? 503 : 204)
    }
    if (style === 'inbox') {
      inbox.push(event)
      respond(204)
      return
    }
    await apply(event)
    respond(204)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A test that fails must not keep the process alive.
  server.unref()
  const hooks = `http://127.0.0.1:${server.address().port}/hooks`

  return {
    users,
    orders,
    balances,
    /** Works off what the durable inbox holds. */
    async work() {
      for (let event = inbox.shift(); event; event = inbox.shift()) await apply(event)
    },
    async configure() {
      const { data } = await call('PUT', '/v2/webhook-configurations', { body: { url: hooks } })
      if (data.url !== hooks) throw new Error('The webhook URL was not stored.')
      secret = data.signingSecret ?? process.env.RAMP_SANDBOX_SIGNING_SECRET
      if (!secret) throw new Error('There is no signing secret.')
    },
    async signUp(email) {
      const body = {
        email,
        firstName: 'Ana',
        lastName: 'Silva',
        dob: '1990-05-01',
        phone: '4165550100',
        addressLine1: '1 Front Street',
        addressLine2: 'Unit 2',
        city: 'Toronto',
        province: 'ON',
        postalCode: 'M5V 2T6',
        occupation: 'Engineer',
        pep: false,
        tpd: false,
      }
      const { status, data } = await call('POST', '/v2/users', { body })
      if (!data.id) throw new Error('The new user has no id.')
      users.set(data.id, 'initial')
      return { status, id: data.id }
    },
    sendCode: (email) => call('POST', '/v2/auth/login-codes', { body: { email } }),
    async logIn(email, code) {
      const body = { email, code }
      const { data } = await call('POST', '/v2/auth/login-codes/verify', { body })
      tokens.set(email, data.accessToken)
    },
    async order(email, request) {
      const token = tokens.get(email)
      const { leftSideLabel, leftSideValue, rightSideLabel } = request
      const query = new URLSearchParams({ leftSideLabel, leftSideValue, rightSideLabel })
      const quote = await call('GET', `/v2/quotes?${query}`)
      const body = { ...request, quoteId: quote.data.quoteId, externalSessionId: 'session-1' }
      const { data } = await call('POST', '/v2/transactions', { body, token })
      orders.set(data.id, { email, status: data.status })
      return data
    },
    async cancel(email, id) {
      const sent = call('PUT', `/v2/transactions/${id}/cancel`, { token: tokens.get(email) })
      if (mistake === 'assumes-cancel') {
        await sent.catch(() => undefined)
        orders.get(id).status = 'cancelled'
        return
      }
      const { data } = await sent
      if (rankOf(data.status) !== 2) throw new Error(`It is not cancelled: ${data.status}`)
      orders.get(id).status = data.status
    },
    /** Every order of a user, a page at a time. */
    async list(email) {
      const all = []
      for (;;) {
        const path = `/v2/transactions?offset=${all.length}`
        const { data } = await call('GET', path, { token: tokens.get(email) })
        const rows = Object.values(data).find(Array.isArray)
        all.push(...rows)
        if (rows.length === 0 || all.length >= data.total) return all
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
