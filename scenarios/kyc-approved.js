// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A new user is verified',
  description: 'Onboarding from the first call to the first login.',
  fixture: 'default',

  async play({ step, expect, api, control, login, webhooks }) {
    step('You register Frank with his e-mail address and first name')
    const email = 'frank@example.com'
    const { data: frank } = await api.post('/v2/users', { email, firstName: 'Frank' })
    const created = await api.get('/v2/users', { email })
    expect(created.data, [{ id: frank.id }])

    step('You ask which details are missing, and send them')
    const missing = await api.get(`/v2/users/${frank.id}/requirements`)
    expect(missing.data, { complete: false })
    await api.patch(`/v2/users/${frank.id}`, {
      lastName: 'Roy',
      dob: '1988-02-29',
      addressLine1: '600 Example Street',
      city: 'Ottawa',
      province: 'ON',
      postalCode: 'K1A 0B1',
      occupation: 'Engineer',
      purpose: 'Savings',
      pep: false,
      tpd: false,
    })
    const left = await api.get(`/v2/users/${frank.id}/requirements`)
    expect(left.data, { complete: false, outstanding: [{ field: 'kyc' }] })

    step('He cannot log in before he is verified')
    expect(await api.post('/v2/auth/login-codes', { email }), { status: 403 })

    step('He opens the KYC link')
    const link = await api.get(`/v2/users/${frank.id}/kyc-url`)
    expect(link.data, { url: /^https?:/, expiresAt: '2026-07-01T12:30:00.000Z' })
    await control.post(`/simulate/users/${email}/kyc`, { status: 'in-review' })

    step('A reviewer approves him a minute later')
    await control.post(`/simulate/users/${email}/kyc`, { status: 'verified', after: '1m' })
    const { fired } = await control.post('/clock/advance', { by: '1m' })
    expect(fired, [{ kind: 'change-kyc-status', ref: frank.id }])

    step('You receive a webhook for each change')
    const events = await webhooks.about(frank.id)
    expect(
      events.map(({ body }) => [body.type, body.payload.status]),
      [
        ['user.update', 'in-review'],
        ['user.update', 'verified'],
      ],
    )

    step('Nothing is missing, and Frank logs in and trades')
    const complete = await api.get(`/v2/users/${frank.id}/requirements`)
    expect(complete.data, { complete: true, outstanding: [] })
    const loggedIn = await login(email)
    expect(await loggedIn.buy({ cad: 100 }), { status: 200 })
  },
}
