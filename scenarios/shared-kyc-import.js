// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A verification is imported',
  description: 'A share token of the shared-KYC provider verifies a user; three others do not.',
  fixture: 'default',

  async play({ step, expect, api, control, login, webhooks }) {
    step('You register Grace')
    const email = 'grace@example.com'
    const { data: grace } = await api.post('/v2/users', { email })

    for (const kind of ['expired', 'incomplete', 'not-found']) {
      step(`A share token of the kind ${kind} is refused`)
      const { shareToken } = await control.post('/simulate/share-tokens', { email, kind })
      const refused = await api.put(`/v2/users/${grace.id}/kyc`, { shareToken })
      expect(refused, { status: 400, body: { errors: [{ field: 'shareToken' }] } })
    }

    step('So is one of somebody else')
    const other = await control.post('/simulate/share-tokens', { email: 'heidi@example.com' })
    expect(await api.put(`/v2/users/${grace.id}/kyc`, other), { status: 400 })
    expect(await webhooks.about(grace.id), [])

    step('Her own verifies her at once')
    const { shareToken } = await control.post('/simulate/share-tokens', { email })
    const imported = await api.put(`/v2/users/${grace.id}/kyc`, { shareToken })
    expect(imported.data, { id: grace.id, status: 'verified' })
    const told = await webhooks.about(grace.id)
    expect(
      told.map(({ body }) => body.payload.status),
      ['verified'],
    )

    step('She logs in')
    await login(email)
  },
}
