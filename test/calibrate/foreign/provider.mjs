import { once } from 'node:events'
import { assertBody } from './checks.mjs'
import { createOperator } from './operator.mjs'
import { Refusal } from './refusals.mjs'
import { createState } from './state.mjs'
import { TERMS } from './terms.mjs'
import { createTransport, NOT_FOUND_PAGE, toSuccess } from './transport.mjs'
import { createLegacyHooks, createV1 } from './v1.mjs'
import { createV2 } from './v2.mjs'
import { createWebhooks } from './webhooks.mjs'

const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  operatorPort: 0,
  apiKey: 'harbour-stage-1',
  secondApiKey: 'harbour-stage-2',
  user: 'marie@example.com',
  seed: 'harbour',
  latencyMs: [30, 300],
  failEvery: 200,
  mailbox: 'newest-first',
  allowHttpWebhooks: false,
  clock: Date.now,
  terms: {},
  statuses: {},
}

const COMPLETE = {
  ...{ firstName: 'Marie', lastName: 'Tremblay', dob: '1990-05-17', phone: '4165550142' },
  ...{ addressLine1: '12 Quay Street', city: 'Toronto', province: 'on', postalCode: 'M5V 2T6' },
  occupation: 'Harbour pilot',
}

/**
 * A provider that shares nothing with the sandbox but the contract.
 *
 * @param {Partial<typeof DEFAULTS>} [options]
 * @example const provider = await createForeignProvider({ latencyMs: [0, 0], failEvery: 0 })
 */
export async function createForeignProvider(options = {}) {
  const chosen = { ...DEFAULTS, ...options }
  const integrators = [chosen.apiKey, chosen.secondApiKey].map((apiKey, index) => {
    const name = `integrator-${index + 1}`
    return { apiKey, name, webhook: null, secret: null, legacy: createLegacyHooks(), calls: 0 }
  })
  const terms = { ...TERMS, ...chosen.terms }
  const state = createState({ ...chosen, terms, integrators })
  const webhooks = createWebhooks(state)
  let url = ''
  const isWebhookUrl = (value) => checkWebhookUrl(value, chosen.allowHttpWebhooks)
  const shared = { state, webhooks, isWebhookUrl, baseUrl: () => url }
  const respond = createRouter(state, [...createV2(shared), ...createV1(shared)])
  const server = createTransport({ ...chosen, respond })

  const user = state.createUser(integrators[0], { ...COMPLETE, email: chosen.user })
  state.setUserStatus(user, 'verified')
  const operator = createOperator({ state, mailbox: chosen.mailbox })
  url = await listen(server, chosen.host, chosen.port)
  const operatorUrl = await listen(operator, chosen.host, chosen.operatorPort)

  async function close() {
    await Promise.all([server, operator].map(end))
  }
  const { apiKey, secondApiKey, user: email } = chosen
  const { idle } = webhooks
  return { url, operatorUrl, apiKey, secondApiKey, user: email, state, idle, close }
}

function checkWebhookUrl(value, allowHttp) {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const local = url && ['localhost', '127.0.0.1'].includes(url.hostname)
  return url?.protocol === 'https:' || (allowHttp && local && url.protocol === 'http:')
}

/** Finds the route of a call, and checks the key, its rate, the token, then the body. */
function createRouter(state, routes) {
  const { terms, integrators } = state
  const rows = routes.map(([method, path, auth, handle, body]) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`)
    return { method, pattern, auth, handle, body }
  })

  return async (call) => {
    if (call.method === 'GET' && /^\/identity\/[\w-]+$/.test(call.path)) return IDENTITY_PAGE
    for (const row of rows) {
      const match = call.method === row.method && row.pattern.exec(call.path)
      if (!match) continue
      const owner = requireKey(call)
      assertRate(owner)
      const user = row.auth === 'token' ? requireToken(call, owner) : undefined
      const body = row.body ? readBody(call, row.body) : undefined
      const asked = { ...call, owner, user, body, id: match[1] }
      const { status = 200, data } = await row.handle(asked)
      return { status, body: status === 204 ? undefined : toSuccess(call, data) }
    }
    return { status: 404, html: NOT_FOUND_PAGE }
  }

  function requireKey({ headers }) {
    const key = headers['x-api-key']
    if (!key) throw new Refusal('api_key_missing')
    const owner = integrators.find(({ apiKey }) => apiKey === key)
    if (!owner) throw new Refusal('api_key_wrong')
    return owner
  }

  function assertRate(owner) {
    const minute = Math.floor(Date.now() / 60_000)
    if (owner.minute !== minute) Object.assign(owner, { minute, calls: 0 })
    owner.calls += 1
    if (owner.calls <= terms.requestsPerMinuteMax) return
    const seconds = String(60 - (Math.floor(Date.now() / 1000) % 60))
    throw Object.assign(new Refusal('slow_down'), { headers: { 'retry-after': seconds } })
  }

  function requireToken({ headers }, owner) {
    const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
    if (!token) throw new Refusal('token_missing')
    return state.userOfToken(owner, token)
  }
}

/** Reads JSON whatever the content type says; null is the value of no field. */
function readBody({ text }, shape) {
  let body
  try {
    body = JSON.parse(text || '{}')
  } catch {
    throw new Refusal('not_json')
  }
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isObject) throw new Refusal('not_json')
  assertBody(body, shape)
  return body
}

const IDENTITY_PAGE = {
  status: 200,
  html: '<!doctype html><html lang="en"><title>Identity check</title><h1>Identity check</h1><p>The operator of this staging environment decides.</p></html>',
}

async function listen(server, host, port) {
  // A client whose process stands still must not find its connections closed.
  server.keepAliveTimeout = 0
  server.listen(port, host)
  await once(server, 'listening')
  return `http://${host}:${server.address().port}`
}

async function end(server) {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
