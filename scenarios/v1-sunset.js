// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'v1 is shut down',
  description: 'What happens to an application that has not moved to v2 by the sunset.',
  clock: '2026-08-20T23:59:59Z',

  async play({ step, expect, api, control, login }) {
    await control.patch('/settings', { 'v1.sunset': 'contract' })

    step('A second before the shutdown, v1 works and announces it')
    const email = 'alice@example.com'
    const last = await api.post(`/loginCodeSend?email=${email}`)
    expect(last, { status: 200, body: { status: 'success' } })
    expect(last.headers.sunset, 'Fri, 21 Aug 2026 00:00:00 GMT')
    const alice = await login(email)

    step('A second later, v1 is gone and says what replaces it')
    await control.post('/clock/advance', { by: '1s' })
    const gone = await api.post(`/loginCodeSend?email=${email}`)
    expect(gone, { status: 410, body: { message: /POST \/v2\/auth\/login-codes/ } })
    expect(await alice.get('/transaction', { tx_id: 'any' }), { status: 410 })

    step('v2 works as before')
    expect(await alice.get('/v2/limits'), { status: 200 })
    expect(await alice.buy({ cad: 100 }), { status: 200 })

    step('An extension, which the provider grants on request, brings v1 back')
    await control.patch('/settings', { 'v1.sunset': 'extended' })
    expect(await api.post(`/loginCodeSend?email=${email}`), { status: 200 })
  },
}
