const WALLET = `0x${'12'.repeat(20)}`
const NOBODY = '11111111-1111-4111-8111-111111111111'
const HOOKS = '/v2/webhook-configurations'

/**
 * About eighty calls of an integrator, with the usual mistakes, in both versions.
 * Returns what each got: `{ call, status }`.
 */
export async function playSession({ url, apiKey, user, readCode, tag }) {
  const seen = []
  const base = { apiKey, type: 'application/json' }

  async function call(method, path, body, { token, text, ...more } = {}) {
    const { apiKey: key, type } = { ...base, ...more }
    const sent = text ?? (body && JSON.stringify(body))
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key && { 'x-api-key': key }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(sent !== undefined && { 'content-type': type }),
      },
      ...(sent !== undefined && { body: sent }),
    })
    const json = await response.json().catch(() => undefined)
    seen.push({ call: `${method} ${path}`, status: response.status })
    return json?.data ?? json
  }
  const get = (path, more) => call('GET', path, undefined, more)
  const quote = (value, left = 'CAD', right = 'USDC-ETH', path = '/v2/quotes', more = {}) => {
    const query = new URLSearchParams({ leftSideLabel: left, rightSideLabel: right })
    if (value !== undefined) query.set('leftSideValue', value)
    return get(`${path}?${query}`, more)
  }

  // Webhooks
  await get(HOOKS)
  await call('POST', `${HOOKS}/test`)
  await call('DELETE', HOOKS)
  await call('PUT', HOOKS, { url: 'not a url' })
  await call('PUT', HOOKS, { url: 'https://hooks.example.com/a' })
  await call('PUT', HOOKS, { url: 'https://hooks.example.com/b' })
  await get(HOOKS)

  // Users
  const email = `zoe-${tag}@example.com`
  const zoe = { email, firstName: 'Zoe', lastName: 'Li', dob: '1985-05-05', province: 'BC' }
  const other = { ...zoe, email: `kim-${tag}@example.com` }
  const { id } = await call('POST', '/v2/users', zoe)
  await call('POST', '/v2/users', zoe)
  await call('POST', '/v2/users', { email: 'x@example.com' })
  await call('POST', '/v2/users', { ...zoe, email: 'broken' })
  await call('POST', '/v2/users', { ...other, province: 'ZZ' })
  await call('POST', '/v2/users', { ...other, colour: 'red' })
  await call('POST', '/v2/users', undefined, { text: '{"email":' })
  await call('POST', '/v2/users', undefined, { text: JSON.stringify(other), type: 'text/plain' })
  await get(`/v2/users?email=${email}`)
  await get('/v2/users?email=none@example.com')
  await get('/v2/users')
  await get(`/v2/users/${id}/requirements`)
  await get(`/v2/users/${NOBODY}/requirements`)
  await get('/v2/users/nobody/requirements')
  await get(`/v2/users/${id}/kyc-url`)
  await call('PATCH', `/v2/users/${id}`, { city: 'Ottawa' })
  await call('PUT', `/v2/users/${id}/kyc`, {})
  await call('PUT', `/v2/users/${id}/kyc`, { shareToken: 'bad', share_token: 'bad' })
  await call('PUT', `/v2/users/${NOBODY}/kyc`, { share_token: 'bad' })

  // Login
  const codes = '/v2/auth/login-codes'
  await call('POST', codes, { email })
  await call('POST', codes, { email: 'none@example.com' })
  await call('POST', codes, {})
  await call('POST', `${codes}/verify`, { email: user, code: '0000' })
  await call('POST', codes, { email: user })
  const code = await readCode(user)
  const { accessToken: token } = await call('POST', `${codes}/verify`, { email: user, code })
  await call('POST', `${codes}/verify`, { email: user, code })
  const [{ id: me }] = await get(`/v2/users?email=${user}`)
  await get(`/v2/users/${me}/requirements`)
  await get(`/v2/users/${me}/kyc-url`, { token })
  await get(`/v2/users/${me}/kyc-url`)
  await get(`/v2/users/${id}/kyc-url`, { token })
  await call('PATCH', `/v2/users/${me}`, { city: 'Ottawa' }, { token })
  await call('PATCH', `/v2/users/${me}`, { city: 7 }, { token })
  await call('PATCH', `/v2/users/${id}`, { city: 'Ottawa' }, { token })
  await get('/v2/limits', { token })
  await get('/v2/limits')
  await get('/v2/limits', { token: 'abc' })

  // Trading
  const fresh = await quote(100)
  await quote('x')
  await quote(100, 'CAD', 'DOGE')
  await quote(undefined)
  await quote(100, 'CAD', 'USDC-ETH', '/v2/quotes', { apiKey: undefined })
  await quote(100, 'CAD', 'USDC-ETH', '/v2/quotes', { apiKey: 'wrong' })
  const order = ({ quoteId }, more = {}) => ({
    ...{ leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' },
    ...{ wallet: WALLET, quoteId, externalSessionId: 'sess-1', ...more },
  })
  const buy = (body, more = { token }) => call('POST', '/v2/transactions', body, more)
  const { id: tx } = await buy(order(fresh))
  await buy(order(fresh))
  await buy(order(fresh), {})
  await buy(order({ quoteId: 1 }))
  await buy(order(await quote(100), { wallet: 'nope' }))
  await buy(order(await quote(100), { leftSideValue: 150 }))
  await buy(order(await quote(5), { leftSideValue: 5 }))
  await buy({})
  await get('/v2/transactions', { token })
  await get('/v2/transactions?limit=9999', { token })
  await get('/v2/transactions?limit=a', { token })
  await get('/v2/transactions')
  await get(`/v2/transactions/${tx}`, { token })
  await get('/v2/transactions/nope', { token })
  await get(`/v2/transactions/${NOBODY}`, { token })
  await call('PUT', `/v2/transactions/${NOBODY}/cancel`, undefined, { token })
  await call('PUT', `/v2/transactions/${tx}/cancel`, undefined, { token })
  await call('PUT', `/v2/transactions/${tx}/cancel`, undefined, { token })
  await get('/v2/nothing')
  await call('DELETE', '/v2/users')

  // v1
  await quote(100, 'CAD', 'USDC-ETH', '/priceQuote')
  await quote(100, 'CAD', 'USDC-ETH', '/priceQuote', { apiKey: undefined })
  await get(`/apiFindUser?email=${user}`)
  await get('/apiFindUser?email=none@example.com')
  await get('/apiFindUser')
  await get('/apiFindUser', { apiKey: 'wrong' })
  await get('/webhooks')
  await get('/webhooks', { apiKey: undefined })
  await get('/nothing')
  return seen
}
