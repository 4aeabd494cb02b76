/**
 * Calls the API, or the sandbox beside it, and throws where there is no success.
 *
 * @returns {Promise<ReturnType<typeof JSON.parse>>}
 */
export async function call({ url, apiKey }, path, { body, token, signal } = {}) {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  })
  const json = await response.json()
  if (!json.success && response.status >= 400) throw new Error(`${path}: ${response.status}`)
  return json
}

/** Logs a customer in, who reads the code from the inbox; returns the access token. */
export async function logIn(place, email, ask = call) {
  await ask(place, '/v2/auth/login-codes', { body: { email } })
  const { messages } = await ask(place, `/_sandbox/inbox?email=${email}&kind=login-code`)
  const body = { email, code: messages.at(-1).code }
  const { data } = await ask(place, '/v2/auth/login-codes/verify', { body })
  return data.accessToken
}
