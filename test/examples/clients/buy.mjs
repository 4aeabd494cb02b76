// A complete buy in Node, using the environment variables that `ramp-sandbox exec` sets.
import assert from 'node:assert/strict'

const { RAMP_SANDBOX_URL: base, RAMP_SANDBOX_API_KEY: key } = process.env
const email = 'alice@example.com'

// Calls the provider's API, as your own client does.
const api = (method, path, body, token) =>
  call(method, `/v2${path}`, body, {
    'x-api-key': key,
    ...(token && { authorization: `Bearer ${token}` }),
  }).then(({ data }) => data)

// Calls the control API, to do what the outside world does.
const sandbox = (method, path, body = {}) => call(method, `/_sandbox${path}`, body)

await sandbox('POST', '/reset', { fixture: 'verified-user', clock: 'frozen' })
await api('POST', '/auth/login-codes', { email })
const { messages } = await sandbox('GET', `/inbox?email=${email}&kind=login-code`)
const { accessToken } = await api('POST', '/auth/login-codes/verify', {
  email,
  code: messages[0].code,
})

const sides = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
const { quoteId } = await api('GET', `/quotes?${new URLSearchParams(sides)}`)
const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
const order = { ...sides, quoteId, wallet, externalSessionId: 'session-1' }
const { id, rightSideValue } = await api('POST', '/transactions', order, accessToken)

await sandbox('POST', `/simulate/transactions/${id}/funds-received`)
await sandbox('POST', `/simulate/transactions/${id}/settled`)
const bought = await api('GET', `/transactions/${id}`, undefined, accessToken)
assert.equal(bought.status, 'complete')
assert.equal(bought.rightSideValue, rightSideValue)
console.log(`bought ${bought.rightSideValue} ${bought.rightSideLabel}: ${bought.status}`)

async function call(method, path, body, headers) {
  const response = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })
  assert.ok(
    response.ok,
    `${method} ${path} responded with ${response.status}: ${await response.clone().text()}`,
  )
  return response.json()
}
