// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'The signing secret is rotated',
  description: 'From then on, events are signed with the new secret only.',

  async play({ step, expect, api, control, login, webhooks }) {
    step('Events are signed with the secret you were given')
    const alice = await login('alice@example.com')
    const { data: buy } = await alice.buy({ cad: 100 })
    const [first] = await webhooks.about(buy.id)
    expect(await isSignedWith(webhooks.secret, first), true)

    step('You rotate the secret')
    const rotated = await api.post('/v2/webhook-configurations/signing-secret/rotate')
    const { signingSecret } = rotated.data
    expect(signingSecret === webhooks.secret, false)

    step('The configuration shows neither the old secret nor the new one')
    const configuration = await api.get('/v2/webhook-configurations')
    expect(configuration.data, { url: webhooks.url, signingSecret: undefined })

    step('The next event is signed with the new secret')
    await control.post(`/simulate/transactions/${buy.id}/funds-received`)
    const [, second] = await webhooks.about(buy.id)
    expect(await isSignedWith(signingSecret, second), true)
    expect(await isSignedWith(webhooks.secret, second), false)
  },
}

/**
 * Verifies the signature over the timestamp and the exact bytes; a body that was parsed and written again may not match.
 *
 * @param {string} secret
 * @param {{ headers: Readonly<Record<string, string>>, text: string } | undefined} event
 */
async function isSignedWith(secret, event) {
  const { headers = {}, text = '' } = event ?? {}
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
