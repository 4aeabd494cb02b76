// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A KYC verification is imported',
  description:
    'A valid share token verifies a user. An expired, incomplete or unknown one does not.',
  fixture: 'default',

  async play({ step, expect, api, control, login, webhooks }) {
    step('You register Grace')
    const email = 'grace@example.com'
    const { data: grace } = await api.post('/v2/users', { email })

    for (const kind of ['expired', 'incomplete', 'not-found']) {
      step(`A share token is refused if it is ${kind}`)
      const { shareToken } = await control.post('/simulate/share-tokens', { email, kind })
      const refused = await api.put(`/v2/users/${grace.id}/kyc`, { shareToken })
      expect(refused, { status: 400, body: { errors: [{ field: 'shareToken' }] } })
    }

    step('The share token of another user is refused')
    const other = await control.post('/simulate/share-tokens', { email: 'heidi@example.com' })
    expect(await api.put(`/v2/users/${grace.id}/kyc`, other), { status: 400 })
    expect(await webhooks.about(grace.id), [])

    step('Her own share token verifies her at once')
    const { shareToken } = await control.post('/simulate/share-tokens', { email })
    const imported = await api.put(`/v2/users/${grace.id}/kyc`, { shareToken })
    expect(imported.data, { id: grace.id, status: 'verified' })
    const events = await webhooks.about(grace.id)
    expect(
      events.map(({ body }) => body.payload.status),
      ['verified'],
    )

    step('She logs in')
    await login(email)
  },
}
