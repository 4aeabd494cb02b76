// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A user is rejected and tries again',
  description: 'The requirements give the reason for the rejection, and a second attempt succeeds.',
  fixture: 'cast',

  async play({ step, expect, api, control, login, webhooks }) {
    step('Bob, who is in review, is rejected')
    const email = 'bob@example.com'
    const found = await api.get('/v2/users', { email })
    const [{ id }] = found.data
    const reasons = ['The photo is blurred.']
    await control.post(`/simulate/users/${email}/kyc`, { status: 'rejected', reasons })

    step('You receive a webhook, and the requirements say why')
    const events = await webhooks.about(id)
    expect(events.at(-1)?.body, { type: 'user.update', payload: { email, status: 'rejected' } })
    const requirements = await api.get(`/v2/users/${id}/requirements`)
    expect(requirements.data.outstanding, [{ field: 'kyc', message: /The photo is blurred/ }])

    step('He cannot log in')
    expect(await api.post('/v2/auth/login-codes', { email }), { status: 403 })

    step('A new KYC link lets him try again')
    const link = await api.get(`/v2/users/${id}/kyc-url`)
    expect(link.status, 200)
    await control.post(`/simulate/users/${email}/kyc`, { status: 'in-review' })
    await control.post(`/simulate/users/${email}/kyc`, { status: 'verified' })

    step('Now he is verified and can log in')
    const complete = await api.get(`/v2/users/${id}/requirements`)
    expect(complete.data, { complete: true })
    const bob = await login(email)
    expect(await bob.get('/v2/limits'), { status: 200 })
  },
}
