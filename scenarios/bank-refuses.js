// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'The bank refuses to pay a buy',
  description:
    'A bank may have lower limits than the service: an accepted transaction stays pending, and the ' +
    'user can pay again until it expires.',

  async play({ step, expect, control, login, webhooks }) {
    step('Alice orders USDC for more than her bank lets her send')
    const alice = await login('alice@example.com')
    const { data: bought } = await alice.buy({ cad: 5000 })

    step('Her bank refuses, and tells her')
    const refused = await control.post(`/simulate/transactions/${bought.id}/bank-refused`)
    expect(refused, {
      from: 'pending request money transfer',
      to: 'pending request money transfer',
    })
    const inbox = await control.get('/inbox', { email: alice.email, kind: 'bank-refusal' })
    expect(inbox.messages, [{ to: alice.email }])

    step('You hear nothing: the status did not change')
    const before = await webhooks.about(bought.id)
    expect(
      before.map(({ body }) => body.payload.status),
      ['pending request money transfer'],
    )

    step('She raises the limit of her bank and pays in time')
    await control.post('/clock/advance', { by: '30m' })
    await control.post(`/simulate/transactions/${bought.id}/funds-received`)
    await control.post(`/simulate/transactions/${bought.id}/settled`)
    const done = await alice.get(`/v2/transactions/${bought.id}`)
    expect(done.data, { status: 'complete' })
  },
}
