// Client for the ramp platform, written as you would for production: it takes a base URL and a key.

/** A call that the platform refused, with its HTTP status and a readable message. */
export class RampError extends Error {
  constructor(status, errors) {
    super(errors.map(({ message }) => message).join(' '))
    this.status = status
  }
}

export function createRamp({ baseUrl, apiKey }) {
  return {
    registerUser: (user) => call('POST', '/users', { body: user }),
    kycLink: (userId) => call('GET', `/users/${userId}/kyc-url`),
    sendLoginCode: (email) => call('POST', '/auth/login-codes', { body: { email } }),
    async logIn(email, code) {
      const body = { email, code }
      return (await call('POST', '/auth/login-codes/verify', { body })).accessToken
    },
    quote: (sides) => call('GET', `/quotes?${new URLSearchParams(sides)}`),
    createTransaction: (token, transaction) =>
      call('POST', '/transactions', { token, body: transaction }),
    transaction: (token, id) => call('GET', `/transactions/${id}`, { token }),
    setWebhook: (url) => call('PUT', '/webhook-configurations', { body: { url } }),
  }

  async function call(method, path, { token, body } = {}) {
    const response = await fetch(`${baseUrl}/v2${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    const { success, data, errors } = await response.json()
    if (!success) throw new RampError(response.status, errors)
    return data
  }
}
