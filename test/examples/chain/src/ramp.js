// The client of the ramp platform, as it would be for the real one: a base URL, a key, a user's token.
export function createRamp({ baseUrl, apiKey, token }) {
  return {
    transaction: (id) => call('GET', `/transactions/${id}`),
    async order({ wallet, ...sides }) {
      const { quoteId } = await call('GET', `/quotes?${new URLSearchParams(sides)}`)
      return call('POST', '/transactions', { ...sides, wallet, quoteId })
    },
  }

  async function call(method, path, body) {
    const response = await fetch(`${baseUrl}/v2${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: body && JSON.stringify(body),
    })
    const { success, data, errors } = await response.json()
    if (!success) throw new Error(errors.map(({ message }) => message).join(' '))
    return data
  }
}
