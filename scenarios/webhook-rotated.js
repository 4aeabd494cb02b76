// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'The signing secret is rotated',
  description: 'From that moment on events are signed with the new secret alone.',

  async play({ step, expect, api, control, login, webhooks }) {
    step('An event is signed with the secret that you were given')
    const alice = await login('alice@example.com')
    const { data: bought } = await alice.buy({ cad: 100 })
    const [first] = await webhooks.about(bought.id)
    expect(await isSignedWith(webhooks.secret, first), true)

    step('You rotate the secret')
    const rotated = await api.post('/v2/webhook-configurations/signing-secret/rotate')
    const { signingSecret } = rotated.data
    expect(signingSecret === webhooks.secret, false)

    step('The configuration shows neither the old nor the new')
    const configuration = await api.get('/v2/webhook-configurations')
    expect(configuration.data, { url: webhooks.url, signingSecret: undefined })

    step('The next event is signed with the new one')
    await control.post(`/simulate/transactions/${bought.id}/funds-received`)
    const [, second] = await webhooks.about(bought.id)
    expect(await isSignedWith(signingSecret, second), true)
    expect(await isSignedWith(webhooks.secret, second), false)
  },
}

/**
 * Over the timestamp and the body exactly as they came, never a body that was parsed.
 *
 * @param {string} secret
 * @param {{ headers: Readonly<Record<string, string>>, text: string } | undefined} told
 */
async function isSignedWith(secret, told) {
  const { headers = {}, text = '' } = told ?? {}
  const key = await crypto.subtle.importKey(
    'raw',
    Buffer.from(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signature = Buffer.from(headers['X-Service-Signature']?.replace('v1=', '') ?? '', 'hex')
  const signed = Buffer.from(`${headers['X-Service-Timestamp']}.${text}`)
  return crypto.subtle.verify('HMAC', key, signature, signed)
}
