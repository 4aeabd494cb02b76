// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A webhook is lost',
  description:
    'Events are sent once and never again. What was missed while your endpoint was down is found by ' +
    'reading the transactions.',

  async play({ step, expect, api, control, login, webhooks }) {
    step('Alice orders USDC')
    const alice = await login('alice@example.com')
    const { data: bought } = await alice.buy({ cad: 100 })

    step('Your endpoint goes down, and she pays')
    await api.put('/v2/webhook-configurations', { url: 'http://127.0.0.1:9/nobody-listens-here' })
    await control.post(`/simulate/transactions/${bought.id}/funds-received`)
    const lost = await webhooks.about(bought.id)
    expect(lost.at(-1), { outcome: 'refused', body: { payload: { transactionId: bought.id } } })

    step('It comes back, but nothing is sent again')
    await api.put('/v2/webhook-configurations', { url: webhooks.url })
    await control.post('/clock/advance', { by: '1h' })
    expect(await webhooks.about(bought.id), [{}, {}])

    step('You read what is open, and find the status that you missed')
    const again = await login('alice@example.com')
    const page = await again.get('/v2/transactions', { limit: 100 })
    expect(page.data, {
      total: 1,
      items: [{ id: bought.id, status: 'processing request money transfer' }],
    })

    step('The next event arrives as ever')
    await control.post(`/simulate/transactions/${bought.id}/settled`)
    const told = await webhooks.about(bought.id)
    expect(told.at(-1), { body: { payload: { status: 'complete' } } })
  },
}
