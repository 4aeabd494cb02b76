// @ts-check

/**
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: 'A buy expires',
  description: 'No e-transfer arrives within an hour, so the transaction expires.',

  async play({ step, expect, control, login, webhooks }) {
    step('Alice starts a buy and does not pay')
    const alice = await login('alice@example.com')
    const { data: buy } = await alice.buy({ cad: 100 })

    step('A second before the hour is over, she could still pay')
    await control.post('/clock/advance', { by: '59m' })
    await control.post('/clock/advance', { by: '59s' })
    const waiting = await login('alice@example.com')
    const pending = await waiting.get(`/v2/transactions/${buy.id}`)
    expect(pending.data, { status: 'pending request money transfer' })

    step('A second later, the transaction has expired')
    const { fired } = await control.post('/clock/advance', { by: '1s' })
    expect(fired, [{ kind: 'expire-transaction', ref: buy.id }])
    const expired = await waiting.get(`/v2/transactions/${buy.id}`)
    expect(expired.data, { status: 'expired', paymentId: null })

    step('You receive a webhook about it')
    const events = await webhooks.about(buy.id)
    expect(
      events.map(({ body }) => body.payload.status),
      ['pending request money transfer', 'expired'],
    )

    step('An expired transaction cannot be cancelled')
    const refused = await waiting.put(`/v2/transactions/${buy.id}/cancel`)
    expect(refused, { status: 400, body: { success: false } })
  },
}
