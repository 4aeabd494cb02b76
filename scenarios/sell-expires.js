// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A sell expires',
  description:
    'No coins arrive within 24 hours. A transaction that is being processed never expires.',

  async play({ step, expect, control, login, webhooks }) {
    step('Alice starts two sells, and sends the coins for one')
    const alice = await login('alice@example.com')
    const { data: unpaid } = await alice.sell({ coins: 100 })
    const { data: paid } = await alice.sell({ coins: 200 })
    await control.post(`/simulate/transactions/${paid.id}/funds-received`)

    step('A second before the 24 hours are over, both are active')
    await control.post('/clock/advance', { by: '23h' })
    const early = await control.post('/clock/advance', { by: '3599s' })
    expect(early, { fired: [] })

    step('A second later, the unpaid one has expired')
    const late = await control.post('/clock/advance', { by: '1s' })
    expect(late.fired, [{ kind: 'expire-transaction', ref: unpaid.id }])
    const events = await webhooks.about(unpaid.id)
    expect(events.at(-1)?.body.payload, { status: 'expired' })

    step('The other one still completes a week later')
    await control.post('/clock/advance', { by: '7d' })
    await control.post(`/simulate/transactions/${paid.id}/settled`)
    const again = await login(alice.email)
    const done = await again.get(`/v2/transactions/${paid.id}`)
    expect(done.data, { status: 'complete' })
  },
}
