// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A webhook is lost',
  description:
    'Each event is sent once and never retried. To find what you missed while your endpoint was ' +
    'down, read the transactions.',

  async play({ step, expect, api, control, login, webhooks }) {
    step('Alice starts a buy')
    const alice = await login('alice@example.com')
    const { data: buy } = await alice.buy({ cad: 100 })

    step('Your endpoint goes down, and she pays')
    await api.put('/v2/webhook-configurations', { url: 'http://127.0.0.1:9/nobody-listens-here' })
    await control.post(`/simulate/transactions/${buy.id}/funds-received`)
    const lost = await webhooks.about(buy.id)
    expect(lost.at(-1), { outcome: 'refused', body: { payload: { transactionId: buy.id } } })

    step('Your endpoint comes back, but nothing is sent again')
    await api.put('/v2/webhook-configurations', { url: webhooks.url })
    await control.post('/clock/advance', { by: '1h' })
    expect(await webhooks.about(buy.id), [{}, {}])

    step('You list the transactions and find the status you missed')
    const again = await login('alice@example.com')
    const page = await again.get('/v2/transactions', { limit: 100 })
    expect(page.data, {
      total: 1,
      items: [{ id: buy.id, status: 'processing request money transfer' }],
    })

    step('The next event arrives as usual')
    await control.post(`/simulate/transactions/${buy.id}/settled`)
    const events = await webhooks.about(buy.id)
    expect(events.at(-1), { body: { payload: { status: 'complete' } } })
  },
}
