// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'The bank refuses the payment for a buy',
  description:
    'A bank may have lower limits than the service. The transaction stays pending, and the user ' +
    'can pay again until it expires.',

  async play({ step, expect, control, login, webhooks }) {
    step('Alice buys USDC for more than her bank lets her send')
    const alice = await login('alice@example.com')
    const { data: buy } = await alice.buy({ cad: 5000 })

    step('Her bank refuses the payment and lets her know')
    const refused = await control.post(`/simulate/transactions/${buy.id}/bank-refused`)
    expect(refused, {
      from: 'pending request money transfer',
      to: 'pending request money transfer',
    })
    const inbox = await control.get('/inbox', { email: alice.email, kind: 'bank-refusal' })
    expect(inbox.messages, [{ to: alice.email }])

    step('No webhook is sent, because the status did not change')
    const before = await webhooks.about(buy.id)
    expect(
      before.map(({ body }) => body.payload.status),
      ['pending request money transfer'],
    )

    step('She raises her bank limit and pays in time')
    await control.post('/clock/advance', { by: '30m' })
    await control.post(`/simulate/transactions/${buy.id}/funds-received`)
    await control.post(`/simulate/transactions/${buy.id}/settled`)
    const done = await alice.get(`/v2/transactions/${buy.id}`)
    expect(done.data, { status: 'complete' })
  },
}
